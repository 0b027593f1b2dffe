"""Who may sit, start, leave, agree: every clause of each decision by itself, on tables made of their events alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from landfall.core.rng import Rng
from landfall.games import game as find_game
from landfall.store import events as ev
from landfall.store.row_types import FORGOTTEN_PREFIX, Holiday, LogEntry
from landfall.tables.log import decisions
from landfall.tables.log.clocks import DAY_MS
from landfall.tables.log.table import EXHIBITION, LEFT, OUT_OF_TIME, REMOVED, RESIGNED, Table, public_handle
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime

ANA = ev.InitialChair("ana", "Ana")
BOT = ev.InitialChair(bot="random")
FREE = ev.InitialChair()


def person(name: str, author: str | None = None) -> ev.InitialChair:
    return ev.InitialChair(name, name.title(), author=author)


def gathering(
    *chairs: ev.InitialChair,
    game: str = "atlandice",
    owner: str = "ana",
    days: int = 0,
    public: bool = False,
    hot_seat: bool = False,
    **terms: Any,
) -> Table:
    """A table before its match; Ana is its owner."""
    table = Table("t", Rng(1))
    clock = ev.InitialClock("days", days=days) if days else ev.InitialClock()
    rules = find_game(game).rules_version
    created = ev.Created(game, len(chairs), {}, rules, owner, clock, public, "as_sat", hot_seat, list(chairs), **terms)
    return add(table, created)


def add(table: Table, *events: ev.LogEvent, at: int = 1000) -> Table:
    for event in events:
        table.apply_entry(LogEntry("t", table.seq + 1, at, event))
    return table


def playing(*chairs: ev.InitialChair, **terms: Any) -> Table:
    """The same, begun; a rated one goes on until everybody has chosen."""
    table = gathering(*(chairs or (ANA, person("boris"), person("chen"))), **terms)
    started, match = decisions.decide_start_match(table, table.terms.owner, Rng(2))
    table.apply_entry(LogEntry("t", 2, 1000, started), match)
    return table


def refusal(decide: Callable[[], object]) -> str:
    """The code of a refusal; "" if there is none."""
    try:
        decide()
    except Refused as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("who", "chair", "table", "refused"),
    [
        ("boris", 1, gathering(ANA, FREE), ""),
        ("boris", 0, gathering(ANA, FREE), "taken"),
        ("boris", 2, gathering(ANA, FREE), "no_chair"),
        ("boris", 1, gathering(ANA, BOT), "taken"),
        ("ana", 1, gathering(ANA, FREE), "seated"),
        ("ana", 1, gathering(ANA, FREE, hot_seat=True), ""),
        ("boris", 1, add(gathering(ANA, FREE), ev.Banned("boris")), "removed"),
        ("boris", 1, gathering(ANA, FREE, rated=True), "rated_account"),
        ("boris", 1, gathering(ANA, ev.InitialChair(kept=public_handle("boris", "p")), previous="p"), ""),
        ("chen", 1, gathering(ANA, ev.InitialChair(kept=public_handle("boris", "p")), previous="p"), "kept"),
        ("boris", 1, playing(), "begun"),
    ],
)
def test_one_sits_down_on_a_free_chair_once(who: str, chair: int, table: Table, refused: str) -> None:
    assert refusal(lambda: decisions.decide_sit_down(table, who, who, cmd.Sit(chair))) == refused


@pytest.mark.parametrize(
    ("terms", "author", "refused"),
    [
        ({}, "xi", ""),
        ({"public": True}, "xi", "no_bots"),
        ({"rated": True}, "xi", "no_bots"),
        ({"hot_seat": True}, "xi", "no_bots"),
        ({"hot_seat": True, "by_bot": True}, "xi", "no_bots"),
        ({"by_bot": True, "public": True}, "xi", ""),
        ({"by_bot": True, "rated": True}, "xi", ""),
        ({"by_bot": True, "rated": True}, "yo", "same_author"),
        ({"by_bot": True}, "yo", ""),
        ({"by_bot": True, "rated": True}, None, "bots_only"),
        ({"by_bot": True}, None, ""),
        ({"rated": True}, None, ""),
    ],
)
def test_online_bots_sit_where_they_are_asked_for(terms: dict[str, Any], author: str | None, refused: str) -> None:
    table = gathering(person("ana", "yo"), FREE, **terms)
    sit = cmd.Sit(1)
    assert refusal(lambda: decisions.decide_sit_down(table, "b", "B", sit, True, author)) == refused


@pytest.mark.parametrize(
    ("who", "chair", "refused"),
    [("ana", 0, ""), ("ana", 1, ""), ("ana", 2, ""), ("ana", 3, "not_yours"), ("ana", 4, "not_yours"),
     ("boris", 1, "not_yours"), ("boris", 2, ""), ("chen", 2, "not_yours"), ("chen", 4, ""), ("ana", 5, "no_chair")],
)  # fmt: skip
def test_a_chair_is_freed_by_who_has_it_and_by_the_owner_if_nobody_sits_there(
    who: str, chair: int, refused: str
) -> None:
    kept = ev.InitialChair(kept=public_handle("boris", "p"))
    table = gathering(ANA, BOT, kept, FREE, person("chen"), previous="p")
    assert refusal(lambda: decisions.decide_vacate_chair(table, who, cmd.Free(chair))) == refused


@pytest.mark.parametrize(
    ("who", "chair", "colour", "refused"),
    [("ana", 0, 1, ""), ("ana", 1, 1, ""), ("ana", 2, 1, "not_yours"), ("boris", 2, 1, ""),
     ("boris", 1, 1, "not_yours"), ("ana", 3, 1, "not_yours"),
     ("boris", 2, 0, "colour_taken"), ("ana", 0, 0, ""), ("ana", 0, 9, "no_colour")],
)  # fmt: skip
def test_a_colour_is_chosen_for_oneself_and_by_the_owner_for_bots(
    who: str, chair: int, colour: int, refused: str
) -> None:
    names = [*find_game("atlandice").colours, *["mauve"] * 9]
    table = add(gathering(ANA, BOT, person("boris"), FREE), ev.ColourChosen(0, names[0]))
    assert refusal(lambda: decisions.decide_choose_colour(table, who, cmd.Colour(chair, names[colour]))) == refused


@pytest.mark.parametrize(
    ("who", "table", "refused"),
    [
        ("ana", gathering(ANA, BOT), ""),
        ("boris", gathering(ANA, person("boris")), "owner_only"),
        ("ana", gathering(ANA, FREE), "free_chairs"),
        ("ana", gathering(BOT, BOT), "nobody"),
        (EXHIBITION, gathering(BOT, BOT, owner=EXHIBITION), ""),
        ("ana", playing(), "begun"),
    ],
)
def test_the_owner_begins_once_every_chair_is_taken(who: str, table: Table, refused: str) -> None:
    assert refusal(lambda: decisions.decide_start_match(table, who, Rng(1))) == refused


@pytest.mark.parametrize(
    ("why", "author", "refused"),
    [(None, None, "not_away"), (LEFT, None, ""), (OUT_OF_TIME, None, ""), (REMOVED, None, "gone"),
     (RESIGNED, None, "gone"), (OUT_OF_TIME, "xi", "gone"), (LEFT, "xi", "")],
)  # fmt: skip
def test_who_left_or_was_late_returns_but_no_late_bot(why: str | None, author: str | None, refused: str) -> None:
    table = playing(ANA, person("boris", author))
    if why is not None:
        add(table, ev.Left(1, why))
    assert refusal(lambda: decisions.decide_return_to_seat(table, "boris")) == refused


@pytest.mark.parametrize(
    ("chairs", "before", "ends"),
    [
        ((ANA, person("boris"), person("chen")), [], False),
        ((ANA, person("boris")), [], True),
        ((ANA, BOT, BOT), [], True),
        ((ANA, BOT, person("boris")), [], False),
        ((ANA, person("boris"), person("chen")), [ev.Left(1, RESIGNED)], True),
        ((ANA, person("boris"), person("chen")), [ev.Left(1, LEFT)], False),
    ],
)
def test_a_resignation_ends_the_match_if_no_two_are_left_or_nobody_but_bots(
    chairs: tuple[ev.InitialChair, ...], before: list[ev.LogEvent], ends: bool
) -> None:
    table = add(playing(*chairs), *before)
    found = decisions.decide_resign_seats(table, "ana", cmd.Resign())
    assert found == [ev.Left(0, RESIGNED), *([ev.Ended("resigned")] if ends else [])]
    assert refusal(lambda: decisions.decide_resign_seats(add(table, *found[:1]), "ana", cmd.Resign())) == "not_seated"
    assert refusal(lambda: decisions.decide_resign_seats(table, "dora", cmd.Resign())) == "not_seated"


def test_at_a_hot_seat_one_resigns_a_seat_or_all() -> None:
    table = playing(ANA, ANA, person("boris"), hot_seat=True)
    assert decisions.decide_resign_seats(table, "ana", cmd.Resign(1)) == [ev.Left(1, RESIGNED)]
    assert decisions.decide_resign_seats(table, "ana", cmd.Resign())[:2] == [ev.Left(0, RESIGNED), ev.Left(1, RESIGNED)]
    assert refusal(lambda: decisions.decide_resign_seats(table, "ana", cmd.Resign(2))) == "not_seated"


@pytest.mark.parametrize(
    ("who", "what", "before", "terms", "refused"),
    [
        ("ana", "abandon", [], {}, ""),
        ("ana", "pause", [], {}, ""),
        ("ana", "party", [], {}, "no_proposal"),
        ("ana", "takeback", [], {}, "undo_nothing"),
        ("dora", "abandon", [], {}, "not_seated"),
        ("ana", "abandon", [ev.Left(0, LEFT)], {}, "not_seated"),
        ("ana", "abandon", [], {"tournament": "cup"}, "tournament_table"),
        ("ana", "abandon", [ev.Proposed("pause", "boris")], {}, "proposal_open"),
        ("ana", "abandon", [ev.Ended("closed")], {}, "over"),
    ],
)
def test_who_plays_proposes_one_thing_at_a_time(
    who: str, what: str, before: list[ev.LogEvent], terms: dict[str, Any], refused: str
) -> None:
    table = add(playing(**terms), *before)
    assert refusal(lambda: decisions.decide_make_proposal(table, who, cmd.Propose(what))) == refused


def test_everybody_who_plays_must_agree_and_once() -> None:
    table = playing()
    assert refusal(lambda: decisions.decide_answer_proposal(table, "boris", cmd.Answer(True))) == "nothing_proposed"
    assert refusal(lambda: decisions.decide_resume_match(table, "boris")) == "not_paused"
    add(table, ev.Proposed("pause", "ana"))
    assert refusal(lambda: decisions.decide_answer_proposal(table, "ana", cmd.Answer(True))) == "agreed"
    assert refusal(lambda: decisions.decide_answer_proposal(table, "ana", cmd.Answer(False))) == ""
    assert refusal(lambda: decisions.decide_answer_proposal(table, "dora", cmd.Answer(True))) == "not_seated"
    add(table, ev.Answered("boris", True))
    assert decisions.decide_proposal_effects(table, 5) is None
    add(table, ev.Answered("chen", True))
    assert decisions.decide_proposal_effects(table, 5) == (ev.Paused(5, True), None)
    add(table, ev.Paused(5, True))
    assert table.proposal is None
    assert refusal(lambda: decisions.decide_resume_match(table, "dora")) == "not_seated"
    assert decisions.decide_resume_match(table, "boris") == [ev.Resumed()]
    assert refusal(lambda: decisions.decide_resume_match(add(table, ev.Resumed()), "boris")) == "not_paused"


def test_who_must_agree() -> None:
    table = playing(ANA, person("boris"), person("chen"), person("xi", "a"))
    assert table.required_voters("abandon") == {"ana", "boris", "chen"}, "no online bot where there are people"
    add(table, ev.Left(1, LEFT), ev.Left(2, REMOVED))
    assert table.required_voters("pause") == {"ana"}
    assert table.required_voters("abandon") == {"ana", "chen"}, "nobody gains votes by removing somebody"
    saw = table.chairs[1].saw
    assert saw
    assert table.required_voters("takeback", saw - 1) == {"ana", "boris", "chen"}, "Boris saw that line"
    assert table.required_voters("takeback", saw) == {"ana", "chen"}
    assert playing(person("xi", "a"), person("yo", "b"), owner="xi").required_voters() == {"xi", "yo"}


@pytest.mark.parametrize(
    ("chairs", "before", "terms", "reason"),
    [
        ((), [], {}, ""),
        ((), [], {"rated": False}, "friendly"),
        ((ANA, BOT), [], {}, "bots"),
        ((ANA, person("xi", "a")), [], {}, "bots"),
        ((person("xi", "a"), person("yo", "b")), [], {"owner": "xi"}, ""),
        ((), [ev.Ended("abandoned")], {}, "unfinished"),
        ((), [ev.Ended("resigned")], {}, "short"),
        ((), [ev.Ended("finished")], {}, ""),
    ],
)
def test_a_rated_match_counts_unless(
    chairs: tuple[ev.InitialChair, ...], before: list[ev.LogEvent], terms: dict[str, Any], reason: str
) -> None:
    table = add(playing(*chairs, **{"rated": True, **terms}), *before)
    assert table.unrated_reason == reason
    assert table.awaits_rating == (not reason and bool(before))


@pytest.mark.parametrize("ended", ["finished", "resigned", "abandoned"])
def test_only_a_match_that_was_played_to_its_end_has_a_ranking(ended: str) -> None:
    assert ("ranking" in add(playing(), ev.Ended(ended)).build_summary().info) == (ended == "finished")


def test_a_running_rated_match_is_taken_from_nobody() -> None:
    rated, friendly = playing(rated=True), playing()
    before = gathering(ANA, FREE, rated=True)
    for table, refused in ((rated, "rated_running"), (friendly, ""), (before, "")):
        assert refusal(partial(decisions.decide_close_table, table, "ana")) == refused
        assert refusal(partial(decisions.decide_remove_person, table, "ana", "boris")) == refused
    assert decisions.decide_close_table_by_server_host(rated) == ev.Ended("closed")
    assert refusal(lambda: decisions.decide_close_table(friendly, "boris")) == "owner_only"
    assert refusal(lambda: decisions.decide_remove_person(friendly, "ana", "ana")) == "not_yourself"


def test_who_is_removed_leaves_what_they_have() -> None:
    banned = ev.Banned("boris")
    assert decisions.decide_remove_person(gathering(ANA, person("boris")), "ana", "boris") == [banned, ev.StoodUp(1)]
    assert decisions.decide_remove_person(playing(), "ana", "boris") == [banned, ev.Left(1, REMOVED)]
    resigned = add(playing(), ev.Left(1, RESIGNED))
    assert decisions.decide_remove_person(resigned, "ana", "boris") == [banned]
    over = add(playing(), ev.Ended("closed"))
    assert decisions.decide_remove_person(over, "ana", "boris") == [banned]


@pytest.mark.parametrize(("days", "known"), [(2, True), (0, False)])
def test_a_table_by_days_is_told_what_it_does_not_know_of_holidays(days: int, known: bool) -> None:
    table = add(playing(days=days), *([ev.OnHoliday(1, 5, 9), ev.OnHoliday(1, 20, 30)] if days else []))
    now = [Holiday("boris", 5, 9), Holiday("boris", 40, 50), Holiday("ana", 7, 8), Holiday("dora", 1, 2)]
    told = [ev.OnHoliday(0, 7, 8), ev.OnHoliday(1, 40, 50), ev.OnHoliday(1, 20, 20)]
    assert decisions.decide_missing_holidays(table, now) == (told if known else [])
    assert decisions.decide_missing_holidays(add(table, ev.Ended("closed")), now) == []


def test_whoever_is_deleted_leaves_what_they_have_once() -> None:
    gone = FORGOTTEN_PREFIX + "x"
    assert decisions.decide_missing_departures(gathering(person(gone), FREE, owner=gone)) == [ev.Ended("closed")]
    assert decisions.decide_missing_departures(gathering(ANA, person(gone))) == [ev.StoodUp(1)]
    table = playing(ANA, person(gone), person("chen"))
    assert decisions.decide_missing_departures(table) == [ev.Left(1, RESIGNED)]
    assert decisions.decide_missing_departures(add(table, ev.Left(1, RESIGNED))) == []
    assert decisions.decide_missing_departures(add(playing(ANA, person(gone)), ev.Ended("closed"))) == []
    assert decisions.decide_missing_departures(playing()) == []


def test_the_clock_runs_for_a_person_who_must_choose_and_for_nobody_else() -> None:
    table = playing(days=2)
    assert (table.actor, table.clocks.running_since) == (0, 1000)
    for event, since in (
        (ev.Left(1, LEFT), 2000),
        (ev.Left(0, LEFT), None),
        (ev.CameBack(0), 4000),
        (ev.Paused(5000, True), None),
        (ev.CameBack(1), None),
        (ev.Resumed(), 7000),
        (ev.Ended("closed"), None),
    ):
        add(table, event, at=1000 + table.seq * 1000 - 1000)
        assert table.clocks.running_since == since, event


def test_who_is_deleted_is_nobody_wherever_the_table_named_them() -> None:
    table = add(playing(), ev.Muted("boris", True), ev.Banned("boris"), ev.Proposed("pause", "chen"))
    assert table.match is not None
    before = list(table.match.seats)
    assert all(before)
    alias = table.anonymise_user("boris")
    assert alias.startswith(FORGOTTEN_PREFIX)
    assert [(chair.person, chair.name) for chair in table.chairs] == [("ana", "Ana"), (alias, ""), ("chen", "Chen")]
    assert table.match.seats == [before[0], "", before[2]]
    assert (table.muted, table.banned, table.terms.owner) == ({alias}, {alias}, "ana")
    assert table.proposal is not None
    add(table, ev.Answered("ana", True))
    gone = table.anonymise_user("ana")
    assert table.terms.owner == gone
    answer = partial(decisions.decide_answer_proposal, table, "chen", cmd.Answer(False))
    assert refusal(answer) == "nothing_proposed", "what Ana had agreed to is gone with her"


def test_who_left_shares_the_last_place_and_who_stayed_the_first_if_nobody_won() -> None:
    assert add(playing(), ev.Left(1, RESIGNED), ev.Ended("resigned")).final_places_by_seat() == [1, 3, 1]
    table = add(playing(), ev.Left(1, LEFT), ev.Ended("finished"))
    assert table.match is not None
    groups = [[seat for seat in group["seats"] if seat != 1] for group in table.match.state.ranking()]
    places = table.final_places_by_seat()
    assert places[1] == 3
    assert [[places[seat] for seat in there] for there in groups if there] in ([[1, 1]], [[1], [2]])


@pytest.mark.parametrize(
    ("table", "on", "refused"),
    [
        (playing(ANA, person("boris"), game="survive"), True, ""),
        (playing(ANA, person("boris"), game="survive", hints=False), True, "no_hints"),
        (playing(ANA, person("boris"), game="survive", hints=False), False, ""),
        (playing(ANA, person("boris")), True, "set_up"),
        (playing(person("boris"), person("chen"), game="survive", owner="boris"), True, "not_seated"),
        (gathering(ANA, person("boris"), game="survive"), True, "not_begun"),
    ],
)
def test_the_rest_of_a_set_up_is_placed_for_who_asks_in_time(table: Table, on: bool, refused: str) -> None:
    def decide() -> list[ev.LogEvent]:
        return decisions.decide_automatic_setup(table, "ana", cmd.Arrange(on))

    assert refusal(decide) == refused
    if not refused:
        assert decide() == ([ev.Arranged(0, True)] if on else [])
        assert decisions.decide_automatic_setup(add(table, ev.Left(0, LEFT)), "ana", cmd.Arrange(on)) == []


def at_forced_choice(**terms: Any) -> Table:
    """In the middle of a match by days, before a choice of one that is no secret."""
    table, rng = playing(ANA, person("boris"), game="survive", days=2, **terms), Rng(3)
    while True:
        assert table.match is not None
        assert table.actor is not None
        state = table.match.state
        if len(table.match.legal_actions()) == 1 and not (
            state.is_single_choice_secret() or state.needs_answer_delay()
        ):
            return table
        action = int(table.match.state.random_action(rng))
        played, after = decisions.decide_play_choice(table.match, table.actor, action, rng)
        table.apply_entry(LogEntry("t", table.seq + 1, 1000, played), after)


@pytest.mark.parametrize(
    ("ms", "watching", "before", "terms", "plays"),
    [
        (2 * DAY_MS - 1, {"ana", "boris"}, [], {}, True),
        (2 * DAY_MS, {"ana", "boris"}, [], {}, False),
        (0, {"dora"}, [], {}, False),
        (0, {"ana", "boris"}, [ev.Paused(1000, True)], {}, False),
        (0, {"ana", "boris"}, [ev.Left(0, LEFT), ev.Left(1, LEFT)], {}, False),
        (0, {"ana", "boris"}, [], {"hot_seat": True}, False),
    ],
)
def test_a_choice_of_one_is_made_for_who_watches_while_the_clock_leaves_the_time(
    ms: int, watching: set[str | None], before: list[ev.LogEvent], terms: dict[str, Any], plays: bool
) -> None:
    table = add(at_forced_choice(**terms), *before)
    runtime = Runtime(rng=Rng(1), forced_choice_ms=ms)
    assert decisions.may_play_forced_choice(table, lambda: watching, runtime) == plays
