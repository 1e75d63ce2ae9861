"""SmartPlay's scores: normalised, summed up by capability, and those that were published.

Source: SmartPlay (ICLR 2024), tables 2 to 4, and its code. Where paper and code differ:

* a normalised score is (score - minimum) / (human - minimum), as in the code and in the printed
  table; the paper's formula has human - score above the line, by which humans would get 0;
* a game counts for a capability with its degree of challenge, from 1, in the paper, and with one
  less in the code, so that a game which does not need the capability does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from mars_logic.errors import InputError
from mars_logic.system.resources import values_at

Weights = Literal["code", "paper"]
HUMAN: Final = "Human"


@dataclass(frozen=True)
class PublishedScores:
    """The published numbers. The columns of all lists are ``games``.

    Attributes:
        games: The seven columns of SmartPlay's tables.
        settings: The setting of each game that was played for them.
        capabilities: The nine capabilities.
        degrees: By game: how much it challenges each capability, from 1, "not required".
        lowest: By game: the score that is normalised to 0.
        scores: By player, nine in all: the score in each game.
        normalised: The same as printed, with two digits.
        histories: By domain of a game: the past steps that a language model is told (Table 1).
    """

    games: tuple[str, ...]
    settings: Mapping[str, str]
    capabilities: tuple[str, ...]
    degrees: Mapping[str, tuple[int, ...]]
    lowest: Mapping[str, float]
    scores: Mapping[str, tuple[float, ...]]
    normalised: Mapping[str, tuple[float, ...]]
    histories: Mapping[str, int]

    def score(self, player: str, game: str) -> float:
        """The score of a player in a game."""
        return self.scores[player][self.games.index(game)]


@cache
def published() -> PublishedScores:
    """The numbers of SmartPlay's tables."""
    held = values_at(Path(__file__).with_name("smartplay.json"))
    return PublishedScores(
        games=tuple(held["games"]),
        settings=held["settings"],
        capabilities=tuple(held["capabilities"]),
        degrees={game: tuple(degrees) for game, degrees in held["degrees"].items()},
        lowest=held["min_score"],
        scores={player: tuple(scores) for player, scores in held["raw_scores"].items()},
        normalised={player: tuple(scores) for player, scores in held["printed_normalised"].items()},
        histories=held["histories"],
    )


def normalised(setting: str, score: float) -> float:
    """A score on the scale on which humans have 1; it is not clipped.

    Args:
        setting: One of the seven settings that humans played, such as ``Hanoi3Disk``.
        score: The mean score of its episodes.

    Raises:
        InputError: No human score of this setting was published.
    """
    known = published()
    games = {played: game for game, played in known.settings.items()}
    if setting not in games:
        message = f"no human score of {setting} was published"
        raise InputError(f"setting: {message}; allowed: {', '.join(games)}")
    return scaled(games[setting], score)


def scaled(game: str, score: float) -> float:
    """A score on the scale on which humans have 1; it is not clipped.

    Args:
        game: One of the seven columns of SmartPlay's tables, such as ``Hanoi``.
        score: The mean score of its episodes.
    """
    known = published()
    lowest = known.lowest[game]
    return (score - lowest) / (known.score(HUMAN, game) - lowest)


def capability_scores(scores: Mapping[str, float], weights: Weights = "code") -> dict[str, float]:
    """How good a player is at each capability: a weighted mean of its normalised scores.

    Args:
        scores: By game (a column of the tables), all seven of them: the score, not normalised.
        weights: Those of the code, degree - 1, or of the paper, the degree.

    Raises:
        InputError: A game is missing.
    """
    known = published()
    if missing := [game for game in known.games if game not in scores]:
        message = f"the score of {missing[0]} is missing"
        raise InputError(f"scores: {message}; allowed: scores of {', '.join(known.games)}")
    less = 1 if weights == "code" else 0
    found: dict[str, float] = {}
    for place, capability in enumerate(known.capabilities):
        each = {game: known.degrees[game][place] - less for game in known.games}
        total = sum(weight * scaled(game, scores[game]) for game, weight in each.items())
        found[capability] = total / sum(each.values())
    return found
