"""The forms of free text, by family: what people and language models write.

They add to the forms of ``forms/__init__.py`` and are only read. Each is a template of the normal
forms in ``vocabulary.FREE``; a reading counts only if the whole sentence is read and all of its
readings agree.
"""

from __future__ import annotations

from functools import cache

from mars_logic.world.rules import (
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rule,
    Walk,
)
from mars_logic.world.words.forms.free_collect import collects
from mars_logic.world.words.forms.free_survival import CREATURES, DRINK
from mars_logic.world.words.forms.free_task import makes, places
from mars_logic.world.words.forms.free_terrain import neighbours, walks
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Part


@cache
def free_forms_of(nouns: Nouns) -> tuple[tuple[type[Rule], Part], ...]:
    """The free forms of each family that has some."""
    return (
        (Neighbour, neighbours(nouns)),
        (Walk, walks(nouns)),
        (Creature, CREATURES),
        (Drink, DRINK),
        (Collect, collects(nouns)),
        (Place, places(nouns)),
        (Make, makes(nouns)),
    )
