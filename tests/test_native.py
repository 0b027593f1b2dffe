"""The choice of the engine, and which modules are compiled."""

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import landfall
from landfall import native, paths


def engine(package: Path, **env: str) -> tuple[str, str]:
    """What a copy of the package in a folder of its own says of its engine, and what it warns of."""
    settings = {k: v for k, v in os.environ.items() if k != "LANDFALL_PURE"} | {"PYTHONPATH": str(package.parent)} | env
    code = "import landfall; print(landfall.ENGINE); from landfall.core import thing; print(thing.__file__)"
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one module of the engine, whose compiled twin cannot even be loaded."""
    root = tmp_path / "landfall"
    (root / "core").mkdir(parents=True)
    (root / "__init__.py").write_text("from landfall.native import choose_engine\nENGINE = choose_engine()\n")
    (root / "native.py").write_bytes(Path(native.__file__).read_bytes())
    (root / "core" / "__init__.py").touch()
    (root / "core" / "thing.py").write_text("X = 1\n")
    return root


def pretend_compiled(package: Path) -> None:
    suffix = EXTENSION_SUFFIXES[0]
    (package / f"native__mypyc{suffix}").write_bytes(b"not a library")
    (package / "core" / f"thing{suffix}").write_bytes(b"not a library")


def test_engine_is_one_of_two() -> None:
    assert landfall.ENGINE == "compiled" or landfall.ENGINE.startswith("interpreted: ")
    if os.environ.get("LANDFALL_PURE") == "1":
        assert landfall.ENGINE.startswith("interpreted: ")


@pytest.mark.once
def test_without_compiled_modules_the_engine_is_interpreted(package: Path) -> None:
    out, err = engine(package)
    assert out.startswith("interpreted: no compiled modules")
    assert not err


@pytest.mark.once
def test_pure_runs_the_sources_though_compiled_modules_are_there(package: Path) -> None:
    pretend_compiled(package)
    out, err = engine(package, LANDFALL_PURE="1")
    assert out.startswith("interpreted: LANDFALL_PURE is set")
    assert out.strip().endswith("thing.py")
    assert not err


@pytest.mark.once
def test_stale_compiled_modules_are_not_used_and_it_says_so(package: Path) -> None:
    pretend_compiled(package)
    (package / "native.stamp").write_text("unfinished\n")
    out, err = engine(package)
    assert out.startswith("interpreted: compiled modules are out of date")
    assert out.strip().endswith("thing.py")
    assert "sources changed since `make native`" in err


@pytest.mark.once
def test_fresh_compiled_modules_win(package: Path) -> None:
    pretend_compiled(package)
    with pytest.raises(subprocess.CalledProcessError) as crash:  # the pretended library is what gets loaded
        engine(package)
    assert crash.value.stdout == "compiled\n"
    assert "ImportError" in crash.value.stderr


@pytest.mark.once
def test_compiled_group_leaves_out_markers_and_interpreted_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "core/__init__",
        "core/b",
        "games/x/a",
        "games/x/words",
        "bots/search/one_ply_search",
        "bots/greedy_bot",
        "match",
    ):
        module = tmp_path / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text('"""Doc."""\n')
    (tmp_path / "games/x/words.py").write_text('"""Doc."""\n\n# interpreted: nothing here is hot\n')
    monkeypatch.setattr(native, "ROOT", tmp_path)
    names = [str(p.relative_to(tmp_path)) for p in native.modules_to_compile()]
    assert names == ["bots/search/one_ply_search.py", "core/b.py", "games/x/a.py"]
    before = native.source_digest()
    (tmp_path / "core/b.py").write_text("X = 1\n")
    assert native.source_digest() != before


def test_rules_texts_are_found() -> None:
    assert {"survive.md", "atlantis.md", "atlandice.md"} <= {p.name for p in paths.rules_dir().iterdir()}
