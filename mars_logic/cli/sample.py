"""The command ``sample``: new worlds, by the paper's modifications or all new, and puzzles."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, print_json, progress
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest, shown

if TYPE_CHECKING:
    from mars_logic.logic.sampling import MadeUpSampler, Request, RequestConflict
    from mars_logic.world.rules import Rule

_MOST_RULES = 52
CHANGE = "terrain,survival,task"
"""What may change, if nothing is said."""
_MAP_SEED = 1
"""The map on which worlds of made-up names are proved."""
_OPTIONS = {
    "worlds": ("change", "difficulty", "certainty", "must", "forbid", "livable", "vocabulary"),
    "worlds of made-up names": ("vocabulary", "rules", "change"),
    "puzzles": ("rules", "size"),
}
"""The options of each kind of what is sampled."""


class Certainty(StrEnum):
    """The required certainty of every achievement."""

    sure = "sure"
    almost_sure = "almost_sure"
    finite_chance = "finite_chance"


def sample(
    context: typer.Context,
    family: Annotated[
        str | None,
        typer.Argument(
            help="A family of puzzles, such as rulearn/reactor; without one, worlds are sampled.",
            metavar="[FAMILY]",
        ),
    ] = None,
    change: Annotated[
        str,
        typer.Option(
            help="What may change: terrain, survival, task, or parts of them (see docs). With "
            "--vocabulary, what else is made up: creatures, needs, timers, beside, push, "
            "projectiles."
        ),
    ] = CHANGE,
    difficulty: Annotated[
        str | None,
        typer.Option(
            help="How many rules change: a number, or a range such as 5..9.", metavar="N|A..B"
        ),
    ] = None,
    count: Annotated[
        int,
        typer.Option("--count", "-n", min=1, max=100_000, help="How many worlds or puzzles."),
    ] = 1,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path(
        "sampled"
    ),
    seed: Annotated[
        int, typer.Option(min=0, max=2**60, help="The same seed gives the same files.")
    ] = 0,
    certainty: Annotated[
        Certainty, typer.Option(help="How certain every achievement has to be, at least.")
    ] = Certainty.finite_chance,
    must: Annotated[
        list[str] | None, typer.Option(help="A rule in words that holds in every world.")
    ] = None,
    forbid: Annotated[
        list[str] | None, typer.Option(help="A rule in words that holds in no world.")
    ] = None,
    livable: Annotated[
        bool,
        typer.Option(help="Only worlds in which the player can live on for ever, as prove judges."),
    ] = True,
    vocabulary: Annotated[
        int | None,
        typer.Option(
            min=1, max=1000, help="Worlds of so many made-up names: resources, stations, things."
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            help="Of puzzles: released, or new: all that files can state. With --vocabulary: "
            "in how many rules names are collected, placed, made and eaten.",
            metavar="released|new|N",
        ),
    ] = "released",
    size: Annotated[
        str,
        typer.Option(
            help="Of puzzles: released, larger, or sizes by name (see docs).",
            metavar="released|larger|NAME=N,…",
        ),
    ] = "released",
    as_json: Json = False,
) -> None:
    """Sample new worlds or new puzzles, each with a proof.

    Everything can be achieved in the worlds, and the player can live on. Each is a world file based
    on default, with a summary of its proof beside it. Files that are there already are kept, so an
    interrupted run goes on when it is run again. Exit status 1: there is no such world (it says
    why), or one is not proved. A puzzle is written with a proof that it is well posed.

    With --vocabulary, worlds have a technology tree of their own, and names without a meaning:
    mars-logic sample --vocabulary 12 --rules 20 -n 100

    Example: mars-logic sample --change terrain,task --difficulty 8..12 --count 20 -o worlds
    """
    _require_fitting(context, _kind_of(family, vocabulary))
    if family is not None:
        _sample_puzzles(family, out, rules, size, count, seed, as_json=as_json)
        return
    from mars_logic.logic.sampling import ImpossibleError, Sampler, conflict
    from mars_logic.logic.sampling.folder import SampleFolder

    changes = change if vocabulary is None else CHANGE
    request = request_of(changes, difficulty, certainty, must or [], forbid or [], livable=livable)
    number = _number_of(rules)
    sampler = Sampler(request) if vocabulary is None else made_up(vocabulary, number, change)
    folder = SampleFolder(out, sampler, seed)
    try:
        summaries = added(folder, count, "worlds")
    except ImpossibleError:
        print_conflict(conflict(request), as_json)
        raise typer.Exit(1) from None
    if as_json:
        print_json({"schema": "mars-logic sample 1", "worlds": summaries, "conflict": None})
    else:
        for summary in summaries:
            print(summary_line(out, summary))
    if not all(summary["all_reachable"] for summary in summaries):
        raise typer.Exit(1)


def _sample_puzzles(
    family: str, out: Path, rules: str, size: str, count: int, seed: int, *, as_json: bool
) -> None:
    from mars_logic.domains.rulearn.sampling import PuzzleFolder, PuzzleRequest

    folder = PuzzleFolder(out, PuzzleRequest.of(family, rules, size), seed)
    sampled = added(folder, count, "puzzles")
    if as_json:
        puzzles = [each.model_dump(mode="json", by_alias=True) for each in sampled]
        print_json({"schema": "mars-logic sampled puzzles 1", "puzzles": puzzles})
        return
    for each in sampled:
        print(f"{out / each.file}: {' '.join(each.proof.words)}")


def added(folder: Any, count: int, what: str) -> list[Any]:
    """The worlds or puzzles of a folder up to a number, with a bar."""
    found = []
    with progress() as shown:
        bar = shown.add_task(what, total=count)
        for number in range(count):
            found.append(folder.add(number))
            shown.advance(bar)
    return found


def _kind_of(family: str | None, vocabulary: int | None) -> str:
    """The kind of sample, a key of ``_OPTIONS``."""
    if family is not None:
        return "puzzles"
    return "worlds" if vocabulary is None else "worlds of made-up names"


def _require_fitting(context: typer.Context, kind: str) -> None:
    """Refuse options of another kind."""
    allowed = _OPTIONS[kind]
    for option in dict.fromkeys(each for options in _OPTIONS.values() for each in options):
        source = context.get_parameter_source(option)
        if option not in allowed and source is not None and source.name != "DEFAULT":
            others = ", ".join(f"--{each}" for each in allowed)
            raise InputError(f"--{option}: it is not for {kind}; allowed: {others}")


def made_up(names: int, rules: int | None, change: str = CHANGE) -> MadeUpSampler:
    """Samples worlds of so many made-up names, without foods unless more rules are asked for.

    Args:
        names: That number.
        rules: The number of rules; None for as few as there can be.
        change: What else is made up, such as ``creatures,push``; by default nothing.

    Raises:
        InputError: A number is out of range.
    """
    from mars_logic.experiments.proving import prove
    from mars_logic.logic.sampling import MadeUp, MadeUpSampler

    life = () if change == CHANGE else tuple(kind.strip() for kind in change.split(","))
    try:
        request = MadeUp(names, names if rules is None else rules, life)
    except ValueError as error:
        raise InputError(f"--vocabulary, --rules, --change: {error}") from None
    return MadeUpSampler(request, partial(prove, map_seed=_MAP_SEED))


def _number_of(rules: str) -> int | None:
    """The number of rules asked for; None if none was.

    Raises:
        InputError: It is no number.
    """
    if rules == "released":
        return None
    if not re.fullmatch(r"[0-9]{1,4}", rules):
        raise InputError(f"--rules: {shown(rules)} is no number; allowed: a number such as 14")
    return int(rules)


def request_of(
    change: str,
    difficulty: str | None,
    certainty: Certainty,
    must: list[str],
    forbid: list[str],
    *,
    livable: bool,
) -> Request:
    """What is asked for.

    Raises:
        InputError: A change, a number or a rule is wrong.
    """
    from mars_logic.logic.sampling import CHANGES, MODIFICATIONS, Request

    changes = [name.strip() for name in change.split(",")]
    known = [*CHANGES, *MODIFICATIONS]
    for name in changes:
        if name not in known:
            hint = nearest(name, known)
            raise InputError(
                f"--change: unknown change '{name}'{hint}; allowed: {', '.join(known)}"
            )
    numbers = _difficulty(difficulty)
    required, forbidden = _rules("--must", must), _rules("--forbid", forbid)
    return Request.of(changes, numbers, certainty.value, required, forbidden, livable=livable)


def _rules(option: str, sentences: list[str]) -> list[Rule]:
    from mars_logic.world.words import ParseError, parse

    try:
        return [parse(sentence) for sentence in sentences]
    except ParseError as error:
        raise InputError(f"{option}: {error}") from None


def _difficulty(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,3})(?:\.\.(\d{1,3}))?", text.strip())
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if not 0 <= low <= high <= _MOST_RULES:
        raise InputError(
            f"--difficulty: '{text}' is no number of rules; "
            f"allowed: a number from 0 to {_MOST_RULES}, or a range such as 5..9"
        )
    return low, high


def summary_line(out: Path, summary: dict[str, Any]) -> str:
    """A world that was sampled, in one line."""
    verdicts = summary["achievements"].values()
    reachable = sum(verdict["verdict"] == "reachable" for verdict in verdicts)
    differ = f"{summary['difficulty']} rule{'s' * (summary['difficulty'] != 1)} changed"
    return (
        f"{out / summary['file']}: {differ}, {reachable} of {len(verdicts)} achievements reachable"
    )


def print_conflict(found: RequestConflict, as_json: bool) -> None:
    """Print why there is no such world."""
    if as_json:
        core = {"principles": list(found.principles), "words": list(found.words)}
        print_json({"schema": "mars-logic sample 1", "worlds": [], "conflict": core})
        return
    together = "these cannot all hold:" if len(found.words) > 1 else "this cannot hold:"
    print(f"there is no such world: with changes of {', '.join(found.modifications)} alone")
    print(together)
    for words in found.words:
        print(f"  {words}")
    if any(name.startswith("sustained") for name in found.principles):
        print("--no-livable accepts worlds in which the player cannot live on")
