"""The families of rules of a dialect: Crafter's, with more fields and families where traces are."""

from __future__ import annotations

from functools import cache

from mars_logic.world.cell_rules import CELL_RULES
from mars_logic.world.creature_rules import CREATURE_RULES
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import PROJECTILE_RULES
from mars_logic.world.rules import FAMILIES, Rule
from mars_logic.world.trace_rules import (
    Eat,
    LeavingCreature,
    NeedRule,
    OptionRule,
    SharedRename,
    TraceRule,
    UsingCollect,
)
from mars_logic.world.vocabulary import Vocabulary

_WITH_TRACES = {kind.family: kind for kind in (SharedRename, UsingCollect, LeavingCreature)}
OWN_FAMILIES: tuple[type[Rule], ...] = (
    Eat,
    *CELL_RULES,
    *CREATURE_RULES,
    *PROJECTILE_RULES,
    AddedNeed,
)
_MORE: tuple[type[Rule], ...] = (Eat, NeedRule, TraceRule, OptionRule)


@cache
def families_of(words: Vocabulary) -> tuple[type[Rule], ...]:
    """All families of a vocabulary, in the order in which rules are listed."""
    if not words.traced:
        return (*FAMILIES, *(kind for kind in OWN_FAMILIES if words.subjects.get(kind.family)))
    return tuple(
        _WITH_TRACES.get(kind.family, kind)
        for kind in (*FAMILIES, *_MORE)
        if kind.family in words.subjects
    )
