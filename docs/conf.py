"""The documents as a site: `make docs` writes it to build/docs/. A link that leads nowhere fails the build, as does a
page that no list of contents names."""

import re

from sphinx.application import Sphinx

OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./(?!docs/)([^)]+)\)")

project = "Landfall"
html_title = "Landfall"
html_theme = "furo"
html_copy_source = False
extensions = ["myst_parser"]
exclude_patterns = ["rules/??"]
myst_heading_anchors = 4


def named(app: Sphinx, page: str, text: list[str]) -> None:
    """What a page links to outside of docs/ is no part of the site: its name stands there instead."""
    text[0] = OUTSIDE.sub(
        lambda found: f"`{found[2]}`" if found[1].strip("`") == found[2] else f"{found[1]} (`{found[2]}`)", text[0]
    )


def setup(app: Sphinx) -> None:
    app.connect("source-read", named)
