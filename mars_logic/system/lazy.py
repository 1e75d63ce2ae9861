"""Packages whose public names are imported when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for a package: what needs few of its names starts soon.

    A name must not be that of a module in the package, which would take its place.

    Args:
        package: The package's ``__name__``.
        modules: The modules in the package, each with the public names that are imported from it.
    """
    places = {name: f"{package}.{module}" for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(places[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return find, names


def make_callable(package: str, module: str, function: str) -> None:
    """Let a package be called where a function at the top of the library has its name.

    Args:
        package: The package's ``__name__``.
        module: The module of the function, which is imported when it is called.
        function: The function's name.
    """

    class CallablePackage(ModuleType):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            return getattr(importlib.import_module(module), function)(*arguments, **options)

    sys.modules[package].__class__ = CallablePackage
