"""The list of commands in sections, by what people want; and the commands' former names."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from typer.core import TyperGroup

from mars_logic.cli.output import say_wrong


class ListedCommand(NamedTuple):
    """A command in the list.

    Attributes:
        place: The module of :mod:`mars_logic.cli` with its function, and that function's name, as
            ``worlds:list_worlds``, if it is not the command's; with dots, a module elsewhere in
            :mod:`mars_logic`.
        description: The first line of its help; kept here, so that the list imports no module.
    """

    place: str
    description: str


SECTIONS: Final[Mapping[str, Mapping[str, ListedCommand]]] = {
    "Worlds": {
        "worlds": ListedCommand(
            "worlds:list_worlds", "List the bundled worlds, games, and sets of puzzles"
        ),
        "show": ListedCommand("worlds", "Print a world or game: words, YAML, facts, or a tree"),
        "diff": ListedCommand("worlds", "Print the rules in which two worlds or games differ"),
        "validate": ListedCommand("worlds", "Check files of worlds and games for mistakes"),
        "edit": ListedCommand("edit", "Edit a world in the browser, beside its proofs"),
        "sample": ListedCommand("sample", "Sample new worlds or new puzzles, each with a proof"),
    },
    "Proofs": {
        "prove": ListedCommand("prove", "Prove each achievement reachable or unreachable"),
        "explain": ListedCommand("explain", "Explain why an achievement is unreachable"),
        "ask": ListedCommand("ask", "Run a logic program with a world's facts"),
        "value": ListedCommand("games", "Compute a game's exact value and optimal first moves"),
        "export": ListedCommand("export", "Write worlds in PDDL, play for Minari, or questions"),
    },
    "Play": {
        "agents": ListedCommand("agents", "List the agents of worlds and the players of games"),
        "plan": ListedCommand("plan", "Plan and play one episode"),
        "run": ListedCommand("run", "Let an agent play, and sum up its results"),
        "play": ListedCommand("play", "Play an episode with the keyboard"),
        "verify": ListedCommand("verify", "Replay certificates and check what they claim"),
        "render": ListedCommand("render", "Make a film of an episode, or a picture of a map"),
        "language": ListedCommand(
            "language:group", "Show prompts of models, estimate costs, make tables"
        ),
    },
    "Rules": {
        "check": ListedCommand("theory", "Test hypothesised rules against recorded play"),
        "revise": ListedCommand("theory", "Find the fewest rule changes that explain play"),
        "score": ListedCommand("score", "Compare a theory or sentences with the true rules"),
        "import": ListedCommand(
            "importing:import_play", "Convert other tools' files to trajectories or worlds"
        ),
    },
    "Learning": {
        "learn": ListedCommand("learn", "Let an agent learn a world's rules by playing"),
        "train": ListedCommand("train", "Train a policy by reinforcement learning"),
        "laws": ListedCommand(
            "laws:group", "Learn what actions need, cost and bring, from records"
        ),
    },
    "Experiments": {
        "experiment": ListedCommand(
            "experiment", "Let agents play in worlds and games, with every seed"
        ),
        "summarise": ListedCommand(
            "summarise", "Sum up an experiment: reward, success rates, score"
        ),
        "report": ListedCommand("report", "Make a page of results that replays its episodes"),
        "scoreboard": ListedCommand(
            "scoreboard", "Play a benchmark and compare with published results"
        ),
    },
    "Domains": {
        "conan": ListedCommand(
            "domains.conan.commands:group", "Make scenes with traces, and find out what happened"
        ),
        "messenger": ListedCommand(
            "domains.messenger.commands:group", "Read manuals of Messenger as theories"
        ),
    },
    "Development": {
        "conform": ListedCommand("conform", "Replay recordings of the reference games"),
        "doctor": ListedCommand("doctor", "List which optional parts are installed"),
        "bench": ListedCommand("bench", "Measure speed and memory beside other programs"),
        "bench planners": ListedCommand("bench", "Compare two planners on the same maps"),
        "bench tasks": ListedCommand("bench", "Compare planners on exported planning tasks"),
        "bench sight": ListedCommand(
            "bench", "Compare the planner's play with more or less in view"
        ),
    },
}
"""Commands by section."""
FORMER: Final = {
    "records": "laws records",
    "action-records": "laws records",
    "learn-laws": "laws learn",
    "learn-action-models": "laws learn",
    "scenes": "conan scenes",
    "scene": "conan scene",
    "questions": "conan questions",
    "ask-scene": "conan ask",
    "detect": "conan detect",
    "read": "messenger read",
}
"""Former names of commands, which still work, and their names."""
_ABOUT_ALL: Final = ("--help", "-h", "--version")


def functions(command: str | None = None) -> Iterator[tuple[str, Any]]:
    """A command's function, and those of commands whose names begin with the same word.

    Args:
        command: The first word of a command line; where it is None or no command's, all are meant,
            since suggestions and completion need all commands. The list of commands needs none.

    Yields:
        Names with functions; for a group of commands, the group.
    """
    if command in _ABOUT_ALL:
        return
    every = {name: each.place for names in SECTIONS.values() for name, each in names.items()}
    first = FORMER.get(command or "", command or "").partition(" ")[0]
    chosen = [name for name in every if name.partition(" ")[0] == first]
    for name in chosen or every:
        module, _, function = every[name].partition(":")
        place = module if "." in module else f"cli.{module}"
        found = importlib.import_module(f"mars_logic.{place}")
        yield name, getattr(found, function or re.sub("[- ]", "_", name))


def named_now(words: Sequence[str]) -> list[str]:
    """The words of a command line, where the first is a former name, with its command's name."""
    return [*FORMER.get(words[0], words[0]).split(), *words[1:]] if words else []


class Sections(TyperGroup):
    """The commands in sections, each with its description."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Every command, in the order of the sections."""
        return [name for names in SECTIONS.values() for name in names]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word, or two, name, by its name or its former name."""
        words = named_now(args)
        if FORMER.get(args[0]):
            say_wrong(f"warning: the command '{args[0]}' is now '{FORMER[args[0]]}'")
        if (both := " ".join(words[:2])) in self.commands:
            return super().resolve_command(ctx, [both, *words[2:]])
        return super().resolve_command(ctx, words)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, and the names of the options, which all fit a screen."""
        self.format_commands(ctx, formatter)
        names = (max(each.opts, key=len) for each in self.get_params(ctx))
        told = ", ".join(name for name in names if name != "--show-completion")
        formatter.write_paragraph()
        formatter.write(f"Options: {told}\n")

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands in their sections; those of two words are told by the first one."""
        formatter.write_paragraph()
        for title, names in SECTIONS.items():
            listed = ((name, each) for name, each in names.items() if " " not in name)
            for place, (name, each) in enumerate(listed):
                section = "" if place else title
                formatter.write(f"  {section:<12}{name:<12}{each.description}\n")
