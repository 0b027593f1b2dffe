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
    Kept(51, 2, False, "a choice ended a proposal, and nobody was told"),
    Kept(37, 3, False, "whose curtain fell was sent a spectator's patch of their own view"),
    Kept(198, 1, True, "whoever was removed was sent an onlooker's update on top of their own view"),
    Kept(133, 1, True, "who came while the first line of chat was said never saw it"),
    Kept(18, 2, True, "a newcomer's welcome counted lines of chat as told that others had not seen"),
    Kept(119, 2, False, "a line of chat was on disk, the news of it failed, and nobody was told"),
    Kept(8, 1, False, "who is here could not be told to other processes: logged as a failed task"),
    Kept(16, 2, False, "a process that was gone had people here until somebody came"),
    Kept(5112, 2, False, "who came to a table read anew did not learn who was at another process"),
    Kept(1013, 2, False, "a match that was over was resumed"),
    Kept(194, 3, False, "a table that could not be read kept the lease: no other process could drive it"),
    Kept(567, 3, False, "a table that could not be opened went on waiting, unseen, and gave and took the lease"),
    Kept(1595, 3, False, "a write failed, and another process's entry of the same number was taken for its own"),
    Kept(6046, 3, False, "a table was not put away while another process wrote"),
    Kept(58, 3, False, "what others wrote while a table was read was missed"),
    Kept(6143, 2, False, "what others wrote while a table was read was missed, and a bot's turn with it"),
    Kept(6157, 2, False, "time stood until it had come up with a process whose clock was ahead"),
    Kept(7101, 2, False, "a wall clock that was set made other processes' people vanish"),
    Kept(1625, 1, False, "a worker's wrong answer was told as a hint, or failed where its reasons were looked for"),
    Kept(4902, 3, False, "who came back to a process that knew less kept what was told anew beyond that"),
    Kept(13108, 3, True, "who came back was told what a reading of the log had found that had begun before they came"),
    Kept(3637, 2, False, "another process's clock was ahead, and who waited for a moment waited on as if it were not"),
    Kept(24, 1, False, "a line of chat got the number of one that was deleted with its author, and nobody was told it"),
    Kept(43, 1, False, "news that somebody was signed out came while the database was away: logged as a failed task"),
    Kept(123, 2, False, "the watchdog found that nobody waited for somebody's departure while it was being written"),
    Kept(155, 2, False, "a line of chat by somebody who was deleted was on its way then, and stayed"),
    Kept(106, 1, False, "an answer that was held was sent again on another page, which was not told what became of it"),
    Kept(5321, 1, False, "a takeback that could not be written changed what one who was away had seen"),
    Kept(6485, 1, False, "a proposal of somebody who was deleted was gone from memory, but not from the log"),
    Kept(5306, 2, False, "a process that had not heard of a deletion listed the table again, under the deleted name"),
    Kept(9214, 3, False, "a deleted name left memory while the disk was full, and subscribers there kept seeing it"),
    Kept(20023, 3, False, "at an open hot seat the end showed another seat's view, and the page was not told whose"),
    Kept(48, 1, False, "the tournament's people joined and began it by names that its director did not have"),
    Kept(89, 2, False, "somebody was deleted while the database failed, and was answered that nothing had changed"),
]
