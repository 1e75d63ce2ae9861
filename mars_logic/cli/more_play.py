"""Play that tests rules which recordings leave untested, for ``check --play``."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from mars_logic.cli.output import make_folder, progress, say
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.world.load import load_world

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mars_logic.data import Trajectory
    from mars_logic.theory.rulesets import Rules
    from mars_logic.world.theory import World

AGENT: Final = "inductive"
PlayMore = Annotated[
    int | None,
    typer.Option(
        "--play",
        min=1,
        max=1000,
        help="Also play so many episodes in the world of the recordings, with experiments about "
        "untested rules, and test on them too.",
        metavar="N",
    ),
]
PlayedFolder = Annotated[
    Path | None,
    typer.Option("--record", help="Keep episodes of --play here; by default in ./check_play."),
]


def require_play(episodes: int | None, folder: Path | None) -> None:
    """Refuse a folder for episodes that are not played.

    Raises:
        InputError: It was given.
    """
    if folder is not None and episodes is None:
        raise InputError("--record: nothing is played; allowed: with --play N")


def with_more_play(
    check: Callable[[Sequence[Trajectory]], Rules],
    played: Sequence[Trajectory],
    episodes: int,
    folder: Path | None,
) -> Rules:
    """Test rules on recordings, and on more episodes in the world of the recordings.

    In the first of these the agent plays by the rules, as far as nothing contradicts them. After
    that it holds open what is still undecided or untested, and makes experiments about it.

    Args:
        check: Tests the rules.
        played: The recordings, all of one world.
        episodes: How many more, at most: it ends when all that play can decide is decided.
        folder: Where they are kept.

    Raises:
        InputError: The recordings are of several worlds, or their world is not here.
    """
    from mars_logic.data.store import load_all
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent
    from mars_logic.theory.rulesets.open_rules import theory_to_play_by, to_decide

    world, name = _world_of(played), played[0].about.world
    where = folder or Path("check_play")
    make_folder(where)
    agent: Any = load_agent(AGENT)
    seeds = count(1 + max(each.about.seed for each in played))
    found, files = check(played), list[Path]()
    with progress() as shown:
        bar = shown.add_task(f"{AGENT}, {world.name}", total=episodes)
        while len(files) < episodes and to_decide(found):
            belief = theory_to_play_by(found, opened=bool(files))
            by = partial(agent, belief=belief)
            run = Run(AGENT, by, world, name, recordings=where, belief=belief)
            run.add(next(seeds))
            files += run.recorded
            played = [*played, *load_all(files[-1])]
            found = check(played)
            shown.advance(bar)
    steps = sum(len(each.action) for each in played[len(played) - len(files) :])
    say(f"{AGENT} played {number(steps, 'step')} in {number(len(files), 'episode')}: see {where}")
    return found


def _world_of(played: Sequence[Trajectory]) -> World:
    """The one world of recordings, as it is here."""
    about = played[0].about
    if len({each.about.digest for each in played}) > 1:
        raise InputError("--play: the recordings are of several worlds; allowed: of one")
    world = load_world(about.world)
    if world.digest != about.digest:
        raise InputError(
            f"--play: {about.world}: its rules have changed since the recordings were made; "
            "allowed: the world as it was"
        )
    return world


def say_what_would_decide(tested: Rules) -> None:
    """Which command plays what untested rules need."""
    from mars_logic.theory.rulesets.open_rules import to_decide

    if some := to_decide(tested):
        say(f"{number(len(some), 'rule')} could be decided by more play: --play N plays N episodes")
