"""For mkdocs: a page of results says by itself when the code that it measures has changed since."""

from __future__ import annotations

from mkdocs.structure.pages import Page

from mars_logic.benchmarks.result_pages import age, read_list, split_at_heading

_FOLDER = "results/"


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put what is to be said of a page's age below its heading."""
    place = page.file.src_uri
    if not place.startswith(_FOLDER):
        return markdown
    listed = {each.page: each for each in read_list().pages}
    told = age(markdown, listed.get(place.removeprefix(_FOLDER)))
    if told is None:
        return markdown
    head, rest = split_at_heading(markdown)
    return f"{head}\n!!! note\n    {told}\n\n{rest}"
