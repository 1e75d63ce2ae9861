"""Draws the record of an environment, line by line of memory: `python docs/pictures/layout.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from mars_logic.sim.layout import BORDER, CAPACITY, env_dtype
from mars_logic.world.dialect import AREA, CENTRE

FOLDER = Path(__file__).parent
INK, PAPER, SOFT = "#22262b", "#ffffff", "#6a737d"
LINE, ACROSS, CELL, GAP = 64, 32, 22, 4
POSITION = 300
"""Of the random stream in the picture."""
GROUPS = {
    "cells: material and object, a byte each": ("#8fbf7f", ("cells", "marks")),
    "random stream": ("#e3b35c", ("stream",)),
    "episode and player": ("#d9687c", ("seed", "episode", "step", "done", "paid_health", "player")),
    "chunks: counts of ground and creatures": (
        "#9a86c9",
        ("num_things", "num_removed", "next_entered", "chunks", "num_known", "known"),
    ),
    "places of things: x, y": ("#4f9fc9", ("thing_x", "thing_y")),
    "things": ("#a9cfe3", ("things",)),
}
THINGS = 42
"""On a mean map."""


def read_by_a_step() -> set[int]:
    """The lines that a step in the middle of the map reads, as `sim/fetching.py` asks for them."""
    fields = env_dtype(CAPACITY).fields or {}
    start = {name: field[1] for name, field in fields.items()}
    side = AREA + 2 * BORDER
    first = CENTRE + BORDER
    bytes_ = {start["cells"] + (first + dx) * side + first for dx in range(-BORDER, BORDER + 1)}
    bytes_ |= {start["stream"] + 4 * POSITION, start["chunks"]}
    bytes_ |= set(range(start["seed"], start["num_things"], LINE)) | {start["num_things"]}
    bytes_ |= {start["thing_x"], start["thing_y"]}
    size = env_dtype(1)["things"].base.itemsize
    bytes_ |= set(range(start["things"], start["things"] + THINGS * size, LINE))
    return {byte // LINE for byte in bytes_}


def draw() -> Image.Image:
    """Squares of 64 bytes, coloured by what they hold; those that a step reads have a border."""
    dtype = env_dtype(CAPACITY)
    fields = dtype.fields or {}
    rows = -(-dtype.itemsize // (LINE * ACROSS))
    legend = 26 * (len(GROUPS) + 1)
    size = (2 * GAP + ACROSS * (CELL + GAP) + 16, 16 + rows * (CELL + GAP) + 16 + legend)
    picture = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(15)
    read = read_by_a_step()
    colours = {}
    for colour, names in GROUPS.values():
        for name in names:
            kind, start = fields[name][:2]
            for byte in range(start, start + kind.itemsize, 4):
                colours.setdefault(byte // LINE, colour)
    for line in range(-(-dtype.itemsize // LINE)):
        x, y = 8 + line % ACROSS * (CELL + GAP), 8 + line // ACROSS * (CELL + GAP)
        box = (x, y, x + CELL, y + CELL)
        pen.rectangle(box, fill=colours.get(line, SOFT))
        if line in read:
            pen.rectangle(box, outline=INK, width=3)
    y = 20 + rows * (CELL + GAP)
    for label, (colour, names) in GROUPS.items():
        size_ = sum(fields[name][0].itemsize for name in names)
        pen.rectangle((10, y, 28, y + 18), fill=colour)
        pen.text((38, y), f"{label}: {size_:,} bytes", fill=INK, font=font)
        y += 26
    pen.rectangle((10, y, 28, y + 18), outline=INK, width=3)
    told = f"read by a step in the middle of the map, with {THINGS} things: {len(read)} lines"
    pen.text((38, y), f"{told} of {LINE} bytes", fill=INK, font=font)
    return picture


if __name__ == "__main__":
    draw().save(FOLDER / "layout.png", optimize=True)
