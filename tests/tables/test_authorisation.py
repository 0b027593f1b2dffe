"""Who may do what: every command, at every stage of a table, by the host, a player, one whom the host removed, a
spectator and somebody without a name. Whoever may not is refused, and the log stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from landfall.tables.protocol import commands as cmd
from landfall.tables.protocol.commands import AnyCommand
from tests.tables.fake_users import Guest, Scene, run_scene
from tests.tables.test_presence import room_of

pytestmark = pytest.mark.once

ROLES = "NSRPH"  # nameless, spectator, removed, player, host: who may least comes first
STAGES = ("gathering", "playing", "over")
# Codes that say "not you". One who may is refused with no such, though perhaps since it is not the moment.
NOT_YOU = {"nameless", "owner_only", "not_seated", "removed", "gone", "muted", "not_yours"}
ALL, NAMED, SEATED, HOST, NOBODY = "NSRPH", "SPH", "PH", "H", ""
MAY: dict[type, tuple[str, str, str]] = {  # by stage
    cmd.Play: (NOBODY, SEATED, NOBODY),
    cmd.Undo: (NOBODY, SEATED, NOBODY),
    cmd.Arrange: (NOBODY, SEATED, NOBODY),
    cmd.Skip: (NOBODY, SEATED, NOBODY),
    cmd.Sit: (NAMED, NOBODY, NOBODY),
    cmd.Bot: (HOST, NOBODY, NOBODY),
    cmd.Free: (SEATED, NOBODY, NOBODY),
    cmd.Colour: (SEATED, NOBODY, NOBODY),
    cmd.Start: (HOST, NOBODY, NOBODY),
    cmd.Leave: (SEATED, SEATED, NOBODY),
    cmd.Back: (NOBODY, SEATED, NOBODY),
    cmd.Resign: (NOBODY, SEATED, NOBODY),
    cmd.Propose: (NOBODY, SEATED, NOBODY),
    cmd.Answer: (NOBODY, SEATED, NOBODY),
    cmd.Resume: (NOBODY, SEATED, NOBODY),
    cmd.Say: (NAMED, NAMED, NAMED),
    cmd.Viewpoint: ("P", "P", ALL),  # with the player's seat
    cmd.Remove: (HOST, HOST, HOST),
    cmd.Mute: (HOST, HOST, HOST),
    cmd.Close: (HOST, HOST, NOBODY),
    cmd.Rematch: (NOBODY, NOBODY, SEATED),
    cmd.Explain: (NOBODY, SEATED, NOBODY),
    cmd.Preview: (ALL, ALL, ALL),  # of one's own choice; of another's it is empty
    cmd.Hint: (NOBODY, SEATED, NOBODY),
    cmd.Events: (ALL, ALL, ALL),
    cmd.Ping: (ALL, ALL, ALL),
}


def sent(command: type, role: str, people: dict[str, Guest]) -> AnyCommand:
    """A command as one in that role would send it."""
    chairs = people["H"].table["chairs"]
    fields: dict[type, dict[str, Any]] = {
        cmd.Play: {"version": people["P"].version, "id": role, "action": 0},
        cmd.Undo: {"version": people["P"].version, "id": role},
        cmd.Sit: {"chair": 2},
        cmd.Bot: {"chair": 3, "code": "sprat"},
        cmd.Free: {"chair": {"H": 0}.get(role, 1)},
        cmd.Colour: {"chair": {"H": 0}.get(role, 1), "colour": "red"},
        cmd.Propose: {"what": "pause"},
        cmd.Answer: {"yes": False},
        cmd.Say: {"text": "hello"},
        cmd.Viewpoint: {"seat": 1},
        cmd.Remove: {"who": chairs[1].get("who") or "nobody"},
        cmd.Mute: {"who": chairs[1].get("who") or "nobody"},
        cmd.Hint: {"version": people["P"].version},
    }
    found: AnyCommand = command(**fields.get(command, {}))
    return found


async def gathered(s: Scene, stage: str) -> dict[str, Guest]:
    """People in all roles at a table of that stage: the host on chair 0, the player on 1, the removed was on 2."""
    host, player, removed, other = await s.table("Host", "Player", "Removed", "Other", start=stage != "gathering")
    people = {"H": host, "P": player, "R": removed, "S": s.guest("Spectator"), "N": s.guest("Nameless")}
    people["N"].user = None
    for role in "SN":
        await people[role].come(room_of(host).table.id)
    assert (await host.send(cmd.Remove(who=host.table["chairs"][2]["who"])))["t"] == "done"
    if stage == "over":
        assert (await host.send(cmd.Close()))["t"] == "done"
    elif stage == "gathering":
        assert (await other.send(cmd.Free(chair=3)))["t"] == "done"
    return people


@pytest.mark.parametrize("stage", STAGES)
def test_everybody_may_do_what_is_theirs_and_nothing_else(stage: str, tmp_path: Path) -> None:
    wrong: list[str] = []

    async def story(s: Scene) -> None:
        for command, may in MAY.items():
            people = await gathered(s, stage)
            table = room_of(people["H"]).table
            for role in ROLES:
                before = table.seq
                answer = await people[role].send(sent(command, role, people))
                code = answer.get("code") if answer.get("t") == "refused" else None
                allowed = role in may[STAGES.index(stage)]
                if allowed and code in NOT_YOU:
                    wrong.append(f"{command.__name__}: {role} is refused: {code}")
                if not allowed and (code is None or table.seq != before):
                    wrong.append(f"{command.__name__}: {role} may: {answer}"[:200])

    run_scene(story, tmp_path)
    assert not wrong, "\n".join(wrong)


def test_every_command_is_in_the_matrix() -> None:
    assert set(MAY) == set(get_args(AnyCommand))
