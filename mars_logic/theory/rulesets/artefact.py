"""Files of rules with what is known of them: the document of all commands that have rules.

A command that takes rules takes such a file in place of the files that the rules were stated in;
who said a rule, when, and how it came about are kept when it is tested again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from pydantic import ValidationError

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.system.json_files import value_of
from mars_logic.theory.rulesets.constraints import RuleProgram, read_program
from mars_logic.theory.rulesets.rule_data import facts_of_states, states_of, told, whole_facts
from mars_logic.theory.rulesets.rule_report import RULES_SCHEMA, RuleFinding, Rules, Unreadable
from mars_logic.theory.rulesets.stated import Stated, Statement
from mars_logic.world import source
from mars_logic.world.adds import NOTHING, Adds
from mars_logic.world.adds_section import adds_of
from mars_logic.world.mistakes import refusal
from mars_logic.world.problems import Document
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    dialects,
)

ENDINGS: Final = (".json", ".yaml", ".yml")
MAX_BYTES: Final = 30_000_000
_MOST_VALUES: Final = 1_000_000
_WHAT: Final = f"a document of schema '{RULES_SCHEMA}', in JSON or YAML"
_DECLARED: Final = re.compile(
    rf"""(?:^|[{{,])\s*["']?schema["']?\s*:\s*["']?{RULES_SCHEMA}["']?\s*(?:$|[,}}])""",
    re.MULTILINE,
)
_HEAD: Final = 2_000
"""Characters at the beginning of a file in which its schema stands."""


def is_rules(path: str | Path) -> bool:
    """Whether a file says of itself that it is such a document."""
    file = Path(path)
    if file.suffix not in ENDINGS or not file.is_file():
        return False
    try:
        return declares_rules(read_text(file, _WHAT, MAX_BYTES), file)
    except InputError:
        return False


def declares_rules(text: str, path: str | Path) -> bool:
    """Whether the text of a file says of itself that it is such a document."""
    return Path(path).suffix in ENDINGS and _DECLARED.search(text[:_HEAD]) is not None


def load_rules(path: str | Path) -> Rules:
    """Read such a document.

    Raises:
        InputError: The file is missing, unreadable, or no such document.
    """
    return rules_in(read_text(Path(path), _WHAT, MAX_BYTES), path)


def rules_in(text: str, path: str | Path) -> Rules:
    """As :func:`load_rules`, with the text of a file at hand."""
    file = Path(path)
    if file.suffix == ".json":
        data = value_of(text, f"{file}:1", _WHAT)
    else:
        data = source.parse(text, str(file), _WHAT, _MOST_VALUES).data
    try:
        return Rules.model_validate_json(json.dumps(_without_derived(data), default=str))
    except ValidationError as error:
        raise refusal(file, error, _WHAT) from None


def _without_derived(data: Any) -> Any:
    """A document without what follows from the rest."""
    if not isinstance(data, dict):
        return data
    kept = {key: value for key, value in data.items() if key != "contradicted"}
    if isinstance(kept.get("rules"), list):
        kept["rules"] = [
            {key: value for key, value in each.items() if key != "guessed"}
            if isinstance(each, dict)
            else each
            for each in kept["rules"]
        ]
    return kept


def rules_text(rules: Rules, path: Path) -> str:
    """The document as the text of a file, in JSON or in YAML by the file's name."""
    data = rules.to_json()
    if path.suffix == ".json":
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)


def adds_data(adds: Adds) -> dict[str, Any]:
    """Added names as data, with what can be done with them."""
    verbs = {
        "place": adds.placed,
        "make": adds.made,
        "eat": adds.eaten,
        **adds.changing,
        **adds.living,
        **adds.launched,
    }
    return adds.as_data() | {verb: list(names) for verb, names in verbs.items() if names}


def sources_of(
    rules: Rules, path: str | Path
) -> Iterator[Stated | RuleProgram | tuple[Statement, ...] | Unreadable]:
    """The rules of a document, ready to be tested.

    Rules that were stated as a theory stand together, as do the sentences of a file.

    Args:
        rules: The document.
        path: Its file, for messages, and as the place of what has none.

    Raises:
        InputError: It is about a puzzle, a rule is none, or its names are wrong.
    """
    if rules.puzzle is not None:
        found = "these are rules of a puzzle"
        raise InputError(f"{path}:1: rules: {found}; allowed: rules of a world")
    blank = blank_of(rules, path)
    theories: dict[str, list[Statement]] = {}
    sentences: dict[str, list[Statement]] = {}
    programs: dict[tuple[str, str], None] = {}
    for number, each in enumerate(rules.rules, 1):
        place = each.source or f"{path}:{number}"
        if each.program is not None:
            programs[each.program, place.rpartition(":")[0] or place] = None
            continue
        statement = _statement(each, place, blank, f"{path}:1: rules.{number - 1}")
        if each.form == "theory":
            theories.setdefault(place, []).append(statement)
        else:
            sentences.setdefault(place.rpartition(":")[0], []).append(statement)
    for place, some in theories.items():
        name = f"rules of {place}"
        yield Stated(blank.with_rules(*(each.rule for each in some), name=name), place)
    yield from map(tuple, sentences.values())
    for text, name in programs:
        yield read_program(text, name, blank.vocabulary)
    yield from rules.unreadable


def _statement(each: RuleFinding, place: str, blank: Theory, where: str) -> Statement:
    if each.states is None:
        found = f"states: {each.id} has neither states nor a program"
        raise InputError(f"{where}.{found}; allowed: one of them")
    try:
        rule, facts = facts_of_states(each.id, each.states, blank)
    except ValidationError as error:
        file, _, entry = where.partition(":1: ")
        message = str(refusal(Path(file), error, _WHAT))
        raise InputError(message.replace(":1: ", f":1: {entry}.states.", 1)) from None
    except InputError as error:
        raise InputError(f"{where}.{error}") from None
    return Statement(each.text, place, rule, facts)


def blank_of(rules: Rules, path: str | Path) -> Theory:
    """The theory of the document's names, in which nothing is known."""
    dynamics = rules.dynamics
    if dynamics not in dialects():
        found = f"dynamics: {dynamics or 'none'} is no dialect"
        raise InputError(f"{path}:1: {found}; allowed: {', '.join(dialects())}")
    if not rules.adds:
        return Theory.unknown(dynamics)
    data: dict[str, Any] = dict(rules.adds)
    families = (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES)
    verbs: dict[str, Any] = {
        verb: {name: {} for name in data.pop(verb, ())}
        for verb in ("place", "make", "eat", *families)
    }
    document = Document(str(path), {"adds": data, **verbs}, {(): 1})
    return Theory.unknown(dynamics, adds_of(document, dynamics, NOTHING))


def with_history(found: Rules, earlier: Iterable[RuleFinding]) -> Rules:
    """Rules that were tested again, with who said them, when, and how they came about."""
    known = {(each.source, each.id, each.text): each for each in earlier}

    def kept(rule: RuleFinding) -> RuleFinding:
        before = known.get((rule.source, rule.id, rule.text))
        if before is None:
            return rule
        names = ("by", "when", "right", "confidence", "revisions")
        return rule.model_copy(update={name: getattr(before, name) for name in names})

    return found.model_copy(update={"rules": tuple(map(kept, found.rules))})


def theory_of_rules(rules: Rules, path: str | Path) -> Theory:
    """What the rules say that nothing contradicts; where two disagree, the better supported one.

    Raises:
        InputError: As for :func:`sources_of`, or none of them is a theory's or a sentence.
    """
    blank = blank_of(rules, path)
    stated = [
        (each.support or 0, _statement(each, each.source, blank, f"{path}:1: rules.{number}"))
        for number, each in enumerate(rules.rules)
        if each.states is not None and each.verdict != "contradicted"
    ]
    if not stated:
        found = "none of the rules says what a world's rule is and is not contradicted"
        raise InputError(f"{path}:1: rules: {found}; allowed: at least one such rule")
    stated.sort(key=lambda pair: -pair[0])
    best: dict[str, dict[str, Any]] = {}
    for _, statement in stated:
        fields = best.setdefault(statement.rule.id, {})
        for fact in statement.facts:
            fields.setdefault(fact.field, getattr(statement.rule, fact.field))
    changed = [
        blank[rule_id].with_fields(fields, blank.vocabulary) for rule_id, fields in best.items()
    ]
    return blank.with_rules(*changed, name=Path(path).stem)


def untested(
    sources: Iterable[Stated | RuleProgram | tuple[Statement, ...] | Unreadable], world: Theory
) -> Rules:
    """Rules that were read, as a document in which none is tested.

    Args:
        sources: Theories, sentences and what could not be read; programs are left out.
        world: The world that they are about.
    """
    found: list[RuleFinding] = []
    unreadable: list[Unreadable] = []
    for each in sources:
        if isinstance(each, Unreadable):
            unreadable.append(each)
        elif isinstance(each, Stated):
            found += _rules_of_theory(each)
        elif isinstance(each, tuple):
            found += map(_rule_of_sentence, each)
    return Rules(
        dynamics=world.dynamics,
        adds=adds_data(world.adds),
        rules=tuple(found),
        unreadable=tuple(unreadable),
    )


def _rules_of_theory(stated: Stated) -> Iterator[RuleFinding]:
    for rule in stated.theory.rules():
        if facts := whole_facts(rule):
            text = told(rule, stated.theory.vocabulary)
            states = states_of(rule, facts)
            yield RuleFinding(
                id=rule.id, text=text, form="theory", source=stated.source, states=states
            )


def _rule_of_sentence(each: Statement) -> RuleFinding:
    states = states_of(each.rule, {fact.field: fact for fact in each.facts})
    return RuleFinding(id=each.rule.id, text=each.text, source=each.source, states=states)


def with_truth(rules: Rules, truth: Theory, path: str | Path) -> Rules:
    """The rules, each with whether all that it says is true in a world.

    Args:
        rules: The rules; what a program says is compared with no world.
        truth: The world that is true.
        path: Where they are from, for messages.
    """
    blank = blank_of(rules, path)

    def judged(each: RuleFinding) -> RuleFinding:
        if each.states is None:
            return each
        _, facts = facts_of_states(each.id, each.states, blank)
        right = all(fact.holds_in(truth) for fact in facts)
        return each.model_copy(update={"right": right})

    return rules.model_copy(update={"rules": tuple(map(judged, rules.rules))})


class RuleDifference(NamedTuple):
    """A rule that two documents tell otherwise: words, verdict and counts; None if not stated."""

    id: str
    before: str | None
    after: str | None


def differences(before: Rules, after: Rules) -> list[RuleDifference]:
    """The rules in which two documents differ, in their order.

    A rule of a theory is compared with the rule of the same id, any other with one of the same
    text.
    """
    one, other = ({identity(each): _line(each) for each in some.rules} for some in (before, after))
    return [
        RuleDifference(key[0], one.get(key), other.get(key))
        for key in dict.fromkeys((*one, *other))
        if one.get(key) != other.get(key)
    ]


def identity(each: RuleFinding) -> tuple[str, str]:
    """What tells a rule from others: its id, and its text if it is not of a theory."""
    return (each.id, "") if each.form == "theory" else (each.id, each.text)


def _line(each: RuleFinding) -> str:
    counts = [f"support {each.support}"] if each.support else []
    counts += [f"{each.contradicted} against"] if each.contradicted else []
    return f"{each.text} ({', '.join([each.verdict, *counts])})"
