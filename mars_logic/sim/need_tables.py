"""Compiles needs that a world adds."""

from __future__ import annotations

from mars_logic.sim.rules_record import Rules
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary

_NEVER = 0


def need_tables(rules: Rules, world: World, words: Vocabulary) -> None:
    """Fill in what a wide record says of added needs."""
    rules["num_needs"] = len(words.added_needs)
    for place, name in enumerate(words.added_needs):
        rule = world.need[name]
        assert isinstance(rule, AddedNeed)
        rules["need_item"][place] = words.items.index(name)
        rules["need_every"][place] = rule.every
        rules["need_loss"][place] = rule.loss
        rules["need_when"][place] = TIMES.index(rule.when)
        rises = rule.rises
        rules["need_rises"][place] = _NEVER if rises == "never" else TIMES.index(rises)
        rules["need_empty"][place] = rule.empty
        for item in rule.kept_by:
            rules["need_kept_by"][place, words.items.index(item)] = True
        for material, points in rule.gains_near.items():
            rules["need_near"][place, words.materials.index(material)] = points
        for material, points in rule.gains_on.items():
            rules["need_on"][place, words.materials.index(material)] = points
        for item, points in rule.gains_eating.items():
            rules["need_eating"][place, words.items.index(item)] = points
