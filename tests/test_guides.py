"""CONTRIBUTING and the records of decisions are whole, indexed, and name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

DECISIONS = REPOSITORY / "docs" / "decisions"
RECORDS = sorted(set(DECISIONS.glob("*.md")) - {DECISIONS / "README.md"})
PAGES = [REPOSITORY / "CONTRIBUTING.md", DECISIONS / "README.md", *RECORDS]
SECTIONS = ["Context", "Decision", "Consequences", "Alternatives", "See"]
FOLDERS = "mars_logic|agents|encodings|tests|worlds|benchmarks|docs"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]*)`")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


@pytest.mark.parametrize("page", RECORDS, ids=lambda page: page.stem)
def test_a_decision_has_all_sections_on_one_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)", text, re.MULTILINE) == SECTIONS
    assert len(text.split()) <= 500
    see = text.partition("## See\n")[2]
    assert LINK.search(see), "a page"
    assert PATH.search(see), "the code"


def test_every_decision_is_in_the_index_and_on_the_site() -> None:
    names = sorted(page.name for page in RECORDS)
    assert len(names) >= 10
    assert sorted(LINK.findall((DECISIONS / "README.md").read_text(encoding="utf-8"))) == names
    site = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r": decisions/([\w-]+\.md)", site)
    assert sorted(set(listed) - {"README.md"}) == names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_guide_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [page.parent / target for target in LINK.findall(text) if "://" not in target]
    targets += [REPOSITORY / path for path in PATH.findall(text)]
    assert targets
    assert [target for target in targets if not target.exists()] == []


def test_the_glossary_has_one_line_and_a_link_for_each_term_in_order() -> None:
    text = (REPOSITORY / "docs" / "glossary.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "One line"))]
    entries = [re.fullmatch(r"- \*\*([^*]+)\*\*: .+\. \[[^]]+\]\([^)]+\)", line) for line in lines]
    assert [line for line, entry in zip(lines, entries, strict=True) if not entry] == []
    terms = [entry[1].lower() for entry in entries if entry]
    assert len(terms) >= 40
    assert terms == sorted(set(terms))
