"""Decides what may be appended to a table's log: each function checks one command and returns its event.

They change nothing. `person` is a user id; a refusal names the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from landfall.core.errors import NotationError
from landfall.core.rng import Rng, shuffle_in_place
from landfall.core.state import CHANCE
from landfall.games import game as find_game
from landfall.match import Match
from landfall.store.events import (
    Answered,
    Arranged,
    Banned,
    BotSatDown,
    CameBack,
    ColourChosen,
    Ended,
    Left,
    LogEvent,
    Muted,
    OnHoliday,
    Paused,
    Played,
    Proposed,
    Resumed,
    SatDown,
    Started,
    StoodUp,
    TakenBack,
)
from landfall.store.row_types import FORGOTTEN_PREFIX, Holiday
from landfall.tables.bots import allowed_bots
from landfall.tables.log.clocks import DAYS_CLOCK
from landfall.tables.log.table import EXHIBITION, GATHERING, LEFT, OUT_OF_TIME, OVER, PLAYING, REMOVED, RESIGNED, Table
from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol import text_validation
from landfall.tables.protocol.errors import Refused
from landfall.tables.runtime_dependencies import Runtime

# --- before the match -----------------------------------------------------------------------------------------


def require_not_started(table: Table) -> None:
    if table.status != GATHERING:
        raise Refused("begun")


def require_owner(table: Table, person: str) -> None:
    if person != table.terms.owner:
        raise Refused("owner_only")


def require_no_running_rated_match(table: Table) -> None:
    """Nobody takes a rated match from others: it counts, or all agree to abandon it."""
    if table.status == PLAYING and not table.unrated_reason:
        raise Refused("rated_running")


def require_hints_allowed(table: Table) -> None:
    if not table.terms.hints:
        raise Refused("no_hints")


def require_existing_chair(table: Table, number: int) -> int:
    if number >= len(table.chairs):
        raise Refused("no_chair", chair=number)
    return number


def require_kind_of_player_allowed(table: Table, author: str | None) -> None:
    """Refused: an online bot where nobody asked for one, or a person in a rated match of bots.

    A private table's link is an invitation. A rated match has bots of different authors, so that nobody makes a rating.
    """
    terms = table.terms
    if author is None:
        if terms.by_bot and terms.rated:
            raise Refused("bots_only")
        return
    if terms.hot_seat or (not terms.by_bot and (terms.public or terms.rated)):
        raise Refused("no_bots")
    if terms.rated and any(chair.author == author for chair in table.chairs):
        raise Refused("same_author")


def decide_sit_down(
    table: Table, person: str, name: str, command: cmd.Sit, has_account: bool = False, author: str | None = None
) -> LogEvent:
    """Take a free chair; one per user, except at a hot seat. A rated match needs accounts.

    `author`: of an online bot, a handle of its author at this table.
    """
    require_not_started(table)
    require_kind_of_player_allowed(table, author)
    if table.terms.rated and not has_account:
        raise Refused("rated_account")
    if person in table.banned:
        raise Refused("removed")
    number = require_existing_chair(table, command.chair)
    if not table.chairs[number].is_free:
        raise Refused("taken")
    if table.chairs[number].reserved_for is not None and number not in table.chairs_reserved_for(person):
        raise Refused("kept")
    if table.seats_of_person(person) and not table.terms.hot_seat:
        raise Refused("seated")
    own = text_validation.require_displayable_name(command.name) if command.name and table.terms.hot_seat else ""
    return SatDown(number, person, own or name, author)


def decide_put_bot_on_chair(table: Table, person: str, command: cmd.Bot) -> LogEvent:
    """Put a bot on a free chair, or replace a bot."""
    require_not_started(table)
    require_owner(table, person)
    number = require_existing_chair(table, command.chair)
    if table.chairs[number].person is not None:
        raise Refused("taken")
    return BotSatDown(number, allowed_bots.require_allowed_bot_code(command.code))


def decide_vacate_chair(table: Table, person: str, command: cmd.Free) -> LogEvent:
    """Free one's own or reserved chair; the owner also a bot's or any reserved one. People: `decide_remove_person`."""
    require_not_started(table)
    number = require_existing_chair(table, command.chair)
    chair = table.chairs[number]
    mine = chair.person == person or number in table.chairs_reserved_for(person)
    if not mine and not (person == table.terms.owner and (chair.bot or chair.reserved_for)):
        raise Refused("not_yours")
    return StoodUp(number)


def decide_choose_colour(table: Table, person: str, command: cmd.Colour) -> LogEvent:
    """Choose a colour that no other chair has; the owner chooses for bots."""
    require_not_started(table)
    number = require_existing_chair(table, command.chair)
    chair = table.chairs[number]
    if chair.person != person and not (person == table.terms.owner and chair.bot):
        raise Refused("not_yours")
    known = find_game(table.terms.game).colours
    if command.colour not in known:
        raise Refused("no_colour", colour=command.colour, colours=", ".join(known))
    if any(c.colour == command.colour for i, c in enumerate(table.chairs) if i != number):
        raise Refused("colour_taken", colour=command.colour)
    return ColourChosen(number, command.colour)


def decide_start_match(table: Table, person: str, rng: Rng) -> tuple[LogEvent, Match | None]:
    """Start the match: sample the first player, assign the remaining colours, resolve the first chance."""
    require_not_started(table)
    require_owner(table, person)
    if any(c.is_free for c in table.chairs):
        raise Refused("free_chairs")
    if not any(c.person for c in table.chairs) and table.terms.owner != EXHIBITION:
        raise Refused("nobody")
    order = list(range(len(table.chairs)))
    if table.terms.seating == "drawn" and table.match is None:
        shuffle_in_place(order, rng)
    chosen = [table.chairs[i].colour for i in order]
    known = find_game(table.terms.game).colours
    # Prefer a seat's own colour, so that a table without choices looks as in the rulebook.
    for seat, mine in enumerate(chosen):
        if mine is None and known[seat] not in chosen:
            chosen[seat] = known[seat]
    left = [c for c in known if c not in chosen]
    given = [mine if mine is not None else left.pop(0) for mine in chosen]
    if table.match is not None:  # a reopened record: continue where it stopped
        return Started(order, given, []), None
    match = table.match_from_lines([])
    match.rng = rng
    match.resolve_chance()
    return Started(order, given, match.log_lines()), match


# --- choices --------------------------------------------------------------------------------------------------


def require_running_match(table: Table) -> Match:
    if table.status == GATHERING:
        raise Refused("not_begun")
    if table.status == OVER or table.match is None:
        raise Refused("over", "LF.4")
    return table.match


def require_seat_to_act_for(table: Table, mine: list[int]) -> int:
    """The seat that a user acts for now: at a hot seat the one that must choose, else the user's own.

    It need not be that seat's turn. Refused without a seat, in an agreed pause, or while a stand-in plays.
    """
    if not mine:
        raise Refused("not_seated")
    require_running_match(table)
    if table.paused_by_agreement:
        raise Refused("paused")
    actor = table.actor
    if actor is not None and actor in mine:
        if not table.chairs[actor].is_played_by_person:
            raise Refused("stand_in")
        return actor
    return mine[0]


def require_current_version(table: Table, version: int) -> None:
    if version != table.version:
        raise Refused("stale", version=table.version)


def require_legal_action(match: Match, seat: int, command: cmd.Play) -> int:
    """The action that a message names, if it is legal for this seat."""
    if match.actor != seat:
        raise Refused("illegal", "LF.2")
    if (command.action is None) == (command.text is None):
        raise Refused("one_way")
    if command.text is not None:
        try:
            action = match.state.parse(command.text)
        except NotationError as error:
            raise Refused("notation", text=command.text, reason=str(error.arguments["reason"])) from None
    else:
        assert command.action is not None
        action = command.action
    rule = match.state.why_illegal(action, seat)
    if rule is not None:
        raise Refused("illegal", rule)
    return action


def decide_play_choice(
    match: Match, seat: int, action: int, rng: Rng, id_: str | None = None, decided: int | None = None
) -> tuple[Played, Match]:
    """A checked choice and the chance outcomes that follow, as one event."""
    after = match.fork()
    after.rng = rng
    after.apply_and_log(action)
    after.resolve_chance()
    return Played(seat, after.log_lines(since=len(match.log)), id_, decided), after


def decide_undo_choice(table: Table, seat: int, whole_turn: bool, id_: str) -> tuple[TakenBack, Match]:
    """Undo one choice of this turn, or as many as allowed; a refusal names the reason. Automatic choices are undone
    with the choice before them.
    """
    match = require_running_match(table)
    if match.actor != seat:
        raise Refused("undo_turn")
    length = len(match.log)
    earlier = match
    while length == len(match.log) or whole_turn or len(earlier.legal_actions()) == 1:
        reason = find_undo_fault(earlier, seat, length)
        if reason and (length == len(match.log) or not whole_turn):
            raise Refused(reason)
        if reason:
            break
        length -= 1
        earlier = match.copy_rewound_to(length)
    return TakenBack(seat, length, False, id_), earlier


def decide_setup_undo(table: Table, mine: list[int], version: int, id_: str) -> tuple[TakenBack, Match]:
    """In the set-up: undo back to one's last placement (at a hot seat any player's there), if no other person has acted
    since; bots place again.

    `version` may be older than the bots' later placements, but not than the placement itself.
    """
    match = require_running_match(table)
    last = next((i for i in range(len(match.log) - 1, -1, -1) if match.log[i].actor in mine), None)
    seat = mine[0] if last is None else match.log[last].actor
    if not table.chairs[seat].is_played_by_person:
        raise Refused("stand_in")
    if last is None:
        raise Refused("undo_nothing")
    if any(line.actor >= 0 and table.chairs[line.actor].person is not None for line in match.log[last + 1 :]):
        raise Refused("undo_others")
    earlier = match.copy_rewound_to(last)
    if table.first_unseen_event_number(version) <= len(earlier.state.events or []):
        raise Refused("stale", version=table.version)
    return TakenBack(seat, last, False, id_), earlier


def decide_automatic_setup(table: Table, person: str, command: cmd.Arrange) -> list[LogEvent]:
    """For all of one's seats; at any time before the last piece is placed."""
    require_running_match(table)
    mine = table.seats_of_person(person)
    if not mine:
        raise Refused("not_seated")
    if command.on:
        require_hints_allowed(table)  # a bot places
    if not table.is_setting_up:
        raise Refused("set_up")
    chairs = table.chairs
    return [
        Arranged(n, command.on)
        for n in mine
        if chairs[n].is_played_by_person and chairs[n].places_automatically != command.on
    ]


def require_may_skip_pauses(table: Table, person: str) -> None:
    """Only if no other person watches the bots."""
    require_running_match(table)
    if not table.seats_of_person(person):
        raise Refused("not_seated")
    if table.required_voters() != {person}:
        raise Refused("not_alone")


# --- forced choices -------------------------------------------------------------------------------------------


def may_play_forced_choice(table: Table, who_watches: Callable[[], set[str | None]], runtime: Runtime) -> bool:
    """Whether a connected person has a single choice, and it may be played automatically now.

    Never if the single choice may be a secret. Its timing is visible through any process and by polling over HTTP. It
    would reveal that a player who takes longer had an alternative.
    """
    actor, match = table.actor, table.match
    if (
        actor is None
        or match is None
        or table.paused
        or table.terms.hot_seat
        or not table.awaits_choice_of_person(actor)
    ):
        return False
    person = table.chairs[actor].person
    if person is None or len(match.legal_actions()) != 1:
        return False
    if match.state.is_single_choice_secret() or match.state.needs_answer_delay() or person not in who_watches():
        return False
    deadline = table.clocks.actor_deadline()
    return deadline is None or deadline > table.choice_since + runtime.forced_choice_ms


def find_undo_fault(match: Match, seat: int, length: int) -> str:
    """Why the last of so many lines cannot be undone; "" if it can."""
    if length == 0:
        return "undo_nothing"
    last = match.log[length - 1]
    if last.actor == CHANCE:
        return "undo_chance" if any(e.actor == seat for e in match.log[:length]) else "undo_nothing"
    if last.actor != seat:
        return "undo_others" if any(e.actor == seat for e in match.log[:length]) else "undo_nothing"
    before = match.copy_rewound_to(length - 1)
    if before.actor != seat:
        return "undo_others"
    codes = {e.secret for e in match.log if e.secret} | {e.secret for e in match.state.events or [] if e.secret}
    if any(match.can_read(seat, code) and not before.can_read(seat, code) for code in codes):
        return "undo_secret"
    return ""


# --- leaving, returning, proposals ----------------------------------------------------------------------------


def decide_leave_table(table: Table, person: str) -> list[LogEvent]:
    """Before the match the chair becomes free; during it a stand-in takes over."""
    mine = table.seats_of_person(person)
    if not mine:
        raise Refused("not_seated")
    if table.status == GATHERING:
        return [StoodUp(n) for n in mine]
    require_running_match(table)
    there = [n for n in mine if table.chairs[n].away_reason is None]
    if not there:
        raise Refused("stand_in")
    return [Left(n, LEFT) for n in there]


def decide_return_to_seat(table: Table, person: str) -> list[LogEvent]:
    """A player who left or ran out of time may return; one who resigned or was removed may not, nor a late bot."""
    require_running_match(table)
    mine = table.seats_of_person(person)
    if not mine:
        raise Refused("not_seated")
    away = [n for n in mine if table.chairs[n].away_reason is not None]
    if not away:
        raise Refused("not_away")
    for n in away:
        is_late_bot = table.chairs[n].author is not None and table.chairs[n].away_reason == OUT_OF_TIME
        if is_late_bot or table.chairs[n].away_reason in (REMOVED, RESIGNED):
            raise Refused("gone", why=str(table.chairs[n].away_reason))
    return [CameBack(n) for n in away]


def decide_resign_seats(table: Table, person: str, command: cmd.Resign) -> list[LogEvent]:
    """A stand-in finishes; the match ends if at most one other player is left who can win against people."""
    require_running_match(table)
    mine = [n for n in table.seats_of_person(person) if table.chairs[n].away_reason != RESIGNED]
    if command.seat is not None:
        mine = [n for n in mine if n == command.seat]
    if not mine:
        raise Refused("not_seated")
    events: list[LogEvent] = [Left(n, RESIGNED) for n in mine]
    standing = [i for i, c in enumerate(table.chairs) if i not in mine and c.away_reason != RESIGNED]
    people = [i for i in standing if table.chairs[i].person is not None]
    if len(standing) < 2 or not people:
        events.append(Ended("resigned"))
    return events


def require_not_removed(table: Table, person: str) -> str:
    """The user; Refused if the owner has removed them: a stand-in has their seat for good."""
    if person in table.banned:
        raise Refused("removed")
    return person


def decide_departure_of_deleted_user(table: Table, person: str) -> list[LogEvent]:
    """A user was deleted: their seats become anonymous, and their table is closed if it has not started."""
    mine = table.seats_of_person(person)
    if table.status == GATHERING and table.terms.owner == person:
        return [Ended("closed")]
    if table.status == PLAYING and any(table.chairs[n].away_reason != RESIGNED for n in mine):
        return decide_resign_seats(table, person, cmd.Resign())
    return [StoodUp(n) for n in mine] if table.status == GATHERING else []


def decide_missing_holidays(table: Table, holidays: Iterable[Holiday]) -> list[OnHoliday]:
    """What a table by days does not know yet of its people's holidays; `holidays` are all of theirs since it began."""
    if table.terms.clock.mode != DAYS_CLOCK or table.status != PLAYING:
        return []
    wanted: dict[str, dict[int, int]] = {}
    for one in holidays:
        wanted.setdefault(one.person, {})[one.since] = one.until
    found: list[OnHoliday] = []
    for seat, chair in enumerate(table.chairs):
        known, now = table.clocks.holidays.get(seat, {}), wanted.get(chair.person or "", {})
        found += [OnHoliday(seat, since, until) for since, until in now.items() if known.get(since) != until]
        found += [OnHoliday(seat, since, since) for since in known if since not in now and not chair.is_user_deleted]
    return found


def decide_missing_departures(table: Table) -> list[LogEvent]:
    """The events for deleted users whose departure is not logged; empty if there are none."""
    if table.status == OVER:
        return []
    for person in (table.terms.owner, *(chair.person for chair in table.chairs)):
        if (
            person is not None
            and person.startswith(FORGOTTEN_PREFIX)
            and (events := decide_departure_of_deleted_user(table, person))
        ):
            return events
    return []


def decide_make_proposal(table: Table, person: str, command: cmd.Propose) -> LogEvent:
    """Abandon, pause, or take back one's last choice: all people may agree to what undo does not allow."""
    match = require_running_match(table)
    if person not in table.required_voters():
        raise Refused("not_seated")
    if table.terms.tournament is not None:  # others wait for its result
        raise Refused("tournament_table")
    if command.what not in ("abandon", "takeback", "pause"):
        raise Refused("no_proposal", what=command.what)
    if table.proposal is not None:
        raise Refused("proposal_open")
    last = None
    if command.what == "takeback":
        mine = table.seats_of_person(person)
        last = next((i for i in range(len(match.log) - 1, -1, -1) if match.log[i].actor in mine), None)
        if last is None:
            raise Refused("undo_nothing")
    return Proposed(command.what, person, last)


def decide_answer_proposal(table: Table, person: str, command: cmd.Answer) -> LogEvent:
    """Yes or no; a single no rejects the proposal."""
    if table.proposal is None:
        raise Refused("nothing_proposed")
    if person not in table.required_voters(table.proposal.what, table.proposal.kept_lines):
        raise Refused("not_seated")
    if person in table.proposal.agreed and command.yes:
        raise Refused("agreed")
    return Answered(person, command.yes)


def decide_resume_match(table: Table, person: str) -> list[LogEvent]:
    """Any player may end an agreed pause."""
    require_running_match(table)
    if person not in table.required_voters():
        raise Refused("not_seated")
    if not table.paused_by_agreement:
        raise Refused("not_paused")
    return [Resumed()]


def decide_proposal_effects(table: Table, now: int) -> tuple[LogEvent, Match | None] | None:
    """The consequences of an accepted proposal."""
    proposal = table.proposal
    if proposal is None or table.required_voters(proposal.what, proposal.kept_lines) - proposal.agreed:
        return None
    if proposal.what == "abandon":
        return Ended("abandoned"), None
    if proposal.what == "pause":
        return Paused(now, True), None
    assert table.match is not None
    earlier = table.match.copy_rewound_to(proposal.kept_lines)
    return TakenBack(earlier.actor, proposal.kept_lines, True), earlier


# --- the owner's commands -------------------------------------------------------------------------------------


def decide_remove_person(table: Table, person: str, target: str) -> list[LogEvent]:
    """Remove a person: a free chair before the match, a stand-in during it."""
    require_owner(table, person)
    if target == person:
        raise Refused("not_yourself")
    require_no_running_rated_match(table)
    events: list[LogEvent] = [Banned(target)]
    for n in table.seats_of_person(target):
        if table.status == GATHERING:
            events.append(StoodUp(n))
        elif table.status == PLAYING and table.chairs[n].away_reason != RESIGNED:
            events.append(Left(n, REMOVED))
    return events


def decide_mute_person(table: Table, person: str, target: str, on: bool) -> LogEvent:
    require_owner(table, person)
    return Muted(target, on)


def decide_close_table(table: Table, person: str) -> LogEvent:
    require_owner(table, person)
    if table.status == OVER:
        raise Refused("over", "LF.4")
    require_no_running_rated_match(table)
    return Ended("closed")


def decide_close_table_by_server_host(table: Table) -> LogEvent:
    """The host of the server closes a table; a rated match does not count then."""
    if table.status == OVER:
        raise Refused("over", "LF.4")
    return Ended("closed")
