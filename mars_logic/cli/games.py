"""What the commands about worlds do with games, and the command ``value``."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, print_json, print_table, say
from mars_logic.domains import bundled_games, domain_of, game_sets, games_of, load_rules
from mars_logic.domains.base import StepsValue
from mars_logic.domains.registry import require_offered
from mars_logic.errors import InputError
from mars_logic.system.display import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mars_logic.domains.game import Game


class GamePrior(StrEnum):
    """What a player of a game knows before its first episode."""

    told = "told"
    none = "none"


def print_games(games: Sequence[Game]) -> None:
    """Games by domain, as a table."""
    rows = ((game.name, game.domain, str(game.length), game.title) for game in games)
    print_table(("game", "domain", "steps", "what it is"), rows)


def set_rows() -> list[dict[str, Any]]:
    """The sets of games: their names, what they are, and of how many games."""
    return [
        {"name": name, "domain": name.rpartition("/")[2], "games": len(games_of(name))}
        for name in game_sets()
    ]


def print_sets() -> None:
    """The sets of games, as a table."""
    print_table(("set of puzzles", "domain", "puzzles"), (map(str, r.values()) for r in set_rows()))


def diff_games(names: Sequence[str], one: Game, other: Game, as_json: bool) -> None:
    """Print the fields in which two games differ.

    Raises:
        InputError: They belong to different domains.
    """
    if one.domain != other.domain:
        message = f"'{names[0]}' belongs to {one.domain}, '{names[1]}' to {other.domain}"
        raise InputError(f"diff: {message}; allowed: two games of one domain")
    found = one.differences(other)
    if as_json:
        rows = [{"field": field, "values": list(values)} for field, *values in found]
        about = {"schema": "mars-logic game diff 1", "games": [*names]}
        print_json(about | {"fields": rows})
    else:
        for field, before, after in found:
            print(f"{field}\n  - {before}\n  + {after}")
        say(f"{number(len(found), 'field')} of {one.domain} in which they differ")


def value(
    game: Annotated[
        str,
        typer.Argument(
            help="A bundled game or a file of one.",
            metavar="GAME",
            autocompletion=lambda: list(bundled_games()),
        ),
    ],
    prior: Annotated[
        GamePrior,
        typer.Option(
            help="What the player knows: the file except what is drawn at random, or the manual."
        ),
    ] = GamePrior.none,
    as_json: Json = False,
) -> None:
    """Compute a game's exact value and optimal first moves.

    This is what the policy with the largest expected reward gets in one episode: its expected
    score and reward, and the reward that it expects itself before the first step. In a game
    without chance it is the best play, without slips. The value of a puzzle is the expected number
    of steps in which it is solved, or a bound of that.

    Example: mars-logic value BanditTwoArmedHighLowFixed --prior told
    """
    loaded: Any = load_rules(game)
    require_offered("value", loaded, lambda each: each.priors)
    found = domain_of(loaded).value(loaded, prior.value)
    if as_json:
        about = domain_of(loaded).about(loaded)
        document = {"schema": "mars-logic value 1", **about, "prior": prior.value}
        print_json(document | vars(found) | {"moves": list(found.moves)})
        return
    print(f"{game}: told {found.told}")
    if isinstance(found, StepsValue):
        print(f"  expected steps   {'' if found.exact else 'at least '}{found.steps:.3f}")
        if found.moves:
            print("  first moves of the optimal policy, all equally good")
    else:
        print(f"  expected score   {found.score:.3f}")
        print(
            f"  expected reward  {found.reward:.3f}, as the player expects it {found.expected:.3f}"
        )
        if found.steps is not None:
            print(f"  steps            {found.steps}")
        print("  first moves of the optimal policy, by what was observed before")
    for move in found.moves:
        print(f"    {move}")
    if found.note:
        print(f"  {found.note}")
