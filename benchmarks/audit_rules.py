"""Audit of the rules that GPT-4 reflected in Mars, and of GPT-4's judgement of them.

The Mars repository (github.com/XiaojuanTang/Mars) publishes 259 rules of its agent "induction from
reflection" with a score from 0 to 1 that GPT-4 gave to each, in
``baselines/induction_from_reflexion_CC/answer_predicted_rules.json``. The world is
``world_terr_ach`` there, ``terr_task`` here. The file is read from a path that the user gives:

    python -m mars_logic.benchmarks.audit_rules answer_predicted_rules.json

Each rule is read as free text and compared with the true rules. Rules that cannot be read are
counted and say nothing about precision: the numbers hold for the rules that were read.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.files import read_text
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.load import load_world
from mars_logic.world.theory import World
from mars_logic.world.words import Fact, ParseError, parse_facts
from mars_logic.world.words.facts import Including

WORLD: Final = "terr_task"
RIGHT: Final = 0.5
"""Scores above it count as the judgement that a rule is right."""
_MAX_BYTES: Final = 10_000_000
_ALLOWED: Final = "a JSON object of rules, each with a score from 0 to 1"
_NUMBER: Final = re.compile(r"^\s*[0-9]+:\s*")
_HEDGE: Final = re.compile(r"\b(may|might|can|could|possibly|potentially|likely|certain|some)\b")


@dataclass(frozen=True)
class AuditedRule:
    """A published rule.

    Attributes:
        text: The rule.
        score: The judge's score.
        facts: What it states; None if it cannot be read.
        right: Whether all of that is true.
        right_but_for_chance: Whether it is, if a yield without a probability leaves that open.
    """

    text: str
    score: float
    facts: tuple[Fact, ...] | None
    right: bool
    right_but_for_chance: bool

    @property
    def hedged(self) -> bool:
        """Whether it has a hedge or an indefinite quantifier."""
        return bool(_HEDGE.search(self.text.lower()))


def audit(scores: Mapping[str, float], world: World) -> list[AuditedRule]:
    """Read published rules and compare them with a world.

    Args:
        scores: The judge's score of each rule, which may begin with a number and a colon.
        world: The true world.
    """
    return [_audited(_NUMBER.sub("", text), score, world) for text, score in scores.items()]


def _audited(text: str, score: float, world: World) -> AuditedRule:
    try:
        facts = parse_facts(text)
    except ParseError:
        return AuditedRule(text, score, None, right=False, right_but_for_chance=False)
    right = all(fact.holds_in(world) for fact in facts)
    lenient = all(_but_for_chance(fact, world).holds_in(world) for fact in facts)
    return AuditedRule(text, score, facts, right, lenient)


def _but_for_chance(fact: Fact, world: World) -> Fact:
    """The fact with the true probability of each yield that it states as certain."""
    if fact.field != "yields" or not isinstance(fact.said, Including):
        return fact
    true = world[fact.rule].yields  # type: ignore[attr-defined]
    parts = {
        name: replace(part, probability=part.probability or true[name].probability)
        if name in true
        else part
        for name, part in fact.said.parts.items()
    }
    return replace(fact, said=Including(FrozenMap(parts)))


def summary(rules: Sequence[AuditedRule]) -> dict[str, Any]:
    """The numbers of an audit, without any of the sentences."""
    read = [rule for rule in rules if rule.facts is not None]
    judged = [(rule.score > RIGHT, rule.right_but_for_chance) for rule in read]
    return {
        "rules": len(rules),
        "hedged": sum(rule.hedged for rule in rules),
        "read": len(read),
        "right": sum(rule.right for rule in read),
        "right_but_for_chance": sum(rule.right_but_for_chance for rule in read),
        "judge_mean_of_all": _mean(rule.score for rule in rules),
        "judge_mean_of_unread": _mean(rule.score for rule in rules if rule.facts is None),
        "judge_mean_of_read": _mean(rule.score for rule in read),
        "judge_mean_of_right": _mean(rule.score for rule in read if rule.right_but_for_chance),
        "judge_mean_of_wrong": _mean(rule.score for rule in read if not rule.right_but_for_chance),
        "judge_accepts_wrong": sum(accepted and not true for accepted, true in judged),
        "judge_rejects_right": sum(true and not accepted for accepted, true in judged),
        "judge_mean_absolute_error": _mean(
            abs(rule.score - rule.right_but_for_chance) for rule in read
        ),
    }


def _mean(values: Iterable[float]) -> float | None:
    some = list(values)
    return sum(some) / len(some) if some else None


def read_scores(path: Path) -> dict[str, float]:
    """The judge's scores in a file.

    Raises:
        InputError: It is no JSON object of numbers.
    """
    try:
        found = json.loads(read_text(path, _ALLOWED, _MAX_BYTES))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: file: {error.msg}; allowed: {_ALLOWED}") from None
    numbers = isinstance(found, dict) and all(isinstance(v, int | float) for v in found.values())
    if not numbers:
        raise InputError(f"{path}:1: file: this holds no scores; allowed: {_ALLOWED}")
    return {text: float(score) for text, score in found.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the numbers of an audit; the exit status is 2 for a wrong file."""
    parser = argparse.ArgumentParser(prog="audit_rules", description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="answer_predicted_rules.json")
    parser.add_argument("--world", default=WORLD, help=f"the true world (default: {WORLD})")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--show", action="store_true", help="print each rule that was read")
    given = parser.parse_args(arguments)
    try:
        rules = audit(read_scores(given.file), load_world(given.world))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    numbers = summary(rules)
    if given.json:
        print(json.dumps(numbers, indent=2))
        return 0
    for name, value in numbers.items():
        shown = f"{value:.3f}" if isinstance(value, float) else value
        print(f"{name.replace('_', ' '):<28} {shown}")
    for rule in rules if given.show else ():
        if rule.facts is not None:
            verdict = "right" if rule.right else "wrong"
            stated = "; ".join(map(str, rule.facts))
            print(f"{verdict} {rule.score:g}: {rule.text!a}\n    {stated}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
