"""Turns a world file's statements into rules, or into one message for each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.cell_rules import CELL_RULES
from mars_logic.world.creature_rules import CREATURE_RULES, Behaviour, BehaviourCase
from mars_logic.world.families import families_of
from mars_logic.world.fields import nearest, shown, unknown
from mars_logic.world.maps import GENERATOR_FAMILIES
from mars_logic.world.mistakes import mistakes
from mars_logic.world.problems import Document, NotAWorldError, Path, Problem, WorldError
from mars_logic.world.projectile_rules import PROJECTILE_RULES
from mars_logic.world.rule_set import RuleSet
from mars_logic.world.rules import Collect, Drink, Rename, Rule, Yield
from mars_logic.world.trace_rules import OPTIONAL_FAMILIES
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
    dialects,
    vocabulary,
)

ABOUT = (
    "domain",
    "name",
    "title",
    "base",
    "dynamics",
    "length",
    "map",
    "adds",
    "goals",
    "constants",
)
"""The keys of a world file besides the rule families."""

READ_BEFORE = ("length", "map", "adds", "goals", "constants")
"""Those of them that are read, and checked, before the rules."""

DOMAIN = RuleSet.domain
"""The domain of all worlds, which a file need not state; files of games state others."""

SUBJECT_KINDS = {
    "neighbour": "feature",
    "creature": "creature",
    "drink": "liquid",
    "place": "placeable thing",
    "make": "tool",
    **dict.fromkeys(CREATURE_FAMILIES, "creature"),
    **dict.fromkeys(PROJECTILE_FAMILIES, "projectile"),
    "need": "need",
}
"""Names in messages for a family's subjects, where these are not materials."""

RELEASED_FIELDS = {
    "require": "requires",
    "receive": "yields",
    "object": "spawns",
    "defeatable": "eatable",
    "attackable": "attacks",
    "arrowable": "shoots",
    "closable": "approaches",
    "can_walk": "walks",
    "closable_health_damage_func": "attack_health_factor",
    "eat_health_damage_func": "eaten_health_factor",
    "arrow_damage_func": "arrow_health_factor",
    "inc_food_func": "eaten_food_factor",
    "inc_thirst_func": "eaten_drink_factor",
    "walk_health": "health",
    "dieable": "deadly",
}
"""Field names of the files released with Mars -> ours; used to hint at the right name."""

FIXED_IN_CRAFTER = vocabulary("crafter").fixed
"""Families that the crafter dialect fixes in code."""

OPTIONAL: tuple[type[Rule], ...] = (Rename, Drink, *OPTIONAL_FAMILIES)
"""Families whose rules are optional; by default, no renaming and no extra effect of drinking."""

_UNSTATED: Mapping[str, dict[str, Any]] = {
    "walk": {"walkable": False},
    "collect": {},
    "creature": {"eatable": False},
    "projectile": {},
}
"""Fields of rules about added materials and creatures, where the file does not state them."""
_UNSTATED_RULES: Mapping[str, dict[str, Any]] = {
    "walk": {},
    "collect": {"collectable": False},
    "creature": {},
    "projectile": {},
}
"""The same where it does not state the rule: it is not walkable, and nothing is collected."""
_NOTHING = object()
_TO_STATE = "to state it, or to name a base that has it"


def rules_of(
    document: Document,
    base: RuleSet | None,
    dynamics: str,
    crafter: RuleSet | None,
    adds: Adds = NOTHING,
    *,
    drawn: bool = False,
) -> list[Rule]:
    """All rules of a document: its own statements on top of its base.

    Args:
        document: Sections by family name, each a mapping from subject to stated fields.
        base: The world that supplies missing fields.
        dynamics: The dialect, some of whose rules may be fixed.
        crafter: Crafter's own world, whose fixed rules bind all worlds of that dialect (None
            while it is itself being loaded).
        adds: Names that are added to the dialect's.
        drawn: Whether maps are drawn, so that the generator's rules need not be stated: they are
            Crafter's then.

    Raises:
        WorldError: A statement is wrong, or a rule is neither stated nor inherited.
    """
    words = vocabulary_with(dynamics, adds)
    idle = GENERATOR_FAMILIES if drawn and crafter else ()
    problems = [*_misplaced(document, words)]
    problems = problems or [*_missing_sections(document, base, words, idle)]
    if problems:
        raise WorldError(*problems)
    made = [
        crafter[f"{kind.family}.{subject}"]
        if crafter and kind.family in idle
        else _rule(document, base, kind, subject, words)
        for kind in families_of(words)
        for subject in words.subjects[kind.family]
    ]
    problems = [problem for found in made if isinstance(found, list) for problem in found]
    rules = [found for found in made if isinstance(found, Rule)]
    if words.subjects.get(Behaviour.family) and not problems:
        rules, problems = _with_flags(document, rules, words)
    if words.fixed and not problems:
        problems = [*_against_crafter(document, rules, crafter, words)]
    if problems:
        raise WorldError(*problems)
    return rules


_FLAG_OF_DEED = {"wander": "walks", "approach": "approaches", "shoot": "shoots"}
"""Flags of a creature that say the same as cases of its behaviour."""


def _with_flags(
    document: Document, rules: list[Rule], words: Vocabulary
) -> tuple[list[Rule], list[Problem]]:
    """The rules, with the flags of creatures as their cases say; and problems of other flags."""
    cases = {rule.subject: rule for rule in rules if isinstance(rule, Behaviour)}
    stated = document.data.get("creature", {})
    made: list[Rule] = []
    problems = []
    for rule in rules:
        behaviour = cases.get(rule.subject) if rule.family == "creature" else None
        if behaviour is None or "cases" in behaviour.uncertain_fields:
            made.append(rule)
            continue
        flags = {flag: behaviour.does(act) for act, flag in _FLAG_OF_DEED.items()}
        own = stated.get(rule.subject, {})
        for act, flag in _FLAG_OF_DEED.items():
            if flag in own and own[flag] != flags[flag]:
                message = f"the cases of behaviour.{rule.subject} say otherwise of {act}"
                path = ("creature", rule.subject, flag)
                problems.append(document.problem(path, message, f"{flags[flag]}".lower()))
        made.append(rule.with_fields(flags, words))
    return made, problems


def _misplaced(document: Document, words: Vocabulary) -> Iterator[Problem]:
    """Problems of misplaced keys and sections."""
    keys = (*ABOUT, *words.subjects)
    own = () if words.traced else (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES)
    keys += tuple(name for name in own if name not in keys)
    for key, section in document.data.items():
        if key not in keys:
            yield _unknown_key(document, (key,), "key", keys)
        elif key in READ_BEFORE:
            continue
        elif key in ABOUT:
            if not isinstance(section, str):
                yield document.problem((key,), f"{shown(section)} is not text", "text")
            elif key == "name" and not (section.strip() and section.isprintable()):
                yield document.problem((key,), "this is no name", "a line of text")
            elif not section.isprintable():
                yield document.problem((key,), "this is more than a line", "a line of text")
        elif not isinstance(section, Mapping):
            example = f"a mapping such as {{{(*_subjects(key, words), 'name')[0]}: ...}}"
            yield document.problem((key,), f"{shown(section)} is not a mapping", example)
        else:
            kind = SUBJECT_KINDS.get(key, "material")
            for subject in section:
                if subject not in (known := _subjects(key, words)):
                    yield _unknown_key(document, (key, subject), kind, known)


def _subjects(family: str, words: Vocabulary) -> tuple[str, ...]:
    """The names about which rules of a family may be."""
    if family in CREATURE_FAMILIES:
        return words.creatures
    if family in PROJECTILE_FAMILIES:
        return words.projectiles
    return words.placed_on if family in CELL_FAMILIES else words.subjects[family]


def _unknown_key(document: Document, path: Path, kind: str, choices: tuple[str, ...]) -> Problem:
    word = str(path[-1])
    ours = RELEASED_FIELDS.get(word)
    hint = f", did you mean '{ours}'?" if ours in choices else nearest(word, choices)
    return document.problem(path, f"unknown {kind} '{word}'{hint}", ", ".join(choices))


def _missing_sections(
    document: Document, base: RuleSet | None, words: Vocabulary, idle: tuple[str, ...]
) -> Iterator[Problem]:
    if base is None:
        for kind in families_of(words):
            own = (*CELL_RULES, *CREATURE_RULES, *PROJECTILE_RULES)
            needed = kind not in (*OPTIONAL, *own) and kind.family not in idle
            if needed and kind.family not in document.data:
                yield document.problem((kind.family,), "this section is missing", _TO_STATE)


def _rule(
    document: Document, base: RuleSet | None, kind: type[Rule], subject: str, words: Vocabulary
) -> Rule | list[Problem]:
    """One rule: its base's fields with the stated ones in their place; or its problems."""
    path = (kind.family, subject)
    stated = document.data.get(kind.family, {}).get(subject, _NOTHING)
    inherited = base.rule(f"{kind.family}.{subject}") if base else None
    if stated is _NOTHING:
        if inherited:
            return inherited
        if kind not in OPTIONAL and not _is_added(words, kind, subject):
            return [document.problem(path, "this rule is missing", _TO_STATE)]
        stated = _unstated(kind, subject)
    if kind.shorthand and not (isinstance(stated, Mapping) and kind.shorthand in stated):
        stated = {kind.shorthand: stated}
    if stated == UNKNOWN.value:
        stated = dict.fromkeys(kind.field_names(), UNKNOWN)
    if not isinstance(stated, Mapping):
        message = f"{shown(stated)} is not a mapping of fields"
        return [document.problem(path, message, ", ".join(kind.field_names()))]
    if "subject" in stated:
        return [_unknown_key(document, (*path, "subject"), "field", kind.field_names())]
    given = _unstated_fields(words, kind, subject) if inherited is None else inherited.model_dump()
    try:
        return kind.model_validate(given | dict(stated), context=words)
    except ValidationError as error:
        return list(_problems(document, path, kind, error))


def _is_added(words: Vocabulary, kind: type[Rule], subject: str) -> bool:
    """Whether a rule is about an added material or creature that need not be stated."""
    added = tuple(each.name for each in words.added)
    added = words.moving if kind.family in ("creature", "projectile") else added
    return kind.family in _UNSTATED and subject in added


def _unstated_fields(words: Vocabulary, kind: type[Rule], subject: str) -> dict[str, Any]:
    """The fields of a rule that neither a base nor, as yet, the file states."""
    added = _UNSTATED[kind.family] if _is_added(words, kind, subject) else {}
    return {"subject": subject, **added}


def _unstated(kind: type[Rule], subject: str) -> Any:
    """What a rule that may be left out says then."""
    if kind.family in _UNSTATED:
        return _UNSTATED_RULES[kind.family]
    if issubclass(kind, Rename):
        return subject
    return kind.model_fields[kind.shorthand].default if kind.shorthand else {}


def _problems(
    document: Document, path: Path, kind: type[Rule], error: ValidationError
) -> Iterator[Problem]:
    """One problem for each mistake that pydantic found in a rule."""
    told: set[Path] = set()
    for found in mistakes(error):
        place = place_of(kind, path + tuple(part for part in found.place if part != "[key]"))
        if place in told:  # a wrong key; its value is then wrong too
            continue
        told.add(place)
        if found.kind == "extra_forbidden":
            inner: dict[str, type[BaseModel]] = {"yields": Yield, "cases": BehaviourCase}
            model = next((inner[name] for name in inner if name in found.place), kind)
            within = tuple(name for name in model.model_fields if name != "subject")
            yield _unknown_key(document, place, "field", within)
        elif found.kind == "missing":
            allowed = ", ".join(kind.field_names())
            yield document.problem(place, found.message, f"the fields {allowed}")
        else:
            yield document.problem(place, found.message, found.allowed or "see docs/worlds.md")


def place_of(kind: type[Rule], path: Path) -> Path:
    """The place of a field in a file: in families written as bare values, at the rule itself."""
    return path[:2] if kind.shorthand in path[2:3] else path


def _against_crafter(
    document: Document, rules: list[Rule], crafter: RuleSet | None, words: Vocabulary
) -> Iterator[Problem]:
    """Problems of rules that the dialect fixes in code and Mars has as data."""
    for rule in rules:
        path = (rule.family, rule.subject)
        fixed = crafter[rule.id] if crafter and rule.family in words.fixed else rule
        if rule != fixed:
            stated = yaml.safe_dump(
                fixed.model_dump(mode="json", exclude={"subject"}),
                default_flow_style=True,
                sort_keys=False,
                width=float("inf"),
            )
            allowed = f"{stated.strip()}, or dynamics: mars"
            message = f"dynamics {words.name} fixes this rule"
            yield document.problem(path, message, allowed)
        if isinstance(rule, Collect) and not _together(rule):
            message = f"under dynamics {words.name} all yields come together or not at all"
            allowed = "one probability for all, or dynamics: mars"
            yield document.problem((*path, "yields"), message, allowed)


def _together(rule: Collect) -> bool:
    """Whether all yields have the same probability (as far as they are known)."""
    if "yields" in rule.uncertain_fields:
        return True
    return len({given.probability for given in rule.yields.values()}) <= 1


def require_domain(document: Document) -> None:
    """Refuse a file of another domain.

    Raises:
        WorldError: It states one.
    """
    stated = document.data.get("domain", DOMAIN)
    if stated != DOMAIN:
        message = f"{shown(stated)} is not the domain of a world"
        raise NotAWorldError(document.problem(("domain",), message, DOMAIN), str(stated))


def dynamics_of(document: Document, base: RuleSet | None) -> names.Dynamics:
    """The dialect that a document states or inherits.

    Raises:
        WorldError: It states an unknown one, or none and has no base.
    """
    stated = document.data.get("dynamics", base.dynamics if base else None)
    if isinstance(stated, str) and stated in dialects():
        return stated
    allowed = ", ".join(dialects())
    if stated is None and "dynamics" not in document.data:
        raise WorldError(document.problem(("dynamics",), "this key is missing", allowed))
    message = unknown("dialect", stated, dialects()).message()
    raise WorldError(document.problem(("dynamics",), message, allowed))
