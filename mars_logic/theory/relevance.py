"""Relevance: the fields that evidence constrains, and the evidence that constrains fields."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from mars_logic.theory import movement_model
from mars_logic.theory.cell_signatures import Act, CellChange, PushTry
from mars_logic.theory.claims import Claim, Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.shot_signatures import Flight, Shooter, Struck
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import (
    Collecting,
    Harm,
    Hunting,
    Motion,
    NeedChange,
    ShootTry,
    Signature,
)

_COLLECTING = ("collectable", "requires", "leaves", "yields", "spawns")
_KEPT = 1 << 14
_CHECKED_ONLY = (
    *(Harm, Hunting, NeedChange, CellChange, PushTry, Act),
    *(Flight, ShootTry, Shooter, Struck),
)
"""Signatures of rules that are checked and not revised."""


@lru_cache(maxsize=_KEPT)
def claims_of(signature: Signature, dynamics: str) -> tuple[Claim, ...]:
    """The claims of a signature on rules that can be revised; see ``signature_claims``."""
    if isinstance(signature, _CHECKED_ONLY):
        return ()
    return tuple(signature_claims(signature, dynamics))


@lru_cache(maxsize=_KEPT)
def reads(signature: Signature, dynamics: str) -> frozenset[Field]:
    """The fields that a signature says something about, alone, with others or with its count."""
    found = {name for claim in claims_of(signature, dynamics) for name in claim.reads}
    if isinstance(signature, Collecting):
        found |= {(f"collect.{signature.material}", name) for name in _COLLECTING}
    elif isinstance(signature, Motion):
        found |= set(movement_model.fields_of(signature.being))
    return frozenset(found)


def bearing_on(evidence: Evidence, fields: Iterable[Field]) -> Evidence:
    """The part of the evidence that bears on fields, or on others that hang together with them.

    No claim of the rest reads a field that a claim of this part reads. Where the player has walked
    is kept in any case, since it tells which motions of creatures count.
    """
    reached = set(fields)
    left = {reads(signature, evidence.dynamics) for signature in evidence.signatures}
    while near := {read for read in left if not reached.isdisjoint(read)}:
        reached.update(*near)
        left -= near
    kept = [
        movement_model.tells_ground(signature, evidence.dynamics)
        or not reached.isdisjoint(reads(signature, evidence.dynamics))
        for signature in evidence.signatures
    ]
    return evidence.of_rows(evidence.rows[np.array(kept, np.bool_)])
