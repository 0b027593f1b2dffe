"""docs/beside.md: the table is what the snippets are, and ours do what they say."""

import inspect

import pytest

from bench.snippets import with_landfall
from bench.snippets.__main__ import lines_by_task, render_table
from tests.repository_files import REPO

pytestmark = pytest.mark.once
OURS = {name: task for name, task in vars(with_landfall).items() if inspect.isfunction(task)}


def test_the_page_has_the_table_that_the_snippets_make() -> None:
    assert render_table() in (REPO / "docs/beside.md").read_text(encoding="utf-8")


def test_every_task_is_one_of_the_ten_and_takes_at_most_four_lines_here() -> None:
    ours = lines_by_task("landfall")
    assert len(ours) == len(OURS) == 10
    assert max(ours.values()) <= 4
    for library in ("chess", "openspiel", "pgx"):
        assert set(lines_by_task(library)) < set(ours)


def test_our_snippets_do_what_they_say() -> None:
    done = {name: task() for name, task in OURS.items()}
    assert done["legal_moves"] == ["d2", "d4", "d5", "d6"]
    assert "2b: 7b d;" in done["play_by_notation"]
    assert done["reason_of_refusal"] == "AD.V1"
    assert max(done["random_game"]) > 0
    assert isinstance(done["look_ahead"], int)
    assert [done[name] for name in ("save_and_read_position", "save_and_replay_match", "take_back")] == [True] * 3
    assert done["picture"].startswith("<svg")
    assert done["thousand_matches"].shape == (1000,)
