"""The page, served by the command as a user runs it, in a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

BUSY = re.compile(r"(Could not cancel \d+ tasks within timeout: \n)?")
"""What NiceGUI says where two seconds are not enough for its own end."""
MOST_KEYS = 120
"""How often Tab may be pressed to get from one place of the page to another."""
WAIT_MS = 120_000
"""How long anything may take on a busy machine, compiling included."""


class Served:
    """The command's process."""

    def __init__(self, file: Path) -> None:
        command = [sys.executable, "-m", "mars_logic", "edit", file.name, "--new", "--idle", "600"]
        self.process = subprocess.Popen(
            command, cwd=file.parent, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self.process.stderr is not None
        told = self.process.stderr.readline()
        found = re.search(r"http://\S+", told)
        assert found, told
        self.address = found[0]

    def end(self) -> str:
        """End it as Ctrl-C does; return what else it said."""
        self.process.send_signal(2)
        assert self.process.stderr is not None
        with self.process.stderr as errors:
            told = errors.read()
        assert self.process.wait(60) == 0, told
        return told

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)
        if self.process.stderr:
            self.process.stderr.close()


@dataclass
class Bench:
    """The page in a browser, and whatever it should not have done."""

    served: Served
    page: Page
    wrong: list[str] = field(default_factory=list)

    def open(self) -> None:
        site = self.served.address.rpartition("/")[0]

        def requested(request: Any) -> None:
            if not request.url.startswith((f"{site}/", f"ws{site[4:]}/", "data:", "blob:")):
                self.wrong.append(f"asked for {request.url}")

        self.page.set_default_timeout(WAIT_MS)
        self.page.on("request", requested)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        self.page.goto(self.served.address)
        self.page.wait_for_selector(".cm-content")

    def write(self, text: str) -> None:
        """Put a text in place of all that is there."""
        self.page.click(".cm-content")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    @property
    def text(self) -> str:
        lines = self.page.locator(".cm-line").all()
        return "\n".join(line.inner_text().rstrip("\n") for line in lines)

    def valid(self, name: str) -> None:
        """Wait until the world is read."""
        self.page.wait_for_selector(f".wb-valid:has-text('Valid: {name}')")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def reach(self, there: Locator, key: str = "Tab") -> None:
        """Press a key until the focus is there."""
        there.wait_for()
        for _ in range(MOST_KEYS):
            if there.evaluate("it => it.contains(document.activeElement)"):
                return
            if self.page.evaluate("document.activeElement.classList.contains('cm-content')"):
                self.page.keyboard.press("Escape")  # else it would be written
            self.page.keyboard.press(key)
        raise AssertionError(f"{MOST_KEYS} times {key} do not lead to {there}")

    def press(self, there: Locator, key: str = "Enter") -> None:
        """Go somewhere by keys alone, and press a key there."""
        self.reach(there)
        self.page.keyboard.press(key)

    def tab_by_keys(self, name: str) -> None:
        """Go to the tabs, of which one takes the focus, and from it to another one by arrows."""
        self.reach(self.page.locator(".q-tab--active"))
        self.reach(self.page.get_by_role("tab", name=name, exact=True), "ArrowRight")
        self.page.keyboard.press("Enter")

    def wait(self, what: str, shown: str) -> None:
        """Wait until an element shows a text."""
        self.page.wait_for_selector(f"{what}:has-text('{shown}')")

    def wait_until_other(self, text: str) -> None:
        """Wait until the text is another one."""
        lines = "[...document.querySelectorAll('.cm-line')].map(each => each.innerText)"
        told = f"was => {lines}.map(each => each.replace(/\\n$/, '')).join('\\n') !== was"
        self.page.wait_for_function(told, arg=text)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)


Open = Callable[..., Bench]
"""Opens the page on a file; nothing may go wrong in it."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.yaml"


@pytest.fixture(params=[1280, 800])
def width(request: pytest.FixtureRequest) -> int:
    """The window's width: panels beside the text, or below it."""
    return int(request.param)


@pytest.fixture
def opened(browser: Browser, file: Path, width: int) -> Iterator[Open]:
    pytest.importorskip("nicegui")
    servers: list[Served] = []
    benches: list[Bench] = []

    def open_(served: Served | None = None) -> Bench:
        if served is None:
            served = Served(file)
            servers.append(served)
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            permissions=["clipboard-read", "clipboard-write"],
        )
        bench = Bench(served, context.new_page())
        benches.append(bench)
        bench.open()
        return bench

    yield open_
    for bench in benches:
        bench.page.context.close()
    told = [each.end() for each in servers if each.process.poll() is None]
    assert [wrong for bench in benches for wrong in bench.wrong] == []
    assert [line for line in told if not BUSY.fullmatch(line)] == []
