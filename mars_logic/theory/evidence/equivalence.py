"""Groups of signatures that are equivalent for a theory, merged before the check.

A theory reads little of a signature: of what is held, the items that its rule names, and whether
any other changed; of the materials nearby, those that it asks for; of vitals, whether they changed
as it says; of beings that could attack, how many there are if they can do harm, and else whether
there are any. All signatures of a group meet or fail the same claims
(theory/signature_claims.py), so that it suffices to judge by the first of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.claims import Field, Values, values_of
from mars_logic.theory.evidence import layout
from mars_logic.theory.evidence.cell_equivalence import forget_cells
from mars_logic.theory.evidence.evidence import Evidence
from mars_logic.theory.evidence.health_equivalence import forget_health, tells_health
from mars_logic.theory.evidence.layout import EVERY, Bits, Layout, Words, layout_of
from mars_logic.theory.signatures import ANY
from mars_logic.world import names
from mars_logic.world.dialect import EATEN_POINTS
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary


def condensed(evidence: Evidence, theory: Theory) -> Evidence:
    """Evidence with one signature, the first, of each group that a theory cannot tell apart."""
    from mars_logic.theory.evidence.table import Table  # it needs numba

    rows = evidence.rows.copy()
    _forget(rows["words"].view(np.uint64), values_of(theory), evidence.words)
    rows["order"] = np.arange(len(rows))
    groups = Table(rows).taken
    groups = groups[np.argsort(groups["order"])]
    kept = evidence.rows[groups["order"]]
    kept["count"] = groups["count"]
    return evidence.of_rows(kept)


def _forget(words: Words, values: Values, known: Vocabulary) -> None:
    """Take out of signatures what a theory does not read."""
    lies = layout_of(known)
    seen, places = words.view(np.int64).copy(), _places(words, lies)

    def forget_items(which: NDArray[np.int64], named: set[str]) -> None:
        _forget_items(words, which, named, known)

    for material in known.subjects["collect"]:
        rule = f"collect.{material}"
        which = places(layout.COLLECTING, known.materials.index(material))
        forget_items(which, _named(values, (rule, "requires"), (rule, "yields")))
        _forget_change(words, which, layout.DRINK, _drinks(values, material))
        _forget_change(words, which, layout.FOOD, _foods(values, material))
    for number, thing in enumerate(known.subjects["place"]):
        which = places(layout.PLACING, number)
        forget_items(which, _named(values, (f"place.{thing}", "uses")))
    for number, tool in enumerate(known.subjects["make"]):
        rule = f"make.{tool}"
        which = places(layout.MAKING, number)
        forget_items(which, {tool} | _named(values, (rule, "uses")))
        nearby = _bits(_named(values, (rule, "nearby")), known.materials, 1)
        lies.around.put(words, which, lies.around.get(words, which) & nearby)
    for item in known.subjects.get("eat", ()):
        rule = f"eat.{item}"
        which = places(layout.EATING, known.items.index(item))
        forget_items(which, {item, *(left for left in values((rule, "leaves")) if left)})
        for vital, span in (("food", layout.FOOD), ("drink", layout.DRINK)):
            _forget_change(words, which, span, set(values((rule, vital))))
    for number, being in enumerate(names.BEINGS):
        which = places(layout.HITTING, number)
        unit = EATEN_POINTS["plant" if being == "plant" else "creature"]
        for vital, span in (("food", layout.FOOD), ("drink", layout.DRINK)):
            factors = values((f"creature.{being}", f"eaten_{vital}_factor"))
            _forget_change(words, which, span, {factor * unit[vital] for factor in factors})
    if known.wide:
        forget_cells(words, places, values, known)
    told = np.flatnonzero(tells_health(words, lies))
    part = words[told]
    _forget_numbers(part, values)
    forget_health(part, seen[told], values, known)
    words[told] = part


def _places(words: Words, lies: Layout) -> Callable[[int, int], NDArray[np.int64]]:
    """From a kind and a subject of signatures to where they are."""
    keys = (words[:, 0] & (layout.KIND.mask | lies.subject.mask)).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    ends = np.searchsorted(keys[order], np.arange(1 << layout.KIND.width + lies.subject.width))

    def places(kind: int, subject: int) -> NDArray[np.int64]:
        key = kind << layout.KIND.shift | subject << lies.subject.shift
        return order[ends[key] : ends[key + 1]]

    return places


def _forget_items(
    words: Words, which: NDArray[np.int64], named: set[str], known: Vocabulary
) -> None:
    """Of what is held, keep the items named, and whether another changed."""
    lies, first = layout_of(known), 0
    changed = np.zeros(len(which), np.bool_)
    for held, held_after in zip(lies.held, lies.held_after, strict=True):
        count = held.width // layout.PER_ITEM
        kept = _bits(named, known.holdable[first : first + count], layout.PER_ITEM)
        first += count
        before, after = held.get(words, which), held_after.get(words, which)
        held.put(words, which, before & kept)
        held_after.put(words, which, after & kept)
        changed |= (before & ~kept) != (after & ~kept)
    lies.changed.put(words, which, changed)


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
    words: Words, which: NDArray[np.int64], span: tuple[Bits, Bits], changes: set[int]
) -> None:
    """Of how a vital may have changed, keep which of some changes it may have been, and if none."""
    place = Bits(span[0].word, span[0].shift, span[0].width + span[1].width)
    if len(changes | {0}) > place.width:
        return
    least, most = (bits.get(words, which).astype(np.int64) - layout.ZERO for bits in span)
    least[least == layout.NO_LIMIT - layout.ZERO] = -ANY
    within = [(least <= change) & (change <= most) for change in sorted(changes | {0})]
    place.put(
        words,
        which,
        sum(each.astype(np.uint64) << np.uint64(i) for i, each in enumerate(within)),
    )


def _forget_numbers(words: Words, values: Values) -> None:
    """Of beings and arrows that do no harm, keep whether there are any.

    Sleep matters to what attacks alone.
    """
    hits = [(f"creature.{being}", "attacks", "attack_health_factor") for being in names.BEINGS]
    shots = [(f"creature.{being}", "shoots", "arrow_health_factor") for being in names.BEINGS]
    sources = {bits: [hit] for bits, hit in zip(layout.NEAR, hits, strict=True)}
    attacked = np.zeros(len(words), np.bool_)
    for bits, ways in (sources | {layout.ARROWS: shots}).items():
        harmful = any(
            any(values((rule, way))) and any(values((rule, size))) for rule, way, size in ways
        )
        if not harmful:
            bits.put(words, EVERY, np.minimum(bits.get(words), 1))
        elif bits != layout.ARROWS:
            attacked |= bits.get(words) > 0
    layout.ASLEEP.put(words, EVERY, layout.ASLEEP.get(words) * attacked)


def _named(values: Values, *fields: Field) -> set[str]:
    """The names that occur in the values that fields may have."""
    return {name for field in fields for value in values(field) for name in value}


def _bits(named: set[str], places: tuple[str, ...], width: int) -> np.uint64:
    """All bits set in the places of names, each of some width."""
    each = (1 << width) - 1
    return np.uint64(sum(each << width * i for i, name in enumerate(places) if name in named))
