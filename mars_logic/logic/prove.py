"""Proofs: for each achievement of a world, whether it is reachable, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mars_logic.logic.causes import causal_chain
from mars_logic.logic.certainty import CERTAINTIES, Certainty
from mars_logic.logic.chance import Chances
from mars_logic.logic.changing import as_if_still, proof_of_changing
from mars_logic.logic.consequences import consequence, lacking, shortfall
from mars_logic.logic.examples import with_examples
from mars_logic.logic.explain import Explanations
from mars_logic.logic.proof import Explanation, Proof, Step, Verdict
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import START, Resident, drawn_map, facts_of
from mars_logic.logic.repair_data import Repair
from mars_logic.logic.repairs import Repairs
from mars_logic.logic.solve import CONFLICTS, LimitReachedError, NotJudgedError
from mars_logic.logic.supply import scarcities
from mars_logic.logic.sustainability import upkeep
from mars_logic.logic.usable import usable
from mars_logic.logic.witness import Witness, Witnesses
from mars_logic.world.goals import condition_of
from mars_logic.world.rules import Collect, Creature
from mars_logic.world.theory import World
from mars_logic.world.words.kinds import spaced

if TYPE_CHECKING:
    from numpy.typing import NDArray


_THIN = 0.25
"""Largest share of a material that may be replaced without cutting off what lies behind it."""
_THICK = (
    "more than a quarter of a material is replaced on each map, so that only a proof about a map "
    "decides"
)
_NOT_JUDGED = {
    "at": "whether a single cell is stood on is not judged by logic; `run` shows what play reaches",
    "none_left": "whether none of it is left is not judged by logic; `run` shows what play reaches",
    "survive": "how long the player lives is not judged by logic; `run` shows what play reaches",
}
_NOT_SURE = "it takes more of something than is sure to be on the map"


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
    drawn = drawn_map(world) or {}
    if (still := as_if_still(world, drawn.get("area") if area is None else area)) is not None:
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
    prover = _Prover(reachability)
    proof = prover.proof(prover.verdicts(world.achievements, progress), map_seed)
    if reachability.given_map:
        return proof
    verdicts = with_examples(
        reachability, proof.achievements, lambda on, name: _Prover(on).verdict(name)
    )
    return replace(proof, achievements=verdicts)


def prove_all_reachable(world: World) -> Proof | str:
    """The proof of a world; or the first achievement that is not proved reachable."""
    prover = _Prover(_reachability(world, None, None, START, CONFLICTS, None))
    verdicts: dict[str, Verdict] = {}
    for achievement in world.achievements:
        verdict = prover.verdict(achievement)
        if verdict.verdict != "reachable":
            return achievement
        verdicts[achievement] = verdict
    return prover.proof(verdicts)


def is_proved_reachable(world: World, achievement: str) -> bool:
    """Whether an achievement of a world is proved reachable, whatever the map."""
    prover = _Prover(_reachability(world, None, None, START, CONFLICTS, None))
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
    return _Prover(on).verdicts(achievements)


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
    if wanted is not None and wanted.kind in _NOT_JUDGED:
        raise NotJudgedError(_NOT_JUDGED[wanted.kind])
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
        _short(reachability, achievement)[1]
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


def _short(
    reachability: ReachabilityModel, achievement: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fewest rules that exceed the available cells, with a sentence for each or for all."""
    rules = reachability.shortages.rules(achievement)
    short = reachability.shortages.shortages(achievement)
    world = reachability.world
    words = tuple(shortfall(world[rule], short, world.vocabulary) for rule in rules)
    return rules, words or (lacking(short),)


def _causes(
    reachability: ReachabilityModel, achievement: str, blamed: Iterable[str]
) -> tuple[str, ...]:
    lacking = _without_rule(reachability, achievement)
    told: tuple[str, ...] = (f"No rule gives {lacking}.",) if lacking else ()
    told += tuple(filter(None, (_no_footing(reachability.world, achievement),)))
    return (*told, *causal_chain(reachability, achievement, blamed))


def _without_rule(reachability: ReachabilityModel, achievement: str) -> str | None:
    """The item that an achievement takes, in words, if no rule of the world gives it."""
    deeds = {row[0]: row[1] for row in reachability.relations["achievement"]}
    deed = deeds[achievement]
    if not deed.startswith(("gain(", "have(")):
        return None
    item = deed[5:-1].partition(",")[0]
    rows = (reachability.relations[name] for name in ("yields", "chance", "loot"))
    given = {row[1] for some in rows for row in some}
    if deed.startswith("have("):
        given |= {*reachability.world.make}
    return None if item in given else spaced(item)


def _no_footing(world: World, achievement: str) -> str | None:
    """Why nobody stands on the material of a goal, where no change of another rule helps."""
    wanted = condition_of(achievement)
    if wanted is None or wanted.kind != "reach":
        return None
    if wanted.subject in world.walk:
        return None
    return f"No rule lets the player walk on {spaced(wanted.subject)}."


def _certainty(reachability: ReachabilityModel, achievement: str) -> Certainty | None:
    return _Prover(reachability).verdict(achievement).certainty


def _ease(mended: tuple[tuple[str, ...], Repair | None]) -> tuple[int, int]:
    """Sort key of repairs: certainty first, then number of changes."""
    _, repair = mended
    if repair is None:
        return len(CERTAINTIES) + 1, 0
    places: list[Certainty | None] = [*CERTAINTIES, None]
    return places.index(repair.certainty), len(repair.changes)


def _warning(world: World, achievement: str, witness: tuple[Step, ...]) -> str | None:
    """Warnings about drinks with requirements and plants with behaviour."""
    if achievement not in ("collect_drink", "eat_plant"):
        return None
    from mars_logic.world.words import tell_in

    rule = world[witness[-1].rule]
    match rule:
        case Collect(requires=needed) if needed:
            pass
        case Creature() if not rule.eatable or rule.walks or rule.attacks or rule.shoots:
            pass
        case _:
            return None
    said = tell_in(rule, world.vocabulary).rstrip(".")
    return said[0].lower() + said[1:]


class _Prover:
    """Derives verdicts from one reachability model."""

    def __init__(self, reachability: ReachabilityModel):
        self._reachability = reachability
        self.witnesses = Witnesses(reachability)
        self._chances = Chances(reachability)
        self._explanations = Explanations(reachability)

    def proof(self, verdicts: Mapping[str, Verdict], map_seed: int | None = None) -> Proof:
        reachability = self._reachability
        return Proof(
            reachability.world.name,
            reachability.world.digest,
            map_seed,
            verdicts,
            upkeep(reachability),
            usable(reachability, self.witnesses, verdicts),
            scarcities(reachability, verdicts),
        )

    def verdicts(
        self, achievements: Iterable[str], progress: Callable[[], None] = lambda: None
    ) -> dict[str, Verdict]:
        found = {}
        for achievement in achievements:
            found[achievement] = self.verdict(achievement)
            progress()
        return found

    def verdict(self, achievement: str) -> Verdict:
        reachability = self._reachability
        wanted = condition_of(achievement)
        if wanted is not None and wanted.kind in _NOT_JUDGED:
            return Verdict(achievement, "unknown", _NOT_JUDGED[wanted.kind])
        try:
            reachability.relations  # noqa: B018 - witnesses need them all; verdicts are among them
            if achievement in reachability.certainties:
                if self._strewn_thickly:
                    return self._undecided(achievement, lambda _: _THICK)
                return self._reachable(achievement)
            if achievement in reachability.unlocked(OPTIMISTIC):
                return self._undecided(achievement, self._explanations.doubts)
        except LimitReachedError as limit:
            return Verdict(achievement, "unknown", str(limit))
        return self._unreachable(achievement)

    def _reachable(self, achievement: str) -> Verdict:
        reachability = self._reachability
        best = CERTAINTIES.index(reachability.certainties[achievement])
        # If the best way exceeds the available cells, one that counts on more luck may not.
        for certainty in CERTAINTIES[best:]:
            witness = self.witnesses.find(achievement, certainty)
            if witness is not None:
                break
        else:
            return self._undecided(achievement, lambda _: _NOT_SURE)
        if certainty == "finite_chance":
            return self._by_chance(achievement, witness)
        return Verdict(
            achievement,
            "reachable",
            _warning(reachability.world, achievement, witness.steps),
            certainty,
            witness=witness.steps,
            at_least=witness.at_least,
        )

    @property
    def _strewn_thickly(self) -> bool:
        """Whether so much is scattered that zones may not hang together as they usually do."""
        shares: dict[str, float] = {}
        for each in self._reachability.world.map.scattered:
            if each.share < 1:  # what takes the place of all of a material lies as that did
                shares[each.within] = shares.get(each.within, 0) + each.share
        return not self._reachability.given_map and max(shares.values(), default=0) > _THIN

    def _by_chance(self, achievement: str, witness: Witness) -> Verdict:
        luck = self._chances.of(achievement, witness.steps)
        certainty: Certainty = "almost_sure" if luck.negligible else "finite_chance"
        return Verdict(
            achievement,
            "reachable",
            reason=luck.reason or _warning(self._reachability.world, achievement, witness.steps),
            certainty=certainty,
            probability=luck.probability,
            witness=witness.steps,
            at_least=witness.at_least,
        )

    def _undecided(self, achievement: str, reason: Callable[[str], str]) -> Verdict:
        """Unreachable, if a material is too scarce even under the most optimistic assumptions."""
        shortages = self._reachability.shortages
        if not shortages.refutes(achievement):
            return Verdict(achievement, "unknown", reason(achievement))
        rules, words = _short(self._reachability, achievement)
        told = None if rules else words[0]
        return Verdict(
            achievement, "unreachable", told, explanation=rules, words=words if rules else ()
        )

    def _unreachable(self, achievement: str) -> Verdict:
        try:
            explanation = self._explanations.repair(achievement)
        except LimitReachedError as limit:
            return Verdict(achievement, "unreachable", f"no explanation: {limit}")
        if not explanation:
            place = "on this map" if self._reachability.given_map else "on any map"
            reason = f"no change of the rules makes it reachable {place}"
            if lacking := _without_rule(self._reachability, achievement):
                reason = f"no rule gives {lacking}, so {reason}"
            if footing := _no_footing(self._reachability.world, achievement):
                reason = footing[0].lower() + footing[1:].rstrip(".")
            return Verdict(achievement, "unreachable", reason)
        words = tuple(
            consequence(self._reachability, self._reachability.world[rule]) for rule in explanation
        )
        return Verdict(achievement, "unreachable", explanation=explanation, words=words)
