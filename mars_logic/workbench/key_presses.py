"""Keys that are pressed in an element of the page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments

Pressed = Callable[[str], Awaitable[None]]
"""Told the name of a key, as browsers have it."""

_SCROLLING: Final = {
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "space": " ",
}
"""Keys that would move the page, by the names of event modifiers."""


def on_keys(element: ui.element, pressed: Pressed) -> None:
    """Let an element take keys while it has the focus; arrows and space do not move the page.

    Args:
        element: The element; it can then be reached with Tab.
        pressed: Told each key that is pressed without Ctrl, Alt or Meta.
    """
    element.props("tabindex=0")
    for modifier, key in _SCROLLING.items():
        element.on(f"keydown.{modifier}.prevent", _always(pressed, key), [])

    async def other(event: GenericEventArguments) -> None:
        key = event.args["key"]
        held = event.args["ctrlKey"] or event.args["altKey"] or event.args["metaKey"]
        if not held and key not in _SCROLLING.values():
            await pressed(key)

    element.on("keydown", other, ["key", "ctrlKey", "altKey", "metaKey"])


def _always(pressed: Pressed, key: str) -> Callable[[Any], Awaitable[None]]:
    async def press(_: Any) -> None:
        await pressed(key)

    return press
