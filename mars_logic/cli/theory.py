"""Commands that hold theories against trajectories: ``check`` and ``revise``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from os.path import realpath  # of links in a circle, too
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.findings import print_findings, print_revision, revision_json
from mars_logic.cli.language_model import LanguageFile
from mars_logic.cli.more_play import (
    PlayedFolder,
    PlayMore,
    require_play,
    say_what_would_decide,
    with_more_play,
)
from mars_logic.cli.output import (
    Force,
    Json,
    print_json,
    require_free,
    say_written,
    say_wrong,
    write_answer,
)
from mars_logic.cli.proposals import (
    AcceptSingle,
    Confirm,
    Confirmed,
    Propose,
    UnreadOptions,
    settled,
)
from mars_logic.cli.rule_files import (
    NoiseRate,
    RulesOut,
    asks_for_rules,
    entries_of,
    load_believed,
    noise_rate,
    require_rules_ending,
    signed,
    write_rules,
)
from mars_logic.cli.rule_library import is_sentences
from mars_logic.cli.stated_theories import (
    StatedTheory,
    check_theory,
    game_theory,
    theory_of_sentences,
)
from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text
from mars_logic.world.known_names import require_no_traces
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory

Files = Annotated[
    list[Path],
    typer.Argument(help="Recorded episodes, or folders of them.", metavar="TRAJECTORY..."),
]


class Ties(StrEnum):
    """Which of equally short revisions is taken."""

    usual = "usual"
    reachable = "reachable"


def check(
    rules: Annotated[
        str,
        typer.Argument(
            help="Rules: a world or theory (bundled or YAML), a program (.lp), sentences (.txt), "
            "all of these in a Markdown file, what --out wrote, or a folder of such files.",
            metavar="RULES",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    trajectories: Files,
    everything: Annotated[
        bool, typer.Option("--all", help="Also print rules that are not contradicted.")
    ] = False,
    time_limit: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=1e6,
            help="Seconds of processor time for each program.",
            metavar="SECONDS",
        ),
    ] = 60,
    memory: Annotated[
        int,
        typer.Option(min=16, max=1_000_000, help="Memory for each program, in MB.", metavar="MB"),
    ] = 768,
    confirm: Confirm = False,
    propose: Propose = None,
    confirmed: Confirmed = None,
    accept_single: AcceptSingle = False,
    language: LanguageFile = None,
    noise: NoiseRate = None,
    play: PlayMore = None,
    record: PlayedFolder = None,
    out: RulesOut = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Test hypothesised rules against recorded play.

    Exit status 1: what was seen contradicts a rule; 2: it contradicts none, and a line cannot be
    read. Lines that can be read are tested whatever the others are. A theory of a game, and
    sentences about a puzzle, are tested against recordings (.jsonl) and certificates (.json).

    For a line that cannot be read, sentences are proposed that it may mean. None is tested unless
    you confirm it, with --confirm or with --propose and --confirmed, take it with
    --accept-single, or let a language model choose (--language); the verdict says so.

    With --noise, a rule is contradicted only where more speaks against it than wrong observations
    at that rate explain.

    With --play, the inductive agent plays on in the world of the recordings: it knows the rules
    that are supported, and experiments with what is undecided or untested.

    Example: mars-logic check default runs
    """
    unread_options = UnreadOptions(confirm, propose, confirmed, accept_single, language, force)
    unread_options.require_possible()
    require_rules_ending(out)
    require_free(out, force)
    require_play(play, record)
    rate = noise_rate(noise)
    about = None
    if game := game_theory(rules):
        unread_options.require_none()
        about = StatedTheory(game)
    elif is_sentences(rules):
        about = theory_of_sentences(rules, trajectories, unread_options)
    if about is not None:
        if rate is not None:
            raise InputError("--noise: observations of games have no errors; allowed: with worlds")
        if play is not None:
            raise InputError("--play: games are played by `run`; allowed: with worlds")
        check_theory(about, rules, trajectories, as_json, out)
        return

    from mars_logic.theory.rulesets import check_rules, read_rules
    from mars_logic.theory.rulesets.artefact import with_history
    from mars_logic.theory.rulesets.noise import with_noise
    from mars_logic.theory.rulesets.proposed import marked, taken
    from mars_logic.world.words.proposing import proposer_of

    played = recorded_play(trajectories)
    words = played[0].about.words
    hypotheses, meant = settled(read_rules([rules], words), unread_options, proposer_of(words))
    hypotheses = taken(hypotheses, meant, words)
    with _search_limits_told(rules):
        test = partial(check_rules, hypotheses, megabytes=memory, seconds=time_limit)
        found = with_more_play(test, played, play, record) if play else test(played)
    found = signed(with_history(marked(found, meant), entries_of(rules)), "check", rules)
    if rate is not None:
        found = with_noise(found, rate)
    if out:
        write_rules(out, found)
    if as_json:
        print_json(found.to_json())
    else:
        print_findings(found, everything)
        if play is None and not everything:
            say_what_would_decide(found)
        say_written(out, "the rules with what is known of them")
    if found.contradicted or found.unreadable:
        raise typer.Exit(1 if found.contradicted else 2)


def revise(
    belief: Annotated[
        str,
        typer.Argument(
            help="The belief: a world or theory, bundled or a file, or rules (of --out).",
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
            "--consequences",
            help="Also print which fields are certain, and which values of others are still open.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write the revised theory to this file; to one that ends in .json, its rules with "
            "what is known of them.",
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the fewest rule changes that explain play.

    The rules of a theory of another dialect are read as rules of that of the trajectories, which a
    warning says.

    Example: mars-logic revise default runs --truth all_three -o belief.yaml
    """
    from mars_logic.theory import Evidence, score
    from mars_logic.theory import consequences as follow
    from mars_logic.theory import revise as smallest

    before = load_believed(belief)
    require_no_traces(before, "revise", "the revision of theories")
    world = load_world(truth) if truth else None
    require_free(out, force)
    played = recorded_play(trajectories)
    seen = Evidence.of(played)
    warnings = []
    if before.dynamics != seen.dynamics:
        told = (
            f"the theory is of the dialect {before.dynamics}, the trajectories of {seen.dynamics}"
        )
        warnings = [f"{belief}:1: dynamics: {told}: its rules are read as rules of {seen.dynamics}"]
        say_wrong(f"warning: {warnings[0]}")
    with _search_limits_told(belief):
        name = name_as_text(out.stem) if out else None
        found = smallest(before, seen, name=name, ties=ties.value)
        entailed = follow(before, seen) if consequences else None
    scores = {}
    if world:
        believed = found.belief
        scores = {
            "before": score(believed, world, believed),
            "after": score(found.theory, world, believed),
        }
    if out and asks_for_rules(out):
        from mars_logic.theory.rulesets.revised import rules_of_revision

        kept = rules_of_revision(found, belief, played, entries_of(belief))
        write_rules(out, signed(kept, "revise", belief))
    elif out:
        from mars_logic.world.dump import to_yaml

        write_answer(out, to_yaml(found.theory))
    if as_json:
        print_json(
            revision_json(belief, found, scores)
            | {"consequences": entailed.to_json() if entailed else None, "warnings": warnings}
        )
    else:
        print_revision(found, scores, entailed)
        say_written(out, "the revised theory")


def recorded_play(paths: list[Path]) -> list[Trajectory]:
    """Every trajectory, those of a folder in the order of their names; each episode counts once."""
    from mars_logic.data.collection import once_each
    from mars_logic.data.store import files_in, load_all

    files = {realpath(file): file for path in paths for file in files_in(path)}
    read = (each for file in files.values() for each in load_all(file))
    trajectories, repeats = once_each(read)
    if repeats:
        one, other = repeats[0]
        more = f", and {len(repeats) - 1} more" if len(repeats) > 1 else ""
        say_wrong(
            f"warning: {one.source} and {other.source} are the same episode, which "
            f"counts once{more}"
        )
    return trajectories


@contextmanager
def _search_limits_told(source: str) -> Iterator[None]:
    """Tell that a search was given up as one message about what was asked.

    Args:
        source: The file, or the name, of the rules or records in question.

    Raises:
        InputError: A search was given up.
    """
    from mars_logic.logic.solve import LimitReachedError

    try:
        yield
    except LimitReachedError as limit:
        raise InputError(
            f"{source}:1: rules: {limit}; allowed: rules with fewer open fields, "
            "or fewer trajectories"
        ) from None
