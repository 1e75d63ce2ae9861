"""For griffe, which reads docstrings for mkdocstrings: some things that they say otherwise."""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

_ROLE: Final = re.compile(r":(?:mod|class|func|meth|data|attr):`~?\.?([^`]+)`")
_EXAMPLE: Final = re.compile(r"^Example:$", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Shows names as code, and sessions as such."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of a package, module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = plain(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite that of the package itself, for which griffe calls nothing else."""
        self.on_object(obj=pkg)


def plain(text: str) -> str:
    """A docstring without the roles of Sphinx, and with the section that griffe calls Examples."""
    return _EXAMPLE.sub("Examples:", _ROLE.sub(r"`\1`", text))
