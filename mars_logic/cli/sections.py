"""The list of commands in sections, by what people want; and the commands' former names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from typer.core import TyperGroup

from mars_logic.cli.output import say_wrong

SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "Worlds": {
        "worlds": "worlds",
        "show": "worlds",
        "diff": "worlds",
        "validate": "worlds",
        "sample": "sample",
    },
    "Proofs": {
        "prove": "prove",
        "explain": "explain",
        "ask": "ask",
        "value": "games",
        "export": "export",
    },
    "Play": {
        "agents": "agents",
        "plan": "plan",
        "run": "run",
        "play": "play",
        "verify": "verify",
        "render": "render",
        "language": "language",
    },
    "Rules and evidence": {
        "check": "theory",
        "revise": "theory",
        "score": "theory",
        "read": "read",
        "import": "importing",
    },
    "Traces": {
        "scenes": "conan_corpora",
        "scene": "conan_scene",
        "questions": "conan_corpora",
        "ask-scene": "conan_scene",
        "detect": "conan_detection",
    },
    "Learning": {
        "learn": "learn",
        "train": "train",
        "action-records": "laws",
        "learn-action-models": "laws",
    },
    "Experiments": {
        "experiment": "experiment",
        "summarise": "summarise",
        "report": "report",
        "scoreboard": "scoreboard",
    },
    "Development": {
        "conform": "conform",
        "doctor": "doctor",
        "bench": "bench",
        "bench planners": "bench_planners",
        "bench sight": "bench_sight",
    },
}
"""Commands by section, each with the module of :mod:`mars_logic.cli` that registers it."""
FORMER: Final = {"records": "action-records", "learn-laws": "learn-action-models"}
"""Former names of commands, which still work in this version, and their names."""


def modules(command: str | None = None) -> tuple[str, ...]:
    """The modules that register a command, and those whose names begin with the same word.

    Args:
        command: The first word of a command line; where it is None or no command's, all modules
            are meant, since help and suggestions list all commands.
    """
    found = [(name, module) for names in SECTIONS.values() for name, module in names.items()]
    name = FORMER.get(command or "", command)
    chosen = [module for each, module in found if each.partition(" ")[0] == name]
    return tuple(dict.fromkeys(chosen or [module for _, module in found]))


class Sections(TyperGroup):
    """The commands in sections; each command's description is the first line of its help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Every command, in the order of the sections."""
        return [name for names in SECTIONS.values() for name in names]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word, or two, name, by its name or its former name."""
        if (both := " ".join(args[:2])) in self.commands:
            return super().resolve_command(ctx, [both, *args[2:]])
        name = FORMER.get(args[0])
        if name is None:
            return super().resolve_command(ctx, args)
        say_wrong(f"warning: the command '{args[0]}' is now '{name}'")
        return super().resolve_command(ctx, [name, *args[1:]])

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the sections; descriptions stand below each other in all of them."""
        width = max(map(len, self.commands))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), _description(self.commands[name])) for name in names]
                )


def _description(command: Any) -> str:
    return str(command.help).partition("\n")[0].removesuffix(".")
