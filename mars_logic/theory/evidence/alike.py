"""Signatures that a theory cannot tell apart, put together before it is judged by them.

A theory reads little of a signature: of what is held, the items that its rule names, and whether
any other changed; of the materials nearby, those that it asks for; of vitals, whether they changed
as it says; of beings that could attack, how many there are if they can do harm, and else whether
there are any. All signatures of a group meet or fail the same claims (theory/demands.py), so that
it suffices to judge by the first of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.claims import Field, Values, values_of
from mars_logic.theory.evidence import layout
from mars_logic.theory.evidence.gathering import Evidence
from mars_logic.theory.evidence.layout import Bits
from mars_logic.theory.harm import updated
from mars_logic.theory.signatures import ANY
from mars_logic.world import names
from mars_logic.world.rules import EATEN_POINTS
from mars_logic.world.theory import Theory

Words = NDArray[np.uint64]
"""uint64[n, 3]: packed signatures; or uint64[n]: a part of each."""
_CHANGED = Bits(0, 15, 1)
"""A place that signatures leave free: whether an item changed that the rule does not name."""


def condensed(evidence: Evidence, theory: Theory) -> Evidence:
    """Evidence with one signature, the first, of each group that a theory cannot tell apart."""
    from mars_logic.theory.evidence.table import Table  # it needs numba

    rows = evidence.rows.copy()
    _forget(rows["words"].view(np.uint64), values_of(theory))
    rows["order"] = np.arange(len(rows))
    groups = Table(rows).taken
    groups = groups[np.argsort(groups["order"])]
    kept = evidence.rows[groups["order"]]
    kept["count"] = groups["count"]
    return evidence.of_rows(kept)


def _forget(words: Words, values: Values) -> None:
    """Take out of signatures what a theory does not read."""
    kinds, subjects = _get(words, layout.KIND), _get(words, layout.SUBJECT)
    for material in names.COLLECTABLE:
        rule = f"collect.{material}"
        which = (kinds == layout.COLLECTING) & (subjects == names.MATERIALS.index(material))
        named = _named(values, (rule, "requires"), (rule, "yields"))
        _forget_items(words, which, named)
        _forget_change(words, which, layout.DRINK, _drinks(values, material))
        _forget_change(words, which, layout.FOOD, _foods(values, material))
    for number, thing in enumerate(names.PLACEABLE):
        which = (kinds == layout.PLACING) & (subjects == number)
        _forget_items(words, which, _named(values, (f"place.{thing}", "uses")))
    for number, tool in enumerate(names.TOOLS):
        rule = f"make.{tool}"
        which = (kinds == layout.MAKING) & (subjects == number)
        _forget_items(words, which, {tool} | _named(values, (rule, "uses")))
        nearby = _bits(_named(values, (rule, "nearby")), names.MATERIALS, 1)
        _put(words, which, layout.AROUND, _get(words[which], layout.AROUND) & nearby)
    for number, being in enumerate(names.BEINGS):
        which = (kinds == layout.HITTING) & (subjects == number)
        unit = EATEN_POINTS["plant" if being == "plant" else "creature"]
        for vital, span in (("food", layout.FOOD), ("drink", layout.DRINK)):
            factors = values((f"creature.{being}", f"eaten_{vital}_factor"))
            _forget_change(words, which, span, {factor * unit[vital] for factor in factors})
    _forget_numbers(words, kinds, values)
    _forget_recovery(words, kinds == layout.STANDING, 0)
    for number, material in enumerate(names.MATERIALS):
        which = (kinds == layout.TREAD) & (subjects == number)
        if material in names.NATURAL:
            healths, deadly = (values((f"walk.{material}", name)) for name in ("health", "deadly"))
            if len(healths) == len(deadly) == 1:
                _forget_recovery(words, which, None if deadly[0] else healths[0])


def _forget_items(words: Words, which: NDArray[np.bool_], named: set[str]) -> None:
    """Of what is held, keep the items named, and whether another changed."""
    kept = _bits(named, names.HOLDABLE, layout.PER_ITEM)
    before, after = (_get(words[which], bits) for bits in (layout.HELD, layout.HELD_AFTER))
    _put(words, which, layout.HELD, before & kept)
    _put(words, which, layout.HELD_AFTER, after & kept)
    _put(words, which, _CHANGED, (before & ~kept) != (after & ~kept))


def _drinks(values: Values, material: str) -> set[int]:
    """The changes of drink by collecting that a theory speaks of."""
    effects = values((f"drink.{material}", "drink")) if material in names.LIQUIDS else (0,)
    yields = values((f"collect.{material}", "yields"))
    gains = {0} | {each["drink"].amount for each in yields if "drink" in each}
    return {effect + gain for effect in effects for gain in gains}


def _foods(values: Values, material: str) -> set[int]:
    """The changes of food by collecting that a theory speaks of."""
    return set(values((f"drink.{material}", "food"))) if material in names.LIQUIDS else set()


def _forget_change(
    words: Words, which: NDArray[np.bool_], span: tuple[Bits, Bits], changes: set[int]
) -> None:
    """Of how a vital may have changed, keep which of some changes it may have been, and if none."""
    place = Bits(span[0].word, span[0].shift, span[0].width + span[1].width)
    if len(changes | {0}) > place.width:
        return
    least, most = (_get(words[which], bits).astype(np.int64) - layout.ZERO for bits in span)
    least[least == layout.NO_LIMIT - layout.ZERO] = -ANY
    within = [(least <= change) & (change <= most) for change in sorted(changes | {0})]
    _put(
        words,
        which,
        place,
        sum(each.astype(np.uint64) << np.uint64(i) for i, each in enumerate(within)),
    )


def _forget_numbers(words: Words, kinds: Words, values: Values) -> None:
    """Of beings and arrows that do no harm, keep whether there are any.

    Sleep matters to what attacks alone.
    """
    liquids = [names.MATERIALS.index(material) for material in names.LIQUIDS]
    drinking = (kinds == layout.COLLECTING) & np.isin(_get(words, layout.SUBJECT), liquids)
    which = drinking | np.isin(kinds, (layout.TREAD, layout.HITTING, layout.STANDING))
    hits = [(f"creature.{being}", "attacks", "attack_health_factor") for being in names.BEINGS]
    shots = [(f"creature.{being}", "shoots", "arrow_health_factor") for being in names.BEINGS]
    sources = {bits: [hit] for bits, hit in zip(layout.NEAR, hits, strict=True)}
    attacked = np.zeros(len(words), np.bool_)
    for bits, ways in (sources | {layout.ARROWS: shots}).items():
        harmful = any(
            any(values((rule, way))) and any(values((rule, size))) for rule, way, size in ways
        )
        if not harmful:
            _put(words, which, bits, np.minimum(_get(words[which], bits), 1))
        elif bits != layout.ARROWS:
            attacked |= _get(words, bits) > 0
    unattacked = which & ~attacked
    _put(words, unattacked, layout.ASLEEP, np.zeros(unattacked.sum()))


def _forget_recovery(words: Words, which: NDArray[np.bool_], points: int | None) -> None:
    """Of health before, keep what the action and recovery leave of it; None kills."""
    left = np.array(
        [
            [updated(before, points, recovery) for recovery in (-1, 0, 1)]
            for before in range(layout.MOST + 1)
        ]
    )
    health, recovery = (_get(words[which], bits) for bits in (layout.BEFORE, layout.RECOVERY))
    _put(words, which, layout.BEFORE, left[health, recovery])
    _put(words, which, layout.RECOVERY, np.ones(len(health)))


def _named(values: Values, *fields: Field) -> set[str]:
    """The names that occur in the values that fields may have."""
    return {name for field in fields for value in values(field) for name in value}


def _bits(named: set[str], places: tuple[str, ...], width: int) -> np.uint64:
    """All bits set in the places of names, each of some width."""
    each = (1 << width) - 1
    return np.uint64(sum(each << width * i for i, name in enumerate(places) if name in named))


def _get(words: Words, bits: Bits) -> Words:
    return words[:, bits.word] >> np.uint64(bits.shift) & np.uint64((1 << bits.width) - 1)


def _put(words: Words, which: NDArray[np.bool_], bits: Bits, values: Any) -> None:
    others = ~np.uint64(((1 << bits.width) - 1) << bits.shift)
    shifted = values.astype(np.uint64) << np.uint64(bits.shift)
    words[which, bits.word] = words[which, bits.word] & others | shifted
