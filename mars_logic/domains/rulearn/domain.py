"""What the families of puzzles share as domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

from mars_logic.domains.base import Domain
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import ActionError, Observation
from mars_logic.domains.registry import domain_of
from mars_logic.domains.rulearn.episode import PuzzleAction, action_read, action_text
from mars_logic.domains.rulearn.game_simulator import Hypotheses, PuzzleSimulator
from mars_logic.domains.rulearn.puzzle import DIALECTS, Puzzle
from mars_logic.domains.rulearn.space import PuzzleSpace
from mars_logic.domains.space import SeenEpisode

P = TypeVar("P", bound=Puzzle)
_TENTHS: Final = 99
"""Random inputs of functions are tenths from -9.9 to 9.9."""
_MODELS: Final = "mars_logic.domains.rulearn.language_models"


class PuzzleDomain(Domain[P]):
    """A family of puzzles."""

    hides_rules: ClassVar[bool] = True
    sentences: ClassVar[str | None] = "mars_logic.domains.rulearn.sentences"
    players: ClassVar[Mapping[str, str]] = {
        "idea": "mars_logic.domains.idea_players:IdeaPlayer",
        "told": "mars_logic.domains.idea_players:ToldPlayer",
        "baseline": "mars_logic.domains.rulearn.players:BaselinePlayer",
        "random": "mars_logic.domains.players:RandomPlayer",
        "idea_llm": f"{_MODELS}.players:IdeaLanguagePlayer",
        "idea_llm_verified": f"{_MODELS}.verified:VerifiedIdeaPlayer",
        "idea_llm_planner": f"{_MODELS}.verified:PlannerIdeaPlayer",
        "baseline_llm": f"{_MODELS}.players:BaselineLanguagePlayer",
        "told_llm": f"{_MODELS}.players:ToldLanguagePlayer",
    }
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {"dialect": DIALECTS}
    simulated_by: ClassVar[type[PuzzleSimulator[Any, Any]]]
    version_space: ClassVar[type[PuzzleSpace[Any]]]

    def simulator(self, game: P) -> PuzzleSimulator[Any, Any]:
        """A puzzle that is played; hypotheses may be written in it."""
        return self.simulated_by(game, hypotheses="allowed")

    def hypotheses(self, played: Iterable[SeenEpisode]) -> dict[str, Any] | None:
        """What the hypotheses are worth that language models wrote."""
        from mars_logic.domains.rulearn.language_models.quality import (
            hypothesis_record,
            hypothesis_summary,
        )

        records = [each for each in map(hypothesis_record, played) if each.written]
        return hypothesis_summary(records) if records else None

    def told_rule(self, game: P) -> list[str]:
        """What a player is told who knows the rule, in sentences: all but values of parameters."""
        return self.rules(game)

    def action_data(self, action: PuzzleAction) -> Mapping[str, Any]:
        """An action as recordings have it."""
        return action.data

    def read_action(self, data: Any) -> PuzzleAction:
        """The action that a mapping states."""
        if not isinstance(data, Mapping):
            raise ActionError(f"action: {data!r} is not an action; allowed: a mapping with 'do'")
        return PuzzleAction.read(data)

    def action_text(self, action: PuzzleAction) -> str:
        """An action as it is typed."""
        return action_text(action)

    def parse_action(self, text: str) -> PuzzleAction:
        """The action that is typed."""
        return action_read(text)

    @property
    def question(self) -> str:
        """A person types an action."""
        return "Action"

    def random_action(self, game: P, observation: Observation, chance: Chance) -> PuzzleAction:
        """One of the actions on offer, with a random input."""
        offers = observation["available"]
        offer = offers[int(chance.uniform("action") * len(offers))]
        return PuzzleAction.read({**offer, **_random_input(game, offer["do"], observation, chance)})


def _random_input(game: Puzzle, do: str, shown: Observation, chance: Chance) -> dict[str, Any]:
    """What belongs to an action of this kind besides what is on offer: valid, and random."""
    if do == "evaluate":
        tenths = int(chance.uniform("input") * (2 * _TENTHS + 1)) - _TENTHS
        return {"input": f"{tenths / 10:g}"}
    if do == "enter_code":
        size, low, high, _ = game.code_shape
        digits = (low + int(chance.uniform("digit") * (high - low + 1)) for _ in range(size))
        return {"code": "".join(map(str, digits))}
    if do == "react":
        stored = shown["storage"]
        many = 1 + int(chance.uniform("many") * 2)
        return {
            "materials": [
                stored[int(chance.uniform("material") * len(stored))] for _ in range(many)
            ]
        }
    return {}


def puzzle_simulator(
    puzzle: Puzzle, *, hypotheses: Hypotheses = "none"
) -> PuzzleSimulator[Any, Any]:
    """A simulator of a puzzle.

    Args:
        puzzle: The rules.
        hypotheses: Whether the player may or has to write hypotheses.

    Raises:
        InputError: A field of the rules is open.
    """
    return family_of(puzzle).simulated_by(puzzle, hypotheses=hypotheses)


def family_of(puzzle: Puzzle) -> PuzzleDomain[Any]:
    """The family of a puzzle or a theory."""
    found = domain_of(puzzle)
    assert isinstance(found, PuzzleDomain)
    return found
