"""Effects of an action: its costs and gains in successful records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models.records import Records
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_VITALS: Final = len(names.VITALS)
_FEW: Final = 3

Changes = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Effects:
    """Observed effects of an action's successes.

    Attributes:
        held: How often items changed in which way, where no maximum hid it.
        vitals: The change of each vital that is common: the most frequent one, where no limit hid
            it. Without those that stay as they are, or that are hidden everywhere.
        hidden: The vitals that a limit hid everywhere.
        leaves: How often which material was left where the player faced.
        stands: How often what stood there afterwards (``names.LOOKS``), each moment once, without
            those in which a creature was beside the player and may have come.
    """

    held: Counter[Changes]
    vitals: dict[str, int]
    hidden: frozenset[str]
    leaves: Counter[str]
    stands: Counter[str]

    @classmethod
    def of(cls, records: Records) -> Effects:
        """The effects in records that all succeeded."""
        before = records.before.inventory.astype(np.int64)
        after = records.after.inventory.astype(np.int64)
        changed = (after - before)[:, _VITALS:]
        shown = ~((after[:, _VITALS:] == MAXIMUM) & (changed >= 0)).any(axis=1)
        if not shown.any():  # better a gain that may be larger than none
            shown[:] = True
        vitals, hidden = {}, set()
        moment = _distinct(records)
        for column, vital in enumerate(names.VITALS):
            change = _common(before[moment, column], after[moment, column], vital)
            if change is None:
                hidden.add(vital)
            elif change:
                vitals[vital] = change
        return cls(
            Counter(_changes(row) for row in changed[shown]),
            vitals,
            frozenset(hidden),
            Counter(names.MATERIALS[code] for code in records.after.material),
            Counter(names.LOOKS[code] for code in records.after.object[_alone(records, moment)]),
        )

    @property
    def costs(self) -> dict[str, int] | None:
        """Items used up, if it was the same each time."""
        return _if_same({item: -n for item, n in kind if n < 0} for kind in self.held)

    @property
    def gains(self) -> dict[str, int] | None:
        """Items gained, if it was the same each time."""
        return _if_same({item: n for item, n in kind if n > 0} for kind in self.held)

    @property
    def left(self) -> str | None:
        """The material left where the player faced, if it was the same each time."""
        return next(iter(self.leaves)) if len(self.leaves) == 1 else None


def _distinct(records: Records) -> NDArray[np.int64]:
    """One record of each moment: copies of it, made to try things out, get hungry at once."""
    before = records.before
    vitals, around = before.inventory[:, :_VITALS], before.materials.reshape(len(before), -1)
    _, first = np.unique(np.column_stack([vitals, around]), axis=0, return_index=True)
    distinct: NDArray[np.int64] = first
    return distinct


def _alone(records: Records, moment: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those of some records in which no creature was around the player before."""
    creatures = [names.LOOKS.index(creature) for creature in names.CREATURES]
    near = np.isin(records.before.objects[moment], creatures).any(axis=(1, 2))
    alone: NDArray[np.int64] = moment[~near]
    return alone


def _changes(row: NDArray[np.int64]) -> Changes:
    return tuple((item, int(n)) for item, n in zip(names.HOLDABLE, row, strict=True) if n)


def _if_same(found: Iterable[dict[str, int]]) -> dict[str, int] | None:
    kinds = list(found)
    return kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else None


def _common(before: NDArray[np.int64], after: NDArray[np.int64], vital: str) -> int | None:
    """The change that an action makes to a vital; None where that cannot be told.

    Where no limit hides it, what is seen of food, drink and energy is this change or, when one gets
    hungry, thirsty or tired in the same step, one less. Creatures and recovery change health by
    other amounts, but not most of the time.
    """
    full = (after == MAXIMUM) & ((before < MAXIMUM) | (vital != "health"))
    shown = (after - before)[(after > 0) & ~full]
    if not len(shown):
        return None
    values, counts = np.unique(shown, return_counts=True)
    often = int(values[counts.argmax()])
    if vital == "health":
        return (
            often if counts.max() > len(shown) / 2 and (len(shown) >= _FEW or not often) else None
        )
    if values.max() - values.min() > 1:
        return often
    return None if values.max() == -1 else int(values.max())
