"""Draws the pictures of the README and the docs: `python docs/pictures/make.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Observation, Simulator
from mars_logic.views import film, image, whole_map
from mars_logic.views.sprites import over, sheet
from mars_logic.world.words import tell

FOLDER = Path(__file__).parent
CELL = 7
GAP = 28
SEED = 7
INK, PAPER, SOFT, MARK = "#22262b", "#ffffff", "#6a737d", "#e0218a"
EXCERPT = (8, 95)
"""Steps of the film."""
MOMENT = 243
"""The step shown by day, by night and asleep."""

TOLD = {
    "default": ("collect.stone", "walk.water", "creature.cow", "make.wood_pickaxe"),
    "terrain": ("neighbour.player", "neighbour.coal", "neighbour.water", "collect.iron"),
    "all_three": ("collect.stone", "walk.water", "creature.cow", "make.wood_pickaxe"),
}


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font: it looks the same on every machine."""
    return ImageFont.load_default(size)


def draw_map(name: str) -> Image.Image:
    """The map of one world before the first step, with a ring around the player."""
    simulator = Simulator(load_world(name))
    simulator.reset(SEED)
    state = simulator.state()
    picture = Image.fromarray(whole_map.draw(state, CELL))
    x, y = (state.x + 0.5) * CELL, (state.y + 0.5) * CELL
    pen = ImageDraw.Draw(picture)
    pen.ellipse((x - 9, y - 9, x + 9, y + 9), outline=PAPER, width=4)
    pen.ellipse((x - 8, y - 8, x + 8, y + 8), outline=MARK, width=2)
    return picture


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
    width, height = len(TOLD) * (side + GAP) + GAP, side + 255
    canvas = Image.new("RGB", (width, height), PAPER)
    picture = ImageDraw.Draw(canvas)
    for i, (name, rules) in enumerate(TOLD.items()):
        left = GAP + i * (side + GAP)
        picture.text((left, 14), name, fill=INK, font=font(24))
        canvas.paste(draw_map(name), (left, 52))
        top = 52 + side + 14
        for rule in rules:
            for line in wrapped(tell(load_world(name)[rule]), side, 15):
                picture.text((left, top), line, fill=INK, font=font(15))
                top += 20
            top += 7
    save(canvas, "worlds.png")


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with at most 256 colours, which pixel art hardly exceeds."""
    few = picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(FOLDER / name, optimize=True)


def sprites() -> None:
    """Every sprite four times as large as it is drawn, with its name."""
    zoom, columns, pitch, line = 4, 8, 108, 94
    grass = sheet("materials")["grass"]
    grounds = {"materials": grass, "objects": grass, "items": np.full_like(grass, 34)}
    rows = sum(-(-len(sheet(name)) // columns) for name in grounds)
    canvas = Image.new("RGB", (columns * pitch + 20, rows * line + 16), PAPER)
    pen = ImageDraw.Draw(canvas)
    row = 0
    for name, ground in grounds.items():
        for i, (title, sprite) in enumerate(sheet(name).items()):
            pixels = over(sprite, ground).repeat(zoom, 0).repeat(zoom, 1)
            left, top = 10 + i % columns * pitch, 14 + (row + i // columns) * line
            canvas.paste(Image.fromarray(pixels), (left + (pitch - 16 * zoom) // 2, top))
            at = (left + pitch / 2, top + 16 * zoom + 3)
            pen.text(at, title.replace("_", " "), fill=SOFT, font=font(12), anchor="ma")
        row += -(-len(sheet(name)) // columns)
    save(canvas, "sprites.png")


class Watcher:
    """Keeps what an episode's player sees (an ``episodes.Observer``)."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def begin(self, observation: Observation) -> None:
        """The first view."""
        self.seen.append(observation)

    def note(self, *what: object) -> None:
        """One step; the last argument is the view after it."""
        (after,) = (each for each in what if isinstance(each, Observation))
        self.seen.append(after)

    def moments(self) -> Observation:
        """All views as those of one batch."""
        arrays = zip(*(moment.arrays for moment in self.seen), strict=True)
        return Observation(*(np.concatenate(each) for each in arrays))


def episode(steps: int) -> Observation:
    """What the oracle sees in Crafter's world in its first steps."""
    world, watcher = load_world("crafter"), Watcher()
    goals = world.achievements
    play(load_agent("oracle")(), Simulator(world), 0, goals, 1, watcher, limit=steps)
    return watcher.moments()


def moments(seen: Observation) -> None:
    """One moment by day, by night and asleep, and the same in 64 by 64 pixels."""
    at = MOMENT
    now = Observation(*(array[at : at + 1] for array in seen.arrays))
    night = replace(now, daylight=np.array([0.15]))
    asleep = replace(night, daylight=np.array([0.4]), sleeping=np.array([True]))
    looks = [replace(now, daylight=np.array([1.0])), night, asleep]
    side, small = 288, 64
    canvas = Image.new("RGB", (3 * side + 2 * GAP // 2, side), PAPER)
    for i, look in enumerate(looks):
        left = i * (side + GAP // 2)
        canvas.paste(Image.fromarray(image.render(look, (side, side))[0]), (left, 0))
    save(canvas, "moments.png")
    canvas = Image.new("RGB", (3 * 4 * small + 2 * GAP // 2, 4 * small), PAPER)
    for i, look in enumerate(looks):
        pixels = image.render(look)[0].repeat(4, 0).repeat(4, 1)
        canvas.paste(Image.fromarray(pixels), (i * (4 * small + GAP // 2), 0))
    save(canvas, "moments64.png")


def whole() -> None:
    """The whole map of Crafter's world."""
    simulator = Simulator(load_world("crafter"))
    simulator.reset(3)
    save(Image.fromarray(whole_map.draw(simulator.state(), 10)), "map.png")


if __name__ == "__main__":
    worlds()
    sprites()
    whole()
    seen = episode(MOMENT)
    moments(seen)
    part = Observation(*(array[slice(*EXCERPT)] for array in seen.arrays))
    film.save(film.frames(part, (180, 180)), FOLDER / "episode.gif", fps=8)
