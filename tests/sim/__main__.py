"""`python -m tests.sim SEED [--processes N] [--calm | --mixed] [--trace] [--count N]`: live through worlds again."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.sim.simulated_world import live_through_world, seeds_with_garbage_collection


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--calm", action="store_true", help="only people who come and go")
    parser.add_argument("--mixed", action="store_true", help="every fourth seed is calm")
    parser.add_argument("--trace", type=int, nargs="?", const=3000, default=60, help="how many lines of what happened")
    parser.add_argument("--count", type=int, default=1, help="this seed and those after it, told in short")
    parser.add_argument("--lenient", nargs="*", default=[], help="words of faults of which nothing is made")
    args = parser.parse_args()
    begun, kinds, sums = time.process_time(), Counter[str](), Counter[str]()
    for seed in seeds_with_garbage_collection(range(args.seed, args.seed + args.count)):
        calm = args.calm or (args.mixed and seed % 4 == 0)
        verdict = live_through_world(seed, args.processes, calm, tuple(args.lenient), traced=args.count == 1)
        kinds[verdict.kind or "sound"] += 1
        sums.update({name: getattr(verdict, name) for name in ("entries", "messages", "kills", "over", "minutes")})
        if args.count == 1:
            print("\n".join(verdict.trace[-args.trace :]))
        if verdict.broken or args.count == 1:
            print(verdict, flush=True)
    took = time.process_time() - begun
    print(f"{args.count} worlds in {took:.1f} s, {args.count / took:.1f} a second: {dict(kinds)}")
    print(", ".join(f"{value / args.count:.1f} {name}" for name, value in sums.items()), "a world")


if __name__ == "__main__":
    main()
