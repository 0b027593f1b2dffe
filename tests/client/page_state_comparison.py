"""What a page keeps of a match: what it shows and names, what the browser stores for it, and what its memory holds.

Two worlds: after any evening that is what a page keeps which has just come to the same seat, but for what is declared.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

from tests.client.page_player import Player
from tests.conftest import LONG

# Text and every word an element says of itself; how it looks is not asked, where it lies neither, nor are ornaments
# counted (aria-hidden).
SHOWN: Final = """() => {
  const said = []
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('style, script, [data-testid=live-region]')) continue
    for (const node of one.childNodes) if (node.nodeType === 3 && node.data.trim()) said.push(node.data.trim())
    for (const { name, value } of one.attributes)
      if (value && /^(data-|aria-(?!hidden)|title$|alt$|href$|value$|placeholder$)/.test(name))
        said.push(`${name}=${value}`)
    if (one.value) said.push(`value=${one.value}`)
  }
  return said
}"""
# [data-testid=live-region], the words last read aloud, is the one thing a page shows that a newcomer's does not:
# they are made from the log and go when something of it is shown again.
STORED: Final = """async () => ({
  local: { ...localStorage }, session: { ...sessionStorage }, history: JSON.stringify(history.state),
  databases: (await indexedDB.databases()).map((one) => one.name), caches: await caches.keys(),
  workers: (await navigator.serviceWorker?.getRegistrations() ?? []).map((one) => one.scope),
})"""
# Of all objects that are alive, those that tell of a match: events and effects by their kind, views by their phase.
# Not what a component was given, which leads to the table and is found there.
TELLS: Final = """function () {
  const told = new Set()
  for (const one of this) {
    try {
      if (Object.getPrototypeOf(one) !== Object.prototype) continue
      const keys = Object.keys(one).sort()
      if (!keys.includes('kind') && !(keys.includes('phase') && keys.includes('actor'))) continue
      if (keys.includes('scene') || keys.includes('live')) continue
      told.add(JSON.stringify(Object.fromEntries(keys.map((key) => [key, one[key]]))))
    } catch {}
  }
  return [...told]
}"""
# What Svelte keeps of a list while it is drawn, as it was at first: a figure of Survive, where it stood and how it
# looked, as all could see. With any other word to it, it is none of these.
FIGURE: Final = frozenset(
    ["afloat", "colour", "crew", "guarded", "key", "kind", "pennants", "place", "scale", "words", "x", "y", "z"],
)


def shown_words(page: Page) -> list[str]:
    """All words of a page; of each text in no order: who stand together are named as they came into the view."""
    found: list[str] = page.evaluate(SHOWN)
    return [" ".join(sorted(re.findall(r"\w+|[^\w\s,]", text))) for text in found]


def browser_storage(page: Page) -> dict[str, Any]:
    """All that the browser keeps for the page."""
    found: dict[str, Any] = page.evaluate(STORED)
    for kept in (found["local"], found["session"]):
        kept.pop("landfall.visits", None)  # how often the app was opened
    return found


def views_and_events_in_memory(page: Page) -> set[str]:
    """All events and views in the page's memory, whoever keeps them there; what nothing leads to is thrown away."""
    session = page.context.new_cdp_session(page)
    kind = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    alive = session.send("Runtime.queryObjects", {"prototypeObjectId": kind})["objects"]["objectId"]
    asked = {"functionDeclaration": TELLS, "objectId": alive, "returnByValue": True}
    found = [json.loads(one) for one in session.send("Runtime.callFunctionOn", asked)["result"]["value"]]
    session.detach()
    return {json.dumps(one, sort_keys=True) for one in found if set(one) != FIGURE}


def new_browser_of_same_person(browser: Browser, player: Player, settings: str) -> BrowserContext:
    """A browser of the same person that has never been here: of what it kept only the cookie and the settings."""
    viewport = player.page.viewport_size
    context = browser.new_context(viewport=viewport, base_url=player.url, locale="en-GB", service_workers="block")
    context.add_cookies(player.page.context.cookies())  # type: ignore[arg-type]
    context.add_init_script(f"localStorage['landfall.settings'] ??= {json.dumps(settings)}")
    return context


def find_lasting_differences(page: Page, fresh: Page) -> list[str]:
    """What stays apart: words that are spoken only follow when a page has nothing else to do."""
    until = time.monotonic() + LONG
    while found := find_differences(page, fresh):
        if time.monotonic() > until:
            break
        page.wait_for_timeout(100)
    return found


def find_differences(page: Page, fresh: Page) -> list[str]:
    """What a page keeps that a newcomer's does not, or shows otherwise."""
    ours, theirs = Counter(shown_words(page)), Counter(shown_words(fresh))
    found = [f"shown: {words}" for words in (*(ours - theirs), *(theirs - ours))]
    if browser_storage(page) != browser_storage(fresh):
        found.append(f"stored: {browser_storage(page)}")
    return found + [
        f"remembered: {told}" for told in sorted(views_and_events_in_memory(page) - views_and_events_in_memory(fresh))
    ]
