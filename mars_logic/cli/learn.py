"""The command ``learn``: an agent that starts from a prior finds out the rules of a world."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.induction import (
    PuzzleMode,
    TrustHints,
    VersionSpaceChart,
    learn_puzzle,
)
from mars_logic.cli.loading import BeliefFile, Dialect, Hints, known_names, load_belief, variant
from mars_logic.cli.output import (
    Force,
    Json,
    Length,
    LiveOn,
    console,
    make_folder,
    pipes_may_break,
    print_json,
    print_table,
    progress,
    refuse,
    require_free,
    say,
    say_written,
    write_answer,
)
from mars_logic.cli.rule_files import LearnedOut, asks_for_rules, signed, write_rules
from mars_logic.cli.theory import Ties
from mars_logic.domains.together import load_one
from mars_logic.errors import InputError
from mars_logic.system.display import percent
from mars_logic.system.file_names import name_as_text, path_named
from mars_logic.system.interruptions import as_interruption
from mars_logic.world.known_names import require_plannable, require_usual_constants

if TYPE_CHECKING:
    from mars_logic.experiments.learned import Learned
    from mars_logic.play.episodes import Played
    from mars_logic.play.learning import LearningEpisode, Study
    from mars_logic.world.theory import Theory, World

INTERRUPTED = 130
_AGENT = "inductive"


class LearnerPrior(StrEnum):
    """The rules that a learner starts from."""

    crafter = "crafter"
    none = "none"


class ExperimentChoice(StrEnum):
    """The selection of experiments."""

    informative = "informative"
    random = "random"
    none = "none"


def learn(
    world: Annotated[
        str,
        typer.Argument(
            help="A world or a puzzle: bundled, or a file.",
            metavar="WORLD",
            autocompletion=known_names,
        ),
    ],
    episodes: Annotated[int, typer.Option(min=1, max=1_000_000, help="Episodes to learn in.")] = 5,
    seed: Annotated[
        int, typer.Option(min=0, max=2**60, help="The environment's seed; episode i is its i-th.")
    ] = 0,
    evaluate: Annotated[
        int,
        typer.Option(
            min=0, max=1_000_000, help="Episodes afterwards, on other seeds, without learning."
        ),
    ] = 0,
    length: Length = None,
    live_on: LiveOn = False,
    prior: Annotated[
        LearnerPrior, typer.Option(help="What is believed at first: Crafter's rules, or nothing.")
    ] = LearnerPrior.crafter,
    belief: BeliefFile = None,
    experiments: Annotated[
        ExperimentChoice,
        typer.Option(help="Experiments: chosen by expected information, at random, or none."),
    ] = ExperimentChoice.informative,
    revise: Annotated[
        bool,
        typer.Option(
            "--revise/--no-revise", help="Whether the learner may revise its first theory."
        ),
    ] = True,
    passive: Annotated[
        bool, typer.Option("--passive", help="Learn from random actions; play only afterwards.")
    ] = False,
    ties: Annotated[
        Ties,
        typer.Option(
            help="Which of equally short revisions: the usual one, or the one with most "
            "reachable achievements."
        ),
    ] = Ties.usual,
    out: LearnedOut = None,
    journal: Annotated[
        Path | None,
        typer.Option(help="Write experiments and surprises to this file, as Markdown."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(help="Keep each episode as a certificate in this folder.", metavar="DIR"),
    ] = None,
    chart: VersionSpaceChart = None,
    mode: PuzzleMode = "idea",
    trust_hints: TrustHints = False,
    dialect: Dialect = None,
    hints: Hints = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Let an agent learn a world's rules by playing.

    It starts from Crafter's rules (--prior none: from no rules; --belief: from these), is told the
    names of things and the 22 goals, and sees what a player sees; it runs in a process of its own.
    Its theory is scored against the true rules. When interrupted, it writes what it had learned in
    the episodes before. With --live-on, SmartPlay's score of the evaluation is told. With
    --certificates, each episode is kept, so that it can be verified, rendered and reported.

    A puzzle is played once, by idea: the journal tells for each step which hypotheses fit, what
    each predicts, what was tried, and what was learned. Exit status 1: it is not solved.

    Example: mars-logic learn terrain --episodes 2 --journal journal.md
    """
    for path in (out, journal, chart):
        require_free(path, force)
    named = variant(world, dialect, hints)
    loaded, puzzle = load_one(named)
    if puzzle is not None:
        worlds_alone = {
            "evaluate": evaluate,
            "passive": passive,
            "belief": belief,
            "live-on": live_on,
            "certificates": certificates,
        }
        refuse(worlds_alone | {"length": length}, "with worlds")
        choices = {"experiments": experiments.value, "revise": revise, "trust_hints": trust_hints}
        learn_puzzle(
            *(puzzle, named, mode, seed),
            options=choices,
            out=out,
            journal=journal,
            chart=chart,
            as_json=as_json,
        )
        return
    assert loaded is not None
    refuse({"mode": mode != "idea", "trust-hints": trust_hints, "chart": chart}, "with puzzles")
    require_plannable(loaded, "learn", "the learner")
    require_usual_constants(loaded, "learn", "the learner")

    from mars_logic.experiments.learned import Learned, first_belief
    from mars_logic.play import certificate, learning
    from mars_logic.play.journal import journal as lines

    given = load_belief(belief, _AGENT, [loaded])
    if given is not None and prior is LearnerPrior.none:
        raise InputError("--prior, --belief: they exclude each other; allowed: one of them")
    lessons: list[LearningEpisode] = []
    paths: Iterator[Path] = iter(())
    if certificates:
        numbers = [(seed, n) for n in range(1, episodes + 1)]
        numbers += [(learning.far_seed(seed, n), 1) for n in range(evaluate)]
        paths = iter(_certificate_paths(certificates, loaded, given, numbers, force=force))
    try:
        with as_interruption(), pipes_may_break(), progress() as shown:
            bar = shown.add_task(world, total=episodes + evaluate)

            def done(each: LearningEpisode | Played) -> None:
                if isinstance(each, learning.LearningEpisode):
                    lessons.append(each)
                    played = each.played
                else:
                    played = each
                if certificates:
                    made = certificate.certify(played, loaded, named, _AGENT, belief=given)
                    certificate.save(made, next(paths))
                shown.advance(bar)

            found = learning.study(
                *(loaded, seed, episodes, evaluate),
                limit=length,
                live_on=live_on,
                done=done,
                consequences=journal is not None,
                prior=prior.value,
                belief=given,
                experiments=experiments.value,
                revise=revise,
                passive=passive,
                ties=ties.value,
            )
    except KeyboardInterrupt:
        _keep_unfinished(lessons, episodes, loaded.name, out)
        raise typer.Exit(INTERRUPTED) from None
    except (EOFError, ConnectionError):
        say("the agent's process was ended, perhaps for lack of memory")
        _keep_unfinished(lessons, episodes, loaded.name, out)
        raise typer.Exit(1) from None
    learned = Learned(loaded, first_belief(loaded, prior.value, given), found)
    if out and asks_for_rules(out):
        write_rules(out, signed(learned.rules(), "learn", named))
    elif out:
        _write_theory(out, found.theory, loaded.name)
    if journal:
        write_answer(journal, "\n".join(lines(found)) + "\n")
    if as_json:
        started = {"prior": None, "belief": given.digest} if given is not None else None
        document = _json(world, found, live_on=live_on)
        print_json(document | (started or {"prior": prior.value, "belief": None}))
    else:
        _print(found, live_on=live_on)
        _print_changes(learned)
        say_written(out, "the learned theory")
        say_written(journal, "experiments and revisions")
        say_written(certificates, "certificates of the episodes")


def _certificate_paths(
    folder: Path,
    world: World,
    belief: Theory | None,
    numbers: Iterable[tuple[int, int]],
    *,
    force: bool,
) -> list[Path]:
    """The files for the certificates of some episodes, in a folder that is made.

    Args:
        folder: The folder.
        world: Where it is played.
        belief: The rules that the learner is given, if any.
        numbers: Seed and number of each episode.
        force: Whether files may be replaced.

    Raises:
        InputError: A file is there already, or the folder cannot be written to.
    """
    from mars_logic.experiments.runs import certificate_name
    from mars_logic.play.agent import player_name

    make_folder(folder)
    player = player_name(_AGENT, belief)
    paths = [folder / path_named(certificate_name(world, player, *each)) for each in numbers]
    for path in paths:
        require_free(path, force)
    return paths


def _write_theory(out: Path, theory: Theory, world: str) -> None:
    from mars_logic.world.dump import to_yaml

    told = replace(theory, name=name_as_text(out.stem), title=f"learned in {world}")
    write_answer(out, to_yaml(told))


def _keep_unfinished(
    lessons: Sequence[LearningEpisode], episodes: int, world: str, out: Path | None
) -> None:
    """Write what was believed after the last whole episode of learning, if there is one."""
    told = f"{len(lessons)} of {episodes} episodes of learning are done"
    if out and lessons:
        _write_theory(out, lessons[-1].theory, world)
        told += f"; what was learned in them is in {out}"
    say(told)


def _print(found: Study, *, live_on: bool) -> None:
    heads = ("steps", "ended", "reward", "unlocked", "precision", "recall", "on changed rules")
    rows: list[tuple[str, ...]] = []
    for number, lesson in enumerate(found.lessons, 1):
        played, score = lesson.played, lesson.score
        changes = score.changes.recall if score.changes else None
        shares = (score.overall.precision, score.overall.recall, changes)
        revisions = sum(s.episode == number for s in found.surprises)
        row = (f"{number}", f"{played.steps}", played.ended, f"{played.reward:.1f}")
        unlocked = f"{len(played.unlocked)} of {len(found.world.achievements)}"
        rows.append((*row, unlocked, *map(percent, shares), f"{revisions}"))
    print_table(("episode", *heads, "revised"), rows, pad_edge=False)
    for number, lesson in enumerate(found.lessons, 1):
        if lesson.death:
            print(f"episode {number} ended in death: {lesson.death}")
    if found.tests:
        rewards = [played.reward for played in found.tests]
        episodes = "1 episode" if len(rewards) == 1 else f"{len(rewards)} episodes"
        print(f"afterwards, {episodes}: reward {statistics.fmean(rewards):.2f}")
    if found.tests and live_on:
        scored = _smartplay(found)
        score, steps = scored["score"]["mean"], scored["steps"]["mean"]
        print(f"SmartPlay's score {score:,.1f}, {steps:,.1f} steps lived")


def _print_changes(learned: Learned) -> None:
    console().print()
    for line in learned.lines():
        console().print(line)


def _smartplay(found: Study) -> dict[str, Any]:
    from mars_logic.play.unlock_score import smartplay_row, smartplay_summary

    rows = [smartplay_row(played.unlocked, played.steps) for played in found.tests]
    return {**smartplay_summary(rows), "episodes": rows}


def _death(lesson: LearningEpisode) -> dict[str, Any] | None:
    """The cause of a death, and the experiment that brought it, as plain data."""
    if lesson.death is None:
        return None
    tried = lesson.death.experiment
    experiment = {"step": tried.step, "rule": tried.rule} if tried else None
    return {"cause": lesson.death.cause, "experiment": experiment}


def _json(name: str, found: Study, *, live_on: bool) -> dict[str, Any]:

    from mars_logic.play.episodes import summarise
    from mars_logic.play.learning import experiments, revisions
    from mars_logic.world.dump import to_yaml
    from mars_logic.world.source import value_of

    last = found.lessons[-1].score
    evaluation = None
    if found.tests:
        summed = summarise(
            [played.reward for played in found.tests],
            [played.unlocked for played in found.tests],
            found.world.achievements,
        )
        evaluation = {
            "episodes": len(found.tests),
            "reward": {"mean": summed.reward_mean, "std": summed.reward_std},
            "success": summed.success,
            "score": summed.score,
        }
        if live_on:
            evaluation["smartplay"] = _smartplay(found)
    return {
        "schema": "mars-logic learn 1",
        "world": name,
        "seed": found.seed,
        "episodes": [
            {
                "steps": lesson.played.steps,
                "reward": lesson.played.reward,
                "ended": lesson.played.ended,
                "death": _death(lesson),
                "unlocked": lesson.played.unlocked,
                "precision": lesson.score.overall.precision,
                "recall": lesson.score.overall.recall,
            }
            for lesson in found.lessons
        ],
        "scores": {
            **last.overall.to_json(),
            "by_kind": {str(kind): each.to_json() for kind, each in last.by_kind.items()},
            "changes": last.changes.to_json() if last.changes else None,
            "log_loss": last.log_loss.to_json(),
        },
        "evaluation": evaluation,
        "theory": value_of(to_yaml(found.theory), "theory"),
        "revisions": revisions(found),
        "inexpressible": {".".join(name): list(told) for name, told in found.inexpressible.items()},
        "experiments": experiments(found),
    }
