"""The list of commands in sections, by what people want; and the commands' former names."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperGroup

from mars_logic.cli.output import say_wrong

SECTIONS: Final = {
    "Worlds": ("worlds", "show", "diff", "validate", "sample"),
    "Proofs": ("prove", "explain", "ask", "value", "export"),
    "Play": ("agents", "plan", "run", "play", "verify", "render", "language"),
    "Rules and evidence": ("check", "revise", "score", "read", "import"),
    "Traces": ("scenes", "scene", "questions", "ask-scene", "detect"),
    "Learning": ("learn", "train", "action-records", "learn-action-models"),
    "Experiments": ("experiment", "summarise", "report", "scoreboard"),
    "Development": ("conform", "doctor", "bench", "bench planners", "bench sight"),
}
FORMER: Final = {"records": "action-records", "learn-laws": "learn-action-models"}
"""Former names of commands, which still work in this version, and their names."""


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
