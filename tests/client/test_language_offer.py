"""Readers of Traditional Chinese are asked, in their script, before they get Simplified."""

import pytest
from playwright.sync_api import Browser, expect

from tests.server.real_server import ServerProcess

pytestmark = pytest.mark.once


def test_who_reads_traditional_chinese_is_asked_before_simplified(browser: Browser, server: ServerProcess) -> None:
    context = browser.new_context(locale="zh-TW")
    try:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator("html")).to_have_attribute("lang", "en-GB")
        expect(page.get_by_text("要使用簡體中文嗎")).to_be_visible()
        page.reload()
        page.get_by_role("button", name="简体中文").click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        expect(page.get_by_text("要使用簡體中文嗎")).to_have_count(0)
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    finally:
        context.close()
