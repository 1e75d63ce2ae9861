"""What ``learn`` and ``run`` do with puzzles: the options of their players, and notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.language_model import agent_options, stated_options
from mars_logic.cli.output import (
    print_json,
    require_ending,
    require_matplotlib,
    say,
    say_written,
    write_answer,
)
from mars_logic.cli.rule_files import asks_for_rules, signed, write_rules
from mars_logic.cli.stated_theories import game_rules
from mars_logic.domains import domain_of
from mars_logic.errors import InputError
from mars_logic.play.agent import plays_games
from mars_logic.system.file_names import name_as_text

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.induction.notebook import Entry

MODES = ("idea", "told", "baseline")
PuzzleMode = Annotated[
    str,
    typer.Option(help=f"Puzzles: the player: {', '.join(MODES)}.", metavar="MODE"),
]
TrustHints = Annotated[
    bool, typer.Option("--trust-hints", help="Puzzles: take the hints about reactions as true.")
]

VersionSpaceChart = Annotated[
    Path | None,
    typer.Option("--chart", help="Puzzles: draw how many hypotheses fit after each step (PNG)."),
]


def player_options(agent: str, options: Mapping[str, Any], stated: list[str]) -> dict[str, Any]:
    """The options that a player of games takes.

    Args:
        agent: The player.
        options: ``experiments``, ``revise``, ``trust_hints``.
        stated: ``NAME=VALUE``, the player's own.

    Raises:
        InputError: One was given that it does not take.
    """
    usual = {"experiments": "informative", "revise": True, "trust_hints": False}
    chosen = {name: value for name, value in options.items() if value != usual[name]}
    if chosen and agent not in ("idea", "told"):
        name = next(iter(chosen)).replace("_", "-")
        message = f"'{agent}' keeps no hypotheses"
        raise InputError(f"--{name}: {message}; allowed: idea, told")
    return chosen | (agent_options(agent, stated) if plays_games(agent) else stated_options(stated))


def learn_puzzle(
    puzzle: Game,
    name: str,
    mode: str,
    seed: int,
    *,
    options: Mapping[str, Any],
    out: Path | None,
    journal: Path | None,
    chart: Path | None,
    as_json: bool,
) -> None:
    """Let a player find out a puzzle's rule, and write down how.

    Raises:
        InputError: There are no hypotheses about the game, or the player keeps no notebook.
        typer.Exit: The puzzle is not solved.
    """
    from mars_logic.domains.playing import play
    from mars_logic.domains.registry import require_offered
    from mars_logic.induction.notebook import told_entry, version_space

    domain = domain_of(puzzle)
    require_offered("learn", puzzle, lambda each: each.version_space, ("worlds",))
    modes = [each for each in MODES if each in domain.players]
    if mode not in modes:
        raise InputError(f"--mode: there is no mode '{mode}'; allowed: {', '.join(modes)}")
    chosen = player_options(mode, options, [])
    if mode == "baseline" and (out or journal or chart):
        raise InputError("--mode: baseline has no theory and no journal; allowed: idea, told")
    if chart:
        require_ending(chart, (".png",))
        require_matplotlib("--chart")
    if mode != "baseline":
        chosen["notes"] = True
    theory = puzzle if mode == "told" else domain.untold(puzzle)
    player: Any = domain.player(mode, theory, **chosen)
    played = play(domain.simulator(puzzle), player, seed, puzzle.length)
    entries: list[Entry] = [] if mode == "baseline" else player.notebook
    learned = player.learned() if mode != "baseline" else None
    if out and learned is not None and asks_for_rules(out):
        write_rules(out, signed(game_rules(learned, name), "learn", name))
    elif out and learned is not None:
        stated = {"name": name_as_text(out.stem), "title": f"learned in {name}"}
        write_answer(out, learned.model_copy(update=stated).to_yaml())
    if journal:
        text = [f"# {name}", "", "```text", domain.simulator(puzzle).manual.split("\n\n")[0]]
        for entry in entries:
            text += ["", *told_entry(entry)]
        write_answer(journal, "\n".join([*text, "```", ""]))
    if chart and entries:
        from mars_logic.experiments.plots import as_png, version_space_chart
        from mars_logic.system.files import write_atomically

        write_atomically(chart, as_png(version_space_chart(name, *version_space(entries))))
    solved = bool(played.last.completed)
    if as_json:
        print_json(
            {
                "schema": "mars-logic learn puzzle 1",
                "puzzle": name,
                "seed": seed,
                "mode": mode,
                "options": dict(options),
                "solved": solved,
                "steps": played.steps,
                "actions": [domain.action_data(each) for each in played.actions],
                "journal": [entry.data for entry in entries],
                "theory": player.theory(),
            }
        )
    else:
        print(f"{name}: {'solved' if solved else 'not solved'}, {played.steps} steps counted")
        for sentence in player.theory():
            print(f"  {sentence}")
        say_written(out if learned is not None else None, "the learned theory")
        say_written(journal, "experiments and hypotheses")
        say_written(chart if entries else None, "the size of the version space at each step")
    if not solved:
        say(f"{name} is not solved")
        raise typer.Exit(1)
