"""What hypotheses are worth, measured exactly and without raters, from kept episodes.

Hypotheses are in the actions of an episode. Each is read as a theory, held against what had been
seen when it was written, and the last one is compared with the truth. Raters of the reference
judged the same of people's and language models' hypotheses.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mars_logic.domains.registry import domain_of
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reading import read_rule, rule_reading
from mars_logic.domains.rulearn.space import SeenStep, contradiction
from mars_logic.domains.scoring import score_game
from mars_logic.domains.space import SeenEpisode
from mars_logic.errors import InputError


@dataclass(frozen=True)
class WrittenHypothesis:
    """A hypothesis.

    Attributes:
        text: As it was written.
        problem: Why it cannot be read, or not all of it; None if every sentence is read.
        contradicted: What had been seen before, and contradicts it; None if nothing does, or it
            cannot be read.
        partly: Whether some of its sentences are read, and others are not.
    """

    text: str
    problem: str | None
    contradicted: str | None
    partly: bool = False


@dataclass(frozen=True)
class HypothesisRecord:
    """The hypotheses of an episode.

    Attributes:
        written: All of them, in order.
        right: Whether the last one is equal to the truth; false if there is none.
        solved: Whether the puzzle was solved.
        repeated: Actions that had been taken before under the same rule.
    """

    written: tuple[WrittenHypothesis, ...]
    right: bool
    solved: bool
    repeated: int

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> HypothesisRecord:
        """A record from plain data, as ``dataclasses.asdict`` makes it.

        Raises:
            TypeError, KeyError: It is none.
        """
        written = tuple(WrittenHypothesis(**each) for each in plain["written"])
        return cls(**{**plain, "written": written})


def hypothesis_record(episode: SeenEpisode) -> HypothesisRecord:
    """The hypotheses of an episode."""
    puzzle = episode.game
    untold = domain_of(puzzle).untold(puzzle)
    written = []
    for place, (action, _) in enumerate(episode.steps):
        if action.do == "hypothesise":
            before = episode.steps[:place]
            written.append(_written(action.text, untold, episode.start, before))
    last = episode.steps[-1] if episode.steps else None
    solved = last is not None and (last[0].do == "submit" or bool(last[1].get("correct")))
    right = bool(written) and written[-1].problem is None and _right(written[-1].text, episode)
    return HypothesisRecord(tuple(written), right, solved, repeated_actions(episode.steps))


def _written(
    text: str, untold: Puzzle, start: Mapping[str, Any], before: Sequence[SeenStep]
) -> WrittenHypothesis:
    try:
        theory = read_rule(text, untold)
    except SentenceError as error:
        partly = bool(rule_reading(text, untold).read)
        return WrittenHypothesis(text, str(error), None, partly)
    return WrittenHypothesis(text, None, contradiction(theory, start, before))


def _right(text: str, episode: SeenEpisode) -> bool:
    """Whether a hypothesis that can be read is equal to the truth, open fields excluded."""
    truth = _at_the_end(episode)
    try:
        theory: Puzzle = read_rule(text, domain_of(truth).untold(truth))
        return score_game(theory, truth).equal
    except InputError:  # nothing is known of a field
        return False


def _at_the_end(episode: SeenEpisode) -> Puzzle:
    puzzle: Puzzle = episode.game
    changes = sum(bool(shown.get("changed")) for _, shown in episode.steps)
    return puzzle.with_values(episode.values) if changes and episode.values else puzzle


def repeated_actions(steps: Sequence[SeenStep]) -> int:
    """Actions that had been taken before under the same rule; hypotheses and slips are none."""
    taken: set[Any] = set()
    found = 0
    for action, shown in steps:
        if action.do in ("hypothesise", "malformed"):
            continue
        found += action in taken
        taken.add(action)
        if shown.get("changed"):
            taken.clear()
    return found


def hypothesis_summary(records: Iterable[HypothesisRecord]) -> dict[str, Any]:
    """Episodes summed up, as plain values; shares are None where there is nothing to share.

    Returns:
        ``episodes``, those with a hypothesis; ``written``; ``read``, the share of which every
        sentence is read; ``partly``, the share of which some are, and others not;
        ``contradicted``, the share of those read that contradict what had been seen when they were
        written; ``right``, the share of episodes whose last hypothesis is equal to the truth;
        ``with_revision`` and ``without_revision``, each a pair of solved episodes and episodes;
        ``repeated``, the mean number of repeated actions.
    """
    found = [each for each in records if each.written]
    written = [each for record in found for each in record.written]
    read = [each for each in written if each.problem is None]
    revised = [each for each in found if len(each.written) > 1]
    first = [each for each in found if len(each.written) == 1]
    return {
        "episodes": len(found),
        "written": len(written),
        "read": _share(len(read), len(written)),
        "partly": _share(sum(each.partly for each in written), len(written)),
        "contradicted": _share(sum(each.contradicted is not None for each in read), len(read)),
        "right": _share(sum(each.right for each in found), len(found)),
        "with_revision": [sum(each.solved for each in revised), len(revised)],
        "without_revision": [sum(each.solved for each in first), len(first)],
        "repeated": statistics.fmean(each.repeated for each in found) if found else None,
    }


def _share(part: int, of: int) -> float | None:
    return part / of if of else None
