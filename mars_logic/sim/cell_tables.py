"""Compiles the rules about cells that are pushed or change by themselves."""

from __future__ import annotations

from mars_logic.sim.rules_record import Rules, codes_of, mask_of
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary


def push_table(rules: Rules, world: World, words: Vocabulary) -> None:
    """Fill in what moves push, in a wide record."""
    rules["pushes"] = bool(world.push)
    for material, rule in world.push.items():
        code = words.materials.index(material)
        rules["push_onto"][code] = mask_of(codes_of(words, rule.onto))
        rules["push_leaves"][code] = words.materials.index(rule.leaves)
        for ground in rule.onto:
            becomes = rule.becomes.get(ground, material)
            at = words.materials.index(ground)
            rules["push_becomes"][code, at] = words.materials.index(becomes)


def change_tables(rules: Rules, world: World, words: Vocabulary) -> None:
    """Fill in how cells change by themselves, in a wide record."""
    rules["changes"] = bool(world.beside or world.timer)
    for material in (*world.beside, *world.timer):
        rules["changing"][words.materials.index(material)] = True
    for material, beside in world.beside.items():
        code = words.materials.index(material)
        rules["beside_chance"][code] = beside.chance
        for other, becomes in beside.becomes.items():
            at = words.materials.index(other)
            rules["beside_becomes"][code, at] = words.materials.index(becomes)
    for material, timer in world.timer.items():
        code = words.materials.index(material)
        rules["timer_becomes"][code] = words.materials.index(timer.becomes)
        rules["timer_after"][code] = timer.after
        rules["timer_chance"][code] = timer.chance
        rules["timer_when"][code] = TIMES.index(timer.when)
        rules["timer_near"][code] = mask_of(codes_of(words, timer.near))
