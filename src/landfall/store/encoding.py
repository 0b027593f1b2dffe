"""How values are written into a column of text."""

from __future__ import annotations

from typing import Any

import msgspec

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(dict[str, Any]).decode
