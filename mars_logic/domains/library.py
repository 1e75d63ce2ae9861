"""The bundled games by name, sets of them, and variants: ``rulearn/reactor@round=1@hints=none``.

A game is a file of its own, or one of many in a file, whose names then begin with their folder's.
Behind a name, ``@`` and a choice make a variant of a game, or keep one round of a set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from mars_logic.domains.registry import added_domains, domain, domain_names
from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.system.file_names import path_named
from mars_logic.world.fields import nearest
from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.problems import Document
from mars_logic.world.problems import Path as Place
from mars_logic.world.source import read

_SINGLE: Final = ("smartplay",)
"""Folders of ``worlds/`` with a game in each file."""
_MANY: Final = ("rulearn",)
"""Folders of ``worlds/`` with many games in a file, named ``DOMAIN_round1.yaml`` and so on."""
_ALL: Final = "all"
_ROUND: Final = "round"
_GAMES: Final = "puzzles"
_CHOICE: Final = re.compile(r"@([a-z]+)=([^@]*)")
_QUALIFIED: Final = re.compile(rf"([^@].*?)((?:{_CHOICE.pattern})+)", re.DOTALL)


@dataclass(frozen=True)
class BundledGame:
    """Where a bundled game is stated.

    Attributes:
        domain: The name of its domain.
        round: Of a game that is one of many: its round.
        document: The file.
        place: Where in the file its fields stand.
    """

    domain: str
    round: int
    document: Document
    place: Place

    @property
    def stated(self) -> Mapping[str, Any]:
        """Its fields."""
        found: Any = self.document.data
        for key in self.place:
            found = found[key]
        stated: Mapping[str, Any] = found
        return stated


def bundled_games() -> tuple[str, ...]:
    """The names of the bundled games that have a file of their own."""
    return tuple(game_files())


@cache
def game_files() -> Mapping[str, Path]:
    """The files of :func:`bundled_games`, by name, then those that installed domains bring."""
    folder = resources.folder("worlds")
    folders = [folder / name for name in _SINGLE]
    folders += [each for name in added_domains() if (each := domain(name).games)]
    found: dict[str, Path] = {}
    for path in (path for each in folders for path in sorted(each.glob("*.yaml"))):
        found.setdefault(path.stem, path.resolve())
    return found


@cache
def collected_games() -> Mapping[str, BundledGame]:
    """The bundled games that are many in a file, such as ``rulearn/fo_r1_20``, by name."""
    found: dict[str, BundledGame] = {}
    for prefix in _MANY:
        for name, path in _files(prefix):
            document = read(path)
            number = int(str(document.data[_ROUND]))
            for each in document.data[_GAMES]:
                game = BundledGame(name, number, document, (_GAMES, each))
                found[f"{prefix}/{each}"] = game
    return found


def _files(prefix: str) -> list[tuple[str, Path]]:
    """The files of a folder with many games in each, by the order of their domains' names."""
    folder = resources.folder("worlds") / prefix
    return [(n, path) for n in domain_names() for path in sorted(folder.glob(f"{n}_round*.yaml"))]


@cache
def game_sets() -> tuple[str, ...]:
    """The names of the sets; ``@round=1`` behind one keeps the games of a round."""
    families = {prefix: dict.fromkeys(name for name, _ in _files(prefix)) for prefix in _MANY}
    return tuple(f"{prefix}/{name}" for prefix in _MANY for name in (*families[prefix], _ALL))


def is_collected(name: str) -> bool:
    """Whether this is the name of one of many games in a file, be there such a game or not."""
    prefixed = any(name.startswith(f"{prefix}/") for prefix in _MANY)
    return prefixed and not os.path.exists(path_named(name))  # noqa: PTH110 (never raises)


def names_a_game(name: str) -> bool:
    """Whether this can only mean a game or a set of games, unlike the name of a file."""
    if name in all_bundled_worlds():
        return False
    base, choices = split_name(name)
    return bool(choices) or bundled_name(base) in game_files() or is_collected(base)


def bundled_name(base: str) -> str:
    """The name of the bundled game that is meant: also ``messenger_l2``, ``messenger/l2``.

    Case, ``_``, ``-`` and ``/`` do not matter, unless there is a file of this name. What means no
    bundled game stays as it is.
    """
    if base in game_files() or os.path.exists(path_named(base)):  # noqa: PTH110 (never raises)
        return base
    return _folded_names().get(_folded(base), base)


@cache
def _folded_names() -> Mapping[str, str]:
    return {_folded(name): name for name in game_files()}


def _folded(name: str) -> str:
    return re.sub("[-_/]", "", name).lower()


def split_name(name: str) -> tuple[str, Mapping[str, str]]:
    """A name without what stands behind ``@`` in it, and that: by the name of each choice.

    Example:
        >>> split_name("rulearn/re_r1_06@hints=none")
        ('rulearn/re_r1_06', {'hints': 'none'})
    """
    found = _QUALIFIED.fullmatch(name)
    if found is None:
        return name, {}
    return found[1], dict(_CHOICE.findall(found[2]))


def with_choices(name: str, choices: Mapping[str, str]) -> str:
    """A name with these choices behind it; those that it has already are replaced."""
    base, stated = split_name(name)
    return base + "".join(f"@{key}={value}" for key, value in {**stated, **choices}.items())


def games_of(name: str) -> tuple[str, ...]:
    """The games that a name means: those of a set, or the one that is named.

    Args:
        name: For example ``rulearn/reactor``, ``rulearn/all@round=1``, ``rulearn/fo_r1_20``, or a
            file.

    Raises:
        InputError: The set has no such round, or none of its games has such a variant.
    """
    base, choices = split_name(name)
    if base not in game_sets():
        return (name,)
    prefix, _, family = base.partition("/")
    of_set = {
        each: game
        for each, game in collected_games().items()
        if each.startswith(f"{prefix}/") and family in (_ALL, game.domain)
    }
    if _ROUND in choices:
        rounds = sorted({game.round for game in of_set.values()})
        stated = choices[_ROUND]
        if stated not in map(str, rounds):
            allowed = ", ".join(map(str, rounds))
            raise InputError(f"{name}: round: there is no round '{stated}'; allowed: {allowed}")
        of_set = {each: game for each, game in of_set.items() if game.round == int(stated)}
    wanted = {key: value for key, value in choices.items() if key != _ROUND}
    variants = {domain(game.domain).name: domain(game.domain).variants for game in of_set.values()}
    for key, value in wanted.items():
        require_variant(
            name, {k: v for each in variants.values() for k, v in each.items()}, key, value
        )
    return tuple(
        with_choices(each, {k: v for k, v in wanted.items() if k in variants[game.domain]})
        for each, game in of_set.items()
    )


def require_variant(
    name: str, variants: Mapping[str, tuple[str, ...]], key: str, value: str
) -> None:
    """Refuse a choice that a game does not offer.

    Args:
        name: The name that states the choice.
        variants: What the game offers.
        key: The choice.
        value: What is chosen.

    Raises:
        InputError: There is no such choice, or it has no such value.
    """
    if key not in variants:
        message = f"there is no variant by '{key}'{nearest(key, variants)}"
        raise InputError(f"{name}: {message}; allowed: {', '.join(variants) or 'none'}")
    if value not in variants[key]:
        message = f"there is no '{value}'{nearest(value, variants[key])}"
        raise InputError(f"{name}: {key}: {message}; allowed: {', '.join(variants[key])}")
