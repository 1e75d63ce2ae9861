"""Settings for all tests, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# On a build machine the same examples every time; elsewhere new ones, to find what is still wrong.
settings.register_profile("build", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("build" if os.environ.get("CI") else "desk")

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a screen.

    It ends with the module: Playwright keeps an event loop running while it is open, and asyncio
    starts no second one in the tests that follow.
    """
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("there is no chromium here; Debian has it: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_ARGUMENTS)
        yield browser
        browser.close()
