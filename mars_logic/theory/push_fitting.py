"""Rules of ``push`` that explain what was seen of moves against a material."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mars_logic.theory.cell_claims import explains_push
from mars_logic.theory.cell_signatures import PushTry
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.world.cell_rules import Push
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

_Tries = Mapping[str, Sequence[PushTry]]
"""What was seen of a material, by the material of the cell behind."""
_STAYS = ""
"""What becomes of a material that is not pushed."""


def fitted_pushes(theory: Theory, evidence: Evidence) -> dict[Field, Any]:
    """New values of rules about pushing that are open or contradicted, where some explain all.

    Of these the ones that differ from the belief for the fewest materials behind. An open rule
    gets values only if something was surely pushed.
    """
    seen: dict[str, dict[str, list[PushTry]]] = defaultdict(lambda: defaultdict(list))
    for signature in evidence.signatures if evidence.words.wide else ():
        void = evidence.words.materials[0]  # around the map, onto which nothing is pushed
        if isinstance(signature, PushTry) and not signature.taken and signature.ground != void:
            seen[signature.material][signature.ground].append(signature)
    found: dict[Field, Any] = {}
    for material, tries in seen.items():
        rule = theory.rule(f"push.{material}")
        if isinstance(rule, Push) and not _explained(rule, tries):
            order = evidence.words.materials
            values = min(_fits(rule, tries, order), key=lambda fit: fit[0], default=(0, {}))[1]
            new = {name: v for name, v in values.items() if getattr(rule, name) != v}
            found |= {(rule.id, name): value for name, value in new.items()}
    return found


def _explained(rule: Push, tries: _Tries) -> bool:
    values = [getattr(rule, name) for name in rule.field_names()]
    if any(map(is_uncertain, values)):
        return False
    return all(explains_push(each, *values) for some in tries.values() for each in some)


def _fits(rule: Push, tries: _Tries, order: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Values that explain all tries, with the number of differences from the belief."""
    open_ = bool(rule.uncertain_fields)
    onto = () if open_ else rule.onto
    turned = {} if open_ else rule.becomes
    believed = {ground: turned.get(ground, rule.subject) for ground in onto}
    outcomes = [outcome for some in tries.values() for each in some for outcome in each.outcomes]
    aheads = [*([] if open_ else [rule.leaves]), *(ahead for ahead, _ in outcomes)]
    for leaves in dict.fromkeys(aheads):
        chosen, cost = dict(believed), int(not open_ and leaves != rule.leaves)
        for ground, some in tries.items():
            became = _became(rule.subject, believed.get(ground, _STAYS), leaves, some)
            if became is None:
                break
            cost += became != believed.get(ground, _STAYS)
            chosen[ground] = became
        else:
            pushed = {ground: chosen[ground] for ground in order if chosen.get(ground)}
            if pushed or not open_:
                turns = {ground: name for ground, name in pushed.items() if name != rule.subject}
                yield cost, {"onto": tuple(pushed), "leaves": leaves, "becomes": turns}


def _became(material: str, believed: str, leaves: str, tries: Sequence[PushTry]) -> str | None:
    """What the pushed material becomes on one ground; _STAYS; None if nothing explains all."""
    behind = (name for each in tries for _, name in each.outcomes)
    for name in dict.fromkeys((believed, _STAYS, material, *behind)):
        ground = tries[0].ground
        values = (((ground,) if name else ()), leaves, {ground: name} if name else {})
        if all(explains_push(each, *values) for each in tries):
            return name
    return None
