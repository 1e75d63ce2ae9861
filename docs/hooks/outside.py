"""For mkdocs: pages from outside of docs/, and links that hold in a checkout and on the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PLACES: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "CITATION.cff": "CITATION.cff",
    "CITATION.bib": "CITATION.bib",
}
"""Files of the checkout, and where they are on the site."""
SOURCES: Final = {place: source for source, place in PLACES.items()}
_LINK: Final = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside of docs/."""
    root = Path(config.docs_dir).parent
    for source, place in PLACES.items():
        text = (root / source).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let links lead to where their targets are on the site."""
    here = page.file.src_uri
    return _LINK.sub(lambda link: link[1] + relinked(link[2], here) + link[3], markdown)


def relinked(target: str, here: str) -> str:
    """A link of a checkout as a link of the site.

    Args:
        target: Relative to where the page lies in the checkout.
        here: The page's place on the site.
    """
    if "://" in target:
        return target
    source = SOURCES.get(here, posixpath.join("docs", here))
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    folder, _, name = path.partition("/")
    if folder == "docs":
        place = name
    elif path.endswith(".lp"):
        place = path.removesuffix(".lp") + ".md"
    else:
        place = PLACES.get(path, path)
    return posixpath.relpath(place, posixpath.dirname(here) or ".")
