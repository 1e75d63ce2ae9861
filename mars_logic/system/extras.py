"""How to install an extra, for messages where one is missing."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from mars_logic.errors import InputError
from mars_logic.system.json_files import value_of

_PACKAGE = "mars-logic"


def install_hint(extra: str) -> str:
    """The command that adds an extra to this installation: of a checkout, or of a package.

    >>> install_hint("video").startswith("pip install ")
    True
    """
    folder = _checkout()
    if folder is None:
        return f'pip install "{_PACKAGE}[{extra}]"'
    return f'pip install -e "{folder}[{extra}]"'


def _checkout() -> str | None:
    """The folder that is installed for editing; None for other installations."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        told = distribution(_PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    try:
        about = value_of(told or "{}", "direct_url.json:1", "what pip writes")
    except InputError:
        return None
    if not about.get("dir_info", {}).get("editable"):
        return None
    return unquote(urlsplit(str(about["url"])).path)
