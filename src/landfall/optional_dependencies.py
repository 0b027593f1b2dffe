"""Checks for optional dependencies; one sentence names the extra to install."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from landfall.core.errors import LandfallError

DISTRIBUTION: Final = "landfall-games"
# The modules of each extra in pyproject.toml that we import.
EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "play": (
        "aiosqlite", "alembic", "argon2", "fastapi", "httptools", "msgspec", "numpy", "openskill", "picows",
        "platformdirs", "prometheus_client", "segno", "sqlalchemy", "uvicorn", "webauthn",
    ),
    "postgres": ("asyncpg",),
    "cluster": ("nats",),
    "notify": ("aiosmtplib", "cryptography", "http_ece", "httpx", "py_vapid"),
    "lab": ("gymnasium", "numpy", "openskill", "PIL", "pettingzoo", "pyarrow", "resvg_py"),
    "openspiel": ("numpy", "pyspiel"),
    "ray": ("ray",),
    "train": ("numpy", "torch"),
}  # fmt: skip


class MissingExtra(LandfallError):
    """A feature needs a module that is not installed."""

    def __init__(self, module: str, extra: str) -> None:
        install = install_command(extra)
        super().__init__(
            f"this needs {module}, which is not installed: {install}",
            "error.extra",
            {"module": module, "install": install},
        )


def install_command(extra: str) -> str:
    """Installs an extra from where Landfall was installed: under its name an index may have something else."""
    try:
        source = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # a folder of sources on the path
        source = {}
    url = source.get("url", "")
    if source.get("dir_info", {}).get("editable"):
        return f'pip install -e "{url2pathname(urlsplit(url).path)}[{extra}]"'
    if version := source.get("vcs_info"):
        url = f"{version['vcs']}+{url}@{version['commit_id']}"
    return f'pip install "{DISTRIBUTION}[{extra}]{url and f" @ {url}"}"'


def require_extra(extra: str, *modules: str) -> None:
    """Raise MissingExtra for the first of these modules (default: all of the extra) that is not installed."""
    for module in modules or EXTRAS[extra]:
        if find_spec(module) is None:
            raise MissingExtra(module, extra)
