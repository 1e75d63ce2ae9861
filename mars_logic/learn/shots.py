"""Who does not shoot: no single step shows it, but that none of many brought an arrow does."""

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
_X, _Y = np.indices(VIEW)
_FAR = abs(_X - CENTRE[0]) + abs(_Y - CENTRE[1])
_IN_RANGE = (_FAR >= 2) & (_FAR <= 5)


class Shots:
    """How often creatures were near enough to shoot, and which of them did."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.near: Counter[str] = Counter()
        self._beside: set[frozenset[str]] = set()

    def see(self, signature: Signature) -> None:
        """Note who may have shot an arrow."""
        if isinstance(signature, Shot):
            self._beside.add(frozenset(signature.beings))

    def add(self, whole: Trajectory) -> None:
        """Count the moments of an episode at which a creature was within range."""
        for creature in names.CREATURES:
            there = whole.views.objects == names.LOOKS.index(creature)
            self.near[creature] += int((there & _IN_RANGE).any(axis=(1, 2)).sum())

    def harmless(self, creature: str, level: float) -> bool:
        """Whether a creature that shoots would have been seen to, but for a small probability."""
        never = (1 - _RATE) ** self.near[creature]
        return never < level and not self._may_have_shot(creature)

    def _may_have_shot(self, creature: str) -> bool:
        """Whether there was an arrow that no other could have shot who surely shoots."""
        sure = {being for beings in self._beside if len(beings) == 1 for being in beings}
        return any(
            creature in beings and not sure & (beings - {creature}) for beings in self._beside
        )
