"""Checks of the options of environments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, TypeVar, get_args

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.load import load_world
from mars_logic.world.theory import World

Rules = TypeVar("Rules")

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
    """Check that all of these are allowed values.

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
    return the_rules(World, load_world, world, bundled)


def the_rules(
    kind: type[Rules],
    load: Callable[[str | Path], Rules],
    given: Rules | str | Path | None,
    bundled: str | None = None,
) -> Rules:
    """A world or a game, given itself, by its name or by its path; or else a bundled one.

    Args:
        kind: Its class, ``World`` or ``Game``.
        load: Loads one by name or path.
        given: What was given.
        bundled: The name of a bundled one.

    Raises:
        InputError: It is none of these, or both are given.
        WorldError: There is no such world or game, or its file is wrong.
    """
    what = kind.__name__.lower()
    if bundled is not None:
        if given is not None:
            allowed = f"no {what} here, or mars_logic/{kind.__name__}-v0, which takes any"
            raise InputError(f"{what}: this environment is that of {bundled}; allowed: {allowed}")
        return load(bundled)
    if isinstance(given, kind):
        return given
    if not isinstance(given, str | Path):
        allowed = f"a {kind.__name__}, the name of a bundled one, or the path of a file"
        raise InputError(f"{what}: there is no {given!r}; allowed: {allowed}")
    return load(given)


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
