"""The forms of free text, by family: what people and language models write.

They add to the forms of ``forms/__init__.py`` and are only read. Each is a template of the normal
forms in ``vocabulary.FREE``; a reading counts only if the whole sentence is read and all of its
readings agree.
"""

from __future__ import annotations

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
from mars_logic.world.words.forms.free_survival import CREATURES, DRINK
from mars_logic.world.words.forms.free_task import COLLECT, MAKE, PLACE
from mars_logic.world.words.forms.free_terrain import NEIGHBOUR, WALK
from mars_logic.world.words.parts import Part

FREE_FORMS: tuple[tuple[type[Rule], Part], ...] = (
    (Neighbour, NEIGHBOUR),
    (Walk, WALK),
    (Creature, CREATURES),
    (Drink, DRINK),
    (Collect, COLLECT),
    (Place, PLACE),
    (Make, MAKE),
)
"""The free forms of each family that has some."""
