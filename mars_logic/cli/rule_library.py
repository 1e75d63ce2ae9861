"""``score`` for rules in sentences: a rule library compared with the true rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from mars_logic.cli.output import print_json, print_table, say, say_wrong
from mars_logic.cli.rule_files import entries_of, is_rule_file
from mars_logic.errors import InputError
from mars_logic.system.display import percent

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.theory.rulesets import Statement, Unreadable
    from mars_logic.theory.rulesets.library import LibraryScore, Share
    from mars_logic.world.theory import World
    from mars_logic.world.vocabulary import Vocabulary

_ENDINGS = (".txt", ".md", ".markdown")
_LINES = 10
"""Unreadable lines and wrong sentences that are printed; --json has them all."""


def is_sentences(path: str) -> bool:
    """Whether a path is a file of sentences."""
    return Path(path).suffix in _ENDINGS


def holds_sentences(path: str) -> bool:
    """Whether a path is a file of sentences or a folder."""
    if is_rule_file(path):
        return any(each.form == "sentence" for each in entries_of(path))
    return is_sentences(path) or Path(path).is_dir()


def score_rules(
    path: str, truth: str, world: World, played: Sequence[Trajectory], *, as_json: bool
) -> None:
    """Print the score of the sentences of a file, or of every file of a folder.

    Args:
        path: The file or folder.
        truth: The name of the true world.
        world: The true world.
        played: Recorded play to test the sentences on; empty for none.
        as_json: Whether to print JSON.

    Raises:
        InputError: There are rules in other forms than sentences.
    """
    from mars_logic.theory.rulesets.library import by_file, score_library

    rules = _sentences(path, world.vocabulary)
    found = score_library(rules, world)
    files = by_file(rules, world)
    verdicts = _verdicts(rules, played) if played else None
    unread = [each for each in rules if not isinstance(each, tuple)]
    if as_json:
        print_json(
            {
                "schema": "mars-logic score rules 1",
                "rules_from": path,
                "truth": truth,
                **found.to_json(),
                "by_kind": {kind: each.to_json() for kind, each in found.by_kind.items()},
                "by_file": {file: each.to_json() for file, each in files.items()},
                "verdicts": verdicts,
                "sentences": [each.to_json() for each in found.sentences],
                "unreadable": [each.to_json() for each in unread],
            }
        )
        return
    _print_table(found, files)
    _print_wrong(found)
    for line in unread[:_LINES]:
        say_wrong(str(line))
    if verdicts:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items() if number)
        print(f"on recorded play: {counts or 'no sentence was tested'}")
    say(f"{len(found.sentences)} sentences read, {found.unread} unread")


def _sentences(path: str, words: Vocabulary) -> list[tuple[Statement, ...] | Unreadable]:
    from mars_logic.theory.rulesets import Unreadable, read_rules

    found: list[tuple[Statement, ...] | Unreadable] = []
    for each in read_rules([path], words):
        if not isinstance(each, tuple | Unreadable):
            raise InputError(
                f"{path}:1: rules: a theory or a program among sentences cannot be scored with "
                "them; allowed: sentences, or one theory alone"
            )
        found.append(each)
    return found


def _verdicts(
    rules: Sequence[tuple[Statement, ...] | Unreadable], played: Sequence[Trajectory]
) -> dict[str, int]:
    """How many sentences have each verdict on recorded play: the worst of what they say."""
    from mars_logic.theory.rulesets import check_rules
    from mars_logic.theory.verdict import Verdict

    worst = ("contradicted", "undecided", "untested", "supported")
    of: dict[tuple[str, str], list[str]] = {}
    for finding in check_rules([each for each in rules if isinstance(each, tuple)], played).rules:
        of.setdefault((finding.source, finding.text), []).append(finding.verdict)
    counts = Counter(min(some, key=worst.index) for some in of.values())
    return {verdict: counts[verdict] for verdict in get_args(Verdict)}


def _print_table(found: LibraryScore, files: dict[str, LibraryScore]) -> None:
    columns = ("sentences right", "true facts", "recall", "recall in part", "unread")
    rows = {"all rules": found} | {str(kind): each for kind, each in found.by_kind.items()}
    rows |= files if len(files) > 1 else {}
    cells = []
    for name, each in rows.items():
        shares = (each.precision, each.facts, each.recall, each.recall_in_part)
        kind = name in map(str, found.by_kind)
        cells.append((name, *map(_share, shares), "" if kind else str(each.unread)))
    print_table(("score", *columns), cells)


def _share(share: Share) -> str:
    return f"{percent(share.value)} ({share.part}/{share.of})"


def _print_wrong(found: LibraryScore) -> None:
    wrong = [each for each in found.sentences if not each.right]
    for each in wrong[:_LINES]:
        false = "; ".join(str(fact) for fact, true in each.facts if not true)
        print(f"wrong: {each.text} ({each.source})\n  false: {false}")
    if len(wrong) > _LINES:
        print(f"and {len(wrong) - _LINES} more that are wrong; --json has them all")
