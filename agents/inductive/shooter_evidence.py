"""Evidence on shooters over many steps: creatures that do not shoot, arrows that do not hit."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from mars_logic.data.trajectory import CENTRE, VIEW, Trajectory
from mars_logic.theory.signatures import Shot, Signature
from mars_logic.world import names

_RATE: Final = 0.04
"""A shooter this near shoots at least so often: it does in half of all steps, but needs four
between two shots, and a free cell towards the player."""
_HIDDEN: Final = 0.4
"""Of those whose arrow hits, so many at most have not been in sight. They shoot from at most five
cells away, and mostly from the same row or column: of these cells three in ten cannot be seen."""
_FLIGHT: Final = 6
"""Steps before a hit in which its shooter may have been in sight."""
_HURT: Final = 2
"""Points of health that an arrow costs at least, if any; a need costs less."""
_X, _Y = np.indices(VIEW)
_FAR = abs(_X - CENTRE[0]) + abs(_Y - CENTRE[1])
_IN_RANGE = (_FAR >= 2) & (_FAR <= 5)
_BESIDE = _FAR == 1
_NONE, _ARROW = (names.OBJECTS.index(kind) for kind in ("none", "arrow"))


class ShooterEvidence:
    """Counts of creatures within shooting range, of their shots, and of those present at hits.

    Attributes:
        near: The steps in which a creature was within range.
        without: The hits of arrows before which no such creature had been in sight.
    """

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.near: Counter[str] = Counter()
        self.without: Counter[str] = Counter()
        self._beside: set[frozenset[str]] = set()

    def see(self, signature: Signature) -> None:
        """Note who may have shot an arrow."""
        if isinstance(signature, Shot):
            self._beside.add(frozenset(signature.beings))

    def add(self, whole: Trajectory) -> None:
        """Count the moments of an episode at which a creature was within range, and the hits."""
        hits = _hits(whole)
        for creature in names.CREATURES:
            there = whole.views.objects == names.LOOKS.index(creature)
            self.near[creature] += int((there & _IN_RANGE).any(axis=(1, 2)).sum())
            seen = there.any(axis=(1, 2))
            self.without[creature] += sum(
                not seen[max(0, step - _FLIGHT) : step + 1].any() for step in hits
            )

    def harmless(self, creature: str, level: float) -> bool:
        """Whether a creature that shoots would have been seen to, but for a small probability."""
        never = (1 - _RATE) ** self.near[creature]
        return never < level and not self._may_have_shot(creature)

    def absent(self, creature: str, level: float) -> bool:
        """Whether others have hit: a creature would have been in sight, but for a small chance."""
        return _HIDDEN ** self.without[creature] < level and not self._may_have_shot(creature)

    def _may_have_shot(self, creature: str) -> bool:
        """Whether there was an arrow that no other could have shot who surely shoots."""
        sure = {being for beings in self._beside if len(beings) == 1 for being in beings}
        return any(
            creature in beings and not sure & (beings - {creature}) for beings in self._beside
        )


def _hits(whole: Trajectory) -> list[int]:
    """The steps in which an arrow beside the player hurt, and nothing else can have."""
    beside = whole.views.kinds[:-1][:, _BESIDE]
    arrows = (beside == _ARROW).any(axis=1) & np.isin(beside, (_NONE, _ARROW)).all(axis=1)
    health = whole.views.inventory[:, names.ITEMS.index("health")].astype(np.int64)
    return [int(step) for step in np.flatnonzero(arrows & (health[:-1] - health[1:] >= _HURT))]
