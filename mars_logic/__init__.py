"""mars-logic: worlds that compile to a simulator, to logic programs and to words."""

from mars_logic.world.load import load_world
from mars_logic.world.world import World

__all__ = ["World", "load_world"]
