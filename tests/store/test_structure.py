"""The store is composed: repositories on a database, not a tower of classes or of imports."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from landfall.store.database import Database, Repository
from landfall.store.postgres import PostgresDatabase
from landfall.store.sqlite import SqliteDatabase
from landfall.store.store import Store
from tests.import_layers import Graph, python_import_graph
from tests.repository_files import REPO

pytestmark = pytest.mark.once
FOLDER = "src/landfall/store/"
MAX_IMPORT_FLOORS = 6


def import_height(file: str, graph: Graph) -> int:
    """The number of floors of the store's modules from this one down."""
    return 1 + max((import_height(other, graph) for other in graph[file] if other.startswith(FOLDER)), default=0)


def test_every_subject_is_a_repository_and_inherits_from_nothing_else() -> None:
    subjects = vars(Store(Database(create_async_engine("sqlite+aiosqlite://"))))
    assert len(subjects) > 15
    assert {type(one).__bases__ for name, one in subjects.items() if name != "database"} == {(Repository,)}
    assert {SqliteDatabase.__bases__, PostgresDatabase.__bases__} == {(Database,)}
    assert (Store.__bases__, Database.__bases__, Repository.__bases__) == ((object,),) * 3


def test_imports_have_few_floors() -> None:
    graph = python_import_graph(REPO)
    files = [file for file in graph if file.startswith(FOLDER) and "/migrations/" not in file]
    heights = {Path(file).stem: import_height(file, graph) for file in files}
    assert heights["schema"] == 1
    assert heights["store"] > 3, "hardly any import was found"
    assert {name: height for name, height in heights.items() if height > MAX_IMPORT_FLOORS} == {}
