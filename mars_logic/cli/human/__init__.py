"""A person plays in the terminal: keys to actions, the screen as text, and saved games."""

from mars_logic.cli.human.game import HumanGame
from mars_logic.cli.human.saves import Places, SavedGame
from mars_logic.cli.human.screen import ScreenStyle, draw
from mars_logic.play.session import AGENTS, PlaySession, agent_name

__all__ = [
    "AGENTS",
    "HumanGame",
    "Places",
    "PlaySession",
    "SavedGame",
    "ScreenStyle",
    "agent_name",
    "draw",
]
