"""A match looked back on: each seat's chance to win after every line of its log, what each choice cost against the best
found, luck told apart from choices, the moments that swung most, and a summary as text keys. Needs numpy.

A choice is judged from what its chooser could know then, by `chances`; nothing of it depends on the open cards.
It is done in parts (`part`), so that others need not wait for the whole, and put together (`whole`).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast
from zlib import crc32

from landfall.analysis.chances import Choice, judged, lead, ordered, played_on, promising
from landfall.analysis.curve import Curve, sharpened
from landfall.analysis.trust import trust
from landfall.bots.contract import Seat
from landfall.bots.judge import NETS
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.match import Match

if TYPE_CHECKING:
    from landfall.bots.judge import Floats
    from landfall.core.state import State

VERSION: Final = 2  # of what is told and how it is found
BOT: Final = "netsearch"  # the bot that judges so: the net, and where it matters lines played on
GOOD: Final = 0.03  # what a good choice may cost at most
DOUBTED: Final = 0.02  # what a choice costs at first sight, or at a glance, from which on it is looked at closely
GLANCED, GLANCE = 1, 4  # a glance: the best so many and the one made, in so many worlds
WORLDS: Final = 20  # that the lines of such a choice are played on in
LINES: Final = 4
ROUNDS: Final = 3  # that they are played on for: what a choice leads to may be decided in the next rounds only
FIRST_SIGHT: Final = 4  # how many of these worlds the net's first look counts for
SURE: Final = 0.9  # from which on the bot's choice is told as better
SWING: Final = 0.05  # the least that a moment that mattered swung
MATTERED: Final = 5  # moments that are told
APART: Final = 2  # moments between two of them, at least
SHORTEST: Final = 8  # moments; of fewer nothing is told
ALTERNATIVES: Final = 3
FEWEST: Final = 5  # choices, of fewer nothing is said in all
NEITHER: Final = 0.01  # luck within this is none


class Alternative(TypedDict):
    """A choice in its notation, in words, and its chooser's chance to win after it."""

    text: str
    words: dict[str, Any]
    chance: float


class Judgement(TypedDict):
    """A choice that was made: what it cost against the best found, and the best ones; `tries` worlds were looked at."""

    at: int  # how many lines of the log came before it
    seat: int
    counts: bool  # whether it is counted among a player's choices: not in the set-up
    chance: float  # of the chooser after it
    cost: float
    sure: bool  # whether the best is better than it, beyond the luck of the worlds
    rank: int  # among the choices looked at, from 1
    of: int
    tries: int
    best: list[Alternative]


class Moment(TypedDict):
    """After so many lines of the log: who acted last (-1: chance), the turn's number, each seat's chance to win."""

    at: int
    actor: int
    turn: int
    chances: list[float]


class Part(TypedDict):
    """What is told of the lines from `first` on, before `last`."""

    first: int
    last: int
    moments: list[Moment]
    judgements: list[Judgement]


class Mattered(TypedDict):
    """A moment that swung the match: for whom most, by how much, and whether by a choice."""

    at: int
    seat: int
    swing: float
    choice: bool


class Account(TypedDict):
    """A player's luck, how many choices were good, and which was the best and the worst (`at`; -1: none)."""

    luck: float
    good: int
    choices: int
    best: int
    gain: float
    worst: int
    cost: float


class Sentence(TypedDict):
    """One of the summary: a text key `look.<key>` and its arguments."""

    key: str
    args: dict[str, Any]


class Lookback(TypedDict):
    """All that is told of a match."""

    version: int
    bot: str
    game: str
    players: int
    short: bool  # too short to tell anything
    turns: int
    moments: list[Moment]
    judgements: list[Judgement]
    mattered: list[Mattered]
    worst: list[int]  # the costliest choices of the match, by `at`, the worst first
    accounts: list[Account]
    summary: list[Sentence]


@cache
def edition(game: str) -> int:
    """A number that is another with another net, trust or version: what was kept under another is worked out anew."""
    told = (NETS / f"{game}.npz").read_bytes() + (NETS / "trust.json").read_bytes() + bytes([VERSION])
    return crc32(told) & 0x7FFFFFFF


def cuts(record: str) -> list[int]:
    """The lines of the log at which parts may begin that a match is looked back on in, and the one after the last.

    These are the choices: no part begins in the middle of what chance brings.
    """
    log = Match.replay(record).log
    return [*(i for i, entry in enumerate(log) if entry.actor >= 0), len(log) + 1]


def part(record: str, first: int, last: int) -> Part:
    """What is told of a match from one of its cuts to another: the moments, and each choice among them."""
    match = Match.replay(record)
    game, players, log = match.game.name, match.players, match.log
    curve = Curve(game, players)
    moments: list[Moment] = []
    same: list[int] = []  # by moment, which of those the curve was asked for it is
    asked: list[tuple[int, State, int]] = []
    state, chooser, turn, mark = match.shortened(0).state.copy(), -1, 0, -1
    for i in range(min(last, len(log) + 1)):
        actor = int(log[i - 1].actor) if i else CHANCE
        if state.actor >= 0 and not state.setting_up() and state.turn_mark() != mark:
            mark, turn = int(state.turn_mark()), turn + 1
        if i >= first:
            if state.actor != CHANCE or actor != CHANCE or not same:  # what chance brings in a row is one swing
                curve.add(state, chooser)
            same.append(len(curve.moments) - 1)
            moments.append({"at": i, "actor": actor, "turn": turn, "chances": []})
        if i < len(log):
            if log[i].actor >= 0:
                chooser = int(log[i].actor)
                if i >= first:
                    asked.append((i, state.copy(), int(log[i].action)))
            state.apply(log[i].action)
    told = curve.told()
    for moment, which in zip(moments, same, strict=True):
        moment["chances"] = [rounded(chance) for chance in told[which]]
    found = [judgement(game, at, before, action) for at, before, action in asked]
    return {"first": first, "last": last, "moments": moments, "judgements": [j for j in found if j is not None]}


def judgement(game: str, at: int, state: State, action: int) -> Judgement | None:
    """What a choice cost, from what its chooser could know; None if it was forced."""
    if len(state.legal()) == 1:
        return None
    seat = Seat.of(state, game, Rng((at << 20) + 19))  # the true position is not looked at from here on
    first = tempered(game, judged(seat, 1, [action]), seat.number)
    choices, tries, sure = first, 1, True
    if not state.setting_up() and is_doubted(game, seat, first, action):
        choices, sure = looked_at_closely(game, seat, first, action)
        tries = WORLDS
    chosen, best = of(choices, action), choices[0]
    return {
        "at": at,
        "seat": seat.number,
        "counts": not state.setting_up(),
        "chance": rounded(chosen.chance),
        "cost": rounded(best.chance - chosen.chance),
        "sure": sure,
        "rank": 1 + sum(choice.chance > chosen.chance for choice in choices),
        "of": len(first),
        "tries": tries,
        "best": [alternative(seat, choice) for choice in choices[:ALTERNATIVES]],
    }


def is_doubted(game: str, seat: Seat, first: list[Choice], action: int) -> bool:
    """Whether a choice costs something at first sight, or shortly after: a net may see too late what it leads to."""
    cost = first[0].chance - of(first, action).chance
    if cost == 0 or cost >= DOUBTED:
        return cost > 0
    taken = promising(first, GLANCED, [action])
    told = sharpened(played_on(seat, taken, GLANCE, ROUNDS), trust(game, seat.players).chooser).mean(0)[:, seat.number]
    return bool(told.max() - told[taken.index(action)] >= DOUBTED)


def looked_at_closely(game: str, seat: Seat, first: list[Choice], action: int) -> tuple[list[Choice], bool]:
    """The best choices and the one made, played on; and whether the best is surely better than that."""
    taken = promising(first, LINES, [action])
    told = sharpened(played_on(seat, taken, WORLDS, ROUNDS), trust(game, seat.players).chooser)
    seen = {choice.action: choice for choice in first}
    found = [mixed(seen[choice.action], choice) for choice in ordered(taken, told, seat.number)]
    found.sort(key=lambda choice: -choice.chance)
    if found[0].action == action:
        return found, True
    apart: Floats = told[:, taken.index(found[0].action), seat.number] - told[:, taken.index(action), seat.number]
    return found, lead(apart).sureness >= SURE


def mixed(first: Choice, played: Choice) -> Choice:
    """A choice as it was played on, with the net's first look counted in."""
    share = FIRST_SIGHT / (FIRST_SIGHT + played.tries)
    chances = tuple(share * a + (1 - share) * b for a, b in zip(first.chances, played.chances, strict=True))
    chance = share * first.chance + (1 - share) * played.chance
    return Choice(played.action, chance, chances, played.error, played.tries)


def tempered(game: str, choices: list[Choice], seat: int) -> list[Choice]:
    """Choices with chances as far as the net is trusted, the best first: that may be another than before."""
    import numpy as np

    told = sharpened(np.array([choice.chances for choice in choices]), trust(game, len(choices[0].chances)).chooser)
    found = [
        Choice(choice.action, float(row[seat]), tuple(map(float, row)), choice.error, choice.tries)
        for choice, row in zip(choices, told, strict=True)
    ]
    return sorted(found, key=lambda choice: -choice.chance)


def of(choices: list[Choice], action: int) -> Choice:
    """The one of that action."""
    return next(choice for choice in choices if choice.action == action)


def alternative(seat: Seat, choice: Choice) -> Alternative:
    """A choice as it is told, worded in a world its chooser might be in."""
    world = seat.sample(Rng(1))
    words = dict(cast("dict[str, Any]", world.describe(choice.action)))
    return {"text": world.notation(choice.action), "words": words, "chance": rounded(choice.chance)}


def rounded(chance: float) -> float:
    """As it is kept: hundredths of a per cent."""
    return round(chance, 4)


class Offered(TypedDict):
    """What could have been chosen at a moment, as its chooser was offered it, and its chance to win after each."""

    at: int
    seat: int
    chosen: int
    choices: list[dict[str, Any]]  # for each verb the names of its words, then a row for each choice
    preview: dict[str, Any]
    chances: dict[str, float]  # by action


def offered(record: str, at: int) -> Offered | None:
    """What could have been chosen after so many lines of a match; None if nobody chose there."""
    match = Match.replay(record)
    if not 0 <= at < len(match.log) or match.log[at].actor < 0:
        return None
    game, state, chosen = match.game.name, match.shortened(at).state, int(match.log[at].action)
    seat = Seat.of(state, game, Rng((at << 20) + 19))
    found = tempered(game, judged(seat, 1, [chosen]), seat.number)
    return {
        "at": at,
        "seat": seat.number,
        "chosen": chosen,
        "choices": [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in seat.choices],
        "preview": dict(cast("dict[str, Any]", state.resample(seat.number, Rng(1)).preview(seat.number))),
        "chances": {str(choice.action): rounded(choice.chance) for choice in found},
    }


# --- all of it ----------------------------------------------------------------------------------------------------


def whole(game: str, players: int, over: bool, parts: list[Part]) -> Lookback:
    """The parts of a match put together, as far as they are there; `over`: they are, and it was played to its end."""
    moments = [moment for found in parts for moment in found["moments"]]
    judgements = [each for found in parts for each in found["judgements"]]
    short = len(moments) < SHORTEST
    accounts = [account(seat, moments, judgements) for seat in range(players)]
    swung = [] if short else mattered(moments)
    return {
        "version": VERSION,
        "bot": BOT,
        "game": game,
        "players": players,
        "short": short,
        "turns": moments[-1]["turn"] if moments else 0,
        "moments": moments,
        "judgements": judgements,
        "mattered": swung,
        "worst": [each["at"] for each in costliest(judgements)[:MATTERED]],
        "accounts": accounts,
        "summary": [] if short else summary(over, moments, accounts),
    }


def looked_back(record: str) -> Lookback:
    """All at once."""
    match, found = Match.replay(record), cuts(record)
    parts = [part(record, found[0], found[-1])] if len(found) > 1 else []
    return whole(match.game.name, match.players, match.state.actor == OVER, parts)


def swings(moments: list[Moment]) -> list[tuple[int, int, list[float]]]:
    """Between every two moments: after which line, who acted, by how much each seat's chance changed."""
    found = []
    for before, after in pairwise(moments):
        change = [b - a for a, b in zip(before["chances"], after["chances"], strict=True)]
        found.append((after["at"], after["actor"], change))
    return found


def mattered(moments: list[Moment]) -> list[Mattered]:
    """The few moments that swung most, in their order."""
    ranked: list[Mattered] = []
    for at, actor, change in swings(moments):
        seat = max(range(len(change)), key=lambda each: abs(change[each]))
        if abs(change[seat]) >= SWING:
            ranked.append({"at": at, "seat": seat, "swing": rounded(change[seat]), "choice": actor >= 0})
    ranked.sort(key=lambda each: -abs(each["swing"]))
    taken: list[Mattered] = []
    for each in ranked:
        if len(taken) < MATTERED and all(abs(each["at"] - other["at"]) >= APART for other in taken):
            taken.append(each)
    return sorted(taken, key=lambda each: each["at"])


def costliest(judgements: list[Judgement]) -> list[Judgement]:
    """The choices that were no good ones, the worst first."""
    poor = [each for each in judgements if each["cost"] >= GOOD and each["sure"]]
    return sorted(poor, key=lambda each: -each["cost"])


def account(seat: int, moments: list[Moment], judgements: list[Judgement]) -> Account:
    """What became of one player."""
    own = [each for each in judgements if each["seat"] == seat]
    counted = [each for each in own if each["counts"]]
    poor = {each["at"] for each in costliest(own)}
    changes = swings(moments)
    gains = {at - 1: change[seat] for at, actor, change in changes if actor == seat}
    chosen = {each["at"]: gains[each["at"]] for each in counted if each["at"] in gains and each["at"] not in poor}
    best = max(chosen, key=lambda at: chosen[at], default=-1)
    worst = costliest(own)[:1]
    return {
        "luck": rounded(sum(change[seat] for _, actor, change in changes if actor == CHANCE)),
        "good": sum(each["at"] not in poor for each in counted),
        "choices": len(counted),
        "best": best if best >= 0 and chosen[best] >= NEITHER else -1,
        "gain": rounded(chosen[best]) if best >= 0 else 0.0,
        "worst": worst[0]["at"] if worst else -1,
        "cost": worst[0]["cost"] if worst else 0.0,
    }


def summary(over: bool, moments: list[Moment], accounts: list[Account]) -> list[Sentence]:
    """What a player likes to read, the winner first."""
    winners = [seat for seat, share in enumerate(moments[-1]["chances"]) if over and share > 0]
    found: list[Sentence] = []
    if len(winners) == 1:
        found.append(from_when(winners[0], moments))
    elif winners:
        found.append({"key": "shared", "args": {"seats": winners}})
    for seat in winners[:1]:
        if accounts[seat]["best"] >= 0:
            found.append({"key": "best", "args": {"seat": seat, "at": accounts[seat]["best"] + 1}})
    missed = max(range(len(accounts)), key=lambda seat: accounts[seat]["cost"] * (seat not in winners))
    if accounts[missed]["worst"] >= 0 and missed not in winners:
        costs = accounts[missed]
        found.append({"key": "worst", "args": {"seat": missed, "at": costs["worst"] + 1, "cost": costs["cost"]}})
    found.append(luckiest(accounts))
    return found


def from_when(winner: int, moments: list[Moment]) -> Sentence:
    """Since when the winner led, if that was early; else how late it came."""
    ahead = len(moments) - 1
    while ahead > 0 and moments[ahead - 1]["chances"][winner] == max(moments[ahead - 1]["chances"]):
        ahead -= 1
    lowest = min(moment["chances"][winner] for moment in moments)
    args = {"seat": winner, "turn": moments[ahead]["turn"], "turns": moments[-1]["turn"], "lowest": lowest}
    if ahead <= len(moments) // 3:
        return {"key": "led", "args": args}
    return {"key": "late" if ahead >= len(moments) * 5 // 6 else "overtook", "args": args}


def luckiest(accounts: list[Account]) -> Sentence:
    """Whom chance helped most, and whom least."""
    order = sorted(range(len(accounts)), key=lambda seat: accounts[seat]["luck"])
    low, high = order[0], order[-1]
    if accounts[high]["luck"] <= NEITHER:
        return {"key": "fair", "args": {}}
    args = {"seat": high, "luck": accounts[high]["luck"], "other": low, "ill": accounts[low]["luck"]}
    return {"key": "luck", "args": args}
