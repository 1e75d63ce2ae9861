"""Commands as functions: what they find, as an object that prints as the command does."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mars_logic.errors import InputError
from mars_logic.world.known_names import require_no_traces
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.experiments.runs import EpisodeResult
    from mars_logic.logic.proof import Explanation
    from mars_logic.theory import Revision
    from mars_logic.theory.rulesets import Rules

Play: TypeAlias = "str | Path | Iterable[str | Path | Trajectory]"
"""Recorded play: a file or a folder, or several; or trajectories."""


@dataclass(frozen=True, repr=False)
class CommandAnswer:
    """What a command found; ``print`` shows it as the command does.

    Attributes:
        text: The text, without what belongs to progress.
        good: Whether the command would end with exit status 0.
    """

    text: str
    good: bool

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        first = self.text.partition("\n")[0]
        return f"<{type(self).__name__}: {first}>"


@dataclass(frozen=True, repr=False)
class CheckAnswer(CommandAnswer):
    """What testing rules against play found.

    Attributes:
        findings: The verdict of each rule, with counterexamples, and the lines that are unread.
    """

    findings: Rules


@dataclass(frozen=True, repr=False)
class ReviseAnswer(CommandAnswer):
    """The smallest change of a theory that play demands.

    Attributes:
        revision: The theories before and after, and the changes with what was seen.
    """

    revision: Revision


@dataclass(frozen=True, repr=False)
class RunAnswer(CommandAnswer):
    """What an agent reached.

    Attributes:
        worlds: For each world its results, as ``run --json`` prints them.
    """

    worlds: dict[str, Any]


@dataclass(frozen=True, repr=False)
class PlanAnswer(CommandAnswer):
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


@dataclass(frozen=True, repr=False)
class VerifyAnswer(CommandAnswer):
    """What replaying certificates, or carrying out plans, found.

    Attributes:
        rows: One mapping for each file, as ``verify --json`` prints them.
    """

    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, repr=False)
class ExplainAnswer(CommandAnswer):
    """Why an achievement is unreachable.

    Attributes:
        explanation: The explanation; None if the achievement is not unreachable.
    """

    explanation: Explanation | None


def check(
    rules: str | Path,
    play: Play,
    *,
    every: bool = False,
    noise: float | Literal["fit"] | None = None,
) -> CheckAnswer:
    """Test hypothesised rules against recorded play, as ``mars-logic check`` does.

    Args:
        rules: A world or theory by name or file, a program (.lp), sentences (.txt), a Markdown
            file, or a folder of such files.
        play: A file or a folder of trajectories, or several; or trajectories.
        every: Whether the text tells of rules that nothing speaks against as well.
        noise: The rate of wrong observations, above 0 and to 0.4; ``fit`` estimates it.

    Raises:
        InputError: A file is missing or wrong.

    Example:
        >>> import mars_logic
        >>> from mars_logic.play.agent import load_agent
        >>> from mars_logic.play.recording import record
        >>> from mars_logic.sim import Simulator
        >>> simulator = Simulator(mars_logic.load_world("default"))
        >>> _, play = record(load_agent("random")(), simulator, seed=0, agent_name="random")
        >>> mars_logic.check("default", [play]).good
        True
    """
    from mars_logic.cli.findings import print_findings
    from mars_logic.cli.rule_files import entries_of
    from mars_logic.theory.rulesets import check_rules, read_rules
    from mars_logic.theory.rulesets.artefact import with_history
    from mars_logic.theory.rulesets.noise import with_noise

    with _text() as told:
        trajectories = _trajectories(play)
        hypotheses = read_rules([str(rules)], trajectories[0].about.words)
        found = with_history(check_rules(hypotheses, trajectories), entries_of(str(rules)))
        if noise is not None:
            found = with_noise(found, noise)
        print_findings(found, every)
    return CheckAnswer(told.getvalue(), not (found.contradicted or found.unreadable), found)


def verify(
    paths: str | Path | Iterable[str | Path],
    *,
    world: str | None = None,
    map_seed: int | None = None,
) -> VerifyAnswer:
    """Replay certificates, or carry out plans in PDDL, as ``mars-logic verify`` does.

    Args:
        paths: Certificates, or folders of them; with a world, plans.
        world: The world that plans were made for.
        map_seed: The seed of the map that plans are carried out on.

    Raises:
        InputError: A file is missing or wrong.
    """
    from mars_logic.cli.verify import verified

    several = [Path(each) for each in ([paths] if isinstance(paths, str | Path) else paths)]
    with _text() as told:
        rows = verified(several, world, map_seed, as_json=False)
    return VerifyAnswer(told.getvalue(), all(row["valid"] for row in rows), tuple(rows))


def explain(
    world: World | str, achievement: str, map_seed: int | None = None, *, most: int = 3
) -> ExplainAnswer:
    """Why an achievement is unreachable, as ``mars-logic explain`` does.

    Args:
        world: The world, or the name of a bundled one or of a file.
        achievement: One of its achievements.
        map_seed: The seed of a map; without one, it is about ordinary maps.
        most: The largest number of smallest explanations.

    Raises:
        InputError: The world has no such achievement.
        LimitReachedError: A search was given up.

    Example:
        >>> import mars_logic
        >>> mars_logic.explain("default", "collect_wood").good
        True
    """
    from mars_logic.cli.explain import print_explanation, require_achievement
    from mars_logic.experiments.proving import explain as explained

    loaded = load_world(world) if isinstance(world, str) else world
    require_achievement(loaded, achievement)
    found = explained(loaded, achievement, map_seed, most)
    with _text() as told:
        print_explanation(found, achievement, loaded, map_seed)
    return ExplainAnswer(told.getvalue(), found is None, found)


def revise(belief: str | Path | Theory, play: Play) -> ReviseAnswer:
    """Change as few rules of a theory as play demands, as ``mars-logic revise`` does.

    Args:
        belief: A theory, or a world or theory by name or file, or a file of rules.
        play: A file or a folder of trajectories, or several; or trajectories.

    Raises:
        InputError: A file is missing or wrong.
    """
    from mars_logic.cli.findings import print_revision
    from mars_logic.cli.rule_files import load_believed
    from mars_logic.theory import Evidence
    from mars_logic.theory import revise as smallest

    before = belief if isinstance(belief, Theory) else load_believed(str(belief))
    require_no_traces(before, "revise", "the revision of theories")
    with _text() as told:
        found = smallest(before, Evidence.of(_trajectories(play)))
        print_revision(found, {}, None)
    return ReviseAnswer(told.getvalue(), True, found)


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
    from mars_logic.cli.run import print_results
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
    with _text() as told:
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
) -> PlanAnswer:
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
    with _text() as told:
        print_episode(found, death_of(loaded, found), None)
    return PlanAnswer(told.getvalue(), True, found)


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

    Raises:
        InputError: What is asked for is wrong, or the folder cannot be written to.
    """
    from mars_logic.cli.sample import Certainty, added, print_conflict, request_of, summary_line
    from mars_logic.logic.sampling import ImpossibleError, conflict
    from mars_logic.logic.sampling.folder import SampleFolder

    asked = (change, difficulty, Certainty.finite_chance, [*must], [*forbid])
    request, folder = request_of(*asked, livable=livable), Path(out)
    with _text() as told:
        try:
            worlds = added(SampleFolder(folder, request, seed), count, "worlds")
        except ImpossibleError:
            print_conflict(conflict(request), as_json=False)
            return SampleAnswer(told.getvalue(), False, ())
        for each in worlds:
            print(summary_line(folder, each))
    good = all(each["all_reachable"] for each in worlds)
    return SampleAnswer(told.getvalue(), good, tuple(worlds))


def report(
    source: str | Path,
    out: str | Path,
    *,
    replays: int = 60,
    title: str | None = None,
    force: bool = False,
) -> ReportAnswer:
    """Write a page of results that replays its episodes, as ``mars-logic report`` does.

    Args:
        source: The folder of an experiment; or certificates or trajectories, a folder or a file.
        out: The file to write, in HTML.
        replays: How many episodes can be watched, at most.
        title: What to call it; by default as the folder.
        force: Whether the file may be replaced.

    Raises:
        InputError: There is nothing to report, a file is wrong, or the page cannot be written.
    """
    from mars_logic.cli.output import require_free
    from mars_logic.cli.report import told_report, write_report

    require_free(Path(out), force)
    with _text():
        written = write_report(Path(source), Path(out), replays, title)
    return ReportAnswer(told_report(written), True, written)


def _trajectories(play: Play) -> list[Trajectory]:
    from mars_logic.cli.theory import recorded_play

    several: list[Any] = [play] if isinstance(play, str | Path) else [*play]
    files = [Path(each) for each in several if isinstance(each, str | Path)]
    given = [each for each in several if not isinstance(each, str | Path)]
    trajectories = [*(recorded_play(files) if files else ()), *given]
    if not trajectories:
        raise InputError("play: there is none; allowed: files, folders or trajectories")
    return trajectories


@contextlib.contextmanager
def _text() -> Iterator[io.StringIO]:
    """Collects standard output and standard error as text instead of printing them."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        yield text
