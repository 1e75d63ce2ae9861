"""Reads the keys ``length`` and ``map`` of a world file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.file_names import path_named
from mars_logic.system.files import read_text
from mars_logic.world.dialect import LONGEST_EPISODE
from mars_logic.world.fields import nearest, shown
from mars_logic.world.maps import (
    DEFAULT_LEGEND,
    GENERATED,
    GENERATOR_FAMILIES,
    LARGEST,
    MOST_DRAWINGS,
    SMALLEST,
    Drawn,
    DrawnMap,
    Scattered,
    WorldMap,
)
from mars_logic.world.problems import Document, Path, Problem, WorldError
from mars_logic.world.vocabulary import Vocabulary, vocabulary

_MOST_BYTES: Final = 20_000
_KEYS: Final = ("scatter", "drawn", "legend")
_OF_SCATTER: Final = ("in", "share")
_OF_LEGEND: Final = ("material", "creature", "player")
_A_DRAWING: Final = (
    f"a text of {SMALLEST} to {LARGEST} rows of {SMALLEST} to {LARGEST} characters, one a cell"
)
_A_SIZE: Final = f"{SMALLEST} x {SMALLEST} to {LARGEST} x {LARGEST} cells"


def length_of(document: Document, dynamics: str, inherited: int | None) -> int | None:
    """The steps of an episode that a document states or inherits; None for the dialect's own.

    Raises:
        WorldError: It is no whole number, or out of range.
    """
    usual = vocabulary(dynamics).length
    if "length" not in document.data:
        return None if inherited == usual else inherited
    stated = document.data["length"]
    allowed = f"a whole number of steps from 1 to {LONGEST_EPISODE}"
    if isinstance(stated, bool) or not isinstance(stated, int):
        message = f"{shown(stated)} is not a whole number"
        raise WorldError(document.problem(("length",), message, allowed))
    if not 1 <= stated <= LONGEST_EPISODE:
        raise WorldError(document.problem(("length",), f"{stated} is out of range", allowed))
    return None if stated == usual else stated


def map_of(
    document: Document, words: Vocabulary, inherited: WorldMap, folder: FilePath
) -> WorldMap:
    """The map that a document states or inherits.

    Args:
        document: The world file.
        words: The world's names.
        inherited: The map of its base.
        folder: The folder of the file, from which it names drawings.

    Raises:
        WorldError: It is wrong, or a drawing is; see ``problems``.
    """
    reader = _Reader(document, words, folder)
    found = reader.world_map() if "map" in document.data else inherited
    if found.is_drawn:
        reader.require_no_generator()
    if reader.problems:
        raise WorldError(*reader.problems)
    return found


class _Reader:
    """Reads the section ``map`` and notes what is wrong."""

    def __init__(self, document: Document, words: Vocabulary, folder: FilePath) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._words = words
        self._materials = words.materials[1:]
        self._folder = folder

    def require_no_generator(self) -> None:
        for family in GENERATOR_FAMILIES:
            if family in self._document.data:
                message = "maps are drawn, so that rules of the generator have no effect"
                self._wrong((family,), message, "to leave it out, or a map that is not drawn")

    def world_map(self) -> WorldMap:
        stated = self._document.data["map"]
        if self._words.traced:
            self._wrong(("map",), f"worlds of {self._words.name} state no map", "no such key")
            return GENERATED
        if not isinstance(stated, Mapping):
            example = "a mapping such as {scatter: {diamond: {in: stone, share: 0.02}}}"
            self._wrong(("map",), f"{shown(stated)} is not a mapping", example)
            return GENERATED
        for key in stated:
            if key not in _KEYS:
                hint = nearest(str(key), _KEYS)
                self._wrong(("map", key), f"unknown key '{key}'{hint}", ", ".join(_KEYS))
        if "drawn" in stated:
            if "scatter" in stated:
                message = "nothing is scattered over a map that is drawn"
                self._wrong(("map", "scatter"), message, "one of scatter, drawn")
            return WorldMap(drawings=self._drawings(stated["drawn"], stated.get("legend", {})))
        if "legend" in stated:
            self._wrong(("map", "legend"), "there is no drawing", "with drawn")
        return WorldMap(scattered=tuple(self._scattered(stated.get("scatter", {}))))

    def _scattered(self, section: Any) -> Iterator[Scattered]:
        path: Path = ("map", "scatter")
        example = "a mapping such as {diamond: {in: stone, share: 0.02}}"
        if not isinstance(section, Mapping):
            self._wrong(path, f"{shown(section)} is not a mapping", example)
            return
        for material, about in section.items():
            place = (*path, material)
            if not self._is_material(place, material):
                continue
            if not isinstance(about, Mapping):
                self._wrong(place, f"{shown(about)} is not a mapping", "{in: stone, share: 0.02}")
                continue
            self._only(place, about, _OF_SCATTER)
            if missing := [key for key in _OF_SCATTER if key not in about]:
                self._wrong(place, f"'{missing[0]}' is missing", "{in: stone, share: 0.02}")
                continue
            share = self._share((*place, "share"), about["share"])
            if self._is_material((*place, "in"), about["in"]) and share:
                if about["in"] == material:
                    message = f"{material} cannot take the place of {material}"
                    self._wrong((*place, "in"), message, "another material")
                else:
                    yield Scattered(material, about["in"], share)

    def _share(self, place: Path, share: Any) -> float | None:
        allowed = "a number above 0, at most 1"
        if isinstance(share, bool) or not isinstance(share, int | float):
            self._wrong(place, f"{shown(share)} is not a number", allowed)
        elif not 0 < share <= 1:
            self._wrong(place, f"{share} is out of range", allowed)
        else:
            return float(share)
        return None

    def _drawings(self, drawn: Any, legend: Any) -> tuple[DrawnMap, ...]:
        path: Path = ("map", "drawn")
        signs = self._legend(legend)
        if self.problems:
            return ()
        entries: list[tuple[Path, Any]] = [(path, drawn)]
        if isinstance(drawn, list):
            entries = [((*path, i), each) for i, each in enumerate(drawn)]
        if not 1 <= len(entries) <= MOST_DRAWINGS:
            message = f"{len(entries)} drawings are not possible"
            self._wrong(path, message, f"1 to {MOST_DRAWINGS} drawings")
            return ()
        found = [self._drawing(place, each, signs) for place, each in entries]
        return tuple(each for each in found if each)

    def _drawing(self, place: Path, stated: Any, signs: Mapping[str, Drawn]) -> DrawnMap | None:
        if not isinstance(stated, str):
            allowed = f"a file beside this one, or {_A_DRAWING}"
            self._wrong(place, f"{shown(stated)} is not a drawing", allowed)
            return None
        if "\n" in stated.strip("\n"):
            text, of_file = stated, None
        else:
            of_file = self._folder / path_named(stated.strip())
            try:
                text = read_text(of_file, _A_DRAWING, _MOST_BYTES)
            except InputError as error:
                found = str(error).removeprefix(f"{of_file}:1: file: ").partition("; allowed: ")[0]
                self._wrong(place, f"'{stated.strip()}': {found}", f"a file, or {_A_DRAWING}")
                return None
        rows = text.strip("\n").split("\n")
        wrong = _wrong_shape(rows) or _wrong_cells(rows, signs)
        if wrong is None:
            return DrawnMap(tuple(tuple(signs[sign] for sign in row) for row in rows))
        row, message, allowed = wrong
        if of_file is None:
            where = f"row {row + 1}: " if row is not None else ""
            self._wrong(place, f"{where}{message}", allowed)
        else:
            first = len(text) - len(text.lstrip("\n"))
            line = 1 if row is None else first + row + 1
            name = self._file_shown(stated.strip())
            self.problems.append(Problem(name, line, "drawing", message, allowed))
        return None

    def _file_shown(self, stated: str) -> str:
        """The drawing's file as messages name it: from the same place as the world's file."""
        parent = FilePath(self._document.file).parent
        return str(parent / stated)

    def _legend(self, section: Any) -> dict[str, Drawn]:
        path: Path = ("map", "legend")
        signs = {
            sign: cell for sign, cell in DEFAULT_LEGEND.items() if cell.material in self._materials
        }
        if not isinstance(section, Mapping):
            self._wrong(path, f"{shown(section)} is not a mapping", "a mapping such as {T: tree}")
            return signs
        for sign, about in section.items():
            place = (*path, sign)
            if len(sign) != 1 or not sign.isprintable() or sign.isspace():
                self._wrong(place, f"{shown(sign)} is no character", "one visible character")
                continue
            if content := self._content(place, about):
                signs[sign] = content
        return signs

    def _content(self, place: Path, about: Any) -> Drawn | None:
        if about == "player":
            return Drawn("grass", player=True)
        if not isinstance(about, Mapping):
            return Drawn(about) if self._is_material(place, about, "player") else None
        self._only(place, about, _OF_LEGEND)
        if "material" not in about:
            self._wrong(place, "'material' is missing", "{material: grass, creature: cow}")
            return None
        if not self._is_material((*place, "material"), about["material"]):
            return None
        creature, player = about.get("creature"), about.get("player", False)
        beings = self._words.subjects["creature"]
        if creature is not None and creature not in beings:
            hint = nearest(creature, beings) if isinstance(creature, str) else ""
            message = f"unknown creature {shown(creature)}{hint}"
            self._wrong((*place, "creature"), message, ", ".join(beings))
        elif not isinstance(player, bool):
            message = f"{shown(player)} is neither true nor false"
            self._wrong((*place, "player"), message, "true, false")
        elif creature and player:
            self._wrong(place, "a creature and the player are on one cell", "one of them")
        else:
            return Drawn(about["material"], creature, player)
        return None

    def _is_material(self, place: Path, name: Any, *more: str) -> bool:
        if isinstance(name, str) and name in self._materials:
            return True
        allowed = (*self._materials, *more)
        hint = nearest(name, allowed) if isinstance(name, str) else ""
        self._wrong(place, f"unknown material {shown(name)}{hint}", ", ".join(allowed))
        return False

    def _only(self, place: Path, about: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in about:
            if key not in known:
                hint = nearest(str(key), known)
                self._wrong((*place, key), f"unknown field '{key}'{hint}", ", ".join(known))

    def _wrong(self, path: Path, message: str, allowed: str) -> None:
        self.problems.append(self._document.problem(path, message, allowed))


_Wrong = tuple[int | None, str, str]
"""A mistake in a drawing: its row (from 0; None for the whole), the message, what is allowed."""


def _wrong_shape(rows: list[str]) -> _Wrong | None:
    if rows == [""]:
        return None, "the drawing is empty", _A_SIZE
    width = len(rows[0])
    for number, row in enumerate(rows):
        if not row:
            return number, "there is a hole: this row is empty", f"{width} characters in each row"
        if len(row) != width:
            message = f"this row has {len(row)} characters, the first one {width}"
            return number, message, f"{width} characters in each row"
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= len(rows) <= LARGEST):
        small = width < SMALLEST or len(rows) < SMALLEST
        size = f"{width} x {len(rows)} cells"
        return None, f"the drawing is too {'small' if small else 'large'}: {size}", _A_SIZE
    return None


def _wrong_cells(rows: list[str], signs: Mapping[str, Drawn]) -> _Wrong | None:
    starts: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign.isspace():
                message = f"there is a hole: column {column + 1} is blank"
                return number, message, f"a character of the legend: {''.join(signs)}"
            if sign not in signs:
                message = f"column {column + 1} is the unknown character {shown(sign)}"
                return number, message, f"a character of the legend: {''.join(signs)}"
            if signs[sign].player:
                starts.append((number, column))
    if not starts:
        listed = ", ".join(sign for sign, cell in signs.items() if cell.player)
        return None, "the player has no start", f"one of these characters, once: {listed}"
    if len(starts) > 1:
        number, column = starts[1]
        message = f"column {column + 1} is a second start; the first is in row {starts[0][0] + 1}"
        return number, message, "one start"
    return None
