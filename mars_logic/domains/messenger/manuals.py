"""Draws manuals: sentences from templates of our own, or from a file of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.rules import MOTIONS, NAMES, ROLES, Messenger, Setup
from mars_logic.errors import InputError
from mars_logic.system.json_files import read_json
from mars_logic.system.resources import values_at

UNKNOWN_MOTION: Final = "unknown"
"""Says of a sentence that it does not tell how the thing moves."""
_UNTOLD: Final = 0.15
"""The probability that a sentence of level 2 does not tell the motion."""
_WHAT: Final = "sentences in JSON: columns entity, role, motion, sentence, and rows by split"
_COLUMNS: Final = ("entity", "role", "motion", "sentence")
_MOST_BYTES: Final = 20_000_000

Labels = tuple[str, str, str]
"""What a sentence says: name, role, and motion or ``unknown``."""


class Sentences(Protocol):
    """Sentences by what they say."""

    def draw(self, labels: Labels, chance: Seeded) -> str:
        """One that says this.

        Raises:
            InputError: There is none.
        """
        ...


class Templates:
    """Sentences made of frames, names, roles and motions."""

    def __init__(self) -> None:
        self.parts: Mapping[str, Mapping[str, Sequence[str]]] = values_at(
            Path(__file__).with_name("templates.yaml")
        )

    def draw(self, labels: Labels, chance: Seeded) -> str:
        """A sentence that says this, each frame and wording with the same probability."""
        name, role, motion = labels
        told = motion != UNKNOWN_MOTION
        frame = one_of(self.parts["frames"]["motion" if told else UNKNOWN_MOTION], chance)
        return frame.format(
            name=one_of(self.parts["names"][name], chance),
            role=one_of(self.parts["roles"][role], chance),
            motion=one_of(self.parts["motions"][motion], chance) if told else "",
        )


class SentenceFile:
    """Labelled sentences of a file.

    Args:
        path: Of the file.
        split: Whose sentences are used; ``all`` for all of them.

    Raises:
        InputError: The file is missing or wrong, or has no sentences of the split.
    """

    def __init__(self, path: str, split: str) -> None:
        self._path = path
        self._by_labels: dict[Labels, list[str]] = {}
        for *labels, sentence in labelled_sentences(Path(path), split):
            key = (labels[0], labels[1], labels[2])
            self._by_labels.setdefault(key, []).append(sentence)

    def draw(self, labels: Labels, chance: Seeded) -> str:
        """A sentence that says this; where none leaves the motion open, any of name and role."""
        found = self._by_labels.get(labels)
        if found is None and labels[2] == UNKNOWN_MOTION:
            every = (self._by_labels.get((*labels[:2], each), []) for each in MOTIONS)
            found = [sentence for each in every for sentence in each]
        if not found:
            message = f"there is no sentence about {', '.join(labels)}"
            raise InputError(f"{self._path}: {message}; allowed: {_WHAT}")
        return one_of(found, chance)


def labelled_sentences(path: Path, split: str = "all") -> list[tuple[str, str, str, str]]:
    """The rows of a file of sentences: name, role, motion or ``unknown``, sentence.

    Args:
        path: The file: ``columns``, and lists of rows by split.
        split: Whose rows; ``all`` for all.

    Raises:
        InputError: The file is missing or wrong, or has no rows of the split.
    """
    held = read_json(path, _WHAT, _MOST_BYTES)
    if not isinstance(held, dict) or held.get("columns") != list(_COLUMNS):
        raise InputError(f"{path}: columns: these are missing; allowed: {', '.join(_COLUMNS)}")
    lists = {key: rows for key, rows in held.items() if isinstance(rows, list) and key != "columns"}
    if split != "all" and split not in lists:
        message = f"there are no sentences of the split '{split}'"
        raise InputError(f"{path}: {split}: {message}; allowed: {', '.join(lists) or _WHAT}")
    wanted = lists if split == "all" else {split: lists[split]}
    return [
        _row(path, key, number, row)
        for key, rows in wanted.items()
        for number, row in enumerate(rows)
    ]


def _row(path: Path, split: str, number: int, row: Any) -> tuple[str, str, str, str]:
    allowed = (NAMES, ROLES, (*MOTIONS, UNKNOWN_MOTION))
    if isinstance(row, list) and len(row) == 4 and all(isinstance(each, str) for each in row):
        name, role, motion, sentence = row
        wrong = [
            (column, value, choices)
            for column, value, choices in zip(_COLUMNS, row, allowed, strict=False)
            if value not in choices
        ]
        if not wrong:
            return name, role, motion, sentence
        column, value, choices = wrong[0]
        place = f"{path}: {split}[{number}].{column}"
        raise InputError(f"{place}: unknown {column} '{value}'; allowed: {', '.join(choices)}")
    message = "this is no row"
    raise InputError(f"{path}: {split}[{number}]: {message}; allowed: {', '.join(_COLUMNS)}")


@cache
def templates() -> Templates:
    """The bundled templates."""
    return Templates()


@cache
def _file(path: str, split: str) -> SentenceFile:
    return SentenceFile(path, split)


def one_of(choices: Sequence[str], chance: Seeded) -> str:
    """One of these, each with the same probability."""
    return choices[int(chance.uniform("choice") * len(choices))]


def manual_labels(level: int, setup: Setup, chance: Seeded) -> list[Labels]:
    """What the sentences of a manual say, in a random order.

    In level 1 half of the sentences leave open how the thing moves, in level 2 15 %. Level 3 calls
    the decoys enemies, and says one falsehood: of the enemy's name another role and motion.
    """
    motions = [MOTIONS[each] for each in setup.motions]
    if level < 3:
        untold = 0.5 if level == 1 else _UNTOLD
        found = [
            (name, role, UNKNOWN_MOTION if chance.uniform("told") < untold else motion)
            for name, role, motion in zip(setup.names, ROLES, motions, strict=True)
        ]
    else:
        enemy, message, goal = setup.names
        found = [*zip(setup.names, ROLES, motions[:3], strict=True)]
        found += [(message, "enemy", motions[3]), (goal, "enemy", motions[4])]
        false = [each for each in MOTIONS if each != motions[0]]
        found.append((enemy, one_of(ROLES[1:], chance), one_of(false, chance)))
    return [found[place] for place in chance.order("order", len(found))]


def manual_sentences(game: Messenger, setup: Setup, seed: int) -> tuple[str, ...]:
    """The sentences of a manual.

    Args:
        game: Says where sentences come from.
        setup: What they are about.
        seed: Decides which.

    Raises:
        InputError: A file of sentences is missing or wrong.
    """
    if not setup.motions:
        return ()
    chance = Seeded(seed, "manual")
    source: Sentences = _file(game.sentences, game.assignments) if game.sentences else templates()
    labels = manual_labels(game.level, setup, chance)
    return tuple(source.draw(each, chance) for each in labels)
