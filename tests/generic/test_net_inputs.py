"""Nets read the fields they declare, by name and version: an option or a field more leaves them as they were."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from landfall.bots import value_net
from landfall.bots.net_inputs import NetInputs, declare_all_fields_as_json
from landfall.bots.value_net import MissingNet, ValueNet
from landfall.core.feature_layout import FeatureLayout, Field
from landfall.game_checks.option_combinations import LEARNED
from tests.generic.test_value_net import some_rows
from tests.repository_files import REPO

pytestmark = pytest.mark.once
FILES = sorted(value_net.NETS_DIR.rglob("*.npz"))


def nets_of(name: str) -> list[ValueNet]:
    return [value_net.load_packaged(name), *value_net.load_other_ensemble_nets(name)]


def longer_layout(old: FeatureLayout, part: str, version: int = 1) -> FeatureLayout:
    """The layout with one more field, the second of the table, a seat or a piece."""
    parts = {"table": old.table[:], "seat": old.seat[:], "piece": old.piece[:]}
    parts[part].insert(1, Field("one_more", 9, version=version))
    return FeatureLayout(
        old.name, old.version, old.seats, parts["table"], parts["seat"], old.pieces, parts["piece"], old.worths
    )


def moved_rows(rows: np.ndarray, old: FeatureLayout, new: FeatureLayout) -> np.ndarray:
    """The same rows in another layout, field by field; what the old one does not have is 1."""
    places = {field.name: at for at, field in old.fields_by_offset().items()}
    out = np.zeros((len(rows), new.size), np.uint8)
    for at, field in new.fields_by_offset().items():
        out[:, at] = rows[:, places[field.name]] if field.name in places else 1
    return out


def output_of_program(*args: str) -> list[str]:
    """What the nets say in a process of its own; interpreted, since there the list of options may grow."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.generic.one_more_option", *args]
    env = {**os.environ, "LANDFALL_PURE": "1"}
    done = subprocess.run(command, cwd=REPO, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_one_more_option_leaves_all_six_nets_as_they_were() -> None:
    options, before = output_of_program()
    more, after = output_of_program("harmless")
    assert int(more) == int(options) + 1
    assert after == before
    assert len(nets_of("survive")) == 6


@pytest.mark.parametrize("part", ["table", "seat", "piece"])
@pytest.mark.parametrize("name", LEARNED)
def test_a_net_does_not_read_a_field_it_does_not_know(name: str, part: str) -> None:
    old = value_net.layout_of(name)
    new = longer_layout(old, part)
    rows = some_rows(name, 400)
    for net in nets_of(name):
        weights = {f"{layer}.weight": net.weight[layer] for layer in value_net.LAYERS}
        weights |= {f"{layer}.bias": net.bias[layer] for layer in value_net.LAYERS}
        weights |= {"sureness": net.sureness, "modesty": net.modesty}
        same = ValueNet(NetInputs(new, net.inputs.declaration), weights)
        for now, before in zip(same.predict(moved_rows(rows, old, new)), net.predict(rows), strict=True):
            if part == "piece":  # pieces are added up in another order
                assert np.allclose(now, before, atol=1e-5)
            else:
                assert now.tobytes() == before.tobytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_net_of_the_package_declares_what_it_reads(path: Path) -> None:
    game = path.stem.partition("-")[0]
    with np.load(path) as found:
        assert json.loads(str(found["fields"])) == json.loads(declare_all_fields_as_json(value_net.layout_of(game)))
        assert str(found["layout"]) == value_net.layout_name_with_digest(value_net.layout_of(game))


def test_a_net_is_refused_whose_fields_are_missing_or_mean_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = value_net.layout_of("survive")
    longer = longer_layout(old, "table")
    with pytest.raises(ValueError, match="no field 'one_more'"):
        NetInputs(old, declare_all_fields_as_json(longer))
    with pytest.raises(ValueError, match="'one_more' is"):
        NetInputs(longer_layout(old, "table", version=2), declare_all_fields_as_json(longer))
    with pytest.raises(ValueError, match="game is 'survive', not 'atlantis'"):
        NetInputs(old, declare_all_fields_as_json(value_net.layout_of("atlantis")))
    monkeypatch.setattr(value_net, "layout_of", lambda game: longer_layout(old, "seat"))
    assert value_net.load_file(value_net.NETS_DIR / "survive.npz", "survive").inputs.seat_columns == [0, *range(2, 9)]
    with np.load(value_net.NETS_DIR / "survive.npz") as found:
        np.savez(tmp_path / "before.npz", **{name: found[name] for name in found.files if name != "fields"})
    with pytest.raises(MissingNet, match="trained on other features"):
        value_net.load_file(tmp_path / "before.npz", "survive")


def test_a_file_that_declares_no_fields_fits_the_layout_it_was_trained_on(tmp_path: Path) -> None:
    with np.load(value_net.NETS_DIR / "survive.npz") as found:
        np.savez(tmp_path / "before.npz", **{name: found[name] for name in found.files if name != "fields"})
    rows, net = some_rows("survive", 400), value_net.load_file(tmp_path / "before.npz", "survive")
    for now, before in zip(net.predict(rows), value_net.load_packaged("survive").predict(rows), strict=True):
        assert now.tobytes() == before.tobytes()
