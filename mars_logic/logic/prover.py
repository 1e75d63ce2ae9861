"""Verdicts on the achievements of one world, by one reachability model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mars_logic.logic.certainty import CERTAINTIES, Certainty
from mars_logic.logic.chance import Chances
from mars_logic.logic.consequences import consequence, lacking, shortfall
from mars_logic.logic.explain import Explanations
from mars_logic.logic.proof import Proof, Step, Verdict
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.solve import LimitReachedError
from mars_logic.logic.supply import scarcities
from mars_logic.logic.sustainability import upkeep
from mars_logic.logic.usable import usable
from mars_logic.logic.witness import Witness, Witnesses
from mars_logic.world.goals import condition_of
from mars_logic.world.rules import Collect, Creature
from mars_logic.world.theory import World
from mars_logic.world.words.kinds import spaced

_THIN = 0.25
"""Largest share of a material that may be replaced without cutting off what lies behind it."""
_THICK = (
    "more than a quarter of a material is replaced on each map, so that only a proof about a map "
    "decides"
)
NOT_JUDGED = {
    "at": "whether a single cell is stood on is not judged by logic; `run` shows what play reaches",
    "none_left": "whether none of it is left is not judged by logic; `run` shows what play reaches",
    "survive": "how long the player lives is not judged by logic; `run` shows what play reaches",
}
_NOT_SURE = "it takes more of something than is sure to be on the map"


class Prover:
    """Derives verdicts from one reachability model.

    Args:
        reachability: What can be achieved in the world, and on a map if it has one.
    """

    def __init__(self, reachability: ReachabilityModel):
        self._reachability = reachability
        self.witnesses = Witnesses(reachability)
        self._chances = Chances(reachability)
        self._explanations = Explanations(reachability)

    def proof(self, verdicts: Mapping[str, Verdict], map_seed: int | None = None) -> Proof:
        """The proof of the world that has these verdicts."""
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
        """The verdicts on some achievements; ``progress`` is called after each."""
        found = {}
        for achievement in achievements:
            found[achievement] = self.verdict(achievement)
            progress()
        return found

    def verdict(self, achievement: str) -> Verdict:
        """Whether an achievement is reachable, with a witness or an explanation."""
        reachability = self._reachability
        wanted = condition_of(achievement)
        if wanted is not None and wanted.kind in NOT_JUDGED:
            return Verdict(achievement, "unknown", NOT_JUDGED[wanted.kind])
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
        rules, words = fewest_exceeded(self._reachability, achievement)
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
            if lacking := what_no_rule_gives(self._reachability, achievement):
                reason = f"no rule gives {lacking}, so {reason}"
            if footing := no_footing(self._reachability.world, achievement):
                reason = footing[0].lower() + footing[1:].rstrip(".")
            return Verdict(achievement, "unreachable", reason)
        words = tuple(
            consequence(self._reachability, self._reachability.world[rule]) for rule in explanation
        )
        return Verdict(achievement, "unreachable", explanation=explanation, words=words)


def fewest_exceeded(
    reachability: ReachabilityModel, achievement: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fewest rules that exceed the available cells, with a sentence for each or for all."""
    rules = reachability.shortages.rules(achievement)
    short = reachability.shortages.shortages(achievement)
    world = reachability.world
    words = tuple(shortfall(world[rule], short, world.vocabulary) for rule in rules)
    return rules, words or (lacking(short),)


def what_no_rule_gives(reachability: ReachabilityModel, achievement: str) -> str | None:
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


def no_footing(world: World, achievement: str) -> str | None:
    """Why nobody stands on the material of a goal, where no change of another rule helps."""
    wanted = condition_of(achievement)
    if wanted is None or wanted.kind != "reach":
        return None
    if wanted.subject in world.walk:
        return None
    return f"No rule lets the player walk on {spaced(wanted.subject)}."


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
