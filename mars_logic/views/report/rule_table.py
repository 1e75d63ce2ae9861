"""Rules with their verdicts, and moments of play as evidence for and against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mars_logic.experiments.runs import trajectory_of
from mars_logic.theory import Evidence, score
from mars_logic.theory.claims import values_of
from mars_logic.theory.evidence import Occurrence
from mars_logic.theory.evidence.equivalence import condensed
from mars_logic.theory.rulesets.checking import check_rules
from mars_logic.theory.rulesets.rule_report import RuleFinding
from mars_logic.theory.rulesets.stated import Stated
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.verdict import Verdict
from mars_logic.views.report.replays import Replay
from mars_logic.views.report.report_data import KeptEpisode, LearnedUnit, RevisionEntry
from mars_logic.world.known_names import unusual_rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.words import tell


@dataclass(frozen=True)
class TableMoment:
    """A moment of an episode.

    Attributes:
        episode: What to call the episode.
        step: After how many steps of it.
        replay: Which of the page's episodes it is; None if it is not among them.
        told: What happened, in words.
    """

    episode: str
    step: int
    replay: int | None
    told: str = ""


@dataclass(frozen=True)
class RuleRow:
    """A rule as a report tells it.

    Attributes:
        id: The rule's id.
        text: The rule in words.
        verdict: What play says of it.
        applicable: How many transitions would have looked otherwise if it were otherwise.
        contradicted: How many contradict it.
        decide: Missing evidence of an undecided or untested rule.
        truth: The world's own rule in words, where that is another one; else None.
        example: A moment that speaks for it.
        against: Moments that it excludes.
        changes: When it came to be believed: each moment tells the words before, and what was seen.
    """

    id: str
    text: str
    verdict: Verdict
    applicable: int
    contradicted: int
    decide: str
    truth: str | None
    example: TableMoment | None
    against: tuple[TableMoment, ...]
    changes: tuple[TableMoment, ...]


@dataclass(frozen=True)
class RuleTable:
    """The rules of one theory.

    Attributes:
        title: Whose rules they are.
        learned: Whether they were learned; else they are the world's own.
        rows: The rules.
        transitions: How many transitions were read.
    """

    title: str
    learned: bool
    rows: tuple[RuleRow, ...]
    transitions: int


@dataclass(frozen=True)
class Case:
    """Rules to be tested against all transitions of some episodes.

    Attributes:
        title: Whose rules they are.
        episodes: Of one world, by what to call them; each with its number in the page, if it is
            shown there.
        world: That world.
        learned: What was learned in these episodes; if nothing, the world's own rules are tested.
    """

    title: str
    episodes: Mapping[str, tuple[KeptEpisode, int | None]]
    world: World
    learned: LearnedUnit | None = None


def cases(
    shown: Sequence[Replay], kept: Sequence[KeptEpisode], learned: Mapping[str, LearnedUnit]
) -> list[Case]:
    """Beliefs of the first shown learner of each agent and world.

    Worlds in which nobody learned stand for themselves, with all play that is shown. Worlds that
    state constants are left out, since rules are tested with those of the dialect, and so are those
    with rules of kinds that Crafter lacks.

    Args:
        shown: The page's episodes.
        kept: All episodes that there are.
        learned: What was learned, by unit.
    """
    shown = [each for each in shown if not each.world.constants and not unusual_rule(each.world)]
    numbers = {id(replay.kept): replay.number for replay in shown}
    found: dict[tuple[str, str], Case] = {}
    for replay in shown:
        row = replay.kept.row
        if row.unit in learned and (row.agent, row.world_name) not in found:
            title = f"What {row.agent} believes of {row.world_name} in the end, seed {row.seed}"
            episodes = {
                _name(each.row.number): (each, numbers.get(id(each)))
                for each in kept
                if each.row.unit == row.unit
            }
            case = Case(title, episodes, replay.world, learned[row.unit])
            found[row.agent, row.world_name] = case
    studied = {world for _, world in found}
    for world in dict.fromkeys(replay.kept.row.world_name for replay in shown):
        if world not in studied:
            here = [replay for replay in shown if replay.kept.row.world_name == world]
            played = {
                f"{replay.kept.row.agent}, {replay.label}": (replay.kept, replay.number)
                for replay in here
            }
            found["", world] = Case(f"The rules of {world}", played, here[0].world)
    return list(found.values())


def _name(number: int) -> str:
    """Label of an episode of a unit."""
    return f"ep. {number}"


def rule_table(case: Case) -> RuleTable:
    """Test rules, and find the decisive moments."""
    world, learned = case.world, case.learned
    theory: Theory = learned.theory if learned else world
    played = [
        replace(trajectory_of(kept.certificate, world, public=True), source=name)
        for name, (kept, _) in case.episodes.items()
    ]
    findings = check_rules([Stated(theory, case.title)], played)
    examples = examples_of(theory, Evidence.of(played))

    def moment(where: Occurrence | None, told: str = "") -> TableMoment | None:
        if where is None:
            return None
        _, number = case.episodes[where.source]
        return TableMoment(where.source, where.step, number, told)

    numbers = {name: number for name, (_, number) in case.episodes.items()}
    changes = _changes(learned.revisions if learned else (), numbers)
    rows = tuple(
        _row(found, theory, world, moment(_example(found, examples)), moment, changes)
        for found in findings.rules
    )
    return RuleTable(case.title, learned is not None, rows, findings.transitions)


def _example(found: RuleFinding, examples: Mapping[str, Occurrence]) -> Occurrence | None:
    """A moment that speaks for a rule; None of a rule that is untested."""
    return examples.get(found.id) if found.applicable else None


def _row(
    found: RuleFinding,
    theory: Theory,
    world: World,
    example: TableMoment | None,
    moment: Callable[[Occurrence | None, str], TableMoment | None],
    changes: Mapping[str, tuple[TableMoment, ...]],
) -> RuleRow:
    against = [
        moment(Occurrence(each.trajectory, each.step or 0), f"{each.did}: {each.saw}")
        for each in found.counterexamples
        if each.trajectory is not None
    ]
    return RuleRow(
        id=found.id,
        text=found.text,
        verdict=found.verdict,
        applicable=found.applicable or 0,
        contradicted=found.contradicted,
        decide=found.decide,
        truth=_truth(theory, world, found.id),
        example=example,
        against=tuple(each for each in against if each),
        changes=changes.get(found.id, ()),
    )


def _truth(theory: Theory, world: World, rule_id: str) -> str | None:
    """The world's rule, if a rule of this theory in its place could be told from it."""
    if theory is world:
        return None
    otherwise = (
        Theory.unknown(world.dynamics, **world.own)
        .with_rules(*world.rules())
        .with_rules(theory[rule_id])
    )
    found = score(otherwise, world).overall
    return (
        None
        if found.right == found.claimed == found.true
        else tell(world[rule_id], world.vocabulary)
    )


def examples_of(theory: Theory, evidence: Evidence) -> dict[str, Occurrence]:
    """For each rule that some transition speaks for, the first such transition."""
    found: dict[str, Occurrence] = {}
    for rule_id, where in _support(theory, evidence):
        found.setdefault(rule_id, where)
    return found


def _support(theory: Theory, evidence: Evidence) -> Iterator[tuple[str, Occurrence]]:
    values = values_of(theory)
    for signature, seen in condensed(evidence, theory).signatures.items():
        for claim in signature_claims(signature, evidence.dynamics):
            judged = claim.judge(values)
            if judged.holds:
                yield from ((rule_id, seen.first) for rule_id, _ in judged.fields)


def _changes(
    revisions: Sequence[RevisionEntry], numbers: Mapping[str, int | None]
) -> dict[str, tuple[TableMoment, ...]]:
    found: dict[str, tuple[TableMoment, ...]] = {}
    for each in revisions:
        saw = f" Saw: {each.because[0]}." if each.because else ""
        told = f"Believed before: {each.words[0]}{saw}"
        name = _name(each.episode)
        moment = TableMoment(name, each.step, numbers.get(name), told)
        found[each.rule] = (*found.get(each.rule, ()), moment)
    return found
