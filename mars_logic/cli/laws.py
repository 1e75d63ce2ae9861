"""The commands ``laws``: records of actions, and what is learned of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    Force,
    Json,
    print_json,
    print_table,
    progress,
    require_free,
    say,
    say_written,
    say_wrong,
    write_answer,
)
from mars_logic.cli.rule_files import (
    NoiseRate,
    asks_for_rules,
    noise_rate,
    signed,
    write_rules,
)
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.file_names import name_as_text
from mars_logic.world.known_names import require_crafter_names
from mars_logic.world.load import bundled_worlds, load_world
from mars_logic.world.vocabulary import vocabulary

if TYPE_CHECKING:
    from mars_logic.play.attempts import Attempts
    from mars_logic.play.model_agreement import AgreementReport, AgreementTally
    from mars_logic.theory import Score
    from mars_logic.theory.action_models import ActionModels, Records
    from mars_logic.theory.action_models.noise import Disagreement
    from mars_logic.world.theory import Theory, World

_TOLD = 10
"""Disagreements that are printed; --json has them all."""
_PLAYERS = {"oracle": 1000, "random": 300}
"""The playing agent, and its steps per episode."""


class LawsForm(StrEnum):
    """The output forms of laws."""

    WORDS = "words"
    THEORY = "theory"
    PYTHON = "python"


class RecordChoice(StrEnum):
    """The selection of records."""

    DIVERSE = "diverse"
    RANDOM = "random"


class Conditions(StrEnum):
    """The amounts that conditions may use."""

    USUAL = "usual"
    ALL = "all"


class Reading(StrEnum):
    """Which of the hypotheses that are left is taken."""

    SIMPLEST = "simplest"
    STRICTEST = "strictest"


def records(
    world: Annotated[
        str,
        typer.Argument(
            help="Where to play: a bundled world or a file.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Write the records to this file.")],
    per: Annotated[
        int,
        typer.Option(
            min=1, max=1000, help="Number of successes, and of failures, of each achievement."
        ),
    ] = 10,
    episodes: Annotated[
        int,
        typer.Option(
            min=1, max=100_000, help="Episodes played by the oracle, and as many at random."
        ),
    ] = 8,
    seed: Annotated[
        int, typer.Option(min=0, max=2**60, help="Episode i uses environment seed SEED + i.")
    ] = 0,
    choice: Annotated[
        RecordChoice,
        typer.Option(help="Choose the most different records, or any."),
    ] = RecordChoice.DIVERSE,
    met: Annotated[
        bool,
        typer.Option(
            "--met",
            help="Only states that occur in play; by default each success is also tried with "
            "fewer items held.",
        ),
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make labelled records of actions, from play.

    They are successes and failures of each achievement. The oracle and a random agent play. In each
    state that they meet, every action is tried in a copy of the game, and of these attempts some
    are chosen that tell much.

    Example: mars-logic laws records default --per 10 -o records.json
    """
    from mars_logic.system.files import write_or_refuse
    from mars_logic.theory.action_models import Records, write
    from mars_logic.theory.action_models.choose import choose

    loaded = load_world(world)
    require_crafter_names(loaded, "laws", "the learner of laws")
    require_free(out, force)
    parts = [found.records for found in _played(loaded, episodes, seed, vary=not met)]
    chosen = choose(Records.join(parts), per, choice.value, seed)
    write_or_refuse(out, write(chosen))
    counts = _counts(chosen)
    if as_json:
        print_json({"schema": "mars-logic records-made 1", "world": world, "achievements": counts})
        return
    short = {goal: found for goal, found in counts.items() if min(found.values()) < per}
    for goal, found in short.items():
        told = f"{found['successes']} successes and {found['failures']} failures"
        say(f"{goal}: {told} occurred, fewer than --per {per}")
    say_written(out, f"{len(chosen)} records of {len(counts)} achievements")


def learn_laws(
    records: Annotated[
        list[Path],
        typer.Argument(
            help="Records as JSON or in the paper's layout, recorded episodes, or folders of them.",
            metavar="RECORDS...",
        ),
    ],
    form: Annotated[
        LawsForm,
        typer.Option("--as", help="Print the laws as words, as a theory, or as reward functions."),
    ] = LawsForm.WORDS,
    conditions: Annotated[
        Conditions,
        typer.Option(
            help="What conditions may use: what rules of worlds use, or all that is observed."
        ),
    ] = Conditions.USUAL,
    reading: Annotated[
        Reading,
        typer.Option(
            help="Conditions of reward functions: the fewest that agree with the records, or all "
            "that may be needed."
        ),
    ] = Reading.SIMPLEST,
    truth: Annotated[
        str | None,
        typer.Option(help="The world that the records are from, to compare the laws with."),
    ] = None,
    verify: Annotated[
        int,
        typer.Option(
            min=0,
            max=100_000,
            help="Compare the reward functions with the game on every state met in so many "
            "episodes of the oracle and as many at random; needs --truth.",
        ),
    ] = 0,
    noise: NoiseRate = None,
    seed: Annotated[
        int,
        typer.Option(min=0, max=2**60, help="Episode i of --verify has environment seed SEED + i."),
    ] = 1000,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write the laws to this file; to one that ends in .json, as rules with what is "
            "known of them.",
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Learn what actions need, cost and bring, from records.

    A record holds the state before and after. Records that disagree are named. With --noise,
    labels that are likeliest wrong at that rate are turned round; without, a label that its own
    states contradict does not count. Exit status 1: with --verify, a reward function disagrees
    with the game.

    Example: mars-logic laws learn records.json --truth default --as python -o rewards.py
    """
    from mars_logic.theory.action_models import as_theory, learn, read
    from mars_logic.theory.action_models.as_rules import as_rules
    from mars_logic.theory.action_models.noise import corrected, disagreements

    rate = noise_rate(noise)
    world = load_world(truth) if truth else None
    if verify and not world:
        raise InputError("--verify: it needs a world to play in; allowed: with --truth WORLD")
    require_free(out, force)
    given = read(records)
    disagree = [*disagreements(given, conditions.value)]
    fitted = None
    if rate is not None:
        given, fitted, turned = corrected(given, conditions.value, rate)
        own = {each.places[0] for each in turned}
        disagree = [*turned, *(each for each in disagree if each.places[0] not in own)]
    laws = learn(given, conditions.value)
    if world and world.dynamics != laws.dynamics:
        raise InputError(
            f"--truth: its dialect is {world.dynamics}, that of the records {laws.dynamics}; "
            "allowed: a world of the same dialect"
        )
    theory = as_theory(laws, name_as_text(out.stem) if out else "learned")
    text = _text(laws, theory, form, reading)
    if out and asks_for_rules(out):
        places = ", ".join(map(str, records))
        write_rules(out, signed(as_rules(laws, places, disagree), "learn-action-models", places))
    elif out:
        write_answer(out, text)
    checked = _verified(laws, world, verify, seed, reading) if world and verify else None
    if as_json:
        found = _json(laws, theory, world, checked)
        told = [asdict(each) for each in disagree]
        print_json(found | {"noise": fitted, "disagree": told})
    else:
        if not out:
            print(text, end="")
        if world:
            _print_score(theory, world)
        if checked:
            _print_verification(checked)
        _say_disagreements(disagree)
        wrong = f"; rate of wrong labels: {fitted:.2g}" if fitted is not None else ""
        say(f"{len(laws.records)} records; {_seen(laws)}{wrong}")
        form_told = "rules" if asks_for_rules(out) else form.value
        say_written(out, f"{number(len(laws.by_goal), 'law')} as {form_told}")
    if checked and checked.disagreements:
        raise typer.Exit(1)


def _say_disagreements(found: Sequence[Disagreement]) -> None:
    for each in found[:_TOLD]:
        say_wrong(f"records disagree: {each}")
    if len(found) > _TOLD:
        say(f"and {len(found) - _TOLD} more that disagree; --json has them all")


def _played(world: World, episodes: int, seed: int, *, vary: bool = False) -> Iterator[Attempts]:
    """Everything tried in every state of some episodes of each player, with a bar."""
    from mars_logic.play.agent import load_agent
    from mars_logic.play.attempted_play import play

    with progress() as shown:
        for player, steps in _PLAYERS.items():
            bar = shown.add_task(player, total=episodes)
            seeds = range(seed, seed + episodes)
            for found in play(world, load_agent(player), seeds, steps, vary=vary):
                yield found
                shown.advance(bar)


def _counts(records: Records) -> dict[str, dict[str, int]]:
    return {
        goal: {
            "successes": int((records.of_goal(goal) == 1).sum()),
            "failures": int((records.of_goal(goal) == 0).sum()),
        }
        for goal in _goals(records)
    }


def _goals(records: Records) -> tuple[str, ...]:

    return vocabulary(records.dynamics).achievements


def _verified(
    laws: ActionModels, world: World, episodes: int, seed: int, reading: Reading
) -> AgreementReport:
    from mars_logic.play.model_agreement import verify

    return verify(laws, _played(world, episodes, seed), reading.value)


def _text(laws: ActionModels, theory: Theory, form: LawsForm, reading: Reading) -> str:
    from mars_logic.theory.action_models import python_source, tell
    from mars_logic.world.dump import to_yaml

    if form is LawsForm.PYTHON:
        return python_source(laws, reading.value)
    if form is LawsForm.THEORY:
        return to_yaml(theory)
    return "".join(f"{tell(law)}\n" for law in laws.by_goal.values() if law.tries)


def _seen(laws: ActionModels) -> str:
    reached = sum(bool(law.branches) for law in laws.achievements)
    return f"{reached} of {len(laws.achievements)} achievements were seen to be reached"


def _compared(theory: Theory, world: World) -> tuple[Score, list[str], list[str]]:
    """The score; the atoms that are wrong; those of a task that are missing."""
    from mars_logic.theory import atoms, score
    from mars_logic.theory.atoms import kind_of

    claimed, true = atoms(theory), atoms(world)
    missing = [atom for atom in sorted(true - claimed) if kind_of(atom) == "task"]
    return score(theory, world), sorted(claimed - true), missing


def _print_score(theory: Theory, world: World) -> None:
    found, wrong, missing = _compared(theory, world)
    rows = ((n, *map(str, (m.right, m.claimed, m.true))) for n, m in found.by_kind.items())
    print()
    print_table(("atoms", "right", "claimed", "true"), rows)
    for name, atoms in (("wrong", wrong), ("missing of the task", missing)):
        for atom in atoms:
            print(f"{name}: {atom}")


def _print_verification(found: AgreementReport) -> None:
    rows = (
        (goal, f"{each.possible}", _wrong(each.law), f"{each.open}", _wrong(each.printed))
        for goal, each in found.by_goal.items()
    )
    print()
    print_table(("in play", "possible", "law wrong", "left open", "printed wrong"), rows)
    print(
        f"{found.states} states, {found.distinct} distinct; disagreements of the learned reward "
        f"functions with the game: {found.disagreements}, and where nothing was left open: "
        f"{found.astray}"
    )


def _wrong(tally: AgreementTally) -> str:
    errors = f" ({tally.errors} errors)" if tally.errors else ""
    return f"{tally.wrong}{errors}"


def _json(
    laws: ActionModels, theory: Theory, world: World | None, checked: AgreementReport | None
) -> dict[str, Any]:
    from mars_logic.theory.action_models.words import law_json
    from mars_logic.world.dump import to_yaml

    score = None
    if world:
        found, wrong, missing = _compared(theory, world)
        score = {**found.to_json(), "wrong": wrong, "missing_of_the_task": missing}
    return {
        "schema": "mars-logic learn-laws 1",
        "dynamics": laws.dynamics,
        "records": len(laws.records),
        "laws": [law_json(law) for law in laws.by_goal.values()],
        "theory": to_yaml(theory),
        "score": score,
        "verification": asdict(checked) if checked else None,
    }


group = typer.Typer(
    no_args_is_help=True, help="Learn what actions need, cost and bring, from records."
)
group.command("records")(records)
group.command("learn")(learn_laws)
