"""A rematch asks: who wants one sits down at a new table, and the others' chairs wait for their answer."""

from pathlib import Path

from landfall.tables.live.hub import TableConfig
from landfall.tables.protocol import commands as cmd
from tests.tables.fake_users import Guest, Scene, run_scene


async def over(s: Scene, *names: str, config: TableConfig | None = None) -> list[Guest]:
    """People at a table whose match is over, though all would play again."""
    people = await s.table(*names, config=config)
    assert await people[0].refused(cmd.Rematch()) == "not_over"
    await people[0].send(cmd.Propose(what="abandon"))
    for other in people[1:]:
        await other.send(cmd.Answer(yes=True))
    assert people[0].table["status"] == "over"
    return people


def names(guest: Guest) -> list[str | None]:
    return [chair.get("name") or chair.get("bot") for chair in guest.table["chairs"]]


def test_who_asks_first_sits_alone_and_the_others_are_notified(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, _ = await over(s, "Ana", "Boris", "Chen", config=TableConfig("atlandice", 3, seating="as_sat"))
        new = (await boris.send(cmd.Rematch()))["table"]
        assert (ana.table["successor"], ana.table["successor_by"]) == (new, 1)
        await boris.come(new)
        assert names(boris) == [None, "Boris", None]
        assert [chair.get("kept", False) for chair in boris.table["chairs"]] == [True, False, True]
        assert boris.table["owner"] == boris.table["chairs"][1]["who"]
        assert [head.table for head in await s.store.tables.list_tables_of_user("id-Ana", over=False)] == []
        await boris.send(cmd.Rematch())
        assert await boris.refused(cmd.Start()) == "free_chairs"

    run_scene(story, tmp_path)


def test_who_answers_sits_on_the_old_chair_in_the_old_colour(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris = await over(s, "Ana", "Boris")
        colours = [chair["colour"] for chair in ana.table["chairs"]]
        new = (await boris.send(cmd.Rematch()))["table"]
        assert (await ana.send(cmd.Rematch()))["table"] == new
        assert (await ana.send(cmd.Rematch()))["table"] == new  # and is not seated twice
        await boris.come(new)
        assert names(boris) == ["Ana", "Boris"]
        assert [chair["colour"] for chair in boris.table["chairs"]] == colours
        assert not any(chair.get("kept") for chair in boris.table["chairs"])
        assert boris.table["previous"]
        await boris.send(cmd.Start())
        assert boris.table["status"] == "playing"
        assert (await ana.send(cmd.Rematch()))["table"] == new

    run_scene(story, tmp_path)


def test_a_kept_chair_is_for_one_unless_the_owner_gives_it_away(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, chen = await over(s, "Ana", "Boris", "Chen", config=TableConfig("atlandice", 3, seating="as_sat"))
        new = (await ana.send(cmd.Rematch()))["table"]
        dora = s.guest("Dora")
        for guest in (ana, dora):
            await guest.come(new)
        assert await dora.refused(cmd.Sit(chair=1)) == "kept"
        assert await dora.refused(cmd.Free(chair=1)) == "not_yours"
        await boris.come(new)
        assert (await boris.send(cmd.Sit(chair=1)))["t"] == "done"
        assert (await ana.send(cmd.Free(chair=2)))["t"] == "done"
        assert (await dora.send(cmd.Sit(chair=2)))["t"] == "done"
        assert names(ana) == ["Ana", "Boris", "Dora"]
        await chen.send(cmd.Rematch())  # too late for a chair: may look on
        assert names(ana) == ["Ana", "Boris", "Dora"]

    run_scene(story, tmp_path)


def test_a_bot_may_take_a_kept_chair_and_who_says_no_frees_it(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, _, chen = await over(s, "Ana", "Boris", "Chen", config=TableConfig("atlandice", 3, seating="as_sat"))
        new = (await ana.send(cmd.Rematch()))["table"]
        await ana.come(new)
        await ana.send(cmd.Bot(chair=1, code="sprat"))
        await chen.come(new)
        await chen.send(cmd.Free(chair=2))
        assert names(ana) == ["Ana", "sprat", None]
        assert not any(chair.get("kept") for chair in ana.table["chairs"])

    run_scene(story, tmp_path)


def test_alone_against_bots_it_begins_at_once(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table_with_bots(ana.user, TableConfig("atlandice", 3), ["sprat", "mackerel"])
        await ana.come(table)
        await ana.send(cmd.Propose(what="abandon"))
        new = (await ana.send(cmd.Rematch()))["table"]
        await ana.come(new)
        assert ana.table["status"] == "playing"
        assert {chair.get("bot") for chair in ana.table["chairs"]} == {None, "sprat", "mackerel"}

    run_scene(story, tmp_path)


def test_all_at_a_hot_seat_are_one_who_asks(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana = s.guest("Ana")
        assert ana.user is not None
        table = await s.hub.create_table(ana.user, TableConfig("atlandice", 2, seating="as_sat", hot_seat=True))
        await ana.come(table)
        await ana.send(cmd.Sit(chair=1, name="Bruno"))
        await ana.send(cmd.Start())
        await ana.send(cmd.Propose(what="abandon"))
        new = (await ana.send(cmd.Rematch()))["table"]
        await ana.come(new)
        assert (names(ana), ana.table["status"]) == (["Ana", "Bruno"], "playing")

    run_scene(story, tmp_path)


def test_who_was_removed_is_not_asked(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, *_ = await s.table("Ana", "Boris", "Chen", config=TableConfig("atlandice", 3, seating="as_sat"))
        await ana.send(cmd.Remove(who=ana.table["chairs"][2]["who"]))
        await ana.send(cmd.Close())
        new = (await ana.send(cmd.Rematch()))["table"]
        await ana.come(new)
        assert [chair.get("kept", False) for chair in ana.table["chairs"]] == [False, True, False]

    run_scene(story, tmp_path)


def test_who_was_removed_cannot_ask_first_and_own_the_new_table(tmp_path: Path) -> None:
    async def story(s: Scene) -> None:
        ana, boris, _ = await s.table("Ana", "Boris", "Chen", config=TableConfig("atlandice", 3, seating="as_sat"))
        await ana.send(cmd.Remove(who=ana.table["chairs"][1]["who"]))
        await ana.send(cmd.Close())
        assert await boris.refused(cmd.Rematch()) == "removed"
        assert ana.table.get("successor") is None
        new = (await ana.send(cmd.Rematch()))["table"]
        assert await boris.refused(cmd.Rematch()) == "removed"
        await ana.come(new)
        assert names(ana) == ["Ana", None, None]

    run_scene(story, tmp_path)
