"""Commands that play, sample and report as functions: what they find, printed as they do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.from_python import CommandAnswer, text_told
from mars_logic.errors import InputError
from mars_logic.world.load import load_world

if TYPE_CHECKING:
    from mars_logic.experiments.runs import EpisodeResult


@dataclass(frozen=True, repr=False)
class RunAnswer(CommandAnswer):
    """What an agent reached.

    Attributes:
        worlds: For each world its results, as ``run --json`` prints them.
    """

    worlds: dict[str, Any]


@dataclass(frozen=True, repr=False)
class PlannedAnswer(CommandAnswer):
    """One episode that was planned and played.

    Attributes:
        episode: The certificate, how it ended, and what is proved about its map.
    """

    episode: EpisodeResult


@dataclass(frozen=True, repr=False)
class SampleAnswer(CommandAnswer):
    """Worlds that were sampled.

    Attributes:
        worlds: A summary of each, as ``sample --json`` prints it; none if there is no such world.
    """

    worlds: tuple[dict[str, Any], ...]


@dataclass(frozen=True, repr=False)
class ReportAnswer(CommandAnswer):
    """A page of results that was written.

    Attributes:
        written: The file, its size in bytes, and its episodes, as ``report --json`` prints them.
    """

    written: dict[str, Any]


def run(
    agent: str,
    worlds: str | Iterable[str],
    *,
    episodes: int = 10,
    seed: int = 0,
    length: int | None = None,
    out: str | Path | None = None,
    record: str | Path | None = None,
) -> RunAnswer:
    """Let an agent play worlds, as ``mars-logic run`` does.

    Args:
        agent: Its registered name.
        worlds: Names of bundled worlds, or of files.
        episodes: How many in each, at least 1.
        seed: Episode i uses environment seed ``seed + i``.
        length: Steps after which an episode ends, if before the world's own.
        out: A folder to keep certificates in; what is there already is not played again.
        record: A folder to keep trajectories in.

    Raises:
        InputError: There is no such agent or world, or a folder cannot be written to.

    Example:
        >>> import mars_logic
        >>> found = mars_logic.run("random", "default", episodes=1, length=5)
        >>> len(found.worlds["default"]["episodes"])
        1
    """
    from mars_logic.cli.output import make_folder
    from mars_logic.cli.run_results import print_results
    from mars_logic.experiments.run_summaries import milliseconds, summary
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent, require_player

    if episodes < 1:
        raise InputError(f"episodes: {episodes} is not possible; allowed: a number from 1")
    kept, recorded = (Path(each) if each is not None else None for each in (out, record))
    names = [worlds] if isinstance(worlds, str) else [*worlds]
    loaded = {name: load_world(name) for name in names}
    for world in loaded.values():
        require_player(agent, world)
    for folder in filter(None, (kept, recorded)):
        make_folder(folder)
    results: dict[str, Any] = {}
    times: dict[str, float | None] = {}
    for name, world in loaded.items():
        played = Run(agent, load_agent(agent), world, name, kept, recorded, limit=length)
        for number in range(episodes):
            played.add(seed + number)
        results[name], times[name] = summary(played.results, world), milliseconds(played.results)
    with text_told() as told:
        print_results(results, times)
    return RunAnswer(told.getvalue(), True, results)


def plan(
    world: str,
    *,
    seed: int = 0,
    episode: int = 1,
    agent: str | None = None,
    belief: str | None = None,
    length: int | None = None,
    out: str | Path | None = None,
) -> PlannedAnswer:
    """Plan and play one episode, as ``mars-logic plan`` does.

    Args:
        world: The name of a bundled world, or of a file.
        seed: The environment's seed.
        episode: Which episode of that seed.
        agent: Who plans: oracle, clairvoyant or informed.
        belief: Rules to play by, by name or file.
        length: Steps after which the episode ends, if before the world's own.
        out: Where to keep the certificate; an episode that is there is not played again.

    Raises:
        InputError: There is no such world, or the agent does not plan.
    """
    from mars_logic.cli.plan import death_of, planned_run, print_episode

    loaded = load_world(world)
    kept = Path(out) if out is not None else None
    found = planned_run(loaded, world, agent, belief, length).episode(seed, episode, kept_at=kept)
    with text_told() as told:
        print_episode(found, death_of(loaded, found), None)
    return PlannedAnswer(told.getvalue(), True, found)


def sample(
    out: str | Path,
    *,
    change: str = "terrain,survival,task",
    difficulty: str | None = None,
    count: int = 1,
    seed: int = 0,
    must: Iterable[str] = (),
    forbid: Iterable[str] = (),
    livable: bool = True,
    vocabulary: int | None = None,
    rules: int | None = None,
) -> SampleAnswer:
    """Sample worlds with proofs into a folder, as ``mars-logic sample`` does.

    Args:
        out: The folder; worlds that are there already are kept.
        change: What may change, such as ``terrain,task``.
        difficulty: How many rules change: a number, or a range such as ``5..9``.
        count: How many worlds.
        seed: The same seed gives the same files.
        must: Rules in words that hold in every world.
        forbid: Rules in words that hold in none.
        livable: Whether the player can live on in every world.
        vocabulary: Sample worlds of so many made-up names instead. Of the other arguments, the
            seed, the count and ``change`` matter then, such as ``creatures,push``: what else is
            made up.
        rules: In how many rules these names are collected, placed, made or eaten.

    Raises:
        InputError: What is asked for is wrong, or the folder cannot be written to.
    """
    from mars_logic.cli.sample import (
        CHANGE,
        Certainty,
        added,
        made_up,
        print_conflict,
        request_of,
        summary_line,
    )
    from mars_logic.logic.sampling import ImpossibleError, Sampler, conflict
    from mars_logic.logic.sampling.folder import SampleFolder

    changes = change if vocabulary is None else CHANGE
    asked = (changes, difficulty, Certainty.finite_chance, [*must], [*forbid])
    request, folder = request_of(*asked, livable=livable), Path(out)
    sampler = Sampler(request) if vocabulary is None else made_up(vocabulary, rules, change)
    with text_told() as told:
        try:
            worlds = added(SampleFolder(folder, sampler, seed), count, "worlds")
        except ImpossibleError:
            print_conflict(conflict(request), as_json=False)
            return SampleAnswer(told.getvalue(), False, ())
        for each in worlds:
            print(summary_line(folder, each))
    good = all(each["all_reachable"] for each in worlds)
    return SampleAnswer(told.getvalue(), good, tuple(worlds))


def report(
    source: str | Path | Iterable[str | Path],
    out: str | Path,
    *,
    replays: int = 60,
    requests: int = 300,
    language: str | Path | None = None,
    title: str | None = None,
    force: bool = False,
) -> ReportAnswer:
    """Write a page of results that replays its episodes, as ``mars-logic report`` does.

    Args:
        source: The folder of an experiment or of training runs; or certificates, trajectories,
            rules, exchanges with language models or world files: folders or files, one or several.
        out: The file to write, in HTML.
        replays: How many episodes can be watched, at most.
        requests: How many requests to language models are shown, at most.
        language: A file of settings of a language model, with prices of tokens.
        title: What to call it; by default as the folder.
        force: Whether the file may be replaced.

    Raises:
        InputError: There is nothing to report, a file is wrong, or the page cannot be written.
    """
    from mars_logic.cli.output import require_free
    from mars_logic.cli.report import told_report, write_report

    require_free(Path(out), force)
    several = [Path(each) for each in ([source] if isinstance(source, str | Path) else source)]
    prices = None if language is None else Path(language)
    with text_told():
        written = write_report(several, Path(out), replays, title, requests, prices)
    return ReportAnswer(told_report(written), True, written)
