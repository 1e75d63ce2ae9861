"""The oracle agent: it knows the rules and the full state. The upper end of comparisons.

It is the planner with a belief that is the truth and a seen map that is complete; the planner does
not know that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mars_logic.plan.planner import Planner
from mars_logic.play.oracle_base import OracleBase

if TYPE_CHECKING:
    from mars_logic.world.theory import World


class OracleAgent(OracleBase):
    """Plans with the true rules on the true map."""

    def make_planner(self, world: World, length: int) -> Planner:
        """One that makes its own plans."""
        return Planner(world, length=length)
