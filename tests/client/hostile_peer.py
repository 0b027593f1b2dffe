"""A friend's page that turns hostile: what it sends over its data channels, what the host's device then needs, and how
long an honest friend waits meanwhile."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserType, Page

from tests.client.peer_matches import PEOPLE, open_company

# Every data channel that a page makes, so that a test can send over it what no page of ours would.
CAPTURE = """
const create = RTCPeerConnection.prototype.createDataChannel
self.channels = []
RTCPeerConnection.prototype.createDataChannel = function (...given) {
  const channel = create.apply(this, given)
  self.channels.push(channel)
  return channel
}
"""
SEND = """
const send = (label, text) => {
  for (const one of self.channels)
    if (one.label === label && one.readyState === 'open') try { one.send(text) } catch {}
}
const say = (message) => send('messages', '.' + JSON.stringify(message))
const play = (message) => say({ do: 'say', n: 3000, text: JSON.stringify(message) })
const times = (count, work) => [...Array(count).keys()].forEach(work)
const GARBAGE = ['', '.{', '.null', '+x', '.' + '['.repeat(3000), '🙂']
"""
# What each attack sends in one go.
ATTACKS = {
    "garbage": "times(300, (i) => send('messages', GARBAGE[i % 6]))",
    "flood": "times(1000, () => say({ do: 'close', n: 5 }))",
    "huge": "times(20, () => send('messages', '.' + 'x'.repeat(250000)))",
    "unfinished": "times(50, () => send('messages', '+' + 'x'.repeat(16000)))",
    "requests": "times(200, (i) => say({ do: 'ask', n: i, method: 'GET', path: `/api/tables/${table}/replay` }))",
    "connections": "times(200, (i) => say({ do: 'open', n: 2000 + i, table }))",
    "notes": """times(300, (i) => {
      const dialer = { ufrag: 'abcd' + i, pwd: 'x'.repeat(24), fingerprint: '0'.repeat(64) }
      send('notes', JSON.stringify({ dialer }))
    })""",
    "huge notes": "times(20, () => send('notes', JSON.stringify('x'.repeat(250000))))",
    "another's seat": """
      for (const key of ['me', 'x'.repeat(32), 'peer-' + '0'.repeat(32)]) say({ do: 'hello', n: 0, key, name: 'Ben' })
      say({ do: 'open', n: 3000, table })
      for (const t of ['start', 'leave', 'resign', 'undo', 'back']) play({ t, seat: 1, chair: 1 })
      times(2, (chair) => play({ t: 'sit', chair }))""",
}
# How many of a page's channels have been closed; a page that is disconnected calls again.
CLOSED = "() => self.channels.filter(({ label, readyState }) => label === 'messages' && readyState === 'closed').length"
# How long the host's device takes to answer a friend, in milliseconds.
LATENCY = """async (table) => {
  const channel = self.channels.filter((one) => one.label === 'messages' && one.readyState === 'open').at(-1)
  if (!channel) return null
  const [n, since] = [Math.floor(1e6 + 1e6 * Math.random()), performance.now()]
  return new Promise((done) => {
    const received = ({ data }) => {
      if (!data.includes(`"n":${n},`) && !data.includes(`"n":${n}}`)) return
      channel.removeEventListener('message', received)
      done(performance.now() - since)
    }
    channel.addEventListener('message', received)
    setTimeout(() => done(null), 20000)
    channel.send('.' + JSON.stringify({ do: 'ask', n, method: 'GET', path: `/api/tables/${table}/chat` }))
  })
}"""


def memory_mb(browser: Browser) -> float:
    """Megabytes that the processes of a browser use themselves."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    total = 0
    for process in found:
        status = Path(f"/proc/{process['id']}/smaps_rollup")
        try:
            lines = status.read_text(encoding="utf-8").splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return total / 1024


def measure_friend_latencies(page: Page, table: str, count: int) -> list[float]:
    found = [page.evaluate(LATENCY, table) for _ in range(count)]
    assert None not in found, "an honest friend had no answer"
    return found


def attack_host_in_every_way(kind: BrowserType, url: str, rounds: int) -> dict[str, Any]:
    """Ana hosts, Ben plays, Eve attacks in every way, so many rounds of each; her page comes back after each."""
    with open_company(kind, url, 3, "desk", CAPTURE) as people:
        people.settle("atlandice", 2)
        ana, ben, eve = people.players
        people.invite(ben, PEOPLE[1])
        people.invite(eve, "Eve", sits=False)
        people.start("atlandice", [ana, ben])
        table = people.table()
        people.play(2)
        chairs = people.chairs()
        browser = ana.page.context.browser
        assert browser is not None
        before = memory_mb(browser)
        quiet, busy, grown, closed = measure_friend_latencies(ben.page, table, 20), [], {}, {}
        for name, code in ATTACKS.items():
            ended = eve.page.evaluate(CLOSED)
            for _ in range(rounds):
                eve.until(lambda: eve.page.evaluate("() => self.channels.some((one) => one.readyState === 'open')"))
                eve.page.evaluate(f"(table) => {{ {SEND} {code} }}", table)
                busy += measure_friend_latencies(ben.page, table, 3)
                eve.page.wait_for_timeout(300)
            closed[name] = eve.page.evaluate(CLOSED) - ended
            grown[name] = round(memory_mb(browser) - before)
        assert people.chairs() == chairs, "a seat has changed hands"
        since = time.monotonic()
        assert people.play(2) == 2, "play does not go on"
        return {
            "memory before, MB": round(before), "grown by, MB": grown, "closed": closed, "rounds": rounds,
            "quiet ms": [round(statistics.median(quiet)), round(max(quiet))],
            "attacked ms": [round(statistics.median(busy)), round(max(busy))],
            "two decisions s": round(time.monotonic() - since, 1),
        }  # fmt: skip
