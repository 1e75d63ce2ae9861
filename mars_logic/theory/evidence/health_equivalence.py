"""Equivalence of health changes for a theory: whether they can be explained.

Where a theory is certain of what an action does to health, only the health that it leaves matters;
where it is certain of all that could hit as well, only whether what was seen can be explained, and
whether it can be without any hit (theory/health_claims.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.claims import Values
from mars_logic.theory.evidence import layout
from mars_logic.theory.evidence.decode import unpacked
from mars_logic.theory.evidence.layout import EVERY, Bits, Layout, Words, layout_of
from mars_logic.theory.health_claims import HealthEffect, effect, hits
from mars_logic.theory.hits import Points, endings
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import Health
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import Vocabulary

_EVERY_HEALTH: Final = (1 << MAXIMUM + 1) - 1
_OWN: Final = (layout.BEFORE, layout.RECOVERY)
_HITS: Final = (*layout.NEAR, layout.ARROWS, layout.ASLEEP)
_LIQUIDS: Final = [names.MATERIALS.index(material) for material in names.LIQUIDS]


def tells_health(words: Words, places: Layout) -> NDArray[np.bool_]:
    """Which signatures tell what became of health."""
    kinds, subjects = layout.KIND.get(words), places.subject.get(words)
    found: NDArray[np.bool_] = (kinds == layout.COLLECTING) & np.isin(subjects, _LIQUIDS)
    for kind in (layout.TREAD, layout.HITTING, layout.EATING, layout.STANDING):
        found |= kinds == kind
    return found


def forget_health(
    words: Words, seen: NDArray[np.int64], values: Values, vocabulary: Vocabulary
) -> None:
    """Take out of signatures what a theory does not read of what became of health.

    In a free place, what matters is put instead: a bit for each health that the action may have
    left; or, if all is certain, two: whether what was seen can be explained, and whether the action
    may have left it.

    Args:
        words: Signatures that tell it; other things are forgotten already. They are changed.
        seen: int64[n, words]: the same as they were seen.
        values: The theory.
        vocabulary: The names of the evidence.
    """
    free = layout_of(vocabulary).free
    left = _left(words, seen, values, vocabulary)
    _replace(words, left > 0, {free: left} | dict.fromkeys(_OWN, 0))
    possible, after = _endings(words, left, values), layout.AFTER.get(words)
    explained, untouched = (healths >> after & np.uint64(1) for healths in (possible, left))
    number = {bits: np.minimum(bits.get(words), 1) for bits in (*layout.NEAR, layout.ARROWS)}
    judged = {free: explained | untouched << np.uint64(1), layout.AFTER: 0, layout.ASLEEP: 0}
    _replace(words, possible > 0, judged | number)


def _left(words: Words, seen: NDArray[np.int64], values: Values, vocabulary: Vocabulary) -> Words:
    """A bit for each health that the action may have left; 0 if that is uncertain."""
    deeds = words.copy()
    for bits in (*_OWN, layout.AFTER, *_HITS):
        bits.put(deeds, EVERY, 0)
    firsts, which = _distinct(deeds)
    # The claim about health is the same in both dialects.
    signatures = unpacked(seen[firsts], vocabulary)
    effects = (effect(signature_claims(each, "mars"), values) for each in signatures)
    tables = np.array([_table(each) for each in effects], np.uint64).reshape(-1, MAXIMUM + 1, 3)
    return tables[which, layout.BEFORE.get(words), layout.RECOVERY.get(words)]


@cache
def _table(effect: HealthEffect | None) -> Words:
    """uint64[10, 3]: likewise, by health before and recovery."""
    found = np.zeros((MAXIMUM + 1, 3), np.uint64)
    if effect is not None:
        for before, recovery in np.ndindex(found.shape):
            found[before, recovery] = _mask(effect.leaves(before, recovery - 1))
    return found


def _endings(words: Words, left: Words, values: Values) -> Words:
    """A bit for each health there may be in the end; 0 if anything is uncertain."""
    keys = left.copy()
    for bits in _HITS:
        keys |= words[:, bits.word] & bits.mask
    distinct, which = np.unique(keys, return_inverse=True)
    known: dict[int, list[Points] | None] = {}
    found = np.zeros(len(distinct), np.uint64)
    for i, key in enumerate(distinct.tolist()):
        before, others = key & _EVERY_HEALTH, key & ~_EVERY_HEALTH
        if others not in known:
            known[others] = hits(_among(others), values)
        if (each := known[others]) is not None:
            found[i] = _mask(endings(_healths(before), each))
    return found[which]


def _among(key: int) -> Health:
    """The change of health, as far as it tells which creature could hit."""
    near = tuple(_at(key, bits) for bits in layout.NEAR)
    return Health(0, 0, 0, bool(_at(key, layout.ASLEEP)), near, _at(key, layout.ARROWS))


def _at(key: int, bits: Bits) -> int:
    return key >> bits.shift & (1 << bits.width) - 1


@cache
def _mask(healths: frozenset[int]) -> int:
    """A bit for each health."""
    return sum(1 << health for health in healths)


@cache
def _healths(mask: int) -> frozenset[int]:
    """Back from bits."""
    return frozenset(health for health in range(MAXIMUM + 1) if mask >> health & 1)


def _replace(words: Words, which: NDArray[np.bool_], values: Mapping[Bits, Any]) -> None:
    """Put values, of all or 0, in places of some signatures."""
    for bits, value in values.items():
        bits.put(words, which, value[which] if isinstance(value, np.ndarray) else value)


def _distinct(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of each kind of rows, and of which kind each row is."""
    order = np.lexsort(words.T)
    new = np.ones(len(words), np.bool_)
    new[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    which = np.empty(len(words), np.int64)
    which[order] = np.cumsum(new) - 1
    return order[new], which
