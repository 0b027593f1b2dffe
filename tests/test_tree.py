"""What the repository's files must not say, and what its lock files must."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.repository_files import REPO, list_repository_files

pytestmark = pytest.mark.once

REGISTRIES = (
    r"pypi\.(org|io)", r"pypi\.python\.org", r"pythonhosted\.org", r"npmjs\.(org|com)", r"yarnpkg\.com",
    r"(deb|security|ftp\.\w+)\.debian\.org", r"anaconda\.org", r"crates\.io",
)  # fmt: skip
FORBIDDEN = {
    "a registry's host name": re.compile("|".join(REGISTRIES), re.IGNORECASE),
    "somebody's own folder": re.compile(r"(?<![\w.$}/-])/(home|root|work|Users)/[\w.]|[A-Z]:\\+Users\\", re.IGNORECASE),
}
LOCKS = [
    "requirements-boot.txt",
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-node.lock",
    "bench/catanatron/requirements.lock",
    "bench/openspiel/requirements.lock",
    "bench/mutants/requirements.lock",
    "bench/docs/requirements.lock",
    "bench/chess/requirements.lock",
    "bench/pettingzoo/requirements.lock",
    "bench/pgx/requirements.lock",
    "bench/ppo/requirements.lock",
    "bench/ray/requirements.lock",
    "bench/rlcard/requirements.lock",
    "bench/rllib/requirements.lock",
]


def said(text: str) -> list[str]:
    return [f"{what}: {found[0]}" for what, pattern in FORBIDDEN.items() if (found := pattern.search(text))]


@pytest.mark.parametrize(
    "text",
    [
        "https://" + "pypi" + ".org/simple",
        "registry." + "npmjs" + ".org",
        "/" + "home/ann/x",
        '"/' + 'work/y"',
        "/" + "root/.c",
    ],
)
def test_the_check_sees_what_it_looks_for(text: str) -> None:
    assert said(text)


@pytest.mark.parametrize("text", ["src/work/x", "https://example.com/home/page", "the network", "Path.home() / 'x'"])
def test_the_check_lets_other_text_pass(text: str) -> None:
    assert not said(text)


def test_no_file_names_a_registry_or_somebodys_folder() -> None:
    problems, read = [], 0
    for name in list_repository_files():
        try:
            text = (REPO / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        read += 1
        problems += [f"{name}: {problem}" for problem in said(text)]
    assert not problems
    assert read > 10


def requirements(lock: str) -> dict[str, str]:
    """Each pinned requirement of a lock file, with its marker, and the rest of its lines."""
    text = (REPO / lock).read_text().replace("\\\n", " ")
    return {line.split("--hash")[0].strip(): line for line in text.splitlines() if not line.startswith("#")}


def versions(lock: str) -> set[str]:
    return {name.split(" ;")[0] for name in requirements(lock)}


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_pins_and_hashes_every_requirement_and_has_no_address(lock: str) -> None:
    assert requirements(lock)
    for name, line in requirements(lock).items():
        assert re.match(r"[a-z0-9.-]+==[\w.]+( ; .+)?$", name)
        assert re.search(r" --hash=sha256:[0-9a-f]{64}", line)
        assert not re.search(r"://|--(extra-)?index|--find-links| @ ", line)


def test_every_lock_file_is_checked() -> None:
    locks = {p.as_posix() for p in list_repository_files() if p.suffix == ".lock" or Path(p).match("requirements*.txt")}
    assert locks == set(LOCKS)


def test_developers_have_the_same_versions_as_users() -> None:
    users, developers = (versions(lock) for lock in ("requirements.lock", "requirements-dev.lock"))
    assert users
    assert not users - developers


def test_wheels_are_built_by_the_locked_compiler() -> None:
    build = tomllib.loads((REPO / "pyproject.toml").read_text())["build-system"]["requires"]
    assert build
    assert not set(build) - versions("requirements-dev.lock")


def test_every_result_says_how_it_came_about() -> None:
    for name in list_repository_files():
        if name.parent == Path("bench/results") and name.name != "README.md":
            first = (REPO / name).read_text(encoding="utf-8").splitlines()[:3]
            assert [line.partition(":")[0] for line in first] == ["command", "commit", "date"], name
            assert all(line.partition(":")[2].strip() for line in first), name


ASKING = {"get", "post", "put", "delete", "Client", "AsyncClient"}


def impatient(source: str) -> list[int]:
    """The lines of a module that ask a server by httpx for as long as httpx likes: five seconds."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.lineno
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "httpx"
        and call.func.attr in ASKING
        and not {"timeout", "transport"} & {word.arg for word in call.keywords}
    ]


def test_no_test_gives_up_on_a_server_because_the_machine_is_slow() -> None:
    assert impatient('import httpx\nhttpx.get("http://x")\nhttpx.Client(timeout=9)\n') == [2]
    asked = {
        name: (REPO / name).read_text(encoding="utf-8")
        for name in list_repository_files()
        if name.match("tests/**/*.py")
    }
    assert len(asked) > 20
    assert {str(name): lines for name, text in asked.items() if (lines := impatient(text))} == {}
