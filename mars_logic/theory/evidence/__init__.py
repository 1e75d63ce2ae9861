"""Evidence from trajectories: a compiled pass counts distinct packed signatures."""

from mars_logic.theory.evidence.evidence import Evidence, Growing, Occurrence, SeenSignature

__all__ = ["Evidence", "Growing", "Occurrence", "SeenSignature"]
