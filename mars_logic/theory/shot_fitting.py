"""Repairs of rules about projectiles and shots that play contradicts.

As few fields of a rule are changed as explain all that was seen, one or two. If several values, or
values of several fields, do, that is not decided: these fields become alternatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, product
from typing import Any, Final

from mars_logic.theory.check import check
from mars_logic.theory.claims import Claim, Field, Values, values_of
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.shot_signatures import Flight, Struck
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import Harm, Passage, ShootTry, Signature
from mars_logic.world import names
from mars_logic.world.creature_rules import MOST_DAMAGE
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.projectile_rules import FARTHEST_FLIGHT, MOST_SPEED
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.vocabulary import PROJECTILE_FAMILIES

_KINDS: Final = (Flight, Struck, ShootTry, Harm)
_MOST_WRONG: Final = 2
"""Fields of a rule that are changed together at most."""
_NUMBERS: Final[Mapping[str, Sequence[int | None]]] = {
    "speed": range(1, MOST_SPEED + 1),
    "range": (None, *range(1, FARTHEST_FLIGHT + 1)),
    "harm": (None, *range(-MAXIMUM, MAXIMUM + 1)),
    "damage": range(MOST_DAMAGE + 1),
}
_Part = tuple[str, Any]
"""A name in a field that holds several, and what it stands for there; None: it is not in it."""
_Solution = dict[Field, Any]


def fitted_shots(theory: Theory, evidence: Evidence, level: float) -> dict[Field, Any]:
    """New values of rules about projectiles that are contradicted, where some explain all.

    Args:
        theory: What is believed.
        evidence: What was seen.
        level: As for ``check``.
    """
    seen = [each for each in evidence.signatures if isinstance(each, _KINDS)]
    if not seen:
        return {}
    only = evidence.of_kinds(*_KINDS, Passage)
    conflicts = check(theory, only, level, jointly=False).conflicts
    wrong = {*_wrong([each.rules for each in conflicts])}
    blamed = [frozenset(each.fields) for each in conflicts]
    claims = [claim for each in seen for claim in signature_claims(each, evidence.dynamics)]
    found: dict[Field, Any] = {}
    for rule in theory.rules():
        if rule.id in wrong and not rule.uncertain_fields:
            own = [fields for fields in blamed if any(name == rule.id for name, _ in fields)]
            found |= _Fit(theory, rule, claims, seen).values(own)
    return found


def _wrong(blamed: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rules of these families that are to blame alone, or with others that nothing else blames.

    Args:
        blamed: For each conflict, the rules of which one is wrong.
    """
    own = [[rule for rule in rules if _is_own(rule)] for rules in blamed]
    others = {rule for rules, part in zip(blamed, own, strict=True) if not part for rule in rules}
    for rules, part in zip(blamed, own, strict=True):
        if len(part) == 1 and others.isdisjoint(rules):
            yield part[0]


def _is_own(rule: str) -> bool:
    return rule.partition(".")[0] in PROJECTILE_FAMILIES


class _Fit:
    """The search for the values of one rule."""

    def __init__(
        self, theory: Theory, rule: Rule, claims: Iterable[Claim], seen: Iterable[Signature]
    ) -> None:
        self.rule, self.words = rule, theory.vocabulary
        self.fields: list[Field] = [(rule.id, name) for name in rule.field_names()]
        self.known: Values = values_of(theory)
        self.claims = [each for each in claims if {*self.fields} & {*each.reads}]
        self.parts = _parts(rule, seen)

    def values(self, blamed: Sequence[Set[Field]]) -> dict[Field, Any]:
        """The values that explain all, or alternatives of them; none if none do.

        Args:
            blamed: For each thing that is not explained, the fields of which one is wrong.
        """
        for size in range(1, _MOST_WRONG + 1):
            several = combinations(self.fields, size)
            hitting = (each for each in several if all(map({*each}.intersection, blamed)))
            chosen = [found for each in hitting for found in self._solutions(each)]
            if chosen:
                return self._joined(chosen)
        return {}

    def _joined(self, chosen: Sequence[_Solution]) -> dict[Field, Any]:
        changed = dict.fromkeys(name for each in chosen for name in each)
        found = {}
        for name in changed:
            values: dict[str, Any] = {}
            for each in chosen:
                value = each.get(name, self._believed(name))
                values.setdefault(str(value), value)
            if [*values] != [str(self._believed(name))]:
                found[name] = _told(name, [*values.values()])
        return found

    def _solutions(self, changed: Sequence[Field]) -> Iterator[_Solution]:
        fixed = [name for name in changed if name[1] in _NUMBERS]
        composed = [name for name in changed if name not in fixed]
        for values in product(*(_NUMBERS[name] for _, name in fixed)):
            yield from self._completed(dict(zip(fixed, values, strict=True)), composed)

    def _completed(self, chosen: _Solution, composed: Sequence[Field]) -> Iterator[_Solution]:
        """Change parts of fields as long as that explains more."""
        left = self._unexplained(chosen)
        while left and composed:
            found = {
                (name, str(value)): {**chosen, name: value}
                for name in composed
                for value in self._others(chosen, name)
            }
            tries = [*found.values()]
            counts = [self._unexplained(each) for each in tries]
            least = min(counts, default=left)
            if least == 0:
                yield from (each for each, count in zip(tries, counts, strict=True) if not count)
                return
            if least >= left:
                return
            left, chosen = least, tries[counts.index(least)]
        if not left:
            yield chosen

    def _others(self, chosen: _Solution, name: Field) -> Iterator[Any]:
        """Values of a field that differ from the chosen one in a part."""
        value = chosen.get(name, self._believed(name))
        for part in self.parts[name]:
            other = self._with(value, name, *part)
            if other != value:
                yield other

    def _with(self, value: Any, name: Field, key: str, new: Any) -> Any:
        if isinstance(value, Mapping):
            kept: Any = {n: v for n, v in value.items() if n != key}
            kept |= {} if new is None else {key: new}
        else:
            among = {each for each in value if each != key} | ({key} if new else set())
            kept = [each for each in self.words.materials if each in among]
        return getattr(self.rule.with_fields({name[1]: kept}, self.words), name[1])

    def _believed(self, name: Field) -> Any:
        return getattr(self.rule, name[1])

    def _unexplained(self, chosen: _Solution) -> int:
        """How many claims are not met; one that reads what is uncertain counts as met."""
        return sum(not self._is_met(claim, chosen) for claim in self.claims)

    def _is_met(self, claim: Claim, chosen: _Solution) -> bool:
        values = [(chosen[name],) if name in chosen else self.known(name) for name in claim.fields]
        if any(len(each) != 1 for each in values):
            return True
        return bool(claim.test(*(each[0] for each in values)))


def _parts(rule: Rule, seen: Iterable[Signature]) -> dict[Field, list[_Part]]:
    """What was seen that may be in fields of a rule which hold several things."""
    found: dict[tuple[str, str], dict[_Part, None]] = {
        (rule.id, name): {} for name in ("over", "breaks", "requires", "uses")
    }

    def note(name: str, *parts: _Part) -> None:
        found[rule.id, name].update(dict.fromkeys(parts))

    for _, name in found:
        for part in getattr(rule, name, ()):
            note(name, (part, None))
    for each in seen:
        if isinstance(each, Flight) and rule.id == f"projectile.{each.projectile}":
            for cell in each.way:
                if cell and not cell.player and cell.material != names.MATERIALS[0]:
                    note("over", (cell.material, True), (cell.material, None))
                    left = cell.left if cell.left != cell.material else ""
                    note("breaks", (cell.material, None), (cell.material, left or None))
        elif isinstance(each, ShootTry):
            if rule.id == f"projectile.{each.projectile}":
                note("over", (each.material, True), (each.material, None))
            elif rule.id == f"shoot.{each.projectile}":
                for (item, amount), less in zip(each.held.named(), each.held_after, strict=True):
                    note("uses", (item, None), (item, max(0, amount - less) or None))
                    if amount:
                        note("requires", (item, None), (item, 1), (item, amount))
    return {name: [*parts] for name, parts in found.items()}


def _told(name: Field, values: Sequence[Any]) -> Any:
    """One value or alternatives; a number is unknown if nothing bounds it above."""
    if len(values) == 1:
        return values[0]
    unbounded = name[1] in _NUMBERS and _NUMBERS[name[1]][-1] in values
    return UNKNOWN if unbounded else Alternatives.of((value, 1.0) for value in values)
