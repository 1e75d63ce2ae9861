"""Draws the pictures of the README and the docs: `python docs/pictures/make.py`.

Needs Pillow, which the test dependencies bring along.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from mars_logic import load_world
from mars_logic.sim import generate_map
from mars_logic.world.names import MATERIALS
from mars_logic.world.words import tell

FOLDER = Path(__file__).parent
CELL = 7
GAP = 28
SEED = 7
INK, PAPER, SOFT = "#22262b", "#ffffff", "#6a737d"

COLOURS = {
    "none": "#000000",
    "water": "#3f7fc4",
    "grass": "#7fb356",
    "stone": "#8d9299",
    "path": "#c9bfa8",
    "sand": "#ead9a0",
    "tree": "#2f6b3a",
    "lava": "#e2571e",
    "coal": "#33363b",
    "iron": "#d3a37a",
    "diamond": "#a9e6ee",
    "table": "#7a4f2a",
    "furnace": "#55585e",
}
CREATURES = {"cow": "#ffffff", "zombie": "#9b2fae", "skeleton": "#f7d21e"}
TOLD = {
    "default": ("collect.stone", "walk.water", "creature.cow", "make.wood_pickaxe"),
    "terrain": ("neighbour.player", "neighbour.coal", "neighbour.water", "collect.iron"),
    "all_three": ("collect.stone", "walk.water", "creature.cow", "make.wood_pickaxe"),
}


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font: it looks the same on every machine."""
    return ImageFont.load_default(size)


def draw_map(picture: ImageDraw.ImageDraw, name: str, left: int, top: int) -> None:
    """One generated map with its creatures and the player."""
    generated = generate_map(load_world(name), SEED)
    for x in range(64):
        for y in range(64):
            colour = COLOURS[MATERIALS[generated.materials[x, y]]]
            box = (left + x * CELL, top + y * CELL)
            picture.rectangle((*box, box[0] + CELL - 1, box[1] + CELL - 1), fill=colour)
    things = [*generated.creatures, ("player", *generated.start)]
    for creature, x, y in things:
        centre = (left + x * CELL + CELL // 2, top + y * CELL + CELL // 2)
        size = 5 if creature == "player" else 3
        colour = CREATURES.get(creature, "#e0218a")
        box = (centre[0] - size, centre[1] - size, centre[0] + size, centre[1] + size)
        picture.ellipse(box, fill=colour, outline=INK)


def wrapped(text: str, width: int, size: int) -> list[str]:
    """The text in lines of at most this many pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font(size).getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def worlds() -> None:
    """The same seed in three worlds, and a few rules of each, as sentences."""
    side = 64 * CELL
    width, height = len(TOLD) * (side + GAP) + GAP, side + 300
    image = Image.new("RGB", (width, height), PAPER)
    picture = ImageDraw.Draw(image)
    for i, (name, rules) in enumerate(TOLD.items()):
        left = GAP + i * (side + GAP)
        picture.text((left, 14), name, fill=INK, font=font(24))
        draw_map(picture, name, left, 52)
        top = 52 + side + 14
        for rule in rules:
            for line in wrapped(tell(load_world(name)[rule]), side, 15):
                picture.text((left, top), line, fill=INK, font=font(15))
                top += 20
            top += 7
    legend(picture, GAP, height - 34)
    image.save(FOLDER / "worlds.png", optimize=True)


def legend(picture: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """What the colours mean."""
    shown = [name for name in MATERIALS if name not in ("none", "table", "furnace")]
    for name in [*shown, *CREATURES, "player"]:
        colour = COLOURS.get(name) or CREATURES.get(name, "#e0218a")
        shape = picture.rectangle if name in COLOURS else picture.ellipse
        shape((left, top + 3, left + 13, top + 16), fill=colour, outline=INK)
        picture.text((left + 19, top), name, fill=SOFT, font=font(15))
        left += 34 + int(font(15).getlength(name))


if __name__ == "__main__":
    worlds()
