"""Kernels on a GPU: `python -m bench.gpu [GAME ...]` compares every build with this machine's processor, then measures.

Bare: a thread plays whole matches. In step: one decision of every match by a kernel that chooses and one that applies.
Environment: with observations, masks as bits, rewards and restarts.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_void_p
from os import cpu_count
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import landfall
from landfall.core.match_batch import rng_of_match
from landfall.core.rng import Rng
from landfall.games import BUILT_IN_GAMES
from landfall.kernels.device import DeviceBatch, DeviceKernel, import_cupy
from landfall.kernels.host import RELEASE, HostKernel, build_kernel
from landfall.kernels.program import LEARNER_ENTRIES, Program
from landfall.lab.environments.kernel_batch import KernelBatch

SAME_MATCHES, SAME_VIEWS, SAME_STEPS = 4096, 512, 300
WARM_UP, TIMED = 150, 40


def generators(matches: int) -> list[int]:
    """The words of as many generators, far apart. The first are those of the seeds 0, 1, 2 and so on."""
    known = [int(Rng(seed).word) for seed in range(min(matches, SAME_MATCHES))]
    more: Any = np.random.default_rng(1).integers(0, 2**63 - 1, matches - len(known)) if matches > len(known) else []
    return known + [int(word) for word in more]


def compile_cubin(game: str, folder: Path, macro: str) -> str | None:
    """By nvcc, which is a process of its own; None where there is none."""
    if shutil.which("nvcc") is None:
        return None
    source = folder / f"{game}{macro}.cu"
    source.write_text(Program(landfall.game(game), LEARNER_ENTRIES).source(), encoding="utf-8")
    cubin = source.with_suffix(".cubin")
    flags = ["-std=c++17", "-w", "-cubin", "-arch=native", *([f"-D{macro}"] if macro else [])]
    subprocess.run(["nvcc", *flags, "-o", str(cubin), str(source)], check=True)
    return str(cubin)


def compare_matches(game: str, host: HostKernel, device: DeviceKernel) -> None:
    """The hashes of whole matches, for every number of players; without and with what players see."""
    for players in landfall.game(game).player_counts:
        start = landfall.new(game, players)
        for matches, everything in ((SAME_MATCHES, False), (SAME_VIEWS, True)):
            expected, _ = host.play_matches(start, list(range(matches)), everything)
            found, _ = device.play_matches(start, generators(matches), everything)
            different = int((np.array(expected, "u8") != found.get()).sum())
            what = "actions, views and scores" if everything else "actions"
            print(f"{game}, {players} players: {matches} matches, {what}: {different} different")
            if different:
                sys.exit("nothing is measured: the matches differ")


def compare_batches(game: str, host: HostKernel, device: DeviceKernel) -> None:
    """Batches after some hundred steps, to the byte."""
    start = landfall.new(game, 4)
    here = KernelBatch(host, start, SAME_VIEWS, 1, 0, 1)
    there = DeviceBatch(device, start, [int(rng_of_match(1, i).word) for i in range(SAME_VIEWS)])
    drawn = np.zeros(SAME_VIEWS, "i8")
    for _ in range(SAME_STEPS):
        there.step(there.choose())
        here.run("choose_actions", drawn.ctypes.data_as(c_void_p))
        here.step(drawn)
    for name in there.at.keys() & here.at.keys() - {"ends", "legal"}:
        if (there.at[name].get() != here.at[name]).any():
            sys.exit(f"nothing is measured: {name} differs after {SAME_STEPS} steps")
    print(f"{game}: {SAME_VIEWS} matches in step, equal after {SAME_STEPS} steps")


def timed(cupy: Any, work: Any) -> float:
    """Seconds by the device's clock."""
    first, last = cupy.cuda.Event(), cupy.cuda.Event()
    first.record()
    work()
    last.record()
    last.synchronize()
    return float(cupy.cuda.get_elapsed_time(first, last)) / 1000


def measure_bare(game: str, device: DeviceKernel, matches: int) -> float:
    start, words = landfall.new(game, 4), generators(matches)
    device.play_matches(start, words[: len(words) // 8])
    found: list[Any] = []
    seconds = timed(device.cupy, lambda: found.append(device.play_matches(start, words)[1]))
    return float(found[0].sum()) / seconds


def measure_steps(game: str, device: DeviceKernel, matches: int, views: bool) -> float:
    batch = DeviceBatch(device, landfall.new(game, 4), generators(matches), views)

    def steps(number: int) -> None:
        for _ in range(number):
            batch.step(batch.choose())

    steps(WARM_UP)  # away from the opening, which all matches start with
    return matches * TIMED / timed(device.cupy, lambda: steps(TIMED))


def measure_host(game: str, host: HostKernel) -> None:
    """Bare play on one core, and on all."""
    start = landfall.new(game, 4)
    seeds = list(range(4000 if game == "atlandice" else 1000))
    begun = perf_counter()
    decisions = host.play_matches(start, seeds)[1]
    one = decisions / (perf_counter() - begun)
    cores = cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        begun = perf_counter()
        done = sum(found[1] for found in pool.map(lambda _: host.play_matches(start, seeds), range(cores * 4)))
        several = done / (perf_counter() - begun)
    print(
        f"{game}: host, one core {one / 1e6:.2f} M/s, "
        f"{cores} threads {several / 1e6:.2f} M/s ({several / one:.1f} times)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(BUILT_IN_GAMES))
    parser.add_argument("--bits", type=int, nargs="*", default=[14, 17, 19], help="batch sizes, as powers of two")
    parser.add_argument("--define", nargs="*", default=[""], help="macros of play.h: a build with each")
    arguments = parser.parse_args()
    cupy = import_cupy()
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor() as pool:
        folder = Path(made)
        builds = [(game, macro) for game in arguments.games for macro in arguments.define]
        cubins = {build: pool.submit(compile_cubin, build[0], folder, build[1]) for build in builds}
        for game in arguments.games:
            host = build_kernel(landfall.game(game), folder, RELEASE, LEARNER_ENTRIES)
            for macro in arguments.define:
                begun = perf_counter()
                device = DeviceKernel(landfall.game(game), cubins[game, macro].result(), cupy)
                print(f"\n{game} {macro}: waited {perf_counter() - begun:.0f} s for the build", flush=True)
                compare_matches(game, host, device)
                compare_batches(game, host, device)
                print(f"{game}: bare {measure_bare(game, device, 1 << 17) / 1e6:.0f} M/s", flush=True)
                for bits in arguments.bits:
                    bare = measure_steps(game, device, 1 << bits, False)
                    full = measure_steps(game, device, 1 << bits, True)
                    millions = f"in step {bare / 1e6:.0f} M/s, environment {full / 1e6:.0f} M/s"
                    print(f"{game}: 2^{bits} {millions}", flush=True)
                    cupy.get_default_memory_pool().free_all_blocks()
            measure_host(game, host)


if __name__ == "__main__":
    main()
