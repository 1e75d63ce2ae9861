"""What is asked for of worlds of made-up names, and how much of it a world can hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.world.added_creatures import MOST_CREATURES
from mars_logic.world.adds import ROOM
from mars_logic.world.goals import MOST_GOALS
from mars_logic.world.vocabulary import vocabulary

FEWEST, MOST = 9, 40
"""Names of a world, beside its grounds."""
GROUNDS: Final = ("grass", "sand", "path", "water", "lava")
"""The generator's grounds, all of which get names without a meaning."""
VEINS: Final = ("tree", "stone", "coal", "iron", "diamond")
"""What resources take the place of, from the first to the last that can be got at."""
CROPS: Final = ("timers", "beside", "push")
"""Kinds of rules by which what is placed becomes something else."""
KINDS: Final = ("creatures", "needs", *CROPS, "projectiles")
"""What a world of made-up names may have besides its technology."""
_GOALS: Final = {"creatures": 2, "needs": 0, **dict.fromkeys(CROPS, 2), "projectiles": 1}
"""Goals about one of each kind."""


@dataclass(frozen=True)
class MadeUp:
    """The requirements on sampled worlds of made-up names.

    Attributes:
        names: How many resources, stations and items there are, from 9 to 40.
        rules: In how many rules they are collected, placed, made or eaten: at least one for each
            name. Of more, things made are eaten first; then resources are eaten or put back.
        life: What else it has, of ``creatures``, ``needs``, ``timers``, ``beside``, ``push`` and
            ``projectiles``: one of each kind for six names. Each creature appears where some
            resource is collected, and yields one more item. For each timer and each rule of beside
            and push something is placed that becomes something else, and yields another one.
    """

    names: int
    rules: int
    life: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers out of range.

        Raises:
            ValueError: A number is out of range; the text says what is allowed.
        """
        if not FEWEST <= self.names <= MOST:
            raise ValueError(f"{self.names} names are not possible; allowed: {FEWEST} to {MOST}")
        if unknown := [kind for kind in self.life if kind not in KINDS]:
            raise ValueError(f"'{unknown[0]}' is not possible; allowed: {', '.join(KINDS)}")
        kinds = ", ".join(self.life)
        for what, taken, room in _excess(self.names, self.life):
            fitting = [n for n in range(FEWEST, MOST) if not any(_excess(n, self.life))]
            raise ValueError(
                f"{self.names} names are not possible with {kinds}: they take {taken} {what}, and "
                f"a world has room for {room}; allowed: {FEWEST} to {max(fitting)}"
            )
        if not self.names <= self.rules <= self.most_rules:
            more = f" and {kinds}" if kinds else ""
            raise ValueError(
                f"{self.rules} rules are not possible with {self.names} names{more}; "
                f"allowed: {self.names} to {self.most_rules}"
            )

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        life = {"life": list(self.life)} if self.life else {}
        return {"vocabulary": self.names, "rules": self.rules, **life}

    def number_of(self, kind: str) -> int:
        """How many there are of one of the kinds of ``life``."""
        return _parts(self.names)[1] if kind in self.life else 0

    @property
    def parts(self) -> tuple[int, int, int]:
        """How many of the names are resources, stations and things made."""
        return _parts(self.names)

    @property
    def most_rules(self) -> int:
        """The largest number of rules: all items are eaten, and all resources put back."""
        resources, _, made = self.parts
        other = _other_goals(self.names, self.life)
        return min(self.names + made + 2 * resources, MOST_GOALS - other)


def _parts(names: int) -> tuple[int, int, int]:
    resources, stations = max(len(VEINS), names // 3), max(1, names // 6)
    return resources, stations, names - resources - stations


def _other_goals(names: int, life: tuple[str, ...]) -> int:
    return sum(_GOALS[kind] for kind in {*life}) * _parts(names)[1]


def _excess(names: int, life: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """What is taken too much of: what it is, how much is taken, and the room for it."""
    resources, stations, _ = _parts(names)
    usual = vocabulary("mars")
    moving = {"creatures", "projectiles"}.intersection(life)
    crops = set(CROPS).intersection(life)
    items = names - stations + stations * len({*life} - {"projectiles"})
    materials = len(GROUNDS) + resources + stations + 2 * stations * len(crops)
    for what, taken, room in (
        ("items", items, ROOM["items"] - len(usual.items)),
        ("materials", materials, ROOM["materials"] - len(usual.materials)),
        ("creatures and projectiles", stations * len(moving), MOST_CREATURES),
        ("goals", names + _other_goals(names, life), MOST_GOALS),
    ):
        if taken > room:
            yield what, taken, room
