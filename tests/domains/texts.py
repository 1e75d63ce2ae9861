"""Games as text."""

from pathlib import Path

from mars_logic.domains.load import game_of
from mars_logic.world.source import parse


def parse_game_theory(text, path):
    """The game or theory that a text states."""
    return game_of(parse(text, str(path), "a game in YAML"), Path(path).stem)
