"""A person plays in the terminal: keys to actions, the screen as text, and what is kept of it."""

from mars_logic.human.game import Game
from mars_logic.human.keep import Kept, Places
from mars_logic.human.screen import Look, draw
from mars_logic.human.session import AGENTS, Session, agent_name

__all__ = ["AGENTS", "Game", "Kept", "Look", "Places", "Session", "agent_name", "draw"]
