"""Rules in words: every rule as an English sentence, and back; a world as a player's manual."""

from mars_logic.world.words.cheat_sheet import cheat_sheet
from mars_logic.world.words.facts import Fact
from mars_logic.world.words.manual import WHOLE_RULES, manual
from mars_logic.world.words.sentences import (
    ParseError,
    parse,
    parse_facts,
    parse_part,
    tell,
    tell_part,
)
from mars_logic.world.words.traces import tell_in

__all__ = [
    "WHOLE_RULES",
    "Fact",
    "ParseError",
    "cheat_sheet",
    "manual",
    "parse",
    "parse_facts",
    "parse_part",
    "tell",
    "tell_in",
    "tell_part",
]
