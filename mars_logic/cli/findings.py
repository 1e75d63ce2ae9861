"""Printing of tested rules, revisions and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mars_logic.cli.output import print_table, say, say_wrong
from mars_logic.system.display import percent

if TYPE_CHECKING:
    from mars_logic.theory import Change, Conflict, Consequences, Measure, Revision, Score
    from mars_logic.theory.rulesets import Counterexample, RuleFinding, Rules, Unreadable
    from mars_logic.world.vocabulary import Vocabulary

_SHOWN = 3
"""Reasons printed for each rule; --json has them all."""
_LINES = 10
"""Lines printed that cannot be read."""


def print_findings(found: Rules, everything: bool) -> None:
    """Counterexamples of rules; with ``everything``, all verdicts and discriminating tests."""
    several = len({rule.id for rule in found.rules}) < len(found.rules)
    stated = ("stated in",) if several else ()
    guesses = ("guessed",) if any(rule.guessed for rule in found.rules) and everything else ()
    rows: list[tuple[str, ...]] = []
    verdicts: dict[str, int] = {}
    for rule in found.rules:
        verdicts[rule.verdict] = verdicts.get(rule.verdict, 0) + 1
        if everything or rule.contradicted:
            support = "?" if rule.support is None else str(rule.support)
            against = str(rule.contradicted) if rule.contradicted else ""
            where = (rule.source,) if several else ()
            guessed = (", ".join(rule.guessed),) if guesses else ()
            verdict = f"{rule.verdict} ({rule.taken})" if rule.taken else rule.verdict
            rows.append((rule.id, verdict, support, against, *guessed, *where))
    if rows:
        print_table(("rule", "verdict", "support", "against", *guesses, *stated), rows)
    if any(rule.contradicted for rule in found.rules):
        print()
    for rule in found.rules:
        if rule.verdict == "contradicted":
            _print_contradicted(rule)
    _print_undecided(found)
    if everything:
        _print_open(found)
    print_unread(found.unreadable)
    _say_doubts(found)
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())) or "none"
    unread = "".join(_unread(found))
    say(f"{found.transitions} transitions, {found.signatures} distinct; rules: {counts}{unread}")


def _say_doubts(found: Rules) -> None:
    """What is taken for noise; without that, which rules one observation alone contradicts."""
    if found.noise is not None:
        ignored = sum(rule.as_noise for rule in found.rules)
        say(f"rate of wrong observations: {found.noise:.2g}; ignored as wrong: {ignored}")
        return
    alone = [each.id for each in found.rules if each.contradicted == 1 < (each.consistent or 0)]
    if alone:
        told = _listed(alone).replace(" | ", ", ")
        say(f"only one observation contradicts {told}; --noise allows for wrong observations")


def print_unread(lines: Sequence[Unreadable]) -> None:
    """The first lines that cannot be read, and how many more there are."""
    for line in lines[:_LINES]:
        say_wrong(str(line))
    if len(lines) > _LINES:
        say(f"and {len(lines) - _LINES} more that cannot be read; --json has them all")


def _unread(found: Rules) -> Iterator[str]:
    """How many lines could not be read, and how many theories and programs not be judged."""
    lines = sum(each.is_line for each in found.unreadable)
    if lines:
        yield f"; {lines} unreadable line{'s' * (lines > 1)}"
    wrong = len({(each.file, each.line) for each in found.unreadable if not each.is_line})
    if wrong:
        yield f"; {wrong} mistake{'s' * (wrong > 1)} in theories or programs"


def _print_contradicted(rule: RuleFinding) -> None:
    print(rule.text if rule.text == rule.id else f"{rule.id}: {rule.text}")
    told = [each for each in rule.counterexamples if _alone(each, rule)]
    for each in told[:_SHOWN]:
        _print_seen(each)
        if each.fields:
            print(f"    the rule says: {each.predicted}")
        if each.before:
            print(f"    before: {each.before}")
    if len(told) > _SHOWN:
        print(f"  and {len(told) - _SHOWN} more of another kind")


def _print_seen(example: Counterexample) -> None:
    """One observation, or several that are excluded only together."""
    if not example.together:
        print(f"  but {example.did}: {example.saw}{_location(example)}")
        return
    print("  but no values of its open fields explain all of this:")
    for each in (example, *example.together):
        print(f"    {each.did}: {each.saw}{_location(each)}")


def _alone(example: Counterexample, rule: RuleFinding) -> bool:
    """Whether an example refutes this rule, whatever the others are."""
    return all(field.rpartition(".")[0] == rule.id for field in example.fields)


def _print_undecided(found: Rules) -> None:
    """The observations that several rules exclude together, each once."""
    shared = {
        (each.fields, each.did, each.saw): each
        for rule in found.rules
        for each in rule.counterexamples
        if not _alone(each, rule)
    }
    if shared:
        print("at least one of several rules is wrong:")
    for each in list(shared.values())[:_SHOWN]:
        rules = dict.fromkeys(field.rpartition(".")[0] for field in each.fields)
        print(f"  {', '.join(rules)}")
        _print_seen(each)
    if len(shared) > _SHOWN:
        print(f"  and {len(shared) - _SHOWN} more of other rules; --json has them all")


def _print_open(found: Rules) -> None:
    """Discriminating tests for rules that are neither supported nor contradicted."""
    for rule in found.rules:
        if rule.decide:
            print(f"{rule.id} ({rule.verdict}): {rule.decide}")
        for name, values in rule.left.items():
            if values:
                print(f"  {name} can also be {_listed(values)}")


def _listed(values: Sequence[str]) -> str:
    """Some values; if there are many, how many more."""
    told = " | ".join(values[:_SHOWN])
    return told if len(values) <= _SHOWN else f"{told} | {len(values) - _SHOWN} more"


def _location(example: Counterexample) -> str:
    if example.trajectory is None:
        return ""
    more = f", and {example.count - 1} more" if example.count > 1 else ""
    return f" ({example.trajectory} step {example.step}{more})"


def _print_conflicts(conflicts: Iterable[Conflict], before: str = "  but ") -> None:
    lines = list(dict.fromkeys(f"{c.did}: {c.saw}{_place(c)}" for c in conflicts))
    for line in lines[:_SHOWN]:
        print(f"{before}{line}")
    if len(lines) > _SHOWN:
        print(f"  and {len(lines) - _SHOWN} more of other kinds")


def _place(conflict: Conflict) -> str:
    if conflict.where is None:
        return ""
    more = f", and {conflict.count - 1} more" if conflict.count > 1 else ""
    return f" ({conflict.where}{more})"


def _conflict_json(conflict: Conflict) -> dict[str, Any]:
    where = conflict.where
    return {
        "fields": [f"{rule}.{name}" for rule, name in conflict.fields],
        "trajectory": where.source if where else None,
        "step": where.step if where else None,
        "did": conflict.did,
        "saw": conflict.saw,
        "count": conflict.count,
    }


def print_revision(
    found: Revision, scores: dict[str, Score], entailed: Consequences | None
) -> None:
    """Changes with their evidence, certain fields, and accuracy."""
    from mars_logic.theory.value_phrasing import worded
    from mars_logic.world.words.kinds import spaced

    for change in found.changes:
        _print_change(change, found.belief.vocabulary)
        for name in change.fields:
            if others := found.alternatives.get((change.id, name)):
                print(f"    {spaced(name)} can also be {_listed([*map(worded, others)])}")
    for (rule, name), conflicts in found.inexpressible.items():
        print(f"{rule}\n  {name}: no value of this field explains")
        _print_conflicts(conflicts, "    ")
    if entailed:
        _print_consequences(entailed)
    if scores:
        print_scores(scores)
    say(
        f"{found.transitions} transitions, {found.signatures} distinct; "
        f"{len(found.changes)} of {len(found.belief.rules())} rules changed"
    )


def _print_consequences(found: Consequences) -> None:
    from mars_logic.theory.value_phrasing import tell_certain, tell_open

    certain, left = found.certain, found.open
    print(f"certain ({len(certain)} fields):")
    for line in tell_certain(certain):
        print(f"  {line}")
    narrowed = sum(bool(each.excluded) for each in left.values())
    print(f"still open ({narrowed} fields, and {len(left) - narrowed} with every value possible):")
    for line in tell_open(left):
        print(f"  {line}")


def _print_change(change: Change, words: Vocabulary) -> None:
    from mars_logic.world.words import tell

    print(f"{change.id}\n  - {tell(change.before, words)}\n  + {tell(change.after, words)}")
    _print_conflicts(change.because, "    ")


def print_scores(scores: dict[str, Score]) -> None:
    """Precision, recall and F1 of each theory, by kinds of rules."""
    cells: list[tuple[str, ...]] = []
    for name, found in scores.items():
        rows: dict[str, Measure | None] = {"all rules": found.overall}
        rows |= {str(kind): measure for kind, measure in found.by_kind.items()}
        rows["what differs"] = found.changes
        for what, measure in rows.items():
            if measure:
                numbers = (measure.precision, measure.recall, measure.f1)
                cells.append((f"{name}: {what}", *map(percent, numbers)))
    print()
    print_table(("score", "precision", "recall", "F1"), cells)


def revision_json(belief: str, found: Revision, scores: dict[str, Score]) -> dict[str, Any]:
    """A revision as plain data; ``belief`` is the name of what was revised."""
    from mars_logic.theory.value_phrasing import worded
    from mars_logic.world.words import tell

    words = found.belief.vocabulary
    return {
        "schema": "mars-logic revise 1",
        "belief": belief,
        "transitions": found.transitions,
        "signatures": found.signatures,
        "changes": [
            {
                "rule": change.id,
                "fields": list(change.fields),
                "words": [tell(change.before, words), tell(change.after, words)],
                "alternatives": {
                    name: [worded(value) for value in found.alternatives[change.id, name]]
                    for name in change.fields
                    if (change.id, name) in found.alternatives
                },
                "because": [_conflict_json(conflict) for conflict in change.because],
            }
            for change in found.changes
        ],
        "unexplained": [_conflict_json(conflict) for conflict in found.unexplained],
        "inexpressible": {
            ".".join(name): [_conflict_json(conflict) for conflict in conflicts]
            for name, conflicts in found.inexpressible.items()
        },
        "score": {name: each.to_json() for name, each in scores.items()} or None,
    }
