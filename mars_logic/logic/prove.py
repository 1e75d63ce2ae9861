"""Proofs: for each achievement of a world, whether it is reachable, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mars_logic.logic.causes import causal_chain
from mars_logic.logic.certainty import CERTAINTIES, Certainty
from mars_logic.logic.changing import as_if_still, proof_of_changing
from mars_logic.logic.examples import with_examples
from mars_logic.logic.explain import Explanations
from mars_logic.logic.proof import Explanation, Proof, Verdict
from mars_logic.logic.prover import (
    NOT_JUDGED,
    Prover,
    fewest_exceeded,
    no_footing,
    what_no_rule_gives,
)
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import START, Resident, drawn_map, facts_of
from mars_logic.logic.repair_data import Repair
from mars_logic.logic.repairs import Repairs
from mars_logic.logic.solve import CONFLICTS, NotJudgedError
from mars_logic.world.goals import condition_of
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray


def prove(
    world: World,
    *,
    area: NDArray[Any] | None = None,
    creatures: Iterable[Resident] | None = None,
    start: tuple[int, int] = START,
    map_seed: int | None = None,
    conflicts: int = CONFLICTS,
    deadline: float | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Proof:
    """Judge every achievement of a world.

    Without a map, ``reachable`` holds for ordinary maps and ``unreachable`` for all; see
    docs/logic.md for the assumptions.

    Args:
        world: The world.
        area: A map to judge it on: uint8[64, 64], indexed [x, y], material codes in the order of
            ``names.MATERIALS``, 0 where there is no cell. A world whose maps are drawn is judged on
            its first drawing by default.
        creatures: The creatures on the map at the beginning, as (kind, x, y); None if unknown.
        start: Where the player starts on it, facing the cell below.
        map_seed: The seed of the map, recorded in the proof.
        conflicts: The limit of each search; past it, a verdict is ``unknown``.
        deadline: When all searches are given up, on the clock of ``time.monotonic``.
        progress: Called after each achievement.

    Returns:
        The proof.

    Raises:
        ValueError: The map has another shape or holds other codes.

    Example:
        >>> import mars_logic
        >>> proof = prove(mars_logic.load_world("default"))
        >>> proof.achievements["collect_coal"].verdict
        'reachable'
        >>> [(step.rule, step.times) for step in proof.achievements["place_table"].witness]
        [('collect.tree', 2), ('place.table', 1)]
    """
    drawn = (drawn_map(world) or {}) if area is None else {}
    still = as_if_still(world, drawn.get("area", area), drawn.get("start", start))
    if still is not None:
        on: dict[str, Any] = {
            "area": area,
            "creatures": creatures,
            "start": start,
            "map_seed": map_seed,
        }
        found = prove(still, conflicts=conflicts, deadline=deadline, progress=progress, **on)
        return proof_of_changing(world, found)
    reachability = _reachability(world, area, creatures, start, conflicts, deadline)
    if map_seed is None and area is None and world.map.is_drawn:
        map_seed = 0
    prover = Prover(reachability)
    proof = prover.proof(prover.verdicts(world.achievements, progress), map_seed)
    if reachability.given_map:
        return proof
    verdicts = with_examples(
        reachability, proof.achievements, lambda on, name: Prover(on).verdict(name)
    )
    return replace(proof, achievements=verdicts)


def prove_all_reachable(world: World) -> Proof | str:
    """The proof of a world; or the first achievement that is not proved reachable."""
    prover = Prover(_reachability(world, None, None, START, CONFLICTS, None))
    verdicts: dict[str, Verdict] = {}
    for achievement in world.achievements:
        verdict = prover.verdict(achievement)
        if verdict.verdict != "reachable":
            return achievement
        verdicts[achievement] = verdict
    return prover.proof(verdicts)


def is_proved_reachable(world: World, achievement: str) -> bool:
    """Whether an achievement of a world is proved reachable, whatever the map."""
    prover = Prover(_reachability(world, None, None, START, CONFLICTS, None))
    return prover.verdict(achievement).verdict == "reachable"


def verdicts_on_map(
    world: World,
    achievements: Collection[str],
    area: NDArray[Any],
    creatures: Iterable[Resident],
    start: tuple[int, int] = START,
    deadline: float | None = None,
) -> dict[str, Verdict]:
    """Judge only some achievements of a world on a map; see :func:`prove`."""
    on = _reachability(world, area, creatures, start, CONFLICTS, deadline)
    return Prover(on).verdicts(achievements)


def _reachability(
    world: World,
    area: NDArray[Any] | None,
    creatures: Iterable[Resident] | None,
    start: tuple[int, int],
    conflicts: int,
    deadline: float | None,
) -> ReachabilityModel:
    given = None
    if area is not None:
        given = facts_of(world, area, creatures, start)
    return ReachabilityModel(world, given, conflicts, deadline)


def explain(
    world: World,
    achievement: str,
    *,
    area: NDArray[Any] | None = None,
    creatures: Iterable[Resident] | None = None,
    start: tuple[int, int] = START,
    most: int = 3,
    conflicts: int = CONFLICTS,
    deadline: float | None = None,
) -> Explanation | None:
    """Why an achievement is unreachable, with repairs.

    Args:
        world: The world.
        achievement: One of its achievements.
        area: A map to judge it on; see :func:`prove`.
        creatures: The creatures on the map at the beginning.
        start: Where the player starts on it.
        most: Maximum number of smallest explanations.
        conflicts: The limit of each search.
        deadline: When all searches are given up, on the clock of ``time.monotonic``.

    Returns:
        The explanation; None unless the achievement is unreachable.

    Raises:
        ValueError: The world has no such achievement, or the map has another shape.
        LimitReachedError: A search was given up, or logic does not judge it.
    """
    if achievement not in world.achievements:
        raise ValueError(f"achievement must be one of {', '.join(world.achievements)}")
    wanted = condition_of(achievement)
    if wanted is not None and wanted.kind in NOT_JUDGED:
        raise NotJudgedError(NOT_JUDGED[wanted.kind])
    reachability = _reachability(world, area, creatures, start, conflicts, deadline)
    short = achievement in reachability.unlocked(OPTIMISTIC)
    if short and not reachability.shortages.refutes(achievement):
        return None
    lacking_rules = reachability.of(world).shortages if short else Explanations(reachability)
    sets, complete = lacking_rules.repairs(achievement, most)
    repairs = Repairs(reachability, _certainty, short=short)
    contrast = repairs.contrast(achievement)
    # The base can compensate a missing source elsewhere: then all changed rules are considered.
    mended = sorted(
        (
            (some, repairs.of(achievement, some) or repairs.of(achievement, contrast))
            for some in sets
        ),
        key=_ease,
    )
    return Explanation(
        achievement,
        fewest_exceeded(reachability, achievement)[1]
        if short
        else _causes(reachability, achievement, contrast or _blamed(reachability, mended)),
        tuple(rules for rules, _ in mended),
        tuple(repair for _, repair in mended),
        contrast,
        complete,
    )


def _blamed(
    reachability: ReachabilityModel, mended: list[tuple[tuple[str, ...], Repair | None]]
) -> tuple[str, ...]:
    """Of several sets of rules the one that a chain of causes leads to.

    It is the one that is easiest to mend, unless all that is wrong is that something is nowhere.
    """
    nowhere = {f"collect.{material}" for (material,) in reachability.relations["nowhere"]}
    lost = (rules for rules, _ in mended if nowhere.issuperset(rules))
    return next(lost, mended[0][0] if mended else ())


def _causes(
    reachability: ReachabilityModel, achievement: str, blamed: Iterable[str]
) -> tuple[str, ...]:
    lacking = what_no_rule_gives(reachability, achievement)
    told: tuple[str, ...] = (f"No rule gives {lacking}.",) if lacking else ()
    told += tuple(filter(None, (no_footing(reachability.world, achievement),)))
    return (*told, *causal_chain(reachability, achievement, blamed))


def _certainty(reachability: ReachabilityModel, achievement: str) -> Certainty | None:
    return Prover(reachability).verdict(achievement).certainty


def _ease(mended: tuple[tuple[str, ...], Repair | None]) -> tuple[int, int]:
    """Sort key of repairs: certainty first, then number of changes."""
    _, repair = mended
    if repair is None:
        return len(CERTAINTIES) + 1, 0
    places: list[Certainty | None] = [*CERTAINTIES, None]
    return places.index(repair.certainty), len(repair.changes)
