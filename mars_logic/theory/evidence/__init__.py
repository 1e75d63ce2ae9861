"""What trajectories show: a compiled pass counts packed signatures, of which few are distinct."""

from mars_logic.theory.evidence.gathering import Evidence, Growing, Seen, Where
from mars_logic.theory.evidence.layout import MOST

__all__ = ["MOST", "Evidence", "Growing", "Seen", "Where"]
