"""Draws the screen of `mars-logic play` for the docs: `python docs/pictures/play.py`.

The oracle's certificate stands in for a person at the keyboard: its actions are pressed as keys.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from mars_logic import load_world
from mars_logic.cli.human import Game, Session, draw
from mars_logic.cli.human.game import ACTION_KEYS
from mars_logic.experiments.runs import Run
from mars_logic.play.agent import load_agent
from mars_logic.world import names

FOLDER = Path(__file__).parent
WORLD, SEED = "default", 3
STEPS = 104
SIZE = (80, 24)
WITHOUT_FONTS = re.sub(r"@font-face \{\{.*?\n    \}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""The picture loads nothing from elsewhere."""


def screen(steps: int, size: tuple[int, int] = SIZE, *, pictures: bool = False) -> Console:
    """A console on which an episode is drawn after so many steps."""
    world = load_world(WORLD)
    kept = Run("oracle", load_agent("oracle"), world, WORLD).episode(SEED).certificate
    game = Game(Session(world, SEED, world.achievements), pictures=pictures)
    for action in kept.actions[:steps]:
        game.press(ACTION_KEYS[names.ACTIONS[action]][0])
    console = Console(
        record=True,
        file=io.StringIO(),
        width=size[0],
        height=size[1],
        force_terminal=True,
        color_system="truecolor",
    )
    for line in draw(game, *size):
        console.print(line)
    return console


def main() -> None:
    """Letters on coloured ground, as the smallest usual terminal shows them."""
    svg = screen(STEPS).export_svg(
        title="mars-logic play", code_format=WITHOUT_FONTS, unique_id="play"
    )
    (FOLDER / "play.svg").write_text(
        svg.replace("Fira Code, monospace", "monospace"), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
