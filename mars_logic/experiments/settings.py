"""The options of an agent's class, and whether it learns."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import PydanticSchemaGenerationError, TypeAdapter, ValidationError

from mars_logic.domains.players import NOTHING
from mars_logic.errors import InputError
from mars_logic.play.agent import load_agent, takes_belief
from mars_logic.world.fields import nearest
from mars_logic.world.mistakes import mistakes

Mistake = tuple[tuple[str, ...], str, str]
"""Where in the setting, what is wrong, and what is allowed."""
_NO_OPTIONS: Final = ("belief", "trust")
"""What classes take, and no option states: a field of its own, and what the command line grants."""


def learns(name: str) -> bool:
    """Whether an agent learns: it can be told to learn no more, and tells what it believes.

    Raises:
        InputError: There is no agent of this name.
    """
    made = load_agent(name)
    return callable(getattr(made, "freeze", None)) and callable(getattr(made, "tell", None))


def check_agent(
    name: str, options: Mapping[str, Any], *, learn: int | None, belief: str | None
) -> Iterator[Mistake]:
    """The problem of an agent's setting.

    Args:
        name: As the agent is registered.
        options: What its class takes.
        learn: Episodes to learn in, if that is stated.
        belief: The file of rules that it is given, if that is stated.
    """
    try:
        learner = learns(name)
    except InputError as error:
        message, _, allowed = str(error).removeprefix("agent: ").partition("; allowed: ")
        yield ("name",), message, allowed
        return
    if learner and learn is None:
        yield ("learn",), "this field is missing", "a whole number from 1, for an agent that learns"
    if not learner and learn is not None:
        yield ("learn",), f"the agent '{name}' does not learn", NOTHING
    if belief is not None and not takes_belief(name):
        yield ("belief",), f"the agent '{name}' takes no belief", NOTHING
    yield from wrong_options(name, options)


def wrong_options(agent: str, options: Mapping[str, Any]) -> Iterator[Mistake]:
    """The problems of the options of an agent's class.

    Args:
        agent: As it is registered.
        options: By name, their values.
    """
    made: Any = load_agent(agent)
    known = {
        name: parameter
        for name, parameter in inspect.signature(made).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and name not in _NO_OPTIONS
    }
    for name, value in options.items():
        if name not in known:
            message = f"the agent '{agent}' has no option '{name}'{nearest(name, known)}"
            yield ("options", name), message, ", ".join(known) or NOTHING
        elif wrong := _wrong(_hints(made).get(name), value):
            yield ("options", name), "this is no such value", wrong
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in options:
            yield ("options", name), "this option is missing", f"a value for '{name}'"


def _hints(made: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(made.__init__ if inspect.isclass(made) else made)
    except (NameError, TypeError):  # known to type checkers alone
        return {}


def _wrong(hint: Any, value: Any) -> str:
    """The expected value; empty where the value is right, or where that is unknown."""
    if hint is None:
        return ""
    try:
        TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError as error:
        return mistakes(error)[0].allowed or "another value"
    except PydanticSchemaGenerationError:
        return ""
    return ""
