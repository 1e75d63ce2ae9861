"""Commands as functions: what they find, as an object that prints as the command does."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mars_logic.errors import InputError
from mars_logic.world.known_names import require_no_traces
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.logic.proof import Explanation
    from mars_logic.theory import Revision
    from mars_logic.theory.rulesets import Rules


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


@contextlib.contextmanager
def text_told() -> Iterator[io.StringIO]:
    """Collects standard output and standard error as text instead of printing them."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        yield text


Play: TypeAlias = "str | Path | Iterable[str | Path | Trajectory]"
"""Recorded play: a file or a folder, or several; or trajectories."""


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
    play_on: int = 0,
    record: str | Path | None = None,
) -> CheckAnswer:
    """Test hypothesised rules against recorded play, as ``mars-logic check`` does.

    Args:
        rules: A world or theory by name or file, a program (.lp), sentences (.txt), a Markdown
            file, or a folder of such files.
        play: A file or a folder of trajectories, or several; or trajectories.
        every: Whether the text tells of rules that nothing speaks against as well.
        noise: The rate of wrong observations, above 0 and to 0.4; ``fit`` estimates it.
        play_on: How many episodes the inductive agent plays on, at most, in the world of the
            recordings, with experiments about what is untested.
        record: The folder in which these are kept; by default ``check_play``.

    Raises:
        InputError: A file is missing or wrong, or it cannot play on in the world of the recordings.

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
    from mars_logic.cli.more_play import require_play, with_more_play
    from mars_logic.cli.rule_files import entries_of
    from mars_logic.theory.rulesets import check_rules, read_rules
    from mars_logic.theory.rulesets.artefact import with_history
    from mars_logic.theory.rulesets.noise import with_noise

    if play_on < 0:
        raise InputError(f"play_on: {play_on} is not possible; allowed: a number from 0")
    folder = None if record is None else Path(record)
    require_play(play_on or None, folder)
    with text_told() as told:
        trajectories = _trajectories(play)
        hypotheses = read_rules([str(rules)], trajectories[0].about.words)
        test = partial(check_rules, hypotheses)
        checked = (
            with_more_play(test, trajectories, play_on, folder) if play_on else test(trajectories)
        )
        found = with_history(checked, entries_of(str(rules)))
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
    with text_told() as told:
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
    with text_told() as told:
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
    with text_told() as told:
        found = smallest(before, Evidence.of(_trajectories(play)))
        print_revision(found, {}, None)
    return ReviseAnswer(told.getvalue(), True, found)


def _trajectories(play: Play) -> list[Trajectory]:
    from mars_logic.cli.theory import recorded_play

    several: list[Any] = [play] if isinstance(play, str | Path) else [*play]
    files = [Path(each) for each in several if isinstance(each, str | Path)]
    given = [each for each in several if not isinstance(each, str | Path)]
    trajectories = [*(recorded_play(files) if files else ()), *given]
    if not trajectories:
        raise InputError("play: there is none; allowed: files, folders or trajectories")
    return trajectories
