"""Reachability model of a world: relations at each level of certainty, and plans."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from mars_logic.logic.certainty import CERTAINTIES, Certainty
from mars_logic.logic.facts import facts
from mars_logic.logic.plan_bounds import plan_bounds
from mars_logic.logic.regions import drawn_map, facts_of
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.shortage import Shortages
from mars_logic.logic.solve import (
    CONFLICTS,
    Assumption,
    NotJudgedError,
    Relations,
    Row,
    Session,
    unaccounted,
)
from mars_logic.world.known_names import unjudged_rule
from mars_logic.world.theory import World

_RULES = (
    "facts/facts.lp",
    "reach/doubts.lp",
    "reach/access.lp",
    "reach/outset.lp",
    "reach/interact.lp",
    "reach/creatures.lp",
    "reach/goals.lp",
    "reach/eating.lp",
)
_AROUND = ("reach/vicinity.lp",)
_ORDINARY = ("reach/abundance.lp", "reach/zones.lp", "reach/most.lp")
_GIVEN = ("reach/patches.lp",)
_CAREFUL = ("reach/levels.lp", "reach/luck.lp")
_HOPEFUL = ("reach/optimistic.lp",)
_OUTERMOST = ("reach/luck.lp", "reach/optimistic.lp")
"""The levels that accept the most: the careful one, and the optimistic one."""
_LEVELS = (*_CAREFUL, *_HOPEFUL)
_PLANS = ("reach/cells.lp", "plan/witness.lp")
_LUCKLESS = ("reach/luckless.lp",)
_LIVING = ("living/sources.lp", "living/stocks.lp", "living/provisions.lp")
_READ = ("reach/show_relations.lp",)
_VERDICTS = ("reach/show.lp",)

CAREFUL = "finite_chance"
"""The cautious level that accepts the most luck."""
OPTIMISTIC = "possible"
"""The optimistic level: anything false at it is impossible."""

BALANCED = (CAREFUL, OPTIMISTIC)
"""The levels at which it is judged whether the player can live on."""

Plan = dict[tuple[str, str], int]
"""Number of applications of each rule (its term) with each outcome."""


class ReachabilityModel:
    """Reachability in one world, on one map or on all ordinary ones."""

    def __init__(
        self,
        world: World,
        map_facts: str | None = None,
        conflicts: int = CONFLICTS,
        deadline: float | None = None,
    ):
        """Prepare; nothing is solved yet.

        Args:
            world: The world.
            map_facts: Facts of a map from :func:`mars_logic.logic.regions.map_facts`; by default,
                where maps are drawn, those of the first drawing.
            conflicts: The limit of each search.
            deadline: Time limit of all searches, on the clock of ``time.monotonic``.
        """
        self.world = world
        if map_facts is None and (drawn := drawn_map(world)):
            map_facts = facts_of(world, **drawn)
        self.given_map = map_facts is not None
        self._map_facts = map_facts
        self.world_facts = facts(world)
        self.facts = self.world_facts + (map_facts or "")
        self.conflicts = conflicts
        self.deadline = deadline
        self._without: dict[tuple[str, str], Relations] = {}

    def of(self, world: World) -> ReachabilityModel:
        """The model of another world, on the same map."""
        return ReachabilityModel(world, self._map_facts, self.conflicts, self.deadline)

    def on(self, map_facts: str) -> ReachabilityModel:
        """The model of the same world, on a map."""
        return ReachabilityModel(self.world, map_facts, self.conflicts, self.deadline)

    def session(
        self,
        *files: str,
        facts: str = "",
        heuristic: str = "Vsids",
        wanted: Sequence[str] | None = None,
    ) -> Session:
        """A session with this world, its map and some more encodings and facts.

        Raises:
            NotJudgedError: In the world cells change whatever the player does.
        """
        if rule := unjudged_rule(self.world):
            raise NotJudgedError(unaccounted(rule))
        return Session(
            self._files(*files),
            self.facts + facts,
            self.conflicts,
            heuristic,
            self.deadline,
            wanted=wanted,
        )

    @property
    def programs(self) -> list[str]:
        """The files of ``encodings/`` that judge reachability from :attr:`facts`."""
        return self._files(*_LEVELS)

    def _files(self, *files: str) -> list[str]:
        return [*_RULES, *_AROUND, *(_GIVEN if self.given_map else _ORDINARY), *files]

    @cached_property
    def _session(self) -> Session:
        balanced = "".join(f"balanced({level}).\n" for level in BALANCED)
        files = (*_LEVELS, *_LUCKLESS, *_PLANS, *_LIVING, *_READ)
        return self.session(*files, facts=plan_bounds(self.world) + balanced)

    @cached_property
    def relations(self) -> Relations:
        """What ``reach/show_relations.lp`` shows: of the levels, of the world and the map.

        Where a predicate has a level, it comes first in each row.
        """
        found = self._session.relations(self._aims((), None))
        assert found is not None, "the rules have exactly one least model"
        return found

    def at(self, level: str, name: str) -> set[str]:
        """The rows of a relation at a level, for example ``at("possible", "have")``."""
        return {row[1] for row in self.relations[name] if row[0] == level}

    @cached_property
    def certainties(self) -> dict[str, Certainty]:
        """For each reachable achievement, its best level."""
        return {
            achievement: level
            for level in reversed(CERTAINTIES)
            for achievement in self.unlocked(level)
        }

    def unlocked(self, level: str) -> set[str]:
        """The achievements that can be unlocked at a level.

        A small program decides this, unless a larger one already has.
        """
        if "relations" in self.__dict__:
            return self.at(level, "unlock")
        rows = self._possibly if level == OPTIMISTIC else self._carefully
        return {row[1] for row in rows if row[0] == level}

    @cached_property
    def _carefully(self) -> list[Row]:
        return self._unlocked_with(*_CAREFUL)

    @cached_property
    def _possibly(self) -> list[Row]:
        return self._unlocked_with(*_HOPEFUL)

    def _unlocked_with(self, *levels: str) -> list[Row]:
        model = self.session(*levels, *_VERDICTS, wanted=("unlock",)).solve(["unlock"], [])
        assert model is not None, "the rules have exactly one least model"
        return model["unlock"]

    @cached_property
    def shortages(self) -> Shortages:
        """Materials of which there are too few cells, even at the optimistic level."""
        return Shortages.of(self.world, self.relations, OPTIMISTIC)

    def fewest(self, goal: str, level: str, *, cautious: bool = False) -> Plan | None:
        """The fewest interactions to a goal, with the luck that a level accepts.

        Args:
            goal: An achievement to unlock, or the term of a rule for collecting to apply.
            level: The level of certainty, which determines the chances to count on.
            cautious: Whether to have all held items in addition to all used ones, which makes any
                order valid.

        Returns:
            The plan; None if provably no counts are balanced.

        Raises:
            LimitReachedError: The search was given up.
        """
        return self.fewest_for_all([goal], level, cautious=cautious)

    def fewest_for_all(
        self, wanted: Collection[str], level: str, *, cautious: bool = False
    ) -> Plan | None:
        """The fewest interactions to several goals together; see :meth:`fewest`."""
        model = self._session.solve(["times"], self._aims(wanted, level, cautious))
        if model is None:
            return None
        counts: Plan = {}
        for rule, outcome, nth in model["times"]:
            counts[rule, outcome] = max(counts.get((rule, outcome), 0), int(nth))
        return counts

    @cached_property
    def _ways(self) -> list[tuple[str, str]]:
        return sorted({(rule, outcome) for rule, outcome, _ in self._session.atoms("times")})

    def exclude(self, counts: Plan, goal: str, level: str) -> None:
        """Exclude exactly these counts from later answers to this query."""
        atoms = [Assumption("wanted", (goal,), True), Assumption("target", (level,), True)]
        for rule, outcome in self._ways:
            count = counts.get((rule, outcome), 0)
            atoms += [Assumption("times", (rule, outcome, str(count)), True)] if count else []
            atoms.append(Assumption("times", (rule, outcome, str(count + 1)), False))
        self._session.exclude(atoms)

    def without(self, rule: str, gain: str) -> Relations:
        """Unlocked achievements and faced cells, if a rule never gives a random yield.

        Achievements are reported for the two outermost levels, cells for ``finite_chance`` alone.
        """
        material = rule[len("collect(") : -1]
        if (material, gain) in self.relations["scarce"]:
            levels = {f"without({level},{material},{gain})": level for level in BALANCED}
            return {
                name: [(levels[row[0]], *row[1:]) for row in rows if row[0] in levels]
                for name, rows in ((name, self.relations[name]) for name in ("unlock", "found"))
            }
        if (rule, gain) not in self._without:
            dropped = (f"chance({rule}, {gain},", f"spawns({rule}, {gain},")
            kept = [line for line in self.facts.splitlines() if not line.startswith(dropped)]
            session = Session(
                self._files(*_OUTERMOST, "reach/cells.lp"),
                "\n".join((*kept, "tallied(finite_chance).")),
                self.conflicts,
                deadline=self.deadline,
                wanted=("unlock", "found"),
            )
            model = session.solve(["unlock", "found"], [])
            assert model is not None, "the rules have exactly one least model"
            self._without[rule, gain] = model
        return self._without[rule, gain]

    def _aims(
        self, wanted: Collection[str], level: str | None, cautious: bool = False
    ) -> list[Assumption]:
        """The assumptions for some goals at one level (or none)."""
        targets = [Assumption("target", (name,), name == level) for name in CERTAINTIES]
        aims = [Assumption("wanted", (name,), name in wanted) for name in goals(self.world)]
        return [*targets, *aims, Assumption("cautious", (), cautious)]


def goals(world: World) -> list[str]:
    """Goals that plans can have: achievements, and the terms of rules to collect, eat and shoot."""
    rules = (*world.collect.values(), *world.eat.values(), *world.shoot.values())
    return [*world.achievements, *(term(rule.id) for rule in rules)]
