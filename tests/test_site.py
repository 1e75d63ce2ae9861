"""The documentation as a site: it builds strictly, is whole, and needs nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

import pytest

from tests.logic.test_encodings import FILES, FOLDER, documented
from tests.paths import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "object": "data"}
"""Elements whose targets are fetched when a page is opened."""
FETCHED_RELATIONS = {"stylesheet", "icon", "preconnect", "preload", "dns-prefetch", "modulepreload"}


class Links(HTMLParser):
    """What a page loads, what it leads to, and where it can be led to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: set[str] = set()
        self.leads: set[str] = set()
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag in LOADED:
            self.loads |= {values[LOADED[tag]]} if LOADED[tag] in values else set()
        elif tag == "link" and FETCHED_RELATIONS & set(values.get("rel", "").split()):
            self.loads.add(values["href"])
        elif tag == "a" and "href" in values:
            self.leads.add(values["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=REPOSITORY,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    found = {}
    for path in site.rglob("*.html"):
        found[path] = Links()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


def test_it_needs_nothing_from_elsewhere(site: Path, pages: dict[Path, Links]) -> None:
    for path, links in pages.items():
        assert not [target for target in links.loads if "//" in target], path
    for style in site.rglob("*.css"):
        assert not re.search(
            r"url\(['\"]?(https?:)?//|@import", style.read_text(encoding="utf-8")
        ), style


def test_links_lead_somewhere(site: Path, pages: dict[Path, Links]) -> None:
    assert len(pages) > 80
    for path, links in pages.items():
        if path.name == "404.html":
            continue
        for target in links.loads | links.leads:
            address, anchor = urldefrag(target)
            if ":" in address:
                continue
            there = (path.parent / unquote(address)).resolve() if address else path
            assert there.exists() and there.is_relative_to(site.resolve()), (path, target)
            if anchor and there.suffix == ".html":
                assert unquote(anchor) in pages[there].anchors | {"__skip"}, (path, target)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_predicate_is_told_of(path: Path, pages: dict[Path, Links], site: Path) -> None:
    links = pages[site / "encodings" / path.relative_to(FOLDER).with_suffix(".html")]
    assert {f"{name}-{arity}" for name, arity in documented(path)} <= links.anchors


@pytest.mark.parametrize("name", ["", "data", "logic", "sim", "theory", "theory.rulesets"])
def test_everything_offered_is_told_of(name: str, pages: dict[Path, Links], site: Path) -> None:
    module = ".".join(filter(None, ("mars_logic", name)))
    links = pages[site / "api" / f"{module}.html"]
    ends = {anchor.rpartition(".")[2] for anchor in links.anchors}
    assert set(import_module(module).__all__) <= ends


@pytest.mark.parametrize("page", ["index.html", "results/index.html"])
def test_searching_works_from_the_disk(browser: Browser, site: Path, page: str) -> None:
    opened = browser.new_page()
    opened.goto((site / page).as_uri())
    opened.locator("input[name=query]").press_sequentially("witness")  # it listens to keys
    opened.wait_for_selector(".md-search-result__link", state="attached")
    targets = {
        link.get_attribute("href") for link in opened.locator(".md-search-result__link").all()
    }
    assert any(target and "logic.html" in target for target in targets)
    opened.close()


def test_nothing_speaks_of_this_machine(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert str(REPOSITORY) not in path.read_text(encoding="utf-8"), path
