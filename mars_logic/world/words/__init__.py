"""Rules in words: every rule as an English sentence, and back; a world as a player's manual."""

from mars_logic.world.words.manual import WHOLE_RULES, manual
from mars_logic.world.words.sentences import ParseError, parse, parse_part, tell, tell_part

__all__ = ["WHOLE_RULES", "ParseError", "manual", "parse", "parse_part", "tell", "tell_part"]
