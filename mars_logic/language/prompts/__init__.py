"""Prompts of language-model agents: one file a role, in two blocks, ``system`` and ``user``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from mars_logic.language.chat import ChatMessage

_FOLDER = Path(__file__).parent


@cache
def _environment() -> jinja2.Environment:
    """Values are inserted as they are: prompts are plain text, and values are never templates."""
    return jinja2.Environment(  # noqa: S701 -- plain text, no HTML
        loader=jinja2.FileSystemLoader(_FOLDER),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def roles() -> tuple[str, ...]:
    """The names of all prompts."""
    return tuple(sorted(each.stem for each in _FOLDER.glob("[a-z]*.txt")))


def rendered(role: str, **values: Any) -> list[ChatMessage]:
    """The messages of a prompt: what the system says, and what the user asks.

    Args:
        role: The prompt's name.
        values: What its template mentions.

    Raises:
        jinja2.UndefinedError: A value is missing.
    """
    template = _environment().get_template(f"{role}.txt")
    context = template.new_context(values)
    blocks = {name: "".join(template.blocks[name](context)).strip() for name in ("system", "user")}
    return [ChatMessage("system", blocks["system"]), ChatMessage("user", blocks["user"])]


def rendered_line(role: str, **values: Any) -> str:
    """The user's block of a prompt alone, for a later message of a conversation."""
    return rendered(role, **values)[1].text
