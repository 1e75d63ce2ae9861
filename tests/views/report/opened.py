"""A report that is open in a browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


@dataclass
class Opened:
    """A page, and whatever it should not have done."""

    page: Page
    wrong: list[str] = field(default_factory=list)

    def watch(self, address: str) -> None:
        """Note errors, and requests for anything but the page itself."""

        def requested(request: Any) -> None:
            if request.url.partition("#")[0] != address and not request.url.startswith("data:"):
                self.wrong.append(f"asked for {request.url}")

        self.page.on("request", requested)
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))

    def note(self, message: Any) -> None:
        """The browser advises tests that read pixels to say so in advance; nothing else is fine."""
        if "willReadFrequently" not in message.text:
            self.wrong.append(f"console: {message.text}")

    @property
    def step(self) -> int:
        return int(self.page.get_attribute("#player", "data-step") or -1)

    def show(self, episode: int) -> None:
        self.page.select_option("#episode", str(episode))
        self.page.wait_for_selector(f"#player[data-ready='{episode}']")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait_until(self, met: Callable[[int], bool]) -> None:
        """Wait for a step; the page's policy forbids to evaluate conditions in it."""
        for _ in range(200):
            if met(self.step):
                return
            self.page.wait_for_timeout(25)
        pytest.fail(f"it stays at step {self.step}")

    def focus_player(self) -> None:
        self.page.focus("#player")


Open = Callable[..., Opened]
"""Opens the report in a window of some size; the test fails if anything goes wrong in it."""
