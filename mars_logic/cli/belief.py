"""The option ``--belief`` of the commands that let agents play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.rule_files import load_believed
from mars_logic.errors import InputError
from mars_logic.world.load import bundled_worlds

if TYPE_CHECKING:
    from mars_logic.world.theory import Theory

BeliefFile = Annotated[
    str | None,
    typer.Option(
        "--belief",
        help="Rules to play by, or to start learning from: a world or theory, bundled or a file, "
        "or rules as check writes them.",
        metavar="THEORY",
        autocompletion=lambda: list(bundled_worlds()),
    ),
]


def load_belief(source: str | None, agent: str, worlds: Iterable[Theory]) -> Theory | None:
    """The belief that an agent is given; None if none is asked for.

    Args:
        source: A bundled world, or a file.
        agent: Who is given it.
        worlds: Where it plays.

    Raises:
        InputError: The agent takes no belief, or this one is wrong, of another dialect, or with
            names that the agent does not know.
    """
    from mars_logic.play.agent import agent_names, require_dialect, require_player, takes_belief

    if source is None:
        return None
    if not takes_belief(agent):
        allowed = ", ".join(name for name in agent_names() if takes_belief(name))
        raise InputError(f"--belief: the agent '{agent}' takes no belief; allowed: {allowed}")
    belief = load_believed(source)
    require_player(agent, belief)
    for world in worlds:
        require_dialect(belief, world.dynamics, source)
    return belief
