"""Takes the pictures of the workbench: `python docs/pictures/edit.py`.

Chromium has to be installed.
"""

from __future__ import annotations

import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
SILVER_AGE = re.search(
    r"^```yaml\n(name: silver_age\n.*?)^```",
    (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""The world of the README."""


def main() -> None:
    """Serve the page on a world, and take its pictures."""
    assert SILVER_AGE is not None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        file = Path(name) / "silver_age.yaml"
        file.write_text(SILVER_AGE[1], encoding="utf-8")
        served = subprocess.Popen(
            [sys.executable, "-m", "mars_logic", "edit", str(file), "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert served.stdout is not None
        lines = iter(served.stdout.readline, "")
        address = next(found for line in lines if (found := re.search(r"http://[^\"]+", line)))
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 560})
        page.goto(address[0])
        proofs(page)
        drawing(page)
        browser.close()
        served.send_signal(signal.SIGINT)
        served.wait()


def proofs(page: Page) -> None:
    """An unreachable achievement, with its explanation and a repair."""
    page.get_by_role("tab", name="Proofs").click()
    page.wait_for_selector(".wb-repair", timeout=120_000)
    save(page, "edit.png")


def drawing(page: Page) -> None:
    """The form for drawn maps."""
    page.set_viewport_size({"width": 1180, "height": 740})
    page.get_by_role("tab", name="Draw").click()
    page.get_by_role("button", name="Draw a map").click()
    canvas = page.locator(".wb-canvas img").first
    canvas.wait_for()
    for brush, keys in (
        ("water", ["ArrowRight", "Enter"] * 5),
        ("silver", ["ArrowDown", "ArrowDown", "Enter", "ArrowDown", "Enter"]),
        ("tree", ["ArrowRight", "ArrowRight", "ArrowUp", "Enter"]),
    ):
        page.get_by_role("radio", name=brush).click()
        page.focus(".wb-canvas")
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(600)
    save(page, "edit-draw.png")


def save(page: Page, name: str) -> None:
    """Write a picture with the 256 colours that suit it best."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        few = picture.convert("RGB").quantize(256, kmeans=5, dither=Image.Dither.NONE)
        few.save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
