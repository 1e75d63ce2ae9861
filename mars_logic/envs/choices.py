"""Checks of what environments are made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, get_args

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.load import load_world
from mars_logic.world.world import World

FEWEST_PIXELS = 9
"""The smallest width or height of a picture: a pixel for each of its nine columns and rows."""
MOST_PIXELS = 4096
"""The largest width or height of a picture."""


def choose(name: str, value: Any, allowed: Any) -> Any:
    """The value, if it is one of a ``Literal``'s.

    Raises:
        InputError: It is not.
    """
    if value not in get_args(allowed):
        hint = nearest(str(value), get_args(allowed))
        known = ", ".join(get_args(allowed))
        raise InputError(f"{name}: there is no {value!r}{hint}; allowed: {known}")
    return value


def known(name: str, given: Iterable[str], allowed: Sequence[str]) -> None:
    """Check that all of these are among what is allowed.

    Raises:
        InputError: One is not, or they are no sequence of names.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{name} must be a sequence of names, not {given!r}")
    for each in given:
        if each not in allowed:
            hint = nearest(str(each), allowed)
            raise InputError(f"{name}: unknown {each!r}{hint}; allowed: {', '.join(allowed)}")


def pixels(name: str, size: Sequence[int]) -> tuple[int, int]:
    """A width and a height in pixels.

    Raises:
        InputError: It is no pair of integers, or one is out of range.
    """
    try:
        width, height = map(index, size)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be (width, height) in pixels, not {size!r}") from None
    if not all(FEWEST_PIXELS <= each <= MOST_PIXELS for each in (width, height)):
        allowed = f"{FEWEST_PIXELS} to {MOST_PIXELS} pixels each way"
        raise InputError(f"{name} must be {allowed}, not {size!r}")
    return width, height


def the_world(world: World | str | Path | None, bundled: str | None = None) -> World:
    """A world, given itself, by its name or by its path; or else a bundled one.

    Raises:
        InputError: It is none of these, or both are given.
        WorldError: There is no such world, or its file is wrong.
    """
    if bundled is not None:
        if world is not None:
            allowed = "no world here, or mars_logic/World-v0, which takes any"
            raise InputError(f"world: this environment is that of {bundled}; allowed: {allowed}")
        return load_world(bundled)
    if not isinstance(world, World | str | Path):
        allowed = "a World, the name of a bundled one, or the path of a file"
        raise InputError(f"world: there is no {world!r}; allowed: {allowed}")
    return world if isinstance(world, World) else load_world(world)


def reset_options(options: Mapping[str, Any] | None, allowed: Sequence[str]) -> dict[str, Any]:
    """The options of a reset.

    Raises:
        InputError: One is unknown, or they are no dictionary.
    """
    if not isinstance(options, Mapping | None):
        raise InputError(f"options must be a dictionary, not {options!r}")
    given = dict(options or {})
    known("options", given, allowed)
    return given
