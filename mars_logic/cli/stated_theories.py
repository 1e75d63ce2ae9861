"""What ``check`` and ``score`` do with theories of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

import typer

from mars_logic.cli.output import print_json, print_table, say_written
from mars_logic.cli.proposals import UnreadOptions, settled
from mars_logic.cli.rule_files import is_rule_file, load_rule_file, signed, write_rules
from mars_logic.domains import domain_of
from mars_logic.domains.game import Game
from mars_logic.domains.library import names_a_game
from mars_logic.domains.registry import require_offered
from mars_logic.domains.together import load_if_game
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.files import read_text

if TYPE_CHECKING:
    from mars_logic.domains.checking import GameCheck, PartVerdict
    from mars_logic.theory.rulesets import RuleFinding, Rules, Unreadable
    from mars_logic.theory.rulesets.proposed import How
    from mars_logic.theory.verdict import Verdict

_YAML = (".yaml", ".yml")
_MOST_BYTES = 100_000
_MOST_LINES = 10
"""Unread sentences that an error names."""


class StatedTheory(NamedTuple):
    """A theory of a game, and what else the sentences say that state it.

    Attributes:
        theory: The theory.
        unread: Sentences that are not read.
        how: By part of the theory, how it was decided what unread sentences mean that state it.
    """

    theory: Game
    unread: Sequence[Unreadable] = ()
    how: Mapping[str, How] = MappingProxyType({})


def game_theory(name: str) -> Game | None:
    """A theory of a game by name or file; None if it is something else.

    Raises:
        WorldError: It cannot be loaded.
    """
    if stated := _stated_game(name):
        return stated
    if not (names_a_game(name) or name.endswith(_YAML)) or is_rule_file(name):
        return None
    return load_if_game(name)


def _stated_game(name: str) -> Game | None:
    """The theory of a game that a file of rules states; None if it states none."""
    import yaml

    from mars_logic.domains.load import game_of
    from mars_logic.world.source import parse

    rules = load_rule_file(name) if is_rule_file(name) else None
    if rules is None or rules.puzzle is None:
        return None
    return game_of(parse(yaml.safe_dump(dict(rules.puzzle), sort_keys=False), name), name)


def theory_of_sentences(
    path: str, trajectories: list[Path], chosen: UnreadOptions
) -> StatedTheory | None:
    """What sentences say about the puzzle of kept episodes; None if these are of no puzzle.

    Of several puzzles it is the one about which the fewest sentences are unread.

    Args:
        path: The file of sentences.
        trajectories: The episodes.
        chosen: How unread sentences are handled.

    Raises:
        InputError: There is no sentence, or the episodes cannot be read.
    """
    from mars_logic.domains.seen_episodes import holds_games, seen_episodes

    if not holds_games(trajectories):
        return None
    games = {each.game.name: each.game for each in seen_episodes(trajectories)}
    found = [(game, *sentences_about(path, game, "check")) for game in games.values()]
    return _settled(path, *min(found, key=lambda each: len(each[2])), chosen)


def _settled(
    path: str, game: Game, stated: Game, unread: list[Unreadable], chosen: UnreadOptions
) -> StatedTheory:
    """A theory with what unread sentences are taken to mean; of a line with several, none is."""
    from mars_logic.theory.rulesets.proposed import unread_lines

    lines = Counter(each.place for each in unread)
    sole = [each for each in unread if lines[each.place] == 1]
    told, meant = settled(
        sole,
        chosen,
        domain_of(game).sentence_reading().proposer_about(domain_of(game).untold(game)),
    )
    proposed = {each.text: each.proposals for each in unread_lines(told)}
    how: dict[str, How] = {}
    taken: dict[str, str] = {}
    ways: tuple[How, ...] = ("confirmed", "chosen by model", "proposed")
    for way in ways:
        taken |= {
            each.text: meant[each.place].sentence
            for each in sole
            if each.place in meant and meant[each.place].how == way
        }
        before = _parts(stated)
        stated, unread = sentences_about(path, game, "check", taken)
        how |= dict.fromkeys([name for name, _ in _parts(stated) - before], way)
    left = (replace(each, proposals=proposed.get(each.text, ())) for each in unread)
    return StatedTheory(stated, tuple(left), how)


def _parts(theory: Game) -> set[tuple[str, bool]]:
    """The parts of a theory, each with whether nothing is known of it."""
    space = domain_of(theory).version_space
    assert space is not None
    return {*space.parts(theory).items()}


def whole_theory(path: str, game: Game) -> Game:
    """What the sentences of a file say about a puzzle, all of which have to be read.

    Raises:
        InputError: One is unread, or there is none.
    """
    theory, unread = sentences_about(path, game, "score")
    if unread:
        raise InputError("\n".join(map(str, unread[:_MOST_LINES])))
    return theory


def sentences_about(
    path: str, game: Game, command: str, meant: Mapping[str, str] = MappingProxyType({})
) -> tuple[Game, list[Unreadable]]:
    """What the sentences of a file say about a puzzle, as a theory, and those that are unread.

    Args:
        path: The file.
        game: The puzzle.
        command: What asks for them.
        meant: Sentences that are read in the place of others.

    Raises:
        InputError: There is no sentence, or sentences about such a game are not read.
    """
    from mars_logic.theory.rulesets import Unreadable

    require_offered(command, game, lambda each: each.sentences, ("worlds",))
    text = read_text(Path(path), "sentences about the rule of a puzzle", _MOST_BYTES)
    untold: Game = domain_of(game).untold(game)
    reading = domain_of(game).sentence_reading()
    found, known = reading.rule_reading(text, untold, meant), reading.forms(untold)
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
    stated: StatedTheory,
    name: str,
    files: list[Path],
    as_json: bool,
    out: Path | None = None,
) -> None:
    """Hold a theory against kept episodes.

    Args:
        stated: The theory.
        name: Where it is from.
        files: The episodes.
        as_json: Whether to print JSON.
        out: Where to write the rules with what is known of them; None for nowhere.

    Raises:
        InputError: A file is no recording and no certificate.
        typer.Exit: It is contradicted, or a sentence is unread.
    """
    from mars_logic.domains.checking import check_game

    theory, unread, how = stated
    found = check_game(theory, files)
    rules = game_rules(theory, name, found, unread)
    marked = (each.model_copy(update={"taken": how.get(each.id)}) for each in rules.rules)
    rules = signed(rules.model_copy(update={"rules": tuple(marked)}), "check", name)
    if out:
        write_rules(out, rules)
    if as_json:
        print_json(rules.to_json())
    else:
        _print(found, unread, how)
        say_written(out, "the rules with what is known of them")
    if found.contradicted or unread:
        raise typer.Exit(1 if found.contradicted else 2)


def game_rules(
    theory: Game, name: str, found: GameCheck | None = None, unread: Sequence[Unreadable] = ()
) -> Rules:
    """The parts of a theory of a game as rules.

    Args:
        theory: The theory.
        name: Where it is from.
        found: How the parts stand to recorded episodes; None if they were not held against any.
        unread: Sentences about it that are not read.
    """
    from mars_logic.theory.rulesets.rule_report import Rules
    from mars_logic.world.source import value_of

    space = domain_of(theory).version_space
    assert space is not None
    told = {each.part: each for each in found.parts} if found else {}
    return Rules(
        puzzle=value_of(theory.to_yaml(), name),
        transitions=found.steps if found else 0,
        rules=tuple(_part_rule(part, name, told.get(part)) for part in space.parts(theory)),
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


def _print(found: GameCheck, unread: Sequence[Unreadable], how: Mapping[str, How]) -> None:
    from mars_logic.cli.findings import print_unread

    ways = {part: f" ({way})" for part, way in how.items()}
    rows = (
        (
            each.part,
            f"{each.verdict}{ways.get(each.part, '')}",
            f"{each.support}",
            f"{each.against}",
        )
        for each in found.parts
    )
    print_table(("part", "verdict", "support", "against"), rows)
    for each in found.parts:
        if each.counterexample:
            print(f"{each.part}: {each.counterexample}")
    print_unread(unread)
    other = f"; {found.skipped} of other puzzles" if found.skipped else ""
    lines = f"; {number(len(unread), 'unread sentence')}" if unread else ""
    print(f"{number(found.episodes, 'episode')}{other}{lines}")


def score_theory(
    theory: Game,
    truth: Game,
    names: tuple[str, str],
    size: int | None,
    as_json: bool,
    out: Path | None = None,
) -> None:
    """Compare a theory with the truth.

    Raises:
        InputError: They cannot be compared.
    """
    from mars_logic.domains.scoring import score_game

    found = score_game(theory, truth, size)
    if out:
        rules = signed(game_rules(theory, names[0]), "score", names[0])
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
