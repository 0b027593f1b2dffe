"""Match review: each seat's win probability after every line of the log, the cost of each choice against the best one
found, luck apart from choices, the moments with the largest swings, and a summary as text keys.

A choice is evaluated only from what its player could know then (`win_probability`), never from hidden cards.

The work is split, so that other jobs can run in between and the most important moments come first: `review_curve`
estimates all moments and lists the lines to examine, `review_log_lines` examines some of them, `assemble_match_review`
joins all. The curve, luck and the judgement of choices are one estimate: a forced choice changes nothing, and in the
last round a choice costs on the curve what it costs in its judgement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast
from zlib import crc32

from landfall.analysis.review_picture import ShownReview
from landfall.analysis.win_probability import (
    Choice,
    Row,
    estimate_lead_from_differences,
    evaluate_choices,
    extend_choice_to_end_of_step,
    pick_first_and_required,
    rank_choices,
    roll_out_lines,
)
from landfall.analysis.win_probability_calibration import calibration_for
from landfall.analysis.win_probability_curve import (
    WinCurve,
    estimate_ending_by_rollouts,
    is_forced,
    normalise_weights,
    sharpen_row,
)
from landfall.bots.contract import Seat
from landfall.bots.value_net import NETS_DIR
from landfall.core.rng import Rng
from landfall.core.state import CHANCE, OVER
from landfall.match import Match

if TYPE_CHECKING:
    from landfall.core.state import State

REVIEW_VERSION: Final = 3  # of the review's contents and method
REVIEW_BOT: Final = "netsearch"  # reviews use its method: the net, and rollouts where they matter
GOOD_CHOICE_MAX_COST: Final = 0.03  # the most that a good choice may cost
# A choice that costs this much by the net gets a glance in more worlds; one that does by the glance is compared fully.
DOUBT_MIN_COST: Final = 0.02
DOUBT_MIN_CONFIDENCE: Final = 0.7
REVIEW_CHOICES: Final = 3  # the full comparison: the best choices and the one made
FINAL_CHOICES: Final = 1  # of these, the best and the one made are compared in more worlds
FINAL_STEPS: Final = 3
CERTAIN: Final = 0.99  # confidence at which this ends early
PRIOR_WORLDS: Final = 4  # weight of the net's estimate, in worlds
FADE_ROUNDS: Final = 2  # rounds before the last over which its correction fades
MIN_CONFIDENCE: Final = 0.9  # needed to call the bot's choice better
MIN_SWING: Final = 0.05  # the smallest swing of a key moment
MAX_KEY_MOMENTS: Final = 5  # key moments reported
MIN_MOMENTS_APART: Final = 2  # moments between two of them, at least
MIN_MOMENTS: Final = 8  # with fewer moments, the review reports nothing
MAX_ALTERNATIVES: Final = 3
MIN_LUCK: Final = 0.01  # smaller amounts count as no luck


@dataclass(frozen=True)
class Effort:
    """How much a review computes."""

    futures: int = 60  # positions evaluated before a chance event
    glance_worlds: int = 3  # a glance compares the net's best choice with the one made
    doubt_worlds: int = 5  # more of them, if it seems costly to the net or by the glance
    review_worlds: int = 8  # the full comparison
    final_worlds: int = 12  # and that of its best choice, at most
    rounds: int = 3  # length of these rollouts: a choice may only pay off in later rounds
    ending: int = 600_000  # choices evaluated to play a position of the last round on


FULL_EFFORT: Final = Effort()
# Where the rules run interpreted in a browser, a hundred times slower.
LIGHT_EFFORT: Final = Effort(12, 0, 4, 4, 4, 1, 5_000)


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
    forced: bool  # the next line is the only legal choice
    late: bool  # in the last round of a finished match


class ReviewCurve(TypedDict):
    """All moments, and the log lines to examine, those with the largest swings first."""

    moments: list[Moment]
    lines: list[int]


class Ending(TypedDict):
    """Each seat's win probability after some log lines, by playing on."""

    at: int
    chances: list[float]


class ReviewPart(TypedDict):
    """What was found about some log lines: choices judged, and positions of the last round before chance."""

    lines: int  # their number
    judgements: list[ChoiceReview]
    endings: list[Ending]


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
    content = (
        (NETS_DIR / f"{game}.npz").read_bytes() + (NETS_DIR / "calibration.json").read_bytes() + bytes([REVIEW_VERSION])
    )
    return crc32(content) & 0x7FFFFFFF


@lru_cache(maxsize=2)  # the parts of a review follow each other
def replay_record(record: str) -> Match:
    """The match of a record; not to be played on."""
    return Match.replay(record)


def review_curve(record: str, effort: Effort = FULL_EFFORT) -> ReviewCurve:
    """Estimate every moment of a match from its first choice on by the net."""
    match = replay_record(record)
    log, players = match.log, match.players
    curve = WinCurve(match.game.name, players, effort.futures)
    moments: list[Moment] = []
    same: list[int] = []  # by moment, its index in the curve
    state, turn, mark = match.copy_rewound_to(0).state, 0, -1
    for i in range(len(log) + 1):
        actor = int(log[i - 1].actor) if i else CHANCE
        if state.actor >= 0 and not state.is_setup() and state.turn_key() != mark:
            mark, turn = int(state.turn_key()), turn + 1
        if moments or (i < len(log) and log[i].actor >= 0):
            if state.actor != CHANCE or actor != CHANCE:  # consecutive chance outcomes are one swing
                curve.add(state)
            same.append(len(curve.moments) - 1)
            forced = is_forced(state)
            moments.append({"at": i, "actor": actor, "turn": turn, "chances": [], "forced": forced, "late": False})
        if i < len(log):
            state.apply(log[i].action)
    probabilities = curve.win_probabilities()
    over = match.state.actor == OVER
    for moment, which in zip(moments, same, strict=True):
        moment["chances"] = [round_probability(chance) for chance in probabilities[which]]
        moment["late"] = over and moment["turn"] > turn - players
    return {"moments": moments, "lines": rank_log_lines_to_examine(moments)}


def rank_log_lines_to_examine(moments: list[Moment]) -> list[int]:
    """The log lines to examine: every free choice, and chance in the last round; the largest swings first."""
    found = []
    for before, after in pairwise(moments):
        begins = before["actor"] != CHANCE  # of several chance outcomes in a row, the first
        if not before["forced"] if after["actor"] != CHANCE else before["late"] and begins:
            swing = max(abs(b - a) for a, b in zip(before["chances"], after["chances"], strict=True))
            found.append((-swing, before["at"]))
    return [at for _, at in sorted(found)]


def review_log_lines(record: str, lines: list[int], effort: Effort = FULL_EFFORT) -> ReviewPart:
    """Examine some of the log lines that `review_curve` lists."""
    match = replay_record(record)
    game, found = match.game.name, ReviewPart(lines=len(lines), judgements=[], endings=[])
    for at in lines:
        entry, state = match.log[at], match.copy_rewound_to(at).state
        if entry.actor < 0:
            chances = estimate_ending_by_rollouts(game, state, effort.ending)
            found["endings"].append({"at": at, "chances": [round_probability(chance) for chance in chances]})
        elif (judged := review_choice(game, at, state, int(entry.action), effort)) is not None:
            found["judgements"].append(judged)
    return found


def review_choice(game: str, at: int, state: State, action: int, effort: Effort = FULL_EFFORT) -> ChoiceReview | None:
    """Review a choice from what its player could know; None if it was forced."""
    if is_forced(state):
        return None
    seat = Seat.from_state(state, game, Rng((at << 20) + 19))  # the true position is not used below this line
    first = calibrate_choices(game, evaluate_choices(seat, 1, [action]), seat.number)
    choices, sure = first, True
    if not state.is_setup() and first[0].chance > choice_with_action(first, action).chance:
        choices, sure = compare_by_rollouts(seat, first, action, effort)
    chosen, best = choice_with_action(choices, action), choices[0]
    return {
        "at": at,
        "seat": seat.number,
        "counts": not state.is_setup(),
        "chance": round_probability(chosen.chance),
        "cost": round_probability(best.chance - chosen.chance),
        "sure": sure,
        "rank": 1 + sum(choice.chance > chosen.chance for choice in choices),
        "of": len(first),
        "tries": chosen.tries,
        "best": [describe_choice(seat, choice) for choice in choices[:MAX_ALTERNATIVES]],
    }


def compare_by_rollouts(seat: Seat, first: list[Choice], action: int, effort: Effort) -> tuple[list[Choice], bool]:
    """Compare the best choices and the one made by rollouts, first at a glance, then, if it still seems costly, more of
    them and in more worlds; also whether the best is better with confidence."""
    doubted = first[0].chance - choice_with_action(first, action).chance >= DOUBT_MIN_COST
    compared = RolloutComparison(seat, first, action, effort.rounds)
    if not doubted:
        if not effort.glance_worlds:
            return first, True
        compared.roll_out(compared.candidates_by_net(1), effort.glance_worlds)
        if compared.cost_of_choice() < DOUBT_MIN_COST:
            return first, True
    compared.roll_out(compared.candidates_by_net(1), effort.doubt_worlds)
    if compared.cost_of_choice() < DOUBT_MIN_COST or compared.confidence_in_best() < DOUBT_MIN_CONFIDENCE:
        return compared.ranking(), compared.confidence_in_best() >= MIN_CONFIDENCE
    compared.forget_rollouts()
    compared.roll_out(compared.candidates_by_net(REVIEW_CHOICES), effort.review_worlds)
    for _ in range(FINAL_STEPS):
        if compared.cost_of_choice() > 0 and compared.confidence_in_best() < CERTAIN:
            compared.roll_out(compared.candidates_by_rollouts(FINAL_CHOICES), effort.final_worlds // FINAL_STEPS)
    return compared.ranking(), compared.confidence_in_best() >= MIN_CONFIDENCE


class RolloutComparison:
    """Choices compared by rollouts in the same worlds with the same dice."""

    def __init__(self, seat: Seat, first: list[Choice], action: int, rounds: int) -> None:
        self.seat, self.first, self.action, self.rounds = seat, first, action, rounds
        self.exponent = calibration_for(seat.game, seat.players).chooser
        self.lines: dict[int, list[int]] = {}  # each choice completed to the end of its step
        self.rows: dict[int, list[Row]] = {}  # by choice and world

    def candidates_by_net(self, many: int) -> list[int]:
        """The net's best choices and the one made."""
        return pick_first_and_required(self.first, many, [self.action])

    def candidates_by_rollouts(self, many: int) -> list[int]:
        """The best choices so far and the one made."""
        return pick_first_and_required(self.ranking(), many, [self.action])

    def forget_rollouts(self) -> None:
        """Forget the rollouts: all choices are compared in the same worlds."""
        self.rows.clear()

    def roll_out(self, actions: list[int], worlds: int) -> None:
        """Roll out these choices."""
        for action in actions:
            if action not in self.lines:
                self.lines[action] = extend_choice_to_end_of_step(self.seat, action)
        played = roll_out_lines(self.seat, [self.lines[action] for action in actions], worlds, self.rounds)
        for world in played:
            for action, row in zip(actions, world, strict=True):
                self.rows.setdefault(action, []).append(sharpen_row(row, self.exponent))

    def ranking(self) -> list[Choice]:
        """The choices rolled out, best first; the net's estimate is their prior. Those that dropped out are not among
        the others, whose worlds were more."""
        most = max(map(len, self.rows.values()))
        actions = [action for action, rows in self.rows.items() if len(rows) == most]
        worlds = [list(world) for world in zip(*(self.rows[action] for action in actions), strict=True)]
        found = rank_choices(actions, worlds, self.seat.number)
        return sorted(
            (add_net_prior(choice_with_action(self.first, choice.action), choice) for choice in found),
            key=lambda choice: -choice.chance,
        )

    def cost_of_choice(self) -> float:
        """What the choice made costs against the best so far."""
        found = self.ranking()
        return found[0].chance - choice_with_action(found, self.action).chance

    def confidence_in_best(self) -> float:
        """The confidence that the best is better than the choice made; 1 if that is the best."""
        best, seat = self.ranking()[0].action, self.seat.number
        if best == self.action:
            return 1.0
        pairs = zip(self.rows[best], self.rows[self.action], strict=True)
        return estimate_lead_from_differences([mine[seat] - made[seat] for mine, made in pairs]).confidence


def add_net_prior(first: Choice, played: Choice) -> Choice:
    """Combine a choice's rollouts with the net's estimate as a prior."""
    share = PRIOR_WORLDS / (PRIOR_WORLDS + played.tries)
    chances = tuple(share * a + (1 - share) * b for a, b in zip(first.chances, played.chances, strict=True))
    chance = share * first.chance + (1 - share) * played.chance
    return Choice(played.action, chance, chances, played.error, played.tries)


def calibrate_choices(game: str, choices: list[Choice], seat: int) -> list[Choice]:
    """Calibrate the choices' win probabilities and sort them again, best first."""
    exponent = calibration_for(game, len(choices[0].chances)).chooser
    found = []
    for choice in choices:
        row = sharpen_row(list(choice.chances), exponent)
        found.append(Choice(choice.action, row[seat], tuple(row), choice.error, choice.tries))
    return sorted(found, key=lambda choice: -choice.chance)


def choice_with_action(choices: list[Choice], action: int) -> Choice:
    """The choice with that action."""
    return next(choice for choice in choices if choice.action == action)


def describe_choice(seat: Seat, choice: Choice) -> Alternative:
    """Describe a choice in a world that its player considers possible."""
    world = seat.sample(Rng(1))
    words = dict(cast("dict[str, Any]", world.action_to_dict(choice.action)))
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


def evaluate_offered_choices(record: str, at: int) -> OfferedChoices | None:
    """The choices offered after that many log lines of a match; None if nobody chose there."""
    match = replay_record(record)
    if not 0 <= at < len(match.log) or match.log[at].actor < 0:
        return None
    game, state, chosen = match.game.name, match.copy_rewound_to(at).state, int(match.log[at].action)
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


def assemble_match_review(
    game: str, players: int, over: bool, curve: ReviewCurve, parts: list[ReviewPart]
) -> MatchReview:
    """Join the parts that exist; `over` means that all exist and the match was played to its end."""
    judgements = sorted((each for found in parts for each in found["judgements"]), key=lambda each: each["at"])
    moments = propagate_win_probabilities_back(
        curve["moments"], judgements, [each for found in parts for each in found["endings"]]
    )
    short = len(moments) < MIN_MOMENTS
    accounts = [summarise_player(seat, moments, judgements) for seat in range(players)]
    return {
        "version": REVIEW_VERSION,
        "bot": REVIEW_BOT,
        "game": game,
        "players": players,
        "short": short,
        "turns": moments[-1]["turn"] if moments else 0,
        "moments": moments,
        "judgements": judgements,
        "mattered": [] if short else find_key_moments(moments, judgements),
        "worst": [each["at"] for each in list_costly_choices(judgements)[:MAX_KEY_MOMENTS]],
        "accounts": accounts,
        "summary": [] if short else compose_summary(over, moments, accounts),
    }


def review_match(record: str) -> MatchReview:
    """Review a match in one call. A notebook shows the curves."""
    match, curve = replay_record(record), review_curve(record)
    parts = [review_log_lines(record, curve["lines"])]
    found = assemble_match_review(match.game.name, match.players, match.state.actor == OVER, curve, parts)
    return cast("MatchReview", ShownReview(found))


def propagate_win_probabilities_back(
    found: list[Moment], judgements: list[ChoiceReview], endings: list[Ending]
) -> list[Moment]:
    """The moments as one estimate: a forced choice is worth what follows it; in the last round so is a free one, and
    what it cost its player; and before chance, what playing on has brought."""
    moments = [Moment(**moment) for moment in found]
    costs = {each["at"]: each["cost"] for each in judgements if each["sure"]}
    played = {each["at"]: each["chances"] for each in endings}
    for before, after in list(pairwise(moments))[::-1]:
        if before["late"] and not before["forced"]:
            if before["at"] in played:
                before["chances"] = played[before["at"]]
            elif after["actor"] >= 0:
                before["chances"] = shift_win_probability(
                    after["chances"], after["actor"], costs.get(before["at"], 0.0)
                )
        elif after["late"] and not before["late"]:
            correct_estimates_before_last_round(moments, found, moments.index(after))
        if before["forced"]:
            before["chances"] = after["chances"]
    for (first, moment), after in zip(pairwise(moments), moments[2:], strict=False):
        if moment["actor"] == CHANCE == after["actor"]:  # consecutive chance outcomes are one swing
            moment["chances"] = first["chances"]
    return moments


def correct_estimates_before_last_round(moments: list[Moment], found: list[Moment], first: int) -> None:
    """Where the last round begins, the net's estimate was off by some amount. Correct the estimates before it by the
    same amount, fading over the two rounds before: otherwise the difference looks like something that happened."""
    late = moments[first]
    rounds = FADE_ROUNDS * len(late["chances"])
    begin = next((i for i, moment in enumerate(moments) if moment["turn"] > late["turn"] - rounds), first)
    off = [now - before for now, before in zip(late["chances"], found[first]["chances"], strict=True)]
    for i in range(begin, first):
        share = (i - begin + 1) / (first - begin + 1)
        chances = [max(0.0, was + share * more) for was, more in zip(found[i]["chances"], off, strict=True)]
        moments[i]["chances"] = [round_probability(chance) for chance in normalise_weights(chances)]


def shift_win_probability(chances: list[float], seat: int, more: float) -> list[float]:
    """The probabilities if a seat's was larger by so much, at the others' cost."""
    own = min(1.0, chances[seat] + more)
    rest = 1 - chances[seat]
    share = (1 - own) / rest if rest > 0 else 0.0
    return [own if other == seat else round_probability(chance * share) for other, chance in enumerate(chances)]


def list_win_probability_changes(moments: list[Moment]) -> list[tuple[int, int, list[float]]]:
    """Between consecutive moments: the log line, who acted, the change of each seat's win probability."""
    found = []
    for before, after in pairwise(moments):
        change = [b - a for a, b in zip(before["chances"], after["chances"], strict=True)]
        found.append((after["at"], after["actor"], change))
    return found


def find_key_moments(moments: list[Moment], judgements: list[ChoiceReview]) -> list[KeyMoment]:
    """The moments with the largest swings, in match order. A choice that cost its player nothing is not to blame for a
    fall."""
    costs = {each["at"] + 1: each["cost"] if each["sure"] else 0.0 for each in judgements}
    ranked: list[KeyMoment] = []
    for at, actor, change in list_win_probability_changes(moments):
        seat = max(range(len(change)), key=lambda each: abs(change[each]))
        blamed = actor >= 0 and change[actor] < 0 and at in costs
        if abs(change[seat]) >= MIN_SWING and not (blamed and costs[at] < GOOD_CHOICE_MAX_COST):
            ranked.append({"at": at, "seat": seat, "swing": round_probability(change[seat]), "choice": actor >= 0})
    ranked.sort(key=lambda each: -abs(each["swing"]))
    taken: list[KeyMoment] = []
    for each in ranked:
        if len(taken) < MAX_KEY_MOMENTS and all(abs(each["at"] - other["at"]) >= MIN_MOMENTS_APART for other in taken):
            taken.append(each)
    return sorted(taken, key=lambda each: each["at"])


def list_costly_choices(judgements: list[ChoiceReview]) -> list[ChoiceReview]:
    """The choices that were not good, worst first."""
    poor = [each for each in judgements if each["cost"] >= GOOD_CHOICE_MAX_COST and each["sure"]]
    return sorted(poor, key=lambda each: -each["cost"])


def summarise_player(seat: int, moments: list[Moment], judgements: list[ChoiceReview]) -> PlayerSummary:
    """Summarise one player's match."""
    own = [each for each in judgements if each["seat"] == seat]
    counted = [each for each in own if each["counts"]]
    poor = {each["at"] for each in list_costly_choices(own)}
    changes = list_win_probability_changes(moments)
    gains = {at - 1: change[seat] for at, actor, change in changes if actor == seat}
    chosen = {each["at"]: gains[each["at"]] for each in counted if each["at"] in gains and each["at"] not in poor}
    best = max(chosen, key=lambda at: chosen[at], default=-1)
    worst = list_costly_choices(own)[:1]
    return {
        "luck": round_probability(sum(change[seat] for _, actor, change in changes if actor == CHANCE)),
        "good": sum(each["at"] not in poor for each in counted),
        "choices": len(counted),
        "best": best if best >= 0 and chosen[best] >= MIN_LUCK else -1,
        "gain": round_probability(chosen[best]) if best >= 0 else 0.0,
        "worst": worst[0]["at"] if worst else -1,
        "cost": worst[0]["cost"] if worst else 0.0,
    }


def compose_summary(over: bool, moments: list[Moment], accounts: list[PlayerSummary]) -> list[Sentence]:
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
    # A sole winner's blunder cost nothing in the end; one who shares the win lost half of it.
    blamed = [seat for seat in range(len(accounts)) if winners != [seat]]
    missed = max(blamed, key=lambda seat: accounts[seat]["cost"])
    if accounts[missed]["worst"] >= 0:
        costs = accounts[missed]
        found.append({"key": "worst", "args": {"seat": missed, "at": costs["worst"] + 1, "cost": costs["cost"]}})
    found.append(luck_sentence(accounts))
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


def luck_sentence(accounts: list[PlayerSummary]) -> Sentence:
    """Say which player was luckiest and which unluckiest."""
    order = sorted(range(len(accounts)), key=lambda seat: accounts[seat]["luck"])
    low, high = order[0], order[-1]
    if accounts[high]["luck"] <= MIN_LUCK:
        return {"key": "fair", "args": {}}
    args = {"seat": high, "luck": accounts[high]["luck"], "other": low, "ill": accounts[low]["luck"]}
    return {"key": "luck", "args": args}
