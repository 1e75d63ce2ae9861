"""The screen as lines of styled text, made from a game alone; others print them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from rich.style import Style
from rich.text import Text

from mars_logic.cli.human.game import HumanGame
from mars_logic.cli.human.tiles import Colours, tiles
from mars_logic.play.action_keys import ACTION_KEYS
from mars_logic.play.session import PlaySession
from mars_logic.views.sprites import sheet
from mars_logic.views.terminal import mean_of
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.words.kinds import spaced

SMALLEST: Final = (40, 14)
"""Columns and rows that a terminal needs at least."""
_WHOLE: Final = (80, 24)
"""Columns and rows from which on everything has its place."""
_PANEL: Final = 42
"""Columns of what stands beside the view."""
_GAP: Final = 2
_LOW: Final = 3
_LIST_COLUMNS: Final = 3
_AIDS: Final = {"manual": "manual read", "undo": "practice"}
_HINTS: Final = "h keys  m manual  u undo  q quit"


@dataclass(frozen=True)
class ScreenStyle:
    """The capabilities of a terminal.

    Attributes:
        colours: Letters and marks say everything without.
        pixels: Half blocks in so many colours that pictures can be made of them.
    """

    colours: Colours = "many"
    pixels: bool = True


def draw(game: HumanGame, width: int, height: int, look: ScreenStyle | None = None) -> list[Text]:
    """The screen: at most `height` lines of at most `width` columns each.

    Args:
        game: What is shown.
        width: Columns of the terminal.
        height: Its rows.
        look: What it can show; by default everything.
    """
    shown = look or ScreenStyle()
    if width < SMALLEST[0] or height < SMALLEST[1]:
        needed = "{} x {}".format(*SMALLEST)
        lines = [Text(f"{width} x {height} is too small;"), Text(f"{needed} are needed.")]
    elif game.page and not game.question:
        lines = _page(game, height)
    elif width < _WHOLE[0] or height < _WHOLE[1]:
        lines = _small(game, width, height, shown)
    else:
        lines = _whole(game, width, height, shown)
    for line in lines:
        line.no_wrap = True
        line.truncate(width)
    return lines[:height]


def room(height: int) -> int:
    """How many lines of a page are shown at once."""
    return height - 2


def _page(game: HumanGame, height: int) -> list[Text]:
    """A page to read, with what moves it at the bottom."""
    fits = room(height)
    lines = [_heading(line) for line in game.lines[game.top : game.top + fits]]
    lines += [Text()] * (fits - len(lines))
    told = "q closes"
    if len(game.lines) > fits:
        last = min(game.top + fits, len(game.lines))
        told = f"{game.top + 1} to {last} of {len(game.lines)}; arrows, page up, page down; {told}"
    return [*lines, Text(), Text(told, "dim")]


def _heading(line: str) -> Text:
    return Text(line.lstrip("# "), "bold") if line.startswith("#") else Text(line)


def _whole(game: HumanGame, width: int, height: int, look: ScreenStyle) -> list[Text]:
    listed = -(-len(game.session.world.achievements) // _LIST_COLUMNS)
    words = game.session.world.vocabulary
    columns, rows = words.view
    across = (width - _GAP - _PANEL) // (2 * columns)
    down = (height - listed - 2) // rows
    size = min(across, down)
    view = tiles(game.session.seen, size, look.colours, _pictures(game, look), words)
    panel = [*_vitals(game.session, look), *_surroundings(game), *_possessions(game)]
    spare = height - max(len(view), len(panel)) - listed - 2
    lines = [_title(game, width), *_beside(view, panel)]
    if spare > 0:
        lines.append(Text())
    lines += _achievements(game.session)
    lines += [Text()] * (spare - 1)
    return [*lines, _bottom(game, width)]


def _small(game: HumanGame, width: int, height: int, look: ScreenStyle) -> list[Text]:
    session = game.session
    view = tiles(session.seen, 1, look.colours, words=session.world.vocabulary)
    panel = [*_vitals(session, look, unit=0), *_surroundings(game)]
    held = _held(session)
    done = [f"{name} {step}" for name, step in session.unlocked.items()]
    count = f"{len(done)} of {len(session.world.achievements)} unlocked"
    rest = [*_wrapped(held, width), *_wrapped([count, *reversed(done)], width)]
    lines = [_title(game, width), *_beside(view, panel), *map(Text, rest)]
    lines = lines[: height - 1]
    return [*lines, *[Text()] * (height - 1 - len(lines)), _bottom(game, width)]


def _pictures(game: HumanGame, look: ScreenStyle) -> bool:
    return game.pictures and look.pixels and look.colours == "many"


def _title(game: HumanGame, width: int) -> Text:
    session = game.session
    place = f"{session.world.name}, seed {session.seed}"
    steps = f"   step {session.steps} of {session.length}"
    numbers = f"{steps}   reward {session.reward:.1f}"
    title = Text(place[: max(0, width - len(numbers))] + numbers, "bold")
    for aid, told in _AIDS.items():
        if aid in session.aids:
            title.append("   ")
            title.append(told, "bold reverse")
    title.truncate(width)
    return title


def _bottom(game: HumanGame, width: int) -> Text:
    if game.asked:
        return Text(game.asked, "reverse")
    space = width - len(game.message) - len(_HINTS)
    line = Text(game.message, "bold" if "unlocked" in game.message else "")
    if space >= _GAP:
        line.append(" " * space)
        line.append(_HINTS, "dim")
    return line


def _beside(left: list[Text], right: list[Text]) -> list[Text]:
    """Two columns of lines as one; the left one's lines are equally wide."""
    space = Text(" " * left[0].cell_len)
    rows = max(len(left), len(right))
    left = left + [space] * (rows - len(left))
    right = right + [Text()] * (rows - len(right))
    return [Text.assemble(a, " " * _GAP, b) for a, b in zip(left, right, strict=True)]


def _vitals(session: PlaySession, look: ScreenStyle, unit: int = 1) -> list[Text]:
    """Bars; what is low is marked in words, too."""
    lines = []
    for name, amount in zip(names.VITALS, session.seen.status[0].tolist(), strict=True):
        line = Text(f"{name:<7}")
        line.append("#" * (amount << unit), _vital_style(name) if look.colours == "many" else "")
        line.append("-" * ((MAXIMUM - amount) << unit), "dim")
        line.append(f" {amount}" + (" low" if amount <= _LOW else ""))
        lines.append(line)
    return lines


@cache
def _vital_style(name: str) -> Style:
    red, green, blue = (round(part) for part in mean_of(sheet("items")[name]))
    return Style.parse(f"rgb({red},{green},{blue})")


def _surroundings(game: HumanGame) -> list[Text]:
    """Daylight or sleep, and what an action would meet."""
    seen = game.session.seen
    light = round(100 * float(seen.daylight[0]))
    asleep = ", asleep" if seen.sleeping[0] else ""
    words = game.session.world.vocabulary
    columns, rows = words.view
    column = columns // 2 + int(seen.facing[0, 0])
    row = rows // 2 + int(seen.facing[0, 1])
    mark = 0 if seen.marks is None else int(seen.marks[0, column, row])
    material = spaced(words.cell(int(seen.materials[0, column, row]), mark))
    stands = words.looks[seen.objects[0, column, row]]
    met = material if stands == "none" else f"{stands.replace('_', ' ')} on {material}"
    return [Text(f"light  {light} %{asleep}"), Text(f"before you: {met}")]


def _possessions(game: HumanGame) -> list[Text]:
    """All items with their keys; of a dialect with more items than have room, what is held."""
    if game.session.world.vocabulary.items == names.ITEMS:
        return [Text(), *_inventory(game)]
    return [Text(line, "bold") for line in _wrapped(_held(game.session), _PANEL)]


def _inventory(game: HumanGame) -> list[Text]:
    """All items, each in its place, with the keys that place or make something."""
    held = dict(zip(names.ITEMS, game.session.seen.inventory[0].tolist(), strict=True))
    lines = []
    for resource, tool in zip(names.RESOURCES, names.TOOLS, strict=True):
        line = Text.assemble(_item(resource, held[resource], "", MAXIMUM), " " * 5)
        line.append_text(_item(tool, held[tool], ACTION_KEYS[f"make_{tool}"][0], 14))
        lines.append(line)
    placing = [f"{ACTION_KEYS[f'place_{thing}'][0]} {thing}" for thing in names.PLACEABLE]
    return [*lines, Text(f"place {'  '.join(placing)}", "dim")]


def _item(name: str, amount: int, key: str, wide: int) -> Text:
    style = "bold" if amount else "dim"
    return Text(f"{key + ' ' if key else ''}{name.replace('_', ' '):<{wide}} {amount}", style)


def _held(session: PlaySession) -> list[str]:
    amounts = zip(session.world.vocabulary.items, session.seen.inventory[0].tolist(), strict=True)
    held = [(name, n) for name, n in amounts if n and name not in names.VITALS]
    return [f"{name.replace('_', ' ')} {n}" for name, n in held]


def _achievements(session: PlaySession) -> list[Text]:
    """All achievements in columns, each with the step at which it was unlocked."""
    cells = [_achievement(name, session.unlocked.get(name)) for name in session.world.achievements]
    rows = -(-len(cells) // _LIST_COLUMNS)
    columns = [cells[first : first + rows] for first in range(0, len(cells), rows)]
    columns[-1] += [Text()] * (rows - len(columns[-1]))
    return [Text(" ").join(line) for line in zip(*columns, strict=True)]


def _achievement(name: str, step: int | None) -> Text:
    if step is None:
        return Text(f"  {name:<18}      ", "dim")
    return Text(f"* {name:<18} {step:>5}", "bold")


def _wrapped(parts: list[str], width: int) -> list[str]:
    """Parts set apart by commas, in lines of at most `width` columns."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= width:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
