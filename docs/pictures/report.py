"""Takes the pictures of a report, and measures it: `python docs/pictures/report.py [FOLDER]`.

FOLDER is that of an experiment; without one, that of report.yaml, beside this file, is run.
Chromium has to be installed.
"""

from __future__ import annotations

import io
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent
MOMENTS = 13
"""The pictures show the so-manieth moment of note of the episode that the report begins with."""
ROUNDS = 5


def main() -> None:
    """Make a report, measure it, and take its pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(name) / "results"
        if len(sys.argv) == 1:
            mars_logic("experiment", FOLDER / "report.yaml", "-o", folder)
        report = Path(name) / "report.html"
        mars_logic("report", folder, "-o", report, "--title", "What a learner makes of all_three")
        with sync_playwright() as playwright:
            chromium = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            measure(browser, report)
            for colours in ("light", "dark"):
                player(browser, report, colours)
            rules(browser, report)
            phone(browser, report)
            browser.close()


def mars_logic(*arguments: str | Path) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "mars_logic", *map(str, arguments)], check=True)


def opened(browser: Browser, report: Path, width: int, height: int, colours: str) -> Page:
    """The report in a window of its own, at a moment at which something happens."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    page.wait_for_selector("#player[data-ready]")
    page.focus("#player")
    for _ in range(MOMENTS):
        page.keyboard.press("]")
    page.evaluate("document.activeElement.blur()")
    return page


def measure(browser: Browser, report: Path) -> None:
    """Print the size, when the page is painted first, and when the first episode can be seen."""
    paints, ready = [], []
    for _ in range(ROUNDS):
        page = browser.new_page()
        page.goto(report.as_uri())
        page.wait_for_selector("#player[data-ready]")
        ready.append(page.evaluate("performance.now()"))
        script = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        paints.append(page.evaluate(script))
        page.close()
    print(f"{report.stat().st_size / 1e6:.2f} MB, medians of {ROUNDS}:")
    print(f"first paint after {statistics.median(paints):.0f} ms")
    print(f"first episode to be seen after {statistics.median(ready):.0f} ms at most")


def player(browser: Browser, report: Path, colours: str) -> None:
    """The player."""
    page = opened(browser, report, 1360, 900, colours)
    save(page.locator("#replay").screenshot(), f"report-{colours}.png")


def rules(browser: Browser, report: Path) -> None:
    """The rules that a learner revised."""
    page = opened(browser, report, 1360, 900, "light")
    page.locator(".filters button", has_text="revised").first.click()
    page.locator(".rule-table").first.screenshot()  # scrolls there
    save(page.locator(".rule-table").first.screenshot(), "report-rules.png")


def phone(browser: Browser, report: Path) -> None:
    """The player on a narrow screen."""
    page = opened(browser, report, 360, 740, "dark")
    page.locator("#replay").evaluate("each => each.scrollIntoView({behavior: 'instant'})")
    save(page.screenshot(), "report-phone.png")


def save(png: bytes, name: str) -> None:
    """Write a picture with the 256 colours that suit it best."""
    with Image.open(io.BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(256, kmeans=5, dither=Image.Dither.NONE)
        few.save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
