"""Draws the tech trees of the docs: `python docs/pictures/trees.py`."""

from __future__ import annotations

from pathlib import Path

from mars_logic import load_world
from mars_logic.logic import prove
from mars_logic.views.report.tech_tree import tech_tree
from mars_logic.views.report.tech_tree_svg import draw
from mars_logic.world.load import bundled_worlds

FOLDER = Path(__file__).parent / "trees"


def main() -> None:
    """Crafter and the eight worlds of the Mars paper, as released."""
    for name in bundled_worlds():
        if not name.endswith("_paper"):
            world = load_world(name)
            (FOLDER / f"{name}.svg").write_text(
                draw(tech_tree(world, prove(world))), encoding="utf-8"
            )


if __name__ == "__main__":
    main()
