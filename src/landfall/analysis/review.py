"""Match review: each seat's win probability after every line of the log, the cost of each choice against the best one
found, luck apart from choices, the moments with the largest swings, and a summary as text keys. Needs numpy.

A choice is evaluated only from what its player could know then (`win_probability`), never from hidden cards. The work
is split into parts (`review_part`), so that other jobs can run in between; `join_parts` joins them.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast
from zlib import crc32

from landfall.analysis.calibration import calibration_for
from landfall.analysis.win_curve import WinCurve, sharpen
from landfall.analysis.win_probability import (
    Choice,
    compute_lead,
    evaluate_choices,
    pick_promising,
    rank_choices,
    roll_out_choices,
)
from landfall.bots.contract import Seat
from landfall.bots.value_net import NETS_DIR
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.match import Match

if TYPE_CHECKING:
    from landfall.bots.value_net import Floats
    from landfall.core.state import State

VERSION: Final = 2  # of the review's contents and method
REVIEW_BOT: Final = "netsearch"  # reviews use its method: the net, and rollouts where they matter
GOOD_CHOICE_MAX_COST: Final = 0.03  # the most that a good choice may cost
# a choice that costs this much by the net or by the quick comparison gets the full comparison
DOUBT_MIN_COST: Final = 0.02
GLANCE_CHOICES, GLANCE_WORLDS = 1, 4  # quick comparison: the best choices and the one made, in this many worlds
REVIEW_WORLDS: Final = 20  # worlds of the full comparison's rollouts
REVIEW_CHOICES: Final = 4
ROLLOUT_ROUNDS: Final = 3  # length of these rollouts: a choice may only pay off in later rounds
PRIOR_WORLDS: Final = 4  # weight of the net's estimate, in worlds
MIN_CONFIDENCE: Final = 0.9  # needed to call the bot's choice better
MIN_SWING: Final = 0.05  # the smallest swing of a key moment
MAX_KEY_MOMENTS: Final = 5  # key moments reported
MIN_MOMENTS_APART: Final = 2  # moments between two of them, at least
MIN_MOMENTS: Final = 8  # with fewer moments, the review reports nothing
MAX_ALTERNATIVES: Final = 3
MIN_CHOICES: Final = 5  # with fewer choices, there is no summary of them
MIN_LUCK: Final = 0.01  # smaller amounts count as no luck


class Alternative(TypedDict):
    """A choice in notation and in words, with its player's win probability after it."""

    text: str
    words: dict[str, Any]
    chance: float


class ChoiceReview(TypedDict):
    """A choice that was made, its cost against the best one found, and the best ones; `tries` is the number of
    worlds."""

    at: int  # log lines before it
    seat: int
    counts: bool  # whether it counts in the player's statistics: choices of the set-up do not
    chance: float  # the player's win probability after it
    cost: float
    sure: bool  # whether the best choice is better with sufficient confidence
    rank: int  # among the evaluated choices, from 1
    of: int
    tries: int
    best: list[Alternative]


class Moment(TypedDict):
    """The position after some log lines: who acted last (-1: chance), the turn number, each seat's win probability."""

    at: int
    actor: int
    turn: int
    chances: list[float]


class ReviewPart(TypedDict):
    """The review of log lines `first` to `last`, without `last`."""

    first: int
    last: int
    moments: list[Moment]
    judgements: list[ChoiceReview]


class KeyMoment(TypedDict):
    """A large swing: the seat with the largest change, its size, and whether a choice caused it."""

    at: int
    seat: int
    swing: float
    choice: bool


class PlayerSummary(TypedDict):
    """A player's luck, the number of good choices, the best and the worst choice (`at`; -1: none)."""

    luck: float
    good: int
    choices: int
    best: int
    gain: float
    worst: int
    cost: float


class Sentence(TypedDict):
    """A sentence of the summary: text key `look.<key>` and its arguments."""

    key: str
    args: dict[str, Any]


class MatchReview(TypedDict):
    """The complete review of a match."""

    version: int
    bot: str
    game: str
    players: int
    short: bool  # too short to review
    turns: int
    moments: list[Moment]
    judgements: list[ChoiceReview]
    mattered: list[KeyMoment]
    worst: list[int]  # the costliest choices of the match by `at`, worst first
    accounts: list[PlayerSummary]
    summary: list[Sentence]


@cache
def review_edition(game: str) -> int:
    """A number that changes with the net, the calibration and the version; cached reviews of another edition
    are stale."""
    content = (NETS_DIR / f"{game}.npz").read_bytes() + (NETS_DIR / "calibration.json").read_bytes() + bytes([VERSION])
    return crc32(content) & 0x7FFFFFFF


def part_boundaries(record: str) -> list[int]:
    """The log lines at which a part may begin, and the end of the log.

    Parts begin at choices, never within a series of chance outcomes.
    """
    log = Match.replay(record).log
    return [*(i for i, entry in enumerate(log) if entry.actor >= 0), len(log) + 1]


def review_part(record: str, first: int, last: int) -> ReviewPart:
    """Review a match from one boundary to another: the moments and each choice among them."""
    match = Match.replay(record)
    game, players, log = match.game.name, match.players, match.log
    curve = WinCurve(game, players)
    moments: list[Moment] = []
    same: list[int] = []  # by moment, its index in the curve
    asked: list[tuple[int, State, int]] = []
    state, chooser, turn, mark = match.rewind_to(0).state.copy(), -1, 0, -1
    for i in range(min(last, len(log) + 1)):
        actor = int(log[i - 1].actor) if i else CHANCE
        if state.actor >= 0 and not state.is_setup() and state.turn_id() != mark:
            mark, turn = int(state.turn_id()), turn + 1
        if i >= first:
            if state.actor != CHANCE or actor != CHANCE or not same:  # consecutive chance outcomes are one swing
                curve.add(state, chooser)
            same.append(len(curve.moments) - 1)
            moments.append({"at": i, "actor": actor, "turn": turn, "chances": []})
        if i < len(log):
            if log[i].actor >= 0:
                chooser = int(log[i].actor)
                if i >= first:
                    asked.append((i, state.copy(), int(log[i].action)))
            state.apply(log[i].action)
    probabilities = curve.win_probabilities()
    for moment, which in zip(moments, same, strict=True):
        moment["chances"] = [round_probability(chance) for chance in probabilities[which]]
    found = [review_choice(game, at, before, action) for at, before, action in asked]
    return {"first": first, "last": last, "moments": moments, "judgements": [j for j in found if j is not None]}


def review_choice(game: str, at: int, state: State, action: int) -> ChoiceReview | None:
    """Review a choice from what its player could know; None if it was forced."""
    if len(state.legal_actions()) == 1:
        return None
    seat = Seat.from_state(state, game, Rng((at << 20) + 19))  # the true position is not used below this line
    first = calibrate_choices(game, evaluate_choices(seat, 1, [action]), seat.number)
    choices, tries, sure = first, 1, True
    if not state.is_setup() and is_doubtful(game, seat, first, action):
        choices, sure = compare_by_rollouts(game, seat, first, action)
        tries = REVIEW_WORLDS
    chosen, best = choice_of(choices, action), choices[0]
    return {
        "at": at,
        "seat": seat.number,
        "counts": not state.is_setup(),
        "chance": round_probability(chosen.chance),
        "cost": round_probability(best.chance - chosen.chance),
        "sure": sure,
        "rank": 1 + sum(choice.chance > chosen.chance for choice in choices),
        "of": len(first),
        "tries": tries,
        "best": [describe_choice(seat, choice) for choice in choices[:MAX_ALTERNATIVES]],
    }


def is_doubtful(game: str, seat: Seat, first: list[Choice], action: int) -> bool:
    """Whether a choice seems costly to the net or after short rollouts, which show effects that the net misses."""
    cost = first[0].chance - choice_of(first, action).chance
    if cost == 0 or cost >= DOUBT_MIN_COST:
        return cost > 0
    taken = pick_promising(first, GLANCE_CHOICES, [action])
    probabilities = sharpen(
        roll_out_choices(seat, taken, GLANCE_WORLDS, ROLLOUT_ROUNDS), calibration_for(game, seat.players).chooser
    ).mean(0)[:, seat.number]
    return bool(probabilities.max() - probabilities[taken.index(action)] >= DOUBT_MIN_COST)


def compare_by_rollouts(game: str, seat: Seat, first: list[Choice], action: int) -> tuple[list[Choice], bool]:
    """Compare the best choices and the one made by rollouts; also whether the best is better with confidence."""
    taken = pick_promising(first, REVIEW_CHOICES, [action])
    probabilities = sharpen(
        roll_out_choices(seat, taken, REVIEW_WORLDS, ROLLOUT_ROUNDS), calibration_for(game, seat.players).chooser
    )
    seen = {choice.action: choice for choice in first}
    found = [add_prior(seen[choice.action], choice) for choice in rank_choices(taken, probabilities, seat.number)]
    found.sort(key=lambda choice: -choice.chance)
    if found[0].action == action:
        return found, True
    apart: Floats = (
        probabilities[:, taken.index(found[0].action), seat.number] - probabilities[:, taken.index(action), seat.number]
    )
    return found, compute_lead(apart).confidence >= MIN_CONFIDENCE


def add_prior(first: Choice, played: Choice) -> Choice:
    """Combine a choice's rollouts with the net's estimate as a prior."""
    share = PRIOR_WORLDS / (PRIOR_WORLDS + played.tries)
    chances = tuple(share * a + (1 - share) * b for a, b in zip(first.chances, played.chances, strict=True))
    chance = share * first.chance + (1 - share) * played.chance
    return Choice(played.action, chance, chances, played.error, played.tries)


def calibrate_choices(game: str, choices: list[Choice], seat: int) -> list[Choice]:
    """Calibrate the choices' win probabilities and sort them again, best first."""
    import numpy as np

    probabilities = sharpen(
        np.array([choice.chances for choice in choices]), calibration_for(game, len(choices[0].chances)).chooser
    )
    found = [
        Choice(choice.action, float(row[seat]), tuple(map(float, row)), choice.error, choice.tries)
        for choice, row in zip(choices, probabilities, strict=True)
    ]
    return sorted(found, key=lambda choice: -choice.chance)


def choice_of(choices: list[Choice], action: int) -> Choice:
    """The choice with that action."""
    return next(choice for choice in choices if choice.action == action)


def describe_choice(seat: Seat, choice: Choice) -> Alternative:
    """Describe a choice in a world that its player considers possible."""
    world = seat.sample(Rng(1))
    words = dict(cast("dict[str, Any]", world.describe(choice.action)))
    return {"text": world.notation(choice.action), "words": words, "chance": round_probability(choice.chance)}


def round_probability(chance: float) -> float:
    """Round to 0.01 percentage points, as stored."""
    return round(chance, 4)


class OfferedChoices(TypedDict):
    """The choices a player was offered at a moment, and the win probability after each."""

    at: int
    seat: int
    chosen: int
    choices: list[dict[str, Any]]  # for each verb its field names, then one row per choice
    preview: dict[str, Any]
    chances: dict[str, float]  # by action


def list_offered_choices(record: str, at: int) -> OfferedChoices | None:
    """The choices offered after that many log lines of a match; None if nobody chose there."""
    match = Match.replay(record)
    if not 0 <= at < len(match.log) or match.log[at].actor < 0:
        return None
    game, state, chosen = match.game.name, match.rewind_to(at).state, int(match.log[at].action)
    seat = Seat.from_state(state, game, Rng((at << 20) + 19))
    found = calibrate_choices(game, evaluate_choices(seat, 1, [chosen]), seat.number)
    return {
        "at": at,
        "seat": seat.number,
        "chosen": chosen,
        "choices": [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in seat.choices],
        "preview": dict(cast("dict[str, Any]", state.resample(seat.number, Rng(1)).preview(seat.number))),
        "chances": {str(choice.action): round_probability(choice.chance) for choice in found},
    }


# --- the whole match ----------------------------------------------------------------------------------------------


def join_parts(game: str, players: int, over: bool, parts: list[ReviewPart]) -> MatchReview:
    """Join the parts that exist; `over` means that all exist and the match was played to its end."""
    moments = [moment for found in parts for moment in found["moments"]]
    judgements = [each for found in parts for each in found["judgements"]]
    short = len(moments) < MIN_MOMENTS
    accounts = [summarise_player(seat, moments, judgements) for seat in range(players)]
    swung = [] if short else find_key_moments(moments)
    return {
        "version": VERSION,
        "bot": REVIEW_BOT,
        "game": game,
        "players": players,
        "short": short,
        "turns": moments[-1]["turn"] if moments else 0,
        "moments": moments,
        "judgements": judgements,
        "mattered": swung,
        "worst": [each["at"] for each in find_costliest(judgements)[:MAX_KEY_MOMENTS]],
        "accounts": accounts,
        "summary": [] if short else write_summary(over, moments, accounts),
    }


def review_match(record: str) -> MatchReview:
    """Review a match in one call."""
    match, found = Match.replay(record), part_boundaries(record)
    parts = [review_part(record, found[0], found[-1])] if len(found) > 1 else []
    return join_parts(match.game.name, match.players, match.state.actor == OVER, parts)


def find_swings(moments: list[Moment]) -> list[tuple[int, int, list[float]]]:
    """Between consecutive moments: the log line, who acted, the change of each seat's win probability."""
    found = []
    for before, after in pairwise(moments):
        change = [b - a for a, b in zip(before["chances"], after["chances"], strict=True)]
        found.append((after["at"], after["actor"], change))
    return found


def find_key_moments(moments: list[Moment]) -> list[KeyMoment]:
    """The moments with the largest swings, in match order."""
    ranked: list[KeyMoment] = []
    for at, actor, change in find_swings(moments):
        seat = max(range(len(change)), key=lambda each: abs(change[each]))
        if abs(change[seat]) >= MIN_SWING:
            ranked.append({"at": at, "seat": seat, "swing": round_probability(change[seat]), "choice": actor >= 0})
    ranked.sort(key=lambda each: -abs(each["swing"]))
    taken: list[KeyMoment] = []
    for each in ranked:
        if len(taken) < MAX_KEY_MOMENTS and all(abs(each["at"] - other["at"]) >= MIN_MOMENTS_APART for other in taken):
            taken.append(each)
    return sorted(taken, key=lambda each: each["at"])


def find_costliest(judgements: list[ChoiceReview]) -> list[ChoiceReview]:
    """The choices that were not good, worst first."""
    poor = [each for each in judgements if each["cost"] >= GOOD_CHOICE_MAX_COST and each["sure"]]
    return sorted(poor, key=lambda each: -each["cost"])


def summarise_player(seat: int, moments: list[Moment], judgements: list[ChoiceReview]) -> PlayerSummary:
    """Summarise one player's match."""
    own = [each for each in judgements if each["seat"] == seat]
    counted = [each for each in own if each["counts"]]
    poor = {each["at"] for each in find_costliest(own)}
    changes = find_swings(moments)
    gains = {at - 1: change[seat] for at, actor, change in changes if actor == seat}
    chosen = {each["at"]: gains[each["at"]] for each in counted if each["at"] in gains and each["at"] not in poor}
    best = max(chosen, key=lambda at: chosen[at], default=-1)
    worst = find_costliest(own)[:1]
    return {
        "luck": round_probability(sum(change[seat] for _, actor, change in changes if actor == CHANCE)),
        "good": sum(each["at"] not in poor for each in counted),
        "choices": len(counted),
        "best": best if best >= 0 and chosen[best] >= MIN_LUCK else -1,
        "gain": round_probability(chosen[best]) if best >= 0 else 0.0,
        "worst": worst[0]["at"] if worst else -1,
        "cost": worst[0]["cost"] if worst else 0.0,
    }


def write_summary(over: bool, moments: list[Moment], accounts: list[PlayerSummary]) -> list[Sentence]:
    """Write the summary, winner first."""
    winners = [seat for seat, share in enumerate(moments[-1]["chances"]) if over and share > 0]
    found: list[Sentence] = []
    if len(winners) == 1:
        found.append(lead_sentence(winners[0], moments))
    elif winners:
        found.append({"key": "shared", "args": {"seats": winners}})
    for seat in winners[:1]:
        if accounts[seat]["best"] >= 0:
            found.append({"key": "best", "args": {"seat": seat, "at": accounts[seat]["best"] + 1}})
    missed = max(range(len(accounts)), key=lambda seat: accounts[seat]["cost"] * (seat not in winners))
    if accounts[missed]["worst"] >= 0 and missed not in winners:
        costs = accounts[missed]
        found.append({"key": "worst", "args": {"seat": missed, "at": costs["worst"] + 1, "cost": costs["cost"]}})
    found.append(luck_sentences(accounts))
    return found


def lead_sentence(winner: int, moments: list[Moment]) -> Sentence:
    """Say since when the winner led if that was early, otherwise how late the lead came."""
    ahead = len(moments) - 1
    while ahead > 0 and moments[ahead - 1]["chances"][winner] == max(moments[ahead - 1]["chances"]):
        ahead -= 1
    lowest = min(moment["chances"][winner] for moment in moments)
    args = {"seat": winner, "turn": moments[ahead]["turn"], "turns": moments[-1]["turn"], "lowest": lowest}
    if ahead <= len(moments) // 3:
        return {"key": "led", "args": args}
    return {"key": "late" if ahead >= len(moments) * 5 // 6 else "overtook", "args": args}


def luck_sentences(accounts: list[PlayerSummary]) -> Sentence:
    """Say which player was luckiest and which unluckiest."""
    order = sorted(range(len(accounts)), key=lambda seat: accounts[seat]["luck"])
    low, high = order[0], order[-1]
    if accounts[high]["luck"] <= MIN_LUCK:
        return {"key": "fair", "args": {}}
    args = {"seat": high, "luck": accounts[high]["luck"], "other": low, "ill": accounts[low]["luck"]}
    return {"key": "luck", "args": args}
