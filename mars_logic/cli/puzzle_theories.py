"""What ``check`` and ``score`` do with theories of puzzles."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mars_logic.cli.output import print_json, print_stripped
from mars_logic.domains import domain_of, load_rules_theory
from mars_logic.domains.library import names_a_game
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.telling import number
from mars_logic.errors import InputError
from mars_logic.files import read_text

if TYPE_CHECKING:
    from mars_logic.domains.rulearn.checking import PuzzleCheck

_YAML = (".yaml", ".yml")
_MOST_BYTES = 100_000


def puzzle_theory(name: str) -> Puzzle | None:
    """A theory of a puzzle by name or file; None if it is something else.

    Raises:
        InputError: It is a game that is no puzzle.
        WorldError: It cannot be loaded.
    """
    if not (names_a_game(name) or name.endswith(_YAML)):
        return None
    found = load_rules_theory(name)
    if isinstance(found, Puzzle):
        return found
    if names_a_game(name):
        raise InputError(f"'{name}' is a game without records; allowed: a world or a puzzle")
    return None


def theory_of_sentences(path: str, trajectories: list[Path]) -> Puzzle | None:
    """What sentences say about the puzzle of kept episodes; None if these are of no puzzle.

    Raises:
        InputError: They cannot be read, or the episodes cannot.
    """
    from mars_logic.domains.rulearn.seen_episodes import holds_puzzles, seen_episodes

    if not holds_puzzles(trajectories):
        return None
    puzzles = {each.puzzle.domain: each.puzzle for each in seen_episodes(trajectories)}
    for place, puzzle in enumerate(puzzles.values(), 1):
        try:
            return sentences_about(path, puzzle)
        except InputError:
            if place == len(puzzles):
                raise
    return None


def sentences_about(path: str, puzzle: Puzzle) -> Puzzle:
    """What the sentences of a file say about a puzzle, as a theory.

    Raises:
        InputError: They cannot be read.
    """
    from mars_logic.domains.rulearn.language import SentenceError
    from mars_logic.domains.rulearn.reading import read_rule

    text = read_text(Path(path), "sentences about the rule of a puzzle", _MOST_BYTES)
    try:
        untold: Puzzle = domain_of(puzzle).untold(puzzle)
        return read_rule(text, untold)
    except SentenceError as error:
        raise InputError(f"{path}:1: rule: {error}") from None


def check_theory(theory: Puzzle, name: str, files: list[Path], as_json: bool) -> None:
    """Hold a theory against kept episodes.

    Raises:
        InputError: A file is no recording and no certificate.
        typer.Exit: It is contradicted.
    """
    from mars_logic.domains.rulearn.checking import check_puzzle

    found = check_puzzle(theory, files)
    if as_json:
        parts = [asdict(each) | {"verdict": each.verdict} for each in found.parts]
        document = {"schema": "mars-logic check puzzle 1", "rules_from": name}
        counts = {"episodes": found.episodes, "skipped": found.skipped}
        print_json(document | counts | {"contradicted": found.contradicted, "parts": parts})
    else:
        _print(found)
    if found.contradicted:
        raise typer.Exit(1)


def _print(found: PuzzleCheck) -> None:
    from rich.table import Table

    table = Table("part", "verdict", "support", "against", box=None)
    for each in found.parts:
        table.add_row(each.part, each.verdict, str(each.support), str(each.against))
    print_stripped(table)
    for each in found.parts:
        if each.counterexample:
            print(f"{each.part}: {each.counterexample}")
    other = f"; {found.skipped} of other puzzles" if found.skipped else ""
    print(f"{number(found.episodes, 'episode')}{other}")


def score_theory(
    theory: Puzzle, truth: Puzzle, names: tuple[str, str], size: int | None, as_json: bool
) -> None:
    """Compare a theory with the truth.

    Raises:
        InputError: They cannot be compared.
    """
    from mars_logic.domains.rulearn.scoring import score_puzzle

    found = score_puzzle(theory, truth, size)
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
