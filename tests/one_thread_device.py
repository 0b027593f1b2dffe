"""Stands for CuPy and a GPU of one thread: numpy's arrays, and the same C through this machine's compiler."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from landfall.kernels.host import RELEASE, find_compiler

MAKERS: Final = ("arange", "asarray", "frombuffer", "from_dlpack", "ones", "zeros")


class HostArray(np.ndarray):
    """An array with what the launches use of CuPy's."""

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self) -> Any:
        return np.array(self)


class OneThreadDevice:
    """What the launches use of the module `cupy`."""

    ndarray = HostArray

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cuda = SimpleNamespace(runtime=SimpleNamespace(deviceSetLimit=lambda *_: None))

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if name not in MAKERS:
            return found
        return lambda *given, **more: found(*given, **more).view(HostArray)

    def RawModule(self, code: str, options: tuple[str, ...]) -> Any:
        assert options
        compiler = find_compiler()
        assert compiler is not None
        self.folder.mkdir(exist_ok=True)
        source, library = self.folder / "device.c", self.folder / f"device-{len(list(self.folder.iterdir()))}.so"
        source.write_text(code, encoding="utf-8")
        flags = ["-O1", "-DONE_THREAD", *RELEASE[1:]]
        subprocess.run([compiler, *flags, "-o", str(library), str(source)], check=True)
        built = ctypes.CDLL(str(library))
        return SimpleNamespace(get_function=lambda name: launcher(getattr(built, name)))


def launcher(function: Any) -> Callable[[tuple[int], tuple[int], tuple[Any, ...]], None]:
    """A launch in all blocks as one call."""

    def launch(blocks: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
        assert blocks[0] > 0
        assert threads[0] > 0
        function(*(in_c(one) for one in arguments))

    return launch


def in_c(one: Any) -> Any:
    if isinstance(one, HostArray):
        assert one.flags.c_contiguous
        return ctypes.c_void_p(one.ctypes.data)
    return ctypes.c_int64(int(one)) if isinstance(one, np.int64) else ctypes.c_int32(int(one))
