"""Plays the episodes of a unit in a game."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from mars_logic.domains.certificates import PlayerReference, certify_game
from mars_logic.domains.game import Game
from mars_logic.domains.playing import PlayedGame, play
from mars_logic.domains.protocol import GamePlayer
from mars_logic.domains.registry import domain_of
from mars_logic.domains.runs import certificate_options
from mars_logic.experiments.games import normalised_score, of_player, player_of, prior_of, shortened
from mars_logic.experiments.record import Phase, Record
from mars_logic.experiments.units import Unit
from mars_logic.play.learning import FAR


def lesson_seed(seed: int, number: int) -> int:
    """The seed of a learning episode: the unit's own, then others as far from it as of evaluation.

    Args:
        seed: The unit's.
        number: Of the episode, from 1.
    """
    return seed - FAR * (number - 1)


def play_unit(unit: Unit, game: Game, record: Record) -> None:
    """Play a unit's episodes: one player for all of them.

    Each evaluation episode of a player that learned is played by a copy of it, so that it begins
    with what was learned in the learning episodes alone.

    Args:
        unit: What to play.
        game: Its game.
        record: Takes the episodes down.

    Raises:
        InputError: The player cannot play this game.
    """
    rules = shortened(game, unit.length)
    options = unit.stated_options
    belief = unit.belief
    assert belief is None or isinstance(belief, Game)
    player = player_of(rules, unit.agent, options, learn=unit.learn is not None, belief=belief)
    learning_since = unit.seed if unit.learn is not None else None
    who = PlayerReference(
        name=unit.agent,
        prior=prior_of(game.domain, unit.agent, options, belief),
        belief=None if belief is None else belief.digest,
        learning_since=learning_since,
        options=certificate_options(of_player(options)),
    )
    name = unit.name_in_certificates if rules == game else None
    match = _Match(rules, record, who, name)
    for number in range(1, (unit.learn or 0) + 1):
        match.play("learn", player, lesson_seed(unit.seed, number), number)
    if unit.learn is None:
        for seed, episode in unit.played:
            match.play("play" if unit.evaluate is None else "evaluate", player, seed, episode)
    elif unit.evaluate is not None:
        for seed, episode in unit.played:
            match.play("evaluate", copy.deepcopy(player), seed, episode)


@dataclass(frozen=True)
class _Match:
    """Plays episodes of a game and takes them down.

    Attributes:
        rules: The game.
        record: Takes them down.
        who: The player, as certificates have it.
        name: How the game is found from a certificate; None if it cannot be, being shortened, so
            that no certificates are kept.
    """

    rules: Game
    record: Record
    who: PlayerReference
    name: str | None

    def play(self, phase: Phase, player: GamePlayer, seed: int, episode: int) -> None:
        simulator = domain_of(self.rules).simulator(self.rules)
        played = play(simulator, player, seed, self.rules.length)
        columns = {"seed": seed, "episode": episode, **self._columns(played)}
        if self.name is not None:
            kept = certify_game(played, self.rules, self.name, seed, self.who)
            columns["certificate"] = self.record.certificate(kept)
        thoughts = [
            {"step": played.steps, "layer": "theory", "what": sentence}
            for sentence in player.theory()
        ]
        self.record.take_down(phase, columns, thoughts)

    def _columns(self, played: PlayedGame) -> dict[str, Any]:
        cost = self.record.cost()
        return {
            "steps": played.steps,
            "reward": float(sum(played.rewards)),
            "ended": "complete" if played.last.completed else "length",
            "unlocked": [],
            "unreachable": [],
            "complete": played.last.completed,
            "score": float(played.score),
            "normalised": normalised_score(self.rules, played.score),
            "seconds_per_decision": cost["seconds"] / len(played.actions),
            **cost,
        }
