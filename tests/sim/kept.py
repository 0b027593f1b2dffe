"""Seeds that were broken once, and what was wrong. Their worlds have changed since; to keep them costs little."""

from __future__ import annotations

from typing import NamedTuple


class Kept(NamedTuple):
    """A seed, its world, and its cause."""

    seed: int
    processes: int
    calm: bool
    why: str


KEPT = [
    Kept(37, 2, True, "who turned to other eyes was sent what changed for those before being shown what they see"),
    Kept(198, 1, True, "whoever was removed was sent an onlooker's update on top of their own view"),
    Kept(17, 1, True, "a choice ended a proposal, and nobody was told"),
    Kept(133, 1, True, "who came while the first line of chat was said never saw it"),
    Kept(119, 2, False, "a line of chat was on disk, the news of it failed, and nobody was told"),
    Kept(18, 2, True, "a newcomer's welcome counted lines of chat as told that others had not seen"),
    Kept(8, 1, False, "who is here could not be told to other processes: logged as a failed task"),
    Kept(16, 2, False, "a process that was gone had its people here for ever in what was told"),
    Kept(194, 3, False, "a table that could not be opened kept its wheel: no other process could drive it"),
    Kept(58, 3, False, "what others wrote while a log was being read was missed"),
    Kept(53, 3, False, "what others wrote while a log was being read was missed, and a bot's turn with it"),
    Kept(59, 2, True, "a table that had ended in a pause was resumed"),
]
