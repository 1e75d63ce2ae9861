"""Experiment design: expected information gain and cost of interactions in a setting.

The information that a deed is expected to give is the mutual information of its outcome with the
fields that decide it, under the factorised posterior.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from mars_logic.plan.routes import STEP, worth
from mars_logic.theory.claims import Field
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signature_claims import holds_all
from mars_logic.theory.signatures import Held
from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary

from .posterior import Posterior
from .weights import binary, entropy, normal

_PER_ITEM = 8.0
"""Steps that an item used up is worth."""

_MIDDLE, _FULL = 5, 9
Vitals = tuple[int, int, int]
"""Health, food and drink."""


@dataclass(frozen=True)
class ExperimentSetting:
    """An interaction, with the conditions of its outcome.

    Attributes:
        rule: The rule that it is about.
        material: The material that the player faces; "" for making and eating.
        held: What is held.
        stations: What stands nearby; only for making.
        vitals: Health, food and drink before, which have a most and a least; where they matter.
    """

    rule: str
    material: str
    held: Held
    stations: tuple[str, ...] = ()
    vitals: Vitals = (_MIDDLE, _MIDDLE, _MIDDLE)


@dataclass(frozen=True)
class InformationGain:
    """Expected value of an experiment.

    Attributes:
        setting: The deed.
        bits: Expected information gain of its outcome, in bits.
        works: Probability of an effect.
        deadly: Probability of death.
        cost: Expected cost in steps, without the way.
        unlocks: By achievement, the probability that the deed unlocks it if it is locked.
    """

    setting: ExperimentSetting
    bits: float
    works: float
    deadly: float = 0.0
    cost: float = 1.0
    unlocks: Mapping[str, float] = field(default_factory=dict)


def promising(
    posterior: Posterior, settings: Iterable[ExperimentSetting], held: Held
) -> Iterator[ExperimentSetting]:
    """The available interactions with the inventory, for rules with uncertain fields."""
    beyond = {rule for rule in posterior.recipes if not posterior.recipe(rule).affords(held)}
    for setting in settings:
        if setting.rule in beyond:
            continue
        liquid = setting.rule.startswith("collect.") and setting.material in names.LIQUIDS
        if posterior.open(setting.rule) or (liquid and posterior.open(f"drink.{setting.material}")):
            yield setting


@lru_cache(maxsize=64)
def candidate_settings(
    held: Held, vitals: Vitals, words: Vocabulary
) -> tuple[ExperimentSetting, ...]:
    """All interactions that the inventory allows, but making."""
    return tuple(_settings(held, vitals, words))


def _settings(held: Held, vitals: Vitals, words: Vocabulary) -> Iterator[ExperimentSetting]:
    subjects = words.subjects
    for material in subjects["collect"]:
        matter = vitals if material in names.LIQUIDS else (_MIDDLE,) * 3
        yield ExperimentSetting(f"collect.{material}", material, held, (), matter)
    for material in subjects["walk"]:
        yield ExperimentSetting(f"walk.{material}", material, Held(), (), vitals)
    for item in subjects.get("eat", ()):
        if held.amount(item):
            yield ExperimentSetting(f"eat.{item}", "", held, (), vitals)
    if any(held):
        for thing in subjects["place"]:
            for material in words.left:
                yield ExperimentSetting(f"place.{thing}", material, held)


def information_gain(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    """The expected value of an experiment under a posterior."""
    family = setting.rule.partition(".")[0]
    return _BY_FAMILY[family](posterior, setting)


def _share(weights: Mapping[Any, float], passes: Any) -> float:
    return math.fsum(weight for value, weight in weights.items() if passes(value))


def _harm(posterior: Posterior, rule: str, health: int) -> tuple[float, float]:
    """What a rule may do to health: the probability of death, and the expected cost in steps."""
    weights = posterior.weights((rule, "health"))
    deadly = _share(weights, lambda points: points <= -health)
    lost = math.fsum(w * -points for points, w in weights.items() if -health < points < 0)
    return deadly, lost * worth(health) / STEP


def achievement(rule: str) -> str:
    """What applying a rule of placing, making or eating unlocks."""
    return rule.replace(".", "_", 1)


def _collecting(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    rule, drink = setting.rule, f"drink.{setting.material}"
    is_liquid = setting.material in names.LIQUIDS
    deadly, hurts = _harm(posterior, drink, setting.vitals[0]) if is_liquid else (0.0, 0.0)
    if (vain := posterior.vain(rule)) is not None:
        works, told = vain.visible(setting.held), vain.told()
    else:
        works = _share(posterior.weights((rule, "collectable")), bool) * _share(
            posterior.weights((rule, "requires")), lambda needed: holds_all(setting.held, needed)
        )
        told = posterior.entropy((rule, "leaves")) + _of_chances(posterior, rule)
        for vital, level in zip(("health", "food", "drink"), setting.vitals, strict=True):
            told += of_change(posterior.weights((drink, vital)), level) if is_liquid else 0.0
    bits, cost = binary(works) + works * told, 1 + works * hurts
    unlocks = {f"collect_{item}": works * chance for item, chance in _gains(posterior, rule)}
    for each, chance in _opened(posterior, rule).items():
        unlocks[each] = unlocks.get(each, 0.0) + works * chance
    return InformationGain(setting, bits, works, works * deadly, cost, unlocks)


def _opened(posterior: Posterior, rule: str) -> Mapping[str, float]:
    """By achievement of an open recipe, the probability that it takes an item not had so far.

    Args:
        posterior: The probabilities.
        rule: The collect rule that may give such items.
    """
    found: defaultdict[str, float] = defaultdict(float)
    if posterior.words.wide:
        for item, chance in _gains(posterior, rule):
            for recipe in posterior.recipes if chance and item not in posterior.had else ():
                if posterior.untold(recipe):
                    found[achievement(recipe)] += chance * posterior.takes(recipe, item)
    return found


def _gains(posterior: Posterior, rule: str) -> Iterator[tuple[str, float]]:
    """Each item that collecting may give, with the probability that it does if it works."""
    weights = posterior.weights((rule, "yields"))
    for item in posterior.words.gains:
        yield (
            item,
            math.fsum(
                weight * outcome.probability
                for value, weight in weights.items()
                if item in value
                for outcome in outcomes(value, posterior.dynamics)
                if outcome.gains.get(item)
            ),
        )


def of_change(weights: Mapping[Any, float], level: int) -> float:
    """The information that a vital gives about what changes it, within its bounds."""
    seen: defaultdict[int, float] = defaultdict(float)
    for points, weight in weights.items():
        seen[max(0, min(_FULL, level + points))] += weight
    return entropy(seen.values())


def _of_chances(posterior: Posterior, rule: str) -> float:
    """The information that what comes gives about what may come."""
    told = 0.0
    for name in ("yields", "spawns"):
        weights = posterior.weights((rule, name))
        if len(weights) > 1:
            mixed: defaultdict[frozenset[Any], float] = defaultdict(float)
            within = 0.0
            for value, weight in weights.items():
                possible = _outcomes(name, value, posterior.dynamics)
                within += weight * entropy(possible.values())
                for outcome, probability in possible.items():
                    mixed[outcome] += weight * probability
            told += entropy(mixed.values()) - within
    return told


@lru_cache(maxsize=1 << 12)
def _outcomes(name: str, value: Mapping[str, Any], dynamics: str) -> dict[frozenset[Any], float]:
    if name == "yields":
        found = outcomes(value, dynamics)
        return {frozenset(outcome.gains.items()): outcome.probability for outcome in found}
    came: dict[frozenset[Any], float] = {frozenset((who,)): p for who, p in value.items()}
    return came | {frozenset(): 1 - sum(came.values())}


def _walking(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    rule, health = setting.rule, setting.vitals[0]
    works = _share(posterior.weights((rule, "walkable")), bool)
    killing = _share(posterior.weights((rule, "deadly")), bool)
    told = posterior.entropy((rule, "deadly"))  # and who survives sees what else it does
    told += (1 - killing) * of_change(posterior.weights((rule, "health")), health)
    drained, hurts = _harm(posterior, rule, health)
    deadly = killing + (1 - killing) * drained
    bits, cost = binary(works) + works * told, 1 + works * hurts
    return InformationGain(setting, bits, works, works * deadly, cost)


def _placing(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    found = posterior.recipe(setting.rule).works(setting.held, setting.material)
    return _applied(setting, found, 0.0, spent=True)


def _making(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    rule = setting.rule
    found = posterior.recipe(rule).works(setting.held, frozenset(setting.stations))
    made = setting.held.amount(rule.partition(".")[2])
    return _applied(setting, found, posterior.entropy((rule, "gives")), spent=made > 0)


def _applied(
    setting: ExperimentSetting, found: Mapping[Any, float], more: float, *, spent: bool
) -> InformationGain:
    """The expected value of placing or making.

    Args:
        setting: The deed.
        found: For each value of ``uses``, how probable it is that it is so and the deed works.
        more: What is told besides what is used up, if it works, in bits.
        spent: Whether what is used up is lost.
    """
    works = min(1.0, math.fsum(found.values()))
    told = more + (entropy(normal(found).values()) if works else 0.0)
    cost = 1.0
    if spent:
        cost += _PER_ITEM * math.fsum(w * sum(uses.values()) for uses, w in found.items())
    unlocks = {achievement(setting.rule): works}
    return InformationGain(setting, binary(works) + works * told, works, 0.0, cost, unlocks)


def _eating(posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
    rule = setting.rule
    deadly, hurts = _harm(posterior, rule, setting.vitals[0])
    told = posterior.entropy((rule, "leaves"))
    for vital, level in zip(("health", "food", "drink"), setting.vitals, strict=True):
        told += of_change(posterior.weights((rule, vital)), level)
    unlocks = {achievement(rule): 1.0}
    return InformationGain(setting, told, 1.0, deadly, 1 + hurts + _PER_ITEM, unlocks)


_BY_FAMILY: Final = {
    "eat": _eating,
    "collect": _collecting,
    "walk": _walking,
    "place": _placing,
    "make": _making,
}


def decisive(
    posterior: Posterior, found: InformationGain
) -> tuple[Field, Sequence[tuple[Any, float]]]:
    """The field on which most hangs, with its values, the most probable first.

    Where it may well be that a deed does not work, that is what its gates say; else what it does.
    """
    setting = found.setting
    gates, effects = _READ[setting.rule.partition(".")[0]]
    chosen = gates if found.works <= _WORKS else effects
    fields = [(setting.rule, name) for name in chosen]
    drinks = setting.rule.startswith("collect.") and setting.material in names.LIQUIDS
    if drinks and chosen is effects:
        fields += [(f"drink.{setting.material}", vital) for vital in ("drink", "food", "health")]
    ranked = {name: _ranked(posterior, name, setting.material) for name in fields}

    def unknown(name: Field) -> float:
        """Entropy of a field, in bits; for a recipe's gates, the probability of closed ones."""
        if chosen is effects or setting.rule not in posterior.recipes:
            return entropy(weight for _, weight in ranked[name])
        return sum(w for value, w in ranked[name] if not passes(setting, name[1], value))

    name = max(fields, key=unknown)
    return name, ranked[name]


def passes(setting: ExperimentSetting, name: str, value: Any) -> bool:
    """Whether a gate with a value lets a deed have an effect."""
    return GATES[name](setting, value)


def _ranked(posterior: Posterior, name: Field, material: str) -> Sequence[tuple[Any, float]]:
    """The values of a field, the most probable first; of grounds, with and without one of them."""
    weights = posterior.weights(name)
    if name[1] == "where":
        grounds = set(max(weights, key=lambda each: weights[each]))
        on, placed_on = posterior.recipe(name[0]).open(material), posterior.words.placed_on
        weights = {
            tuple(m for m in placed_on if m in grounds | {material}): on,
            tuple(m for m in placed_on if m in grounds - {material}): 1 - on,
        }
    return sorted(weights.items(), key=lambda pair: -pair[1])


_WORKS = 0.89
"""A deed that is more probable than this to work, has less than half a bit to tell of its gates."""
GATES: Final[Mapping[str, Callable[[ExperimentSetting, Any], bool]]] = {
    "collectable": lambda _, flag: bool(flag),
    "walkable": lambda _, flag: bool(flag),
    "requires": lambda setting, needed: holds_all(setting.held, needed),
    "uses": lambda setting, used: holds_all(setting.held, used),
    "where": lambda setting, where: setting.material in where,
    "nearby": lambda setting, nearby: set(nearby) <= set(setting.stations),
}
_READ: Final = {
    "eat": ((), ("food", "drink", "health", "leaves")),
    "collect": (("requires", "collectable"), ("leaves", "yields", "spawns")),
    "walk": (("walkable",), ("health", "deadly")),
    "place": (("where", "uses"), ("uses",)),
    "make": (("nearby", "uses"), ("uses", "gives")),
}
"""The fields of a rule that are gates, and those that are effects."""
