"""Prepares a checkout for a package: `python .github/prepare_release.py URL TAG`.

A package page has no checkout beside it. So the README's relative links and pictures become links
to the repository, and the package's metadata get its address. URL is that of the repository, for
example what the release workflow knows as `$GITHUB_SERVER_URL/$GITHUB_REPOSITORY`; TAG is the
version that is released.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?://|#)([^)\s]+)\)")


def absolute(readme: str, url: str, tag: str) -> str:
    """The README with absolute links: pictures as raw files, all else as pages."""

    def link(found: re.Match[str]) -> str:
        kind = "raw" if found[1] else "blob"
        return f"{found[1]}{found[2]}{url}/{kind}/{tag}/{found[3]})"

    return _LINK.sub(link, readme)


def with_urls(pyproject: str, url: str, tag: str) -> str:
    """The project's file with the addresses that a package page links to."""
    urls = (
        "[project.urls]\n"
        f'Source = "{url}"\n'
        f'Issues = "{url}/issues"\n'
        f'Changelog = "{url}/blob/{tag}/CHANGELOG.md"\n'
        f'Documentation = "{url}/blob/{tag}/docs/tour.md"\n\n'
    )
    return pyproject.replace(
        "[project.optional-dependencies]\n", urls + "[project.optional-dependencies]\n", 1
    )


def main() -> None:
    """Rewrite README.md and pyproject.toml."""
    url, tag = sys.argv[1].rstrip("/"), sys.argv[2]
    for name, change in (("README.md", absolute), ("pyproject.toml", with_urls)):
        path = ROOT / name
        path.write_text(change(path.read_text(encoding="utf-8"), url, tag), encoding="utf-8")


if __name__ == "__main__":
    main()
