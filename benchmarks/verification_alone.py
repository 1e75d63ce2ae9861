"""Single claims, with all other fields open, against the truth and against consequences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mars_logic.theory import Consequences, Evidence, consequences
from mars_logic.theory.claims import Field
from mars_logic.theory.joint import JointModel
from mars_logic.world.theory import Theory, World


@dataclass
class Alone:
    """Verdicts on claims that state one field.

    Attributes:
        true: How many true claims got which verdict.
        false: How many false claims, which can be told from true ones somewhere, got which.
        disagree: Claims that are contradicted but not excluded, or the other way round.
        false_supported: False claims that are told supported.
    """

    true: dict[str, int] = field(default_factory=dict)
    false: dict[str, int] = field(default_factory=dict)
    disagree: list[str] = field(default_factory=list)
    false_supported: list[str] = field(default_factory=list)


def judged_alone(world: World, evidence: Evidence) -> Alone:
    """Judge every value that consequences consider, of every field that the evidence bears on."""
    found = consequences(Theory.unknown(world.dynamics), evidence)
    result, verdicts = Alone(), (Counter[str](), Counter[str]())
    for name, remaining in found.fields.items():
        truth = getattr(world[name[0]], name[1])
        claims = [{name: (value,)} for value in dict.fromkeys((truth, *remaining.candidates))]
        model = JointModel(evidence, claims)
        for claim in claims:
            (value,) = claim[name]
            judged, is_true = model.judge(claim), value == truth
            if not is_true and _alike(world, name, value):
                continue
            verdicts[is_true][judged.verdict] += 1
            told = f"{'.'.join(name)}: {value}"
            if _excluded(found, name, value) not in (None, judged.excluded):
                result.disagree.append(told)
            if judged.certain and not is_true:
                result.false_supported.append(told)
    result.false, result.true = map(dict, verdicts)
    return result


def _excluded(found: Consequences, name: Field, value: Any) -> bool | None:
    """Whether consequences exclude a value; None if they did not consider it."""
    remaining = found.fields[name]
    return value not in remaining.possible if value in remaining.candidates else None


def _alike(world: World, name: Field, value: Any) -> bool:
    """Whether the world with another value of a field is the same game."""
    rule = world[name[0]]
    changed = type(rule).model_validate(rule.model_dump() | {name[1]: value})
    return world.with_rules(changed).digest == world.digest
