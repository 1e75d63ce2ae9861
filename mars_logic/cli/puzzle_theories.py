"""What ``check`` and ``score`` do with theories of puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from mars_logic.cli.output import print_json, print_stripped, say_written
from mars_logic.cli.rule_files import is_rule_file, load_rule_file, signed, write_rules
from mars_logic.domains import domain_of, load_rules_theory
from mars_logic.domains.library import names_a_game
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.telling import number
from mars_logic.errors import InputError
from mars_logic.files import read_text

if TYPE_CHECKING:
    from mars_logic.domains.rulearn.checking import PartVerdict, PuzzleCheck
    from mars_logic.theory.rulesets import RuleFinding, Rules, Unreadable
    from mars_logic.theory.verdict import Verdict

_YAML = (".yaml", ".yml")
_MOST_BYTES = 100_000
_MOST_LINES = 10
"""Unread sentences that an error names."""


def puzzle_theory(name: str) -> Puzzle | None:
    """A theory of a puzzle by name or file; None if it is something else.

    Raises:
        InputError: It is a game that is no puzzle.
        WorldError: It cannot be loaded.
    """
    if stated := _stated_puzzle(name):
        return stated
    if not (names_a_game(name) or name.endswith(_YAML)) or is_rule_file(name):
        return None
    found = load_rules_theory(name)
    if isinstance(found, Puzzle):
        return found
    if names_a_game(name):
        raise InputError(f"'{name}' is a game without records; allowed: a world or a puzzle")
    return None


def _stated_puzzle(name: str) -> Puzzle | None:
    """The theory of a puzzle that a file of rules states; None if it states none."""
    import yaml

    from mars_logic.domains.load import parse_game_theory

    rules = load_rule_file(name) if is_rule_file(name) else None
    if rules is None or rules.puzzle is None:
        return None
    found = parse_game_theory(yaml.safe_dump(dict(rules.puzzle), sort_keys=False), name)
    if not isinstance(found, Puzzle):
        raise InputError(f"{name}:1: puzzle: this is a game; allowed: the theory of a puzzle")
    return found


def theory_of_sentences(
    path: str, trajectories: list[Path]
) -> tuple[Puzzle, list[Unreadable]] | None:
    """What sentences say about the puzzle of kept episodes; None if these are of no puzzle.

    Of several puzzles it is the one about which the fewest sentences are unread.

    Returns:
        The theory, and the sentences that are unread.

    Raises:
        InputError: There is no sentence, or the episodes cannot be read.
    """
    from mars_logic.domains.rulearn.seen_episodes import holds_puzzles, seen_episodes

    if not holds_puzzles(trajectories):
        return None
    puzzles = {each.puzzle.name: each.puzzle for each in seen_episodes(trajectories)}
    found = [sentences_about(path, puzzle) for puzzle in puzzles.values()]
    return min(found, key=lambda each: len(each[1]))


def whole_theory(path: str, puzzle: Puzzle) -> Puzzle:
    """What the sentences of a file say about a puzzle, all of which have to be read.

    Raises:
        InputError: One is unread, or there is none.
    """
    theory, unread = sentences_about(path, puzzle)
    if unread:
        raise InputError("\n".join(map(str, unread[:_MOST_LINES])))
    return theory


def sentences_about(path: str, puzzle: Puzzle) -> tuple[Puzzle, list[Unreadable]]:
    """What the sentences of a file say about a puzzle, as a theory, and those that are unread.

    Raises:
        InputError: There is no sentence.
    """
    from mars_logic.domains.rulearn.reading import forms, rule_reading
    from mars_logic.theory.rulesets import Unreadable

    text = read_text(Path(path), "sentences about the rule of a puzzle", _MOST_BYTES)
    untold: Puzzle = domain_of(puzzle).untold(puzzle)
    found, known = rule_reading(text, untold), forms(untold)
    if not (found.read or found.unread):
        allowed = f"sentences such as '{known[0]}'"
        raise InputError(f"{path}:1: file: there is no sentence; allowed: {allowed}")
    unread = [
        Unreadable(
            path, each.line, each.text, each.problem, get_close_matches(each.text, known, 1, 0)[0]
        )
        for each in found.unread
    ]
    return found.theory.model_copy(update={"name": path}), unread


def check_theory(
    theory: Puzzle,
    name: str,
    files: list[Path],
    as_json: bool,
    unread: Sequence[Unreadable] = (),
    out: Path | None = None,
) -> None:
    """Hold a theory against kept episodes.

    Args:
        theory: The theory.
        name: Where it is from.
        files: The episodes.
        as_json: Whether to print JSON.
        unread: Sentences that are not read.
        out: Where to write the rules with what is known of them; None for nowhere.

    Raises:
        InputError: A file is no recording and no certificate.
        typer.Exit: It is contradicted, or a sentence is unread.
    """
    from mars_logic.domains.rulearn.checking import check_puzzle

    found = check_puzzle(theory, files)
    rules = signed(puzzle_rules(theory, name, found, unread), "check", name)
    if out:
        write_rules(out, rules)
    if as_json:
        print_json(rules.to_json())
    else:
        _print(found, unread)
        say_written(out, "the rules with what is known of them")
    if found.contradicted or unread:
        raise typer.Exit(1 if found.contradicted else 2)


def puzzle_rules(
    theory: Puzzle, name: str, found: PuzzleCheck | None = None, unread: Sequence[Unreadable] = ()
) -> Rules:
    """The parts of a theory of a puzzle as rules.

    Args:
        theory: The theory.
        name: Where it is from.
        found: How the parts stand to recorded episodes; None if they were not held against any.
        unread: Sentences about it that are not read.
    """
    from mars_logic.domains.rulearn.observations import rule_parts
    from mars_logic.theory.rulesets.rule_report import Rules
    from mars_logic.world.source import value_of

    told = {each.part: each for each in found.parts} if found else {}
    return Rules(
        puzzle=value_of(theory.to_yaml(), name),
        transitions=found.steps if found else 0,
        rules=tuple(
            _part_rule(each.name, name, told.get(each.name)) for each in rule_parts(theory)
        ),
        unreadable=tuple(unread),
    )


def _part_rule(part: str, name: str, found: PartVerdict | None) -> RuleFinding:
    from mars_logic.theory.rulesets.rule_report import Counterexample, RuleFinding

    if found is None or found.open:
        left = "nothing is known of a field of it" if found else ""
        return RuleFinding(id=part, text=part, form="puzzle", source=name, decide=left)
    examples = []
    if found.place is not None:
        where = {"trajectory": found.place, "step": found.step}
        about = {"predicted": part, "did": "", "saw": found.saw, "count": found.against}
        examples = [Counterexample.model_validate({**where, **about})]
    return RuleFinding(
        id=part,
        text=part,
        form="puzzle",
        source=name,
        verdict=cast("Verdict", found.verdict),
        support=found.support,
        applicable=found.support + found.against,
        consistent=found.support,
        contradicted=found.against,
        counterexamples=tuple(examples),
    )


def _print(found: PuzzleCheck, unread: Sequence[Unreadable]) -> None:
    from rich.table import Table

    from mars_logic.cli.findings import print_unread

    table = Table("part", "verdict", "support", "against", box=None)
    for each in found.parts:
        table.add_row(each.part, each.verdict, str(each.support), str(each.against))
    print_stripped(table)
    for each in found.parts:
        if each.counterexample:
            print(f"{each.part}: {each.counterexample}")
    print_unread(unread)
    other = f"; {found.skipped} of other puzzles" if found.skipped else ""
    lines = f"; {number(len(unread), 'unread sentence')}" if unread else ""
    print(f"{number(found.episodes, 'episode')}{other}{lines}")


def score_theory(
    theory: Puzzle,
    truth: Puzzle,
    names: tuple[str, str],
    size: int | None,
    as_json: bool,
    out: Path | None = None,
) -> None:
    """Compare a theory with the truth.

    Raises:
        InputError: They cannot be compared.
    """
    from mars_logic.domains.rulearn.scoring import score_puzzle

    found = score_puzzle(theory, truth, size)
    if out:
        rules = signed(puzzle_rules(theory, names[0]), "score", names[0])
        if found.equal:
            right = tuple(each.model_copy(update={"right": True}) for each in rules.rules)
            rules = rules.model_copy(update={"rules": right})
        write_rules(out, rules)
    if as_json:
        document = {"schema": "mars-logic score puzzle 1", "theory": names[0], "truth": names[1]}
        print_json(document | asdict(found))
        return
    print(f"compared: {found.compared}")
    if found.open:
        print(f"open, with the likeliest values: {', '.join(found.open)}")
    if found.difference:
        print(f"first difference, at input {found.inputs}: {found.difference}")
    else:
        print(f"equal on all {found.inputs:,} inputs")
