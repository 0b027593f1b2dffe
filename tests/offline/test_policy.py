"""What pages may run: our own scripts and Python's compiled code, nothing made from text; with a server and without."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from landfall.offline.static_site import allow_rendezvous_in_page_policy
from landfall.web.request_security import DEFAULT_HEADERS
from tests.repository_files import REPO

pytestmark = pytest.mark.once


def parts(policy: str) -> dict[str, str]:
    """A policy by what it is about."""
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def test_scripts_are_our_own_and_python() -> None:
    policy = parts(DEFAULT_HEADERS["Content-Security-Policy"])
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["default-src"] == "'self'"
    assert [about for about, may in policy.items() if "unsafe" in may] == ["script-src", "style-src-attr"]


def test_a_folder_of_files_says_the_same() -> None:
    source = (REPO / "client" / "vite.config.ts").read_text(encoding="utf-8")
    written = re.search(r"const POLICY =\n(.*?)\nconst", source, re.DOTALL)
    assert written is not None
    said = parts("".join(re.findall(r'"(.*?)"', written.group(1))))
    wanted = parts(DEFAULT_HEADERS["Content-Security-Policy"])
    del wanted["frame-ancestors"]  # it has no meaning in a page
    assert said == wanted


def test_a_folder_of_files_may_reach_the_server_that_it_names_and_no_other(tmp_path: Path) -> None:
    page, servers = tmp_path / "index.html", tmp_path / "together.json"
    before = "<meta content=\"default-src 'self'; object-src 'none'\">"
    page.write_text(before, encoding="utf-8")
    for named in ("https://one.example/", "http://127.0.0.1:8000"):
        servers.write_text(json.dumps({"rendezvous": named}), encoding="utf-8")
        allow_rendezvous_in_page_policy(tmp_path)
        said = re.search(r'content="(.*)"', page.read_text(encoding="utf-8"))
        assert said is not None
        assert parts(said[1])["connect-src"] == f"'self' {named.rstrip('/')}"
    for bad in ("one.example", "https://*; script-src *", "javascript:x", 5):
        servers.write_text(json.dumps({"rendezvous": bad}), encoding="utf-8")
        with pytest.raises(SystemExit, match="rendezvous"):
            allow_rendezvous_in_page_policy(tmp_path)
    servers.write_text("{}", encoding="utf-8")
    allow_rendezvous_in_page_policy(tmp_path)
    assert page.read_text(encoding="utf-8") == before
