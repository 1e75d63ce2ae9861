"""For mkdocs: a page of results says by itself when the code that it measures has changed since."""

from __future__ import annotations

from mkdocs.structure.pages import Page

from mars_logic.benchmarks.result_pages import age, read_list

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
    before, heading, after = f"\n{markdown}".partition("\n# ")
    title, line, rest = after.partition("\n")
    return f"{before}{heading}{title}{line}\n!!! note\n    {told}\n\n{rest}".lstrip("\n")
