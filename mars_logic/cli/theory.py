"""Commands that hold theories against trajectories: ``check`` and ``revise``."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, console, print_json, require_free, say, write_answer
from mars_logic.world.load import bundled_worlds, load_theory, load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.hypotheses import Counterexample, Findings, RuleFinding
    from mars_logic.theory import Change, Conflict, Consequences, Measure, Revision, Score

Files = Annotated[
    list[Path],
    typer.Argument(help="Recorded episodes, or folders of them.", metavar="TRAJECTORY..."),
]
_SHOWN = 3
"""Reasons printed for each rule; --json has them all."""


class Ties(StrEnum):
    """Which of equally short revisions is taken."""

    usual = "usual"
    reachable = "reachable"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("check")(check)
    app.command("revise")(revise)
    app.command("score")(score)


def check(
    rules: Annotated[
        str,
        typer.Argument(
            help="Rules: a world or theory (bundled or YAML), a program (.lp), sentences (.txt), "
            "all of these in a Markdown file, or a folder of such files.",
            metavar="RULES",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    trajectories: Files,
    everything: Annotated[
        bool, typer.Option("--all", help="Print rules that nothing speaks against as well.")
    ] = False,
    time_limit: Annotated[
        float,
        typer.Option(min=0.01, max=1e6, help="Seconds for each program.", metavar="SECONDS"),
    ] = 60,
    memory: Annotated[
        int,
        typer.Option(min=16, max=1_000_000, help="Memory for each program, in MB.", metavar="MB"),
    ] = 1024,
    as_json: Json = False,
) -> None:
    """Test hypothesised rules against recorded play.

    Exit status 1: what was seen contradicts a rule.

    Example: mars-logic check default runs
    """
    from mars_logic.hypotheses import check_rules, read_rules

    hypotheses = read_rules([rules])
    found = check_rules(hypotheses, _read(trajectories), megabytes=memory, seconds=time_limit)
    if as_json:
        print_json(
            {
                "schema": "mars-logic check 1",
                "rules_from": rules,
                "transitions": found.transitions,
                "signatures": found.signatures,
                "contradicted": found.contradicted,
                "rules": [rule.to_json() for rule in found.rules],
            }
        )
    else:
        _print_findings(found, everything)
    if found.contradicted:
        raise typer.Exit(1)


def revise(
    belief: Annotated[
        str,
        typer.Argument(
            help="What is believed: a world or theory, bundled or a file.",
            metavar="BELIEF",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    trajectories: Files,
    truth: Annotated[
        str | None, typer.Option(help="The world that was played, to score the belief by.")
    ] = None,
    ties: Annotated[
        Ties,
        typer.Option(
            help="Of equally short revisions: the usual one, or that under which most achievements "
            "are reachable."
        ),
    ] = Ties.usual,
    consequences: Annotated[
        bool,
        typer.Option(
            "--consequences", help="Tell what is certain by now, and which values are still open."
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the revised theory to this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: Json = False,
) -> None:
    """Change as few rules of a theory as recorded play demands.

    Example: mars-logic revise default runs --truth all_three -o belief.yaml
    """
    from mars_logic.theory import Evidence, score
    from mars_logic.theory import consequences as follow
    from mars_logic.theory import revise as smallest

    before = load_theory(belief)
    world = load_world(truth) if truth else None
    require_free(out, force)
    seen = Evidence.of(_read(trajectories))
    found = smallest(before, seen, name=out.stem if out else None, ties=ties.value)
    entailed = follow(before, seen) if consequences else None
    scores = {}
    if world:
        believed = found.belief
        scores = {
            "before": score(believed, world, believed),
            "after": score(found.theory, world, believed),
        }
    if out:
        from mars_logic.world.dump import to_yaml

        write_answer(out, to_yaml(found.theory))
    if as_json:
        print_json(
            _revision_json(belief, found, scores)
            | {"consequences": entailed.to_json() if entailed else None}
        )
    else:
        _print_revision(found, scores, entailed)


def score(
    theory: Annotated[
        str,
        typer.Argument(
            help="What is believed: a world or theory, bundled or a file.",
            metavar="THEORY",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    truth: Annotated[
        str,
        typer.Argument(
            help="The world that is true.",
            metavar="TRUTH",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    prior: Annotated[
        str, typer.Option(help="What was believed before anything was seen.", metavar="THEORY")
    ] = "crafter",
    play: Annotated[
        list[Path] | None,
        typer.Option(
            help="Recorded play (a file or a folder; may be repeated), to rank what came of deeds "
            "among what might have.",
            metavar="TRAJECTORY",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a theory with the true rules: precision and recall over atomic facts.

    A probability is right within 0.15. "What differs" counts only what the prior does not know.

    Example: mars-logic score belief.yaml all_three
    """
    from mars_logic.theory import Evidence, rank
    from mars_logic.theory import score as compare

    believed, true = load_theory(theory), load_world(truth)
    found = compare(believed, true, load_theory(prior))
    ranking = rank(believed, Evidence.of(_read(play))) if play else None
    if as_json:
        print_json(
            {
                "schema": "mars-logic score 1",
                "theory": theory,
                "truth": truth,
                "prior": prior,
                **found.to_json(),
                "ranking": ranking.to_json() if ranking else None,
            }
        )
        return
    _print_scores({theory: found})
    loss = found.log_loss
    if loss.mean is not None:
        stated = f"{loss.of} probabilit{'y' if loss.of == 1 else 'ies'}"
        print(f"log-loss of {stated}: {loss.mean:.3f} (of the truth: {loss.least:.3f})")
    if ranking and ranking.mrr is not None:
        print(
            f"what came of {ranking.outcomes} deeds, among what might have: "
            f"mean reciprocal rank {ranking.mrr:.3f}, ranked first {ranking.first:.0%}"
        )


def _read(paths: list[Path]) -> list[Trajectory]:
    """Every trajectory, those of a folder in the order of their names; each episode counts once."""
    from mars_logic.data import files_in, load_all, once_each

    files = {file.resolve(): file for path in paths for file in files_in(path)}
    read = (each for file in files.values() for each in load_all(file))
    trajectories, repeats = once_each(read)
    if repeats:
        one, other = repeats[0]
        more = f", and {len(repeats) - 1} more" if len(repeats) > 1 else ""
        say(f"warning: the same episode, which counts once: {one.source} and {other.source}{more}")
    return trajectories


# --- Check --------------------------------------------------------------------------------------


def _print_findings(found: Findings, everything: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    several = len({rule.id for rule in found.rules}) < len(found.rules)
    stated = ("stated in",) if several else ()
    table = Table("rule", "verdict", "support", "against", *stated, box=None)
    verdicts: dict[str, int] = {}
    for rule in found.rules:
        verdicts[rule.verdict] = verdicts.get(rule.verdict, 0) + 1
        if everything or rule.contradicted:
            support = "?" if rule.consistent is None else str(rule.consistent)
            against = str(rule.contradicted) if rule.contradicted else ""
            where = (Text(rule.source),) if several else ()
            table.add_row(Text(rule.id), rule.verdict, support, against, *where)
    if table.row_count:
        console().print(table)
    if any(rule.contradicted for rule in found.rules):
        print()
    for rule in found.rules:
        if rule.verdict == "contradicted":
            _print_contradicted(rule)
    _print_undecided(found)
    if everything:
        _print_open(found)
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    say(f"{found.transitions} transitions, {found.signatures} distinct; rules: {counts}")


def _print_contradicted(rule: RuleFinding) -> None:
    print(rule.text if rule.text == rule.id else f"{rule.id}: {rule.text}")
    told = [each for each in rule.counterexamples if _alone(each, rule)]
    for each in told[:_SHOWN]:
        print(f"  but {each.did}: {each.saw}{_location(each)}")
        if each.fields:
            print(f"    the rule says: {each.predicted}")
        if each.before:
            print(f"    before: {each.before}")
    if len(told) > _SHOWN:
        print(f"  and {len(told) - _SHOWN} more of another kind")


def _alone(example: Counterexample, rule: RuleFinding) -> bool:
    """Whether an example refutes this rule, whatever the others are."""
    return all(field.rpartition(".")[0] == rule.id for field in example.fields)


def _print_undecided(found: Findings) -> None:
    """What several rules exclude together, each time once."""
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
        print(f"  {', '.join(rules)}\n  but {each.did}: {each.saw}{_location(each)}")
    if len(shared) > _SHOWN:
        print(f"  and {len(shared) - _SHOWN} more of other rules; --json has them all")


def _print_open(found: Findings) -> None:
    """What would decide on rules that are neither supported nor contradicted."""
    for rule in found.rules:
        if rule.decide:
            print(f"{rule.id} ({rule.verdict}): {rule.decide}")


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


# --- Revise -------------------------------------------------------------------------------------


def _print_revision(
    found: Revision, scores: dict[str, Score], entailed: Consequences | None
) -> None:
    for change in found.changes:
        _print_change(change)
    if found.unexplained:
        print("nothing explains:")
        _print_conflicts(found.unexplained)
    if entailed:
        _print_consequences(entailed)
    if scores:
        _print_scores(scores)
    say(
        f"{found.transitions} transitions, {found.signatures} distinct; "
        f"{len(found.changes)} of {len(found.belief.rules())} rules changed"
    )


def _print_consequences(found: Consequences) -> None:
    from mars_logic.theory.values import tell_certain, tell_open

    certain, left = found.certain, found.open
    print(f"certain ({len(certain)} fields):")
    for line in tell_certain(certain):
        print(f"  {line}")
    narrowed = sum(bool(each.excluded) for each in left.values())
    print(
        f"still open ({narrowed} fields, and {len(left) - narrowed} of which nothing is excluded):"
    )
    for line in tell_open(left):
        print(f"  {line}")


def _print_change(change: Change) -> None:
    from mars_logic.world.words import tell

    print(f"{change.id}\n  - {tell(change.before)}\n  + {tell(change.after)}")
    _print_conflicts(change.because, "    ")


def _print_scores(scores: dict[str, Score]) -> None:
    from rich.table import Table

    table = Table("score", "precision", "recall", "F1", box=None)
    for name, found in scores.items():
        rows: dict[str, Measure | None] = {"all rules": found.overall}
        rows |= {str(kind): measure for kind, measure in found.by_kind.items()}
        rows["what differs"] = found.changes
        for what, measure in rows.items():
            if measure:
                numbers = (measure.precision, measure.recall, measure.f1)
                shown = ("–" if number is None else f"{number:.0%}" for number in numbers)
                table.add_row(f"{name}: {what}", *shown)
    print()
    console().print(table)


def _revision_json(belief: str, found: Revision, scores: dict[str, Score]) -> dict[str, Any]:
    from mars_logic.world.words import tell

    return {
        "schema": "mars-logic revise 1",
        "belief": belief,
        "transitions": found.transitions,
        "signatures": found.signatures,
        "changes": [
            {
                "rule": change.id,
                "fields": list(change.fields),
                "words": [tell(change.before), tell(change.after)],
                "because": [_conflict_json(conflict) for conflict in change.because],
            }
            for change in found.changes
        ],
        "unexplained": [_conflict_json(conflict) for conflict in found.unexplained],
        "score": {name: each.to_json() for name, each in scores.items()} or None,
    }
