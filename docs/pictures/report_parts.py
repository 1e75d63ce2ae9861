"""Makes the pictures of parts of a report: `python docs/pictures/report_parts.py`.

They show films of counterexamples, curves of training runs and a transcript of a language model. It
needs the extra rl, and trains for a minute. Chromium has to be installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent
PRICES = "prices: {prompt: 1.0, completion: 4.0}\n"
STEPS = "60k"


def main() -> None:
    """Draw them beside this file."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        here = Path(name)
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        check(browser, here)
        training(browser, here)
        language(browser, here)
        browser.close()


def check(browser: Browser, here: Path) -> None:
    """Rules of Crafter, tested in another world."""
    mars_logic(here, "run informed all_three --episodes 1 --record recorded")
    mars_logic(here, "check default recorded -o recorded/found.json", status=1)
    mars_logic(here, "report recorded -o check.html")
    take(browser, here / "check.html", ".rule-table", "report-check.png", height=620)


def training(browser: Browser, here: Path) -> None:
    """Three seeds of one reward, and one of another."""
    runs = [f"--seed {seed} -o trained/s{seed}" for seed in range(3)]
    for each in (*runs, "--reward achievements -o trained/achievements"):
        mars_logic(here, f"train default --steps {STEPS} --envs 32 {each}")
    mars_logic(here, "report trained -o training.html")
    take(browser, here / "training.html", "#training", "report-training.png")


def language(browser: Browser, here: Path) -> None:
    """A scripted model whose rules are tested: the script of docs/language.md."""
    page = (FOLDER.parent / "language.md").read_text(encoding="utf-8")
    script = re.search(r"```text\n(# script.yaml\n.*?)```", page, re.DOTALL)
    assert script
    (here / "script.yaml").write_text(script[1], encoding="utf-8")
    (here / "prices.yaml").write_text(PRICES, encoding="utf-8")
    play = "run ifr_verified default --episodes 1 --length 120 --model scripted:script.yaml"
    mars_logic(here, f"{play} --exchanges talk --out kept")
    mars_logic(here, "report kept talk --language prices.yaml -o language.html")
    asked = "article:has(.proofs)"
    take(browser, here / "language.html", ".requests", "report-language.png", shown=asked)


def mars_logic(here: Path, command: str, *, status: int = 0) -> None:
    """Run a command in a folder."""
    done = subprocess.run([sys.executable, "-m", "mars_logic", *command.split()], cwd=here)
    assert done.returncode == status, command


def take(
    browser: Browser, page: Path, part: str, name: str, *, height: int = 0, shown: str = ""
) -> None:
    """A picture of the first such part of a page, after scrolling something in it into view."""
    opened = browser.new_page(viewport={"width": 1100, "height": 1200})
    opened.goto(page.as_uri())
    opened.wait_for_timeout(1000)  # until films are drawn
    opened.add_style_tag(content="nav { position: static !important; }")
    if shown:
        opened.locator(shown).first.evaluate("each => each.scrollIntoView({block: 'end'})")
    found = opened.locator(part).first
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box
    clip = {**box, "height": min(box["height"], height or box["height"])}
    opened.screenshot(path=str(FOLDER / name), clip=clip)  # type: ignore[arg-type]
    opened.close()


if __name__ == "__main__":
    main()
