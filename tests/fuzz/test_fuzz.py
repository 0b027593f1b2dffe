"""Each parser's corpus, and a small sample of changed texts; `python -m tests.fuzz` goes on."""

from itertools import islice
from pathlib import Path

import pytest

import landfall
from landfall.core.errors import PositionError
from tests.fuzz import targets
from tests.fuzz.__main__ import fuzz
from tests.fuzz.targets import TARGETS, Target

SAMPLE = 150 if landfall.ENGINE == "compiled" else 30


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_is_accepted_and_what_was_once_wrong_is_refused_or_right(name: str) -> None:
    corpus = TARGETS[name].corpus()
    assert len(corpus) >= 4
    for file, text in corpus:
        accepted = TARGETS[name].check(text)
        assert accepted or file.startswith("found-"), f"{file} is refused"


@pytest.mark.parametrize("name", TARGETS)
def test_changed_texts_are_refused_or_mean_the_same_again(name: str) -> None:
    tried = [TARGETS[name].check(text) for text in islice(TARGETS[name].mutants(seed=1), SAMPLE)]
    assert not all(tried)


@pytest.mark.proof
@pytest.mark.parametrize("name", TARGETS)
def test_a_minute_of_changed_texts(name: str) -> None:
    assert fuzz(TARGETS[name], 60, seed=2)[2] is None


def test_a_parser_with_a_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fails otherwise than by refusing, and one that reads what it wrote as something else."""
    (tmp_path / "numbers").mkdir()
    (tmp_path / "numbers" / "one.txt").write_text("12; 34", encoding="utf-8")
    monkeypatch.setattr(targets, "CORPUS", tmp_path)

    def check(text: str) -> bool:
        try:
            if not all(part.strip() for part in text.split(";")):
                raise PositionError(text, "a part is empty")
        except PositionError:
            return False
        assert int(text.split(";")[0]) >= 0  # a ValueError where it is no number
        return True

    tried, _, found = fuzz(Target("numbers", check), 20, seed=1)
    assert tried < 200
    assert found is not None
