"""The options of players of games, as their classes take them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from mars_logic.world.fields import nearest, shown

NOTHING: Final = "nothing here"
"""What is allowed where an option has no place."""


def own_options(kind: Any) -> list[str]:
    """The options of a player's class besides its theory, its model, and whether it learns on."""
    taken = [*inspect.signature(kind).parameters.values()][1:]
    return [each.name for each in taken if each.name not in ("learn", "language")]


def misfit(kind: Any, option: str, value: object) -> str | None:
    """What an option of a player's class may be, if this is none of it; None if it is.

    Told are choices and switches; a class checks all else by itself.
    """
    wanted = get_type_hints(kind.__init__).get(option)
    if wanted is bool:
        return None if isinstance(value, bool) else "true, false"
    if get_origin(wanted) is Literal and value not in get_args(wanted):
        return ", ".join(map(str, get_args(wanted)))
    return None


def wrong_own_options(
    kind: Any, name: str, options: Mapping[str, Any], others: Sequence[str] = ()
) -> Iterator[tuple[str, str, str]]:
    """The options that a player's class does not take: each with what is wrong, and the allowed.

    Args:
        kind: The class.
        name: What the player is called.
        options: Its options.
        others: Those that it takes besides its own.
    """
    known = [*others, *own_options(kind)]
    for option, value in options.items():
        if option not in known:
            message = f"the player '{name}' has no option {shown(option)}{nearest(option, known)}"
            yield option, message, ", ".join(known) or NOTHING
        elif allowed := misfit(kind, option, value):
            yield option, f"{shown(value)} is not possible", allowed
