"""Draws the pictures of the gallery of worlds: `python docs/pictures/gallery.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.views import whole_map

FOLDER = Path(__file__).parent
GALLERY = FOLDER.parents[1] / "worlds" / "gallery"
SIDE = 256
SEED = 0


def draw(path: Path) -> Image.Image:
    """The map of a world before the first step."""
    world = load_world(path)
    simulator = Simulator(world)
    simulator.reset(SEED)
    state = whole_map.cropped(simulator.state())
    picture = whole_map.draw(state, SIDE // len(state.materials), words=world.vocabulary)
    return Image.fromarray(picture)


if __name__ == "__main__":
    for path in sorted(GALLERY.glob("*.yaml")):
        draw(path).save(FOLDER / f"gallery-{path.stem}.png", optimize=True)
