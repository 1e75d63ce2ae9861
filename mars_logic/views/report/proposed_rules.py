"""Rules that anyone proposed, as files of ``check`` have them, with the moments that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from mars_logic.data.store import SUFFIX
from mars_logic.errors import InputError
from mars_logic.experiments.runs import trajectory_of
from mars_logic.theory import Evidence
from mars_logic.theory.rulesets.artefact import adds_data, theory_of_rules
from mars_logic.theory.rulesets.rule_report import RuleFinding, Rules
from mars_logic.views.report.replays import Replay
from mars_logic.views.report.report_data import KeptEpisode
from mars_logic.views.report.rule_table import (
    RuleRow,
    RuleTable,
    TableMoment,
    examples_of,
)
from mars_logic.world.known_names import unusual_rule

EpisodeName = tuple[str, str]
"""The name of a file without its ending, and which of its episodes; empty for its only one."""


def proposed_table(name: str, rules: Rules, shown: Sequence[Replay]) -> RuleTable:
    """Rules that anyone proposed, with the moments that their file tells.

    Args:
        name: The name of their file.
        rules: The rules.
        shown: The page's episodes; an observation belongs to the one that its file is about.
    """
    numbers = _numbers(shown)
    examples = _examples(name, rules, shown)

    def moment(trajectory: str | None, step: int | None, told: str) -> Iterator[TableMoment]:
        if trajectory is not None:
            played = _played(trajectory)
            yield TableMoment("".join(played), step or 0, numbers.get(played), told)

    def row(each: RuleFinding) -> RuleRow:
        against = (
            moment(seen.trajectory, seen.step, f"{seen.did}: {seen.saw}")
            for seen in each.counterexamples
        )
        changes = (
            moment(
                (change.trajectory or f"episode {change.episode or '?'}"),
                change.step,
                f"Believed before: {change.before}",
            )
            for change in each.revisions
        )
        said = ", ".join(filter(None, (each.by, each.when)))
        return RuleRow(
            id=each.id,
            text=f"{each.text} ({said})" if said else each.text,
            verdict=each.verdict,
            applicable=each.applicable or 0,
            contradicted=each.contradicted,
            decide=each.decide,
            truth=None,
            example=examples.get(each.id) if each.verdict == "supported" else None,
            against=tuple(chain.from_iterable(against)),
            changes=tuple(chain.from_iterable(changes)),
        )

    rows = tuple(map(row, rules.rules))
    return RuleTable(f"Rules in {name}", False, rows, rules.transitions)


def named_episodes(every: Sequence[KeptEpisode], rules: Mapping[str, Rules]) -> set[int]:
    """The identities of the episodes that counterexamples of rules name."""
    every_rule = (rule for some in rules.values() for rule in some.rules)
    against = (each.trajectory for rule in every_rule for each in rule.counterexamples)
    named = {_played(trajectory) for trajectory in against if trajectory is not None}
    return {id(kept) for kept in every if named & {(kept.path.stem, ""), _name(kept)}}


def _numbers(shown: Sequence[Replay]) -> dict[EpisodeName, int]:
    """The page's number of each episode, by its names; a file with several has no name alone."""
    held = Counter(replay.kept.path.stem for replay in shown)
    found = {_name(replay.kept): replay.number for replay in shown}
    alone = {each.kept.path.stem: each.number for each in shown if held[each.kept.path.stem] == 1}
    return found | {(stem, ""): number for stem, number in alone.items()}


def _name(kept: KeptEpisode) -> EpisodeName:
    """An episode among several of a file, as trajectories are named (``data.description``)."""
    about = kept.certificate
    later = f" episode {about.episode}" if about.episode > 1 else ""
    return kept.path.stem, f" {about.world.name} {about.agent} seed {about.seed}{later}"


def _played(trajectory: str) -> EpisodeName:
    """The episode that the name of a trajectory means."""
    file, _, which = trajectory.partition(SUFFIX)
    return Path(file).name, which


def _examples(name: str, rules: Rules, shown: Sequence[Replay]) -> dict[str, TableMoment]:
    """For each rule that some shown transition speaks for, the first such moment."""
    fitting = [
        replay
        for replay in shown
        if replay.world.dynamics == rules.dynamics
        and adds_data(replay.world.adds) == dict(rules.adds)
        and not replay.world.constants
        and not unusual_rule(replay.world)
    ]
    if rules.puzzle is not None or not fitting:
        return {}
    try:
        theory = theory_of_rules(rules, name)
    except InputError:
        return {}  # none of its rules says what a rule of a world is
    numbers = {str(replay.number): replay for replay in fitting}
    played = [
        replace(trajectory_of(replay.kept.certificate, replay.world, public=True), source=number)
        for number, replay in numbers.items()
    ]
    return {
        rule: TableMoment(numbers[where.source].label, where.step, numbers[where.source].number)
        for rule, where in examples_of(theory, Evidence.of(played)).items()
    }
