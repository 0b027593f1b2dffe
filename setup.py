"""Compile the rules engine with mypyc, and put rules texts and symbols into the wheel; all else is in pyproject.toml.

LANDFALL_NATIVE=1 fail without a C compiler, =0 never compile, unset: compile where possible.
LANDFALL_OPT=1 compiles in half the time, for a slower engine.
"""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE)


def load_alone(name: str):
    """A module of the package, without the package, which is not built yet."""
    spec = importlib.util.spec_from_file_location(name, f"src/landfall/{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


native = load_alone("native")
build_version = load_alone("build_version")

WANT = os.environ.get("LANDFALL_NATIVE", "")
OPT = os.environ.get("LANDFALL_OPT", "3")
# Calls inside the library go straight to their function, and the short ones are inlined; functions begin where lines
# of the cache do, so that an edit in one chapter does not make another slower or quicker by chance.
FLAGS = ["-fvisibility=hidden", "-falign-functions=64"] if os.name == "posix" else []
INPLACE = "--inplace" in sys.argv


def c_dir() -> str:
    """Where the C files go: one folder for each way to make them, so that none is mistaken for another."""
    try:
        mypy = version("mypy")
    except PackageNotFoundError:
        mypy = "none"
    return f"build/c-{sys.implementation.cache_tag}-mypy{mypy}-O{OPT}{''.join(FLAGS)}"


C_DIR = c_dir()
DOCUMENTED_DIR = f"{C_DIR}/documented"  # the C files with docstrings; mypyc recognises its own by their contents


def say(text: str) -> None:
    print(f"landfall: {text}", file=sys.stderr)


if INPLACE:  # before setuptools is imported: this is what a build with nothing to do costs
    if WANT == "0":
        say("nothing compiled, LANDFALL_NATIVE=0; games run interpreted, about 20 times slower")
        sys.exit()
    if native.read_build_stamp() == [native.source_digest(), C_DIR]:
        say("engine compiled, up to date")
        sys.exit()

from setuptools import setup  # noqa: E402
from setuptools.command.build_ext import build_ext  # noqa: E402
from setuptools.command.build_py import build_py  # noqa: E402


def compiler_works() -> bool:
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.sysconfig import customize_compiler, get_python_inc

    with tempfile.TemporaryDirectory() as tmp:
        probe = Path(tmp, "probe.c")
        probe.write_text("#include <Python.h>\n")
        try:
            cc = new_compiler()
            customize_compiler(cc)
            cc.compile([str(probe)], output_dir=tmp, include_dirs=[get_python_inc()])
        except Exception as problem:  # no cc, or no Python.h
            say(f"no working C compiler ({problem})")
            return False
    return True


def read_docstrings(module: Path) -> dict[tuple[str, str], str]:
    """The docstrings of a module by class and method; ("", name) is a function, (name, "") a class."""
    found = {}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found["", node.name] = ast.get_docstring(node)
        elif isinstance(node, ast.ClassDef):
            found[node.name, ""] = ast.get_docstring(node)
            found |= {(node.name, f.name): ast.get_docstring(f) for f in node.body if isinstance(f, ast.FunctionDef)}
    return {key: text for key, text in found.items() if text}


def insert_docstrings(code: str, docstrings: dict[tuple[str, str], str]) -> str:
    """C of mypyc, which keeps signatures alone, with the docstrings after them."""
    owner = ""

    def documented(found: re.Match[str]) -> str:
        name = found[2]
        text = docstrings.get((owner, "" if name == owner else name), "")
        octal = "".join(f"\\{b:03o}" if b < 32 or b > 126 or chr(b) in '"\\?' else chr(b) for b in text.encode())
        return f'PyDoc_STR("{found[1]}\\n--\\n\\n{octal}")'

    lines = code.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if methods := re.match(r"static PyMethodDef (\w+)_methods\[\]", line):
            owner = "" if methods[1].endswith("module") else methods[1].rpartition("___")[2]
        elif "PyDoc_STR(" in line:
            lines[number] = re.sub(r'PyDoc_STR\("((\w+)\([^"]*)\\n--\\n\\n"\)', documented, line)
    return "".join(lines)


def write_documented_sources(extension) -> None:
    """Compile copies of the C files with docstrings; a copy that stays the same is not written again."""
    for number, path in enumerate(extension.sources):
        module = Path("src", *re.sub("^__native_?", "", Path(path).stem).split("___")).with_suffix(".py")
        if module.exists():
            copy = Path(DOCUMENTED_DIR, Path(path).name)
            code = insert_docstrings(Path(path).read_text(encoding="utf-8"), read_docstrings(module))
            copy.parent.mkdir(exist_ok=True)
            if not copy.exists() or copy.read_text(encoding="utf-8") != code:
                copy.write_text(code, encoding="utf-8")
            extension.sources[number] = str(copy)


def extensions() -> list:
    # An editable install stays quick and plain; `make native` compiles in place.
    if WANT == "0" or "editable_wheel" in sys.argv or not {"build_ext", "bdist_wheel"} & set(sys.argv):
        return []
    paths = [os.path.relpath(p, HERE) for p in native.modules_to_compile()]
    if not paths:
        say("there are no modules to compile")
        return []
    if not compiler_works():
        if WANT == "1":
            sys.exit(
                "landfall: LANDFALL_NATIVE=1 but nothing can be compiled; install gcc or clang and Python's headers"
            )
        say("nothing compiled; games run interpreted, about 20 times slower")
        return []
    say("compiling the engine ...")
    from mypyc.build import mypycify

    built = mypycify(
        paths, group_name="landfall.native", multi_file=True, target_dir=C_DIR, opt_level=OPT, debug_level="0"
    )
    for extension in built:
        write_documented_sources(extension)
        extension.extra_compile_args.extend(FLAGS)
    built[0].include_dirs += [
        C_DIR,
        f"{C_DIR}/landfall",
    ]  # mypyc 2.4.1 needs the second
    return built


def remove_compiled(keep: set[Path]) -> None:
    """Delete compiled modules whose sources are gone or no longer compiled: they would win over the .py files."""
    for so in (p for pattern in ("*.so", "*.pyd") for p in native.find_package_files(pattern)):
        if so.with_name(so.name.split(".")[0] + ".py") not in keep and not (
            keep and so.name.startswith("native__mypyc.")
        ):
            so.unlink()


class ParallelBuild(build_ext):
    """One compiler process per core, and only for C files that changed."""

    def build_extensions(self) -> None:
        one = self.compiler.compile
        headers = max((p.stat().st_mtime for p in Path(C_DIR).rglob("*.h")), default=0.0)

        def compile_stale(sources, output_dir=None, **kw):
            objects = self.compiler.object_filenames(sources, output_dir=output_dir)
            stale = [
                s
                for s, o in zip(sources, objects)
                if not os.path.exists(o) or os.path.getmtime(o) <= max(os.path.getmtime(s), headers)
            ]
            stale.sort(key=os.path.getsize, reverse=True)  # so that all cores end together
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(lambda s: one([s], output_dir=output_dir, **kw), stale))
            return objects

        self.compiler.compile = compile_stale
        self.parallel = os.cpu_count()
        super().build_extensions()
        if not self.inplace:  # `make native` builds kernels itself
            settings = os.environ | {"PYTHONPATH": os.path.abspath(self.build_lib), "LANDFALL_PURE": "1"}
            subprocess.run([sys.executable, "-m", "landfall.kernels", "--build"], env=settings, check=True)


class BuildWithRules(build_py):
    """docs/rules becomes landfall/rules, the client's look landfall/look; in a checkout landfall.paths finds them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            Path(self.build_lib, "landfall/_version.py").write_text(f'__version__ = "{VERSION}"\n', encoding="utf-8")
            shutil.copytree("docs/rules", Path(self.build_lib, "landfall/rules"), dirs_exist_ok=True)
            look = Path(self.build_lib, "landfall/look")
            look.mkdir(parents=True, exist_ok=True)
            for name in ("symbols.svg", "symbols.css"):
                shutil.copy2(Path("client/src/look", name), look)


VERSION = os.environ.get("LANDFALL_VERSION") or build_version.read_build_version(HERE)  # a release is tagged later
digest = native.source_digest()
modules = extensions()
if INPLACE and modules:
    native.STAMP.write_text("unfinished\n")  # so that a build cut short is not trusted
setup(version=VERSION, ext_modules=modules, cmdclass={"build_ext": ParallelBuild, "build_py": BuildWithRules})
if INPLACE:
    remove_compiled(set(native.modules_to_compile()) if modules else set())
    if modules:
        native.STAMP.write_text(f"{digest} {C_DIR}\n")
        say("engine compiled")
    else:
        native.STAMP.unlink(missing_ok=True)
