"""A bot that runs as a separate program in any language. It exchanges the messages of docs/client.md as JSON lines.

The program receives only what its seat may know. If it exits, sends an invalid answer or is late, the match ends with
an error that says so.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from time import monotonic
from typing import IO, Any, Final

from landfall.bots.contract import Bot, BotError, Seat
from landfall.games import game as find_game

STARTUP_TIMEOUT_S: Final = 60.0  # added to the limit of a program's first answer
EXIT_TIMEOUT_S: Final = 1.0  # for a program to exit after its input is closed
MAX_ANSWER_CHARS: Final = 1 << 20  # of an answer
MAX_UNREAD_LINES: Final = 100  # lines of output held until they are read
# environment variable with the seed of the bot's randomness, so that a match can be repeated
SEED_VARIABLE: Final = "LANDFALL_SEED"


class CommandBot(Bot):
    """Asks a program: `cmd:./mybot`, with `ms` per choice; `events` also sends it the events."""

    name = "cmd"

    def __init__(self, command: str, ms: int = 10_000, events: bool = False) -> None:
        self.command = command
        self.timeout_s = ms / 1000
        self.uses_events = events  # type: ignore[misc]
        self.program: Program | None = None
        self.request_count = 0

    def choose(self, seat: Seat) -> int:
        if self.program is None:
            self.program = self.start_program(seat)
        self.request_count += 1
        question = welcome_message(seat, self.request_count, self.code or self.name)
        line = json.dumps(question, ensure_ascii=False, separators=(",", ":"))
        answer = self.program.request(line, self.timeout_s + (STARTUP_TIMEOUT_S if self.request_count == 1 else 0.0))
        return self.parse_answered_action(answer, question)

    def start_program(self, seat: Seat) -> Program:
        """Start the program; it ends with this bot."""
        try:
            program = Program(self.code, shlex.split(self.command), int(seat.rng.randbelow(1 << 30)))
        except (OSError, ValueError) as error:
            raise BotError(self.code, f"{self.command!r} cannot be started: {error}") from None
        weakref.finalize(self, program.stop)
        return program

    def parse_answered_action(self, said: str, question: dict[str, Any]) -> int:
        """Parse the action an answer names."""
        try:
            answer = json.loads(said)
        except (ValueError, RecursionError):
            raise BotError(self.code, f"it answered {said[:80]!r}, which is no JSON") from None
        if not isinstance(answer, dict) or answer.get("t") != "play":
            raise BotError(self.code, f'it answered {said[:80]!r}, not {{"t":"play",...}}')
        if answer.get("version", question["version"]) != question["version"]:
            raise BotError(self.code, f"it answered version {answer['version']!r}, not {question['version']}")
        for group in question["choices"]:
            text, action = group["keys"].index("text"), group["keys"].index("action")
            for row in group["rows"]:
                if answer.get("action") == row[action] or ("action" not in answer and answer.get("text") == row[text]):
                    return int(row[action])
        raise BotError(self.code, f"it answered {said[:80]!r}, which names none of the choices")


def welcome_message(seat: Seat, version: int, code: str) -> dict[str, Any]:
    """The complete welcome message for this seat, as a client that connects now receives it."""
    rules = find_game(seat.game)
    table = {
        "t": "table",
        "n": version,
        "id": "",
        "game": seat.game,
        "rules": rules.rules_version,
        "players": seat.players,
        "options": dict(seat.options),
        "status": "playing",
        "chairs": [{"bot": code if number == seat.number else ""} for number in range(seat.players)],
        "owner": "",
        "clock": {"mode": "none", "turn": 0, "bank": 0, "days": 0},
    }
    message: dict[str, Any] = {
        "t": "welcome",
        "n": version,
        "version": version,
        "table": table,
        "seats": [seat.number],
        "seat": seat.number,
        "view": seat.view,
        "choices": [{"verb": verb, "keys": keys, "rows": rows} for verb, keys, rows in seat.choices],
    }
    if seat.events:
        message["events"] = seat.events
    return message


class Program:
    """A running program: lines to its input, lines from its output, and its standard error."""

    def __init__(self, code: str, command: list[str], seed: int) -> None:
        if not command:
            raise ValueError("no command is given")
        self.code = code
        self.stderr_file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # open until `stop`
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.stderr_file,
                env={**os.environ, SEED_VARIABLE: str(seed)},
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # its child processes can be killed with it
            )
        except OSError:
            self.stderr_file.close()
            raise
        self.lines: queue.Queue[str] = queue.Queue(MAX_UNREAD_LINES)  # a program that writes without being asked blocks
        self.writer: threading.Thread | None = None
        self.reader = threading.Thread(target=self.queue_output_lines, daemon=True)
        self.reader.start()

    def queue_output_lines(self) -> None:
        """Put its lines into the queue; an empty text marks the end."""
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            while line := lines.readline(MAX_ANSWER_CHARS):
                self.lines.put(line)
        self.lines.put("")

    def request(self, line: str, seconds: float) -> str:
        """Send one line and return the answer. A separate thread writes, so a program that does not read cannot block
        us."""
        self.writer = threading.Thread(target=self.write_line, args=(line,), daemon=True)
        self.writer.start()
        answer = self.read_answer(seconds)
        self.writer.join(seconds)
        if self.writer.is_alive():
            raise BotError(
                self.code, f"it did not read what it was asked within {seconds:g} s{self.quote_last_error_line()}"
            )
        return answer

    def write_line(self, line: str) -> None:
        """Write one line; if nobody reads it, the missing answer is noticed later."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):  # it has exited
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def read_answer(self, seconds: float) -> str:
        """Its next line that is not empty."""
        until = monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until - monotonic()))
            except queue.Empty:
                raise BotError(
                    self.code, f"it gave no answer within {seconds:g} s{self.quote_last_error_line()}"
                ) from None
            if not line:
                raise BotError(
                    self.code, f"it ended ({self.describe_exit()}) without an answer{self.quote_last_error_line()}"
                )
            if line.strip():
                return line.strip()

    def describe_exit(self) -> str:
        """Its exit code, or the signal that killed it."""
        try:
            code = self.process.wait(EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def quote_last_error_line(self) -> str:
        """The last line of its standard error."""
        self.stderr_file.seek(0)
        lines = self.stderr_file.read().decode(errors="replace").strip().splitlines()
        return f"; it said: {lines[-1][:200]}" if lines else ""

    def stop(self) -> None:
        """Close its input; kill it and its child processes if it does not exit in time."""
        # it does not read, so it will not see the end of its input
        if self.writer is not None and self.writer.is_alive():
            self.kill()
            self.writer.join(EXIT_TIMEOUT_S)
        for pipe in (self.process.stdin, self.stderr_file):
            with suppress(OSError):  # it did not read the last request
                if pipe is not None:
                    pipe.close()
        try:
            self.process.wait(EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        self.reader.join(EXIT_TIMEOUT_S)

    def kill(self) -> None:
        """Kill it and its child processes now."""
        if sys.platform == "win32":
            self.process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
