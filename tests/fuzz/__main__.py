"""`python -m tests.fuzz [TARGET ...] [--seconds 60] [--seed 1]`: parsers against changed texts.

What a parser does wrong is written into its corpus, so that the tests find it again: mend the parser, then commit both.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from hashlib import blake2b
from typing import Final

from tests.fuzz.targets import CORPUS, TARGETS, Target

NAME_BYTES: Final = 6


def fuzz(target: Target, seconds: float, seed: int) -> tuple[int, int, str | None]:
    """How many texts were tried and how many accepted, and the first that is treated wrongly."""
    until, accepted = time.monotonic() + seconds, 0
    for tried, text in enumerate(target.mutants(seed)):
        if time.monotonic() > until:
            return tried, accepted, None
        try:
            accepted += target.check(text)
        except Exception:
            traceback.print_exc()
            return tried + 1, accepted, text
    raise AssertionError("mutants have an end")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    wrong = 0
    for name in args.targets or TARGETS:
        tried, accepted, found = fuzz(TARGETS[name], args.seconds, args.seed)
        print(f"{name}: {tried:,} texts, {accepted:,} accepted, seed {args.seed}", flush=True)
        if found is not None:
            wrong += 1
            path = (
                CORPUS
                / TARGETS[name].folder
                / f"found-{blake2b(found.encode(), digest_size=NAME_BYTES).hexdigest()}.txt"
            )
            path.write_text(found, encoding="utf-8")
            print(f"wrong: {path}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
