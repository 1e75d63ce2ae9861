"""Settings for all tests, the choice of a part of the long ones, and a browser."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# On a build machine the same examples every time; elsewhere new ones, to find what is still wrong.
settings.register_profile("build", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("build" if os.environ.get("CI") else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a part of the tests be chosen."""
    parser.addoption(
        "--part",
        type=_part,
        metavar="N/OF",
        help="Run one of OF parts of the tests, by the digests of their names: N, counted from 0 "
        "(17/20), which may be greater than OF, such as the day of the month.",
    )


def _part(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/([1-9]\d*)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no part; allowed: N/OF, such as 17/20")
    number, of = int(found[1]), int(found[2])
    return number % of, of


def part_of(name: str, of: int) -> int:
    """The part of a test, by its name: the same in all processes and on all machines."""
    return int(sha256(name.encode()).hexdigest(), 16) % of


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is in other parts."""
    if chosen := config.getoption("--part"):
        number, of = chosen
        others = [item for item in items if part_of(item.nodeid, of) != number]
        items[:] = [item for item in items if part_of(item.nodeid, of) == number]
        config.hook.pytest_deselected(items=others)


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
