"""What an agent's class takes, and whether it learns."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import PydanticSchemaGenerationError, TypeAdapter, ValidationError

from mars_logic.agent import load_agent, takes_belief
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest

if TYPE_CHECKING:
    from mars_logic.experiments.spec import Setting

Mistake = tuple[tuple[str, ...], str, str]
"""Where in the setting, what is wrong, and what is allowed."""
_NONE = "nothing here"


def learns(name: str) -> bool:
    """Whether an agent learns: it can be told to learn no more, and tells what it believes.

    Raises:
        InputError: There is no agent of this name.
    """
    made = load_agent(name)
    return callable(getattr(made, "freeze", None)) and callable(getattr(made, "tell", None))


def check_agent(setting: Setting) -> Iterator[Mistake]:
    """What is wrong with an agent's setting."""
    try:
        learner = learns(setting.name)
    except InputError as error:
        message, _, allowed = str(error).removeprefix("agent: ").partition("; allowed: ")
        yield ("name",), message, allowed
        return
    if learner and setting.learn is None:
        yield ("learn",), "this field is missing", "a whole number from 1, for an agent that learns"
    if not learner and setting.learn is not None:
        yield ("learn",), f"the agent '{setting.name}' does not learn", _NONE
    if setting.belief is not None and not takes_belief(setting.name):
        yield ("belief",), f"the agent '{setting.name}' takes no belief", _NONE
    yield from _options(setting)


def _options(setting: Setting) -> Iterator[Mistake]:
    made: Any = load_agent(setting.name)
    known = {
        name: parameter
        for name, parameter in inspect.signature(made).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and name != "belief"  # a field of its own
    }
    for name, value in setting.options.items():
        if name not in known:
            message = f"the agent '{setting.name}' has no option '{name}'{nearest(name, known)}"
            yield ("options", name), message, ", ".join(known) or _NONE
        elif wrong := _wrong(_hints(made).get(name), value):
            yield ("options", name), "this is no such value", wrong
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in setting.options:
            yield ("options", name), "this option is missing", f"a value for '{name}'"


def _hints(made: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(made.__init__ if inspect.isclass(made) else made)
    except (NameError, TypeError):  # known to type checkers alone
        return {}


def _wrong(hint: Any, value: Any) -> str:
    """What a value should be instead; nothing where it is right, or where that is not known."""
    if hint is None:
        return ""
    try:
        TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError as error:
        expected = error.errors()[0]
        return str(expected.get("ctx", {}).get("expected", expected["msg"]))
    except PydanticSchemaGenerationError:
        return ""
    return ""
