"""Two devices in networks of their own: Linux network namespaces, joined by a switch, by a router, or by nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import BrowserType

from tests.client.conftest import chromium
from tests.client.peer_matches import Company, launch_browser
from tests.conftest import lacking

PORT = 8765
STUN_PORT = 3478
ROUTER = "10.77.1.1"
# Tells whoever asks from which address they came: RFC 8489, one kind of request and of answer.
STUN_SERVER = f"""
import socket, struct
found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
found.bind(("0.0.0.0", {STUN_PORT}))
print("ready", flush=True)
while True:
    asked, (address, port) = found.recvfrom(2000)
    told = bytes(a ^ b for a, b in zip(struct.pack("!H", port) + socket.inet_aton(address), asked[4:6] + asked[4:8]))
    answer = struct.pack("!HHBB", 0x20, 8, 0, 1) + told
    found.sendto(struct.pack("!HH", 0x101, len(answer)) + asked[4:20] + answer, (address, port))
"""


def run_ip_command(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)


@contextmanager
def namespaces(joined: str) -> Iterator[tuple[str, str, str]]:
    """Two devices' namespaces, and the one between them. `joined` by a `switch`: one network. By a `router`: two, and
    no multicast from one to the other. `apart`: the router forwards nothing."""
    if os.geteuid() != 0 or shutil.which("ip") is None or subprocess.run(["unshare", "-n", "true"]).returncode:
        lacking("network namespaces (root, iproute2)")
    one, two, between = names = tuple(f"lf{os.getpid()}{letter}" for letter in "abr")
    try:
        for name in names:
            run_ip_command(f"netns add {name}")
            run_ip_command(f"-n {name} link set lo up")
        if joined == "switch":
            run_ip_command(f"-n {between} link add name lfbridge type bridge")
            run_ip_command(f"-n {between} link set lfbridge up")
        for i, name in enumerate((one, two), 1):
            run_ip_command(f"link add name lfdevice netns {name} type veth peer name lfport{i} netns {between}")
            host = f"10.77.1.{1 + i}" if joined == "switch" else f"10.77.{i}.2"
            run_ip_command(f"-n {name} addr add {host}/24 dev lfdevice")
            run_ip_command(f"-n {name} link set lfdevice up")
            run_ip_command(f"-n {between} link set lfport{i} up")
            if joined == "switch":
                run_ip_command(f"-n {between} link set lfport{i} master lfbridge")
                run_ip_command(f"-n {name} route add default dev lfdevice")
            else:
                run_ip_command(f"-n {between} addr add 10.77.{i}.1/24 dev lfport{i}")
                run_ip_command(f"-n {name} route add default via 10.77.{i}.1")
        forward = "1" if joined == "router" else "0"
        run_ip_command(f"netns exec {between} sysctl -qw net.ipv4.ip_forward={forward}")
        yield one, two, between
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


@contextmanager
def run_server_in_namespace(namespace: str, command: list[str]) -> Iterator[None]:
    """A server in a namespace, from its first line on."""
    words = ["ip", "netns", "exec", namespace, *command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def host_and_friend_in_namespaces(kind: BrowserType, site: Path, folder: Path, joined: str) -> Iterator[Company]:
    """A host and a friend, each with a browser and the site's files in a namespace of their own."""
    with ExitStack() as open_:
        one, two, between = open_.enter_context(namespaces(joined))
        python = [sys.executable, "-u"]
        if joined == "router":
            open_.enter_context(run_server_in_namespace(between, [*python, "-c", STUN_SERVER]))
        people = Company(f"http://127.0.0.1:{PORT}")
        for name in (one, two):
            served = [*python, "-m", "http.server", str(PORT), "--bind", "127.0.0.1", "--directory", str(site)]
            open_.enter_context(run_server_in_namespace(name, served))
            inside = folder / f"chromium-{name}"
            inside.write_text(f'#!/bin/sh\nexec ip netns exec {name} {chromium()} "$@"\n', encoding="utf-8")
            inside.chmod(0o755)
            browser = launch_browser(kind, inside)
            open_.callback(browser.close)
            people.add(browser, phone=True)
        yield people
        assert [error for player in people.players for error in player.errors] == []
