"""Makes the picture of a report on games: `python docs/pictures/report_games.py`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from mars_logic.domains import load_game
from mars_logic.domains.runs import GameRun
from mars_logic.views.report import source
from mars_logic.views.report.page import report

NAME, SEED = "BanditTwoArmedHighLowFixed", 3


def main() -> None:
    """Draw it beside this file."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        kept, page = Path(folder) / "games", Path(folder) / "games.html"
        kept.mkdir()
        GameRun(load_game(NAME), NAME, "bayes", folder=kept).add(SEED)
        page.write_text(report(source.read(kept), 1), encoding="utf-8")
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.goto(page.as_uri())
        opened.locator("#episodes").screenshot(
            path=str(Path(__file__).with_name("report-games.png"))
        )
        browser.close()


if __name__ == "__main__":
    main()
