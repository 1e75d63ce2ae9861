"""Evidence in worlds that state constants: without all that depends on these.

What needs do to vitals is counted by compiled code, with the constants of the dialects. So nothing
is taken from such play that tells of health or of needs, nor of the damage of blows and shots.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.evidence import layout, own_layout
from mars_logic.theory.evidence.layout import KIND, Layout
from mars_logic.world import names

_DEPENDENT: Final = (
    *(layout.TREAD, layout.HITTING, layout.STANDING, layout.UNHARMED),
    *(layout.EATING, layout.HARM, layout.NEED),
)
_DEPENDENT_FURTHER: Final = (own_layout.HUNTING, own_layout.STRUCK)
_LIQUIDS: Final = [names.MATERIALS.index(material) for material in names.LIQUIDS]


def without_constants(rows: NDArray[np.void], lies: Layout) -> NDArray[np.void]:
    """Rows that do not depend on constants; those that become equal are put together.

    Args:
        rows: ``row_dtype``[n].
        lies: Their layout.
    """
    from mars_logic.theory.evidence.table import Table  # it needs numba

    words = rows["words"].view(np.uint64)
    kinds, collects = KIND.get(words), KIND.get(words) == layout.COLLECTING
    dropped = np.isin(kinds, _DEPENDENT)
    dropped |= collects & np.isin(lies.subject.get(words), _LIQUIDS)
    further = own_layout.FURTHER_KIND.get(words)
    dropped |= (kinds == layout.FURTHER) & np.isin(further, _DEPENDENT_FURTHER)
    kept = rows[~dropped]
    words = kept["words"].view(np.uint64)
    which = np.flatnonzero(KIND.get(words) == layout.COLLECTING)
    for bits in (*layout.DRINK, *layout.FOOD):
        bits.put(words, which, layout.NO_LIMIT)
    return Table(kept).in_order()
