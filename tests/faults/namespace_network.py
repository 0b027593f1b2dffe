"""Hosts of our own: network namespaces with one interface each, joined by `lossy_switch.py`.

All of it is in a namespace that `enter_namespaces` makes, of networks, mounts and processes: it ends with the program.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NoReturn

SWITCH: Final = str(Path(__file__).with_name("lossy_switch.py"))
INSIDE: Final = "LANDFALL_FAULTS_INSIDE"  # set in the namespace of the program
PREFIX: Final = "10.77.0."


def missing_requirements() -> str:
    """What this machine lacks; empty: nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "root on Linux, to make network namespaces"
    missing = [program for program in ("ip", "unshare", "nats-server") if not shutil.which(program)]
    if missing:
        return ", ".join(missing)
    tried = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True)
    return "network namespaces" if tried.returncode else ""


def enter_namespaces(words: list[str]) -> NoReturn:
    """Become a module of ours in namespaces of its own: whoever ends this process ends everything in them."""
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-m"]
    os.execvpe(command[0], [*command, *words], {**os.environ, INSIDE: "1"})


def run_command(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class Network:
    """The hosts by name, with their addresses; `people` is where this program is."""

    def __init__(self, hosts: Iterable[str]) -> None:
        assert os.environ.get(INSIDE), "not in a namespace of our own"
        self.addresses = {name: f"{PREFIX}{n}" for n, name in enumerate(["people", *hosts], 1)}
        Path("/run/netns").mkdir(parents=True, exist_ok=True)
        run_command("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        run_command("ip", "netns", "add", "switch")
        run_command("ip", "link", "set", "lo", "up")
        for name, address in self.addresses.items():
            run_command("ip", "link", "add", f"e-{name}", "type", "veth", "peer", "name", f"p-{name}")
            run_command("ip", "link", "set", f"p-{name}", "netns", "switch")
            run_command("ip", "netns", "exec", "switch", "ip", "link", "set", f"p-{name}", "up")
            inside: tuple[str, ...] = ()
            if name != "people":
                run_command("ip", "netns", "add", name)
                run_command("ip", "link", "set", f"e-{name}", "netns", name)
                inside = ("ip", "netns", "exec", name)
                run_command(*inside, "ip", "link", "set", "lo", "up")
            run_command(*inside, sys.executable, "-I", SWITCH, "plain", f"e-{name}")
            run_command(*inside, "ip", "address", "add", f"{address}/24", "dev", f"e-{name}")
            run_command(*inside, "ip", "link", "set", f"e-{name}", "up")
        words = ["ip", "netns", "exec", "switch", sys.executable, "-I", SWITCH, "serve"]
        self.switch = subprocess.Popen(
            [*words, *(f"p-{name}" for name in self.addresses)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.counts: dict[str, int] = {}
        self.heal_all()

    def order(self, **order: Any) -> None:
        assert self.switch.stdin is not None
        assert self.switch.stdout is not None
        self.switch.stdin.write(json.dumps(order).encode() + b"\n")
        self.switch.stdin.flush()
        self.counts = json.loads(self.switch.stdout.readline())

    def cut(self, *pairs: tuple[str, str]) -> None:
        """No frame passes between these hosts."""
        self.order(cut=[[f"p-{one}", f"p-{other}"] for one, other in pairs])

    def lose(self, share: float) -> None:
        """This share of all frames between servers, database and bus is lost."""
        hosts = [name for name in self.addresses if name != "people"]
        pairs = [(one, other) for n, one in enumerate(hosts) for other in hosts[n + 1 :]]
        self.order(loss={f"p-{one} p-{other}": share for one, other in pairs})

    def heal_all(self) -> None:
        """Every frame arrives."""
        self.order()

    def start(self, host: str, words: list[str], log: Path) -> subprocess.Popen[bytes]:
        """A program on a host."""
        with log.open("ab") as output:
            return subprocess.Popen(["ip", "netns", "exec", host, *words], stdout=output, stderr=output)

    def signal(self, host: str, number: signal.Signals) -> None:
        """Send a signal to all processes of a host."""
        for pid in run_command("ip", "netns", "pids", host).split():
            os.kill(int(pid), number)
