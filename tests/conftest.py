"""What all tests share: what this machine lacks is not run and said so, and with CI=true that is a failure."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

import pytest

import landfall
import landfall.bots.value_net

LONG: Final = 300  # seconds until a test gives up on what must happen: a loaded machine is slow, not wrong
# Until it is ended whatever it does, with all stacks printed. pyproject.toml ends the process a little later: code
# that never lets the interpreter run cannot be interrupted.
os.environ.setdefault("PYTEST_TIMEOUT", str(2 * LONG))


def lacking(what: str) -> NoReturn:
    """End this test as not run because the machine lacks something."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"not run: {what}")
    pytest.skip(f"not run: {what}")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: many tests wait, for a server, a browser or a timeout."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked `proof` is part of `make proof` alone."""
    if os.environ.get("LANDFALL_PROOF"):
        return
    left = [item for item in items if item.get_closest_marker("proof")]
    if left:
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


def pytest_collection(session: pytest.Session) -> None:
    """What is imported and collected stays until the end: not to be searched for garbage."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("compiled_only") and landfall.ENGINE != "compiled":
        lacking(f"engine {landfall.ENGINE}")


def pytest_report_header() -> str:
    return f"landfall engine: {landfall.ENGINE}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of an empty PostgreSQL, for the tests of one module."""
    from tests.postgres_cluster import run_temporary_cluster  # which imports this module

    with run_temporary_cluster() as address:
        yield address


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The address of an empty SQLite database."""
    from tests.migrated_databases import create_migrated_database  # most tests need no database

    return str(create_migrated_database(tmp_path / "landfall.db"))


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of a database of each kind."""
    address: str = request.getfixturevalue(request.param)
    return address
