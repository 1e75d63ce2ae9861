"""Pages of results: how they are made again, from which seeds, and how old they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.benchmarks import results
from mars_logic.benchmarks.result_pages import (
    CHECKOUT,
    RESULTS,
    Origin,
    ResultPage,
    age,
    code_digest,
    read_list,
    with_origin,
)
from mars_logic.errors import InputError
from mars_logic.experiments import spec as specs

PAGES = read_list()
PAGE = ResultPage(
    page="one/README.md", about="", measures=("code",), sizes={1: 2.0, 4: 8.0}, first=7
)


def test_every_page_of_results_is_listed_once() -> None:
    listed = [page.page for page in PAGES.pages]
    assert len(listed) == len(set(listed))
    there = {file.relative_to(RESULTS).as_posix() for file in RESULTS.rglob("README.md")}
    assert there <= set(listed)


def test_no_page_uses_seeds_of_development_and_no_two_the_same() -> None:
    used: dict[int, str] = {}
    for page in PAGES.pages:
        for seed in page.seeds(max(page.sizes, default=1)) or ():
            assert not any(seed in some for some in PAGES.development), page.page
            other = used.setdefault(seed, page.page)
            assert Path(other).parent == Path(page.page).parent, (other, page.page)


@pytest.mark.parametrize("page", PAGES.pages, ids=lambda page: page.page)
def test_what_an_entry_names_is_there(page: ResultPage, tmp_path: Path) -> None:
    assert all((CHECKOUT / measured).exists() for measured in page.measures)
    if not page.commands:
        return
    size = min(page.sizes)
    asked = list(results.commands(page, size, tmp_path, tmp_path / Path(page.page).name))
    assert {command[0] for command in asked} <= {"mars-logic", "python"}
    if page.spec is not None:
        seeds = page.seeds(size)
        assert seeds is not None
        found = specs.read(tmp_path / "spec.yaml")
        assert found.seeds == tuple(seeds)
        assert found.name


def test_comments_and_docstrings_do_not_change_the_digest(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    file = code / "one.py"
    function = 'def f():\n    """{}"""\n    return "text"\n'
    file.write_text(f'"""Before."""\n\n{function.format("Told.")}')
    before = code_digest(["code"], tmp_path)
    told = function.format("Told\n    anew.")
    file.write_text(f'"""After,\nlonger."""\n# why\n{told}')
    assert code_digest(["code"], tmp_path) == before
    file.write_text(told.replace("text", "texts"))
    assert code_digest(["code"], tmp_path) != before
    (code / "notes.md").write_text("not read")
    (code / "facts.lp").write_text("% said\na.\n")
    changed = code_digest(["code"], tmp_path)
    (code / "facts.lp").write_text("% said otherwise\na.\n")
    assert code_digest(["code"], tmp_path) == changed


@pytest.mark.parametrize("head", ["# Results\n\nMore.\n", "<!-- Mark -->\n# Results\n\nMore.\n"])
def test_a_page_says_how_it_was_made_once(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = with_origin(head, PAGE, Origin("0.1", "2026-01-01", range(7, 9), 3.2, "a" * 64))
    assert "seeds 7 to 8" in first
    assert first.index("# Results") < first.index("Made again") < first.index("More.")
    second = with_origin(first, PAGE, Origin("0.2", "2026-01-02", None, 3.2, "b" * 64))
    assert second.count("Made again") == second.count("measured code") == 1
    assert "2026-01-01" not in second and second.endswith("\nMore.\n")
    monkeypatch.setattr("mars_logic.benchmarks.result_pages.code_digest", lambda _: "b" * 64)
    assert age(second, PAGE) is None
    assert "has changed since" in (age(first, PAGE) or "")
    assert "not recorded" in (age(head, PAGE) or "")
    assert "not recorded" in (age(first, None) or "")


@given(st.floats(0, 10_000))
def test_a_budget_is_kept_where_the_smallest_tables_fit(minutes: float) -> None:
    pages = PAGES.named([])
    chosen = results.sizes(pages, minutes)
    assert [page for page, _ in chosen] == pages
    needed = sum(page.sizes[size] for page, size in chosen)
    smallest = sum(page.sizes[min(page.sizes)] for page in pages)
    assert needed <= max(minutes, 0) + smallest
    assert [size for _, size in results.sizes(pages, None)] == [max(p.sizes) for p in pages]


def test_unknown_pages_are_refused() -> None:
    with pytest.raises(InputError, match="'nothing' is no page that can be made; allowed: README"):
        PAGES.named(["nothing"])
    assert [page.page for page in PAGES.named(["fresh", "fresh/README.md"])] == [
        "fresh/README.md",
        "fresh/lived_on.md",
    ]


def test_a_page_is_made_with_what_lies_beside_it(tmp_path: Path) -> None:
    write = (
        "import sys, pathlib; f = pathlib.Path(sys.argv[1]); f.write_text('# Made\\n\\nText.\\n'); "
    )
    write += "f.with_name('one.png').write_bytes(b'picture')"
    script = tmp_path / "write.py"
    script.write_text(write)
    page = PAGE.model_copy(
        update={"commands": (f"python {script} {{file}}",), "measures": ("benchmarks/specs",)}
    )
    results.remake(page, 1, tmp_path / "work", tmp_path / "out")
    made = (tmp_path / "out" / "one" / "README.md").read_text()
    assert made.startswith("# Made\n\nMade again with mars-logic ")
    assert age(made, page) is None
    assert (tmp_path / "out" / "one" / "one.png").read_bytes() == b"picture"
    failing = page.model_copy(update={"commands": ("python -c 'raise SystemExit(3)'",)})
    with pytest.raises(InputError, match="exit status 3"):
        results.remake(failing, 1, tmp_path / "work", tmp_path / "out")
