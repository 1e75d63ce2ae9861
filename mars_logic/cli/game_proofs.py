"""What ``prove`` does with games of Messenger: plans that win whatever the movers draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mars_logic.cli.output import print_json, progress
from mars_logic.domains import domain_of
from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.errors import InputError, unsupported

_MOST_STEPS = 24
"""Plans of level 2 and 3 that are longer are not looked for: the search grows with their length."""


def prove_games(games: Mapping[str, Game], seeds: Sequence[int], as_json: bool) -> bool:
    """Print a verdict for each start; return whether all are sure wins.

    Args:
        games: By the names they were given by.
        seeds: Of the starts.
        as_json: Whether it is printed for programs.

    Raises:
        InputError: A game is none of Messenger.
    """
    from mars_logic.domains.messenger.rules import Messenger

    rows: list[dict[str, Any]] = []
    with progress() as shown:
        for name, game in games.items():
            if not isinstance(game, Messenger):
                raise unsupported(name, "prove", ("worlds", "messenger"), game.domain)
            bar = shown.add_task(name, total=len(seeds))
            for seed in seeds:
                rows.append({"game": name, "seed": seed, **_verdict(game, seed)})
                shown.advance(bar)
    if as_json:
        print_json({"schema": "mars-logic game proofs 1", "starts": rows})
    else:
        for row in rows:
            print(f"{row['game']}, seed {row['seed']}: {row['told']}")
    return all(row["verdict"] == "sure win" for row in rows)


def _verdict(game: Game, seed: int) -> dict[str, Any]:
    from mars_logic.domains.messenger.proofs import sure_win
    from mars_logic.domains.messenger.rules import ACTIONS, Messenger

    assert isinstance(game, Messenger)
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(seed))
    most = min(game.length, _MOST_STEPS)
    try:
        found = sure_win(game.level, simulator.snapshot().numbers, most)
    except InputError as error:
        reason = str(error).partition(";")[0].removeprefix("prove: ")
        return {"verdict": "not proved", "told": f"not proved: {reason}", "steps": None, "plan": []}
    plan = [ACTIONS[each] for each in found.plan]
    return {"verdict": found.verdict, "told": str(found), "steps": found.steps, "plan": plan}
