"""For the other hooks: pages that are made while the site is built, below one that lists them."""

from __future__ import annotations

from collections.abc import Mapping

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

INDEX = "index.md"


def listed(config: MkDocsConfig, title: str, folder: str, pages: Mapping[str, str]) -> MkDocsConfig:
    """Put pages below the entry of ``mkdocs.yml`` that has their index.

    Args:
        config: The site's.
        title: What the entry is called.
        folder: Where the pages are on the site.
        pages: What each is called, by its file; empty for what its heading says.
    """
    first = f"{folder}/{INDEX}"
    paths = ((f"{folder}/{name}", told) for name, told in pages.items())
    below = [first, *({told: path} if told else path for path, told in paths)]
    for section in config.nav or []:
        for entries in section.values():
            if {title: first} in list(entries):
                entries[entries.index({title: first})] = {title: below}
    return config


def added(files: Files, config: MkDocsConfig, folder: str, pages: Mapping[str, str]) -> Files:
    """Add pages, in Markdown, by their files."""
    for name, text in pages.items():
        files.append(File.generated(config, f"{folder}/{name}", content=text))
    return files
