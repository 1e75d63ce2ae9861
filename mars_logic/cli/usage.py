"""Mistakes on a command line, reported like mistakes in files.

The parser's own messages name neither what would be right nor, always, the command; and they
differ from one version of it to the next. So they are made from what it found and from what it
was looking for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import typer

from mars_logic.cli.sections import named_now

UsageError: Final[type[typer.BadParameter]] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError"
)
"""The base of what the parser raises for wrong words; typer does not export it."""

COMMAND: Final = "mars-logic"
_QUOTED: Final = re.compile(r"(?:Value error, )?'?(.*?)'? is not ", re.DOTALL)
_TOO_MANY: Final = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)
_KINDS: Final = {"integer": "a whole number", "int": "a whole number", "float": "a number"}


def told(error: Any, words: Sequence[str], group: Any) -> str:
    """The message: where, what, and what would be right; or, where nothing is asked for, help.

    Args:
        error: What the parser raised, a ``UsageError``.
        words: The words of the command line.
        group: All commands, as the parser knows them.
    """
    kind, message = type(error).__name__, str(error.message)
    if kind == "NoArgsIsHelpError":
        return message
    where, command = _command(words, group)
    if kind == "NoSuchOption":
        known = _options(command)
        return _told(where, _unknown("option", error.option_name, known), ", ".join(known))
    if kind == "BadOptionUsage":
        option = next(each for each in command.params if error.option_name in each.opts)
        what = "no value is given" if "requires" in message else "it takes no value"
        allowed = _allowed(option) if "requires" in message else f"{error.option_name} alone"
        return _told(f"{where}: {error.option_name}", what, allowed)
    if kind == "BadParameter" and error.param is not None:
        where = f"{where}: {_name(error.param)}"
        return _told(where, f"'{_value(error)}' is not possible", _allowed(error.param))
    if message.startswith("No such command"):
        known = tuple(command.commands)
        depth = where.count(" ")
        return _told(where, _unknown("command", _names(words)[depth], known), ", ".join(known))
    usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else f"{where} --help"
    if kind == "MissingParameter":
        return _told(where, f"{_name(error.param)} is missing", usage)
    if found := _TOO_MANY.match(message):
        return _told(where, f"'{found[1]}' is not expected", usage)
    return _told(where, message[:1].lower() + message[1:].rstrip("."), usage)


def _command(words: Sequence[str], group: Any) -> tuple[str, Any]:
    """The command that is asked for, maybe one of a group, and its name."""
    names = _names(words)
    both = " ".join(names[:2])
    if both in group.commands:
        return f"{COMMAND} {both}", group.commands[both]
    where, command = COMMAND, group
    for name in names:
        known = getattr(command, "commands", {})
        if name not in known:
            break
        where, command = f"{where} {name}", known[name]
    return where, command


def _names(words: Sequence[str]) -> list[str]:
    """The words that may be commands or arguments."""
    return named_now([word for word in words if not word.startswith("-")])


def _told(where: str, what: str, allowed: str) -> str:
    return f"{where}: {what}; allowed: {allowed}"


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, [*known], n=1)
    return f"there is no {kind} '{name}'" + (f", did you mean '{near[0]}'?" if near else "")


def _options(command: Any) -> tuple[str, ...]:
    """The names of a command's options, those of each option that are words."""
    opts = (name for each in command.params for name in each.opts if name.startswith("--"))
    return (*opts, "--help")


def _name(parameter: Any) -> str:
    """An option's longest name, or an argument's in capitals."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def _value(error: Any) -> str:
    """The value that was refused, as it was given."""
    if found := getattr(error.__cause__, "errors", None):
        return str(found()[0]["input"])
    quoted = _QUOTED.match(error.message)
    return quoted[1] if quoted else error.message


def _allowed(parameter: Any) -> str:
    """The values of a parameter; their attribute depends on the parser's version."""
    kind = getattr(parameter, "type", None) or parameter.type_descriptor
    if choices := getattr(kind, "choices", None):
        return ", ".join(str(getattr(choice, "value", choice)) for choice in choices)
    limits = kind if hasattr(kind, "min") else parameter
    low, high = getattr(limits, "min", None), getattr(limits, "max", None)
    name = str(getattr(kind, "name", None) or getattr(kind.annotation, "__name__", kind.annotation))
    what = _KINDS.get(name.removesuffix(" range"), name)
    return " ".join(
        (
            what,
            *(() if low is None else (f"from {low}",)),
            *(() if high is None else (f"to {high}",)),
        )
    )
