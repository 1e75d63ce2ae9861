"""Explanations: minimal sets of failing rules, and the conditions of open verdicts."""

from __future__ import annotations

from functools import cached_property

from mars_logic.logic.base_facts import former_facts, ranked
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.rule_atoms import rule_id, term
from mars_logic.logic.solve import Assumption, Session

_DOUBTS = {
    "layout": "regions touch that need not touch on every map",
    "footing": "ground that the player would walk onto can be faced, though there is little room",
    "harm": "ground or drink that kills, or nearly does, is survived",
    "fight": "a creature that strikes hard is killed before it kills",
    "setting": "things that are needed nearby are found, or can be placed, close together",
    "arrows": "an arrow breaks a table or furnace and leaves a path",
    "wandering": "a creature comes to where the player is",
    "supplies": "there is enough to place for crossing what cannot be walked on",
}


class Explanations:
    """The explanations of one reachability model; each kind is grounded on first use."""

    def __init__(self, reachability: ReachabilityModel):
        """Prepare; nothing is solved yet."""
        self._reachability = reachability

    @cached_property
    def _repairs(self) -> Session:
        return self._giving_up()

    def _giving_up(self) -> Session:
        return self._reachability.session(
            "explain/repair.lp",
            facts=self._former,
            heuristic="Domain",
            wanted=("wanted", "given_up", "restored", "at_most"),
        )

    @cached_property
    def _former(self) -> str:
        return former_facts(self._reachability.world) + "".join(
            f"rank({term(rule)}, {rank}).\n"
            for rank, rule in enumerate(ranked(self._reachability.world))
        )

    @cached_property
    def _doubts(self) -> Session:
        return self._reachability.session("explain/unsure.lp", wanted=("wanted", "trusts"))

    def repair(self, achievement: str) -> tuple[str, ...]:
        """The fewest rules to give up so that an achievement becomes possible.

        Of several such sets, one with rules that the world changes, as far as it has a base; then
        the one whose sorted ids come first. Rules whose repair
        restores a former remaining material, spawn or map material are used only as a last resort.

        Returns:
            Their ids, sorted; empty if no such set exists.

        Raises:
            LimitReachedError: A search was given up.
        """
        fewest = self._repairs.solve(["given_up", "restored"], self._aim(achievement))
        if fewest is None:
            return ()
        bounds = [
            Assumption("at_most", (kind, str(len(rows))), True) for kind, rows in fewest.items()
        ]
        first = self._repairs.solve(["given_up"], self._aim(achievement) + bounds, best=False)
        assert first is not None, "there is a set of this size"
        return tuple(sorted(rule_id(row[0]) for row in first["given_up"]))

    def repairs(self, achievement: str, most: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """The smallest sets of rules to give up, in the same order, up to a number.

        Returns:
            The sets, each as sorted ids; and whether there are no others of their size.

        Raises:
            LimitReachedError: A search was given up.
        """
        session = self._giving_up()
        aim = self._aim(achievement)
        fewest = session.solve(["given_up", "restored"], aim)
        if fewest is None:
            return (), True
        aim += [
            Assumption("at_most", (kind, str(len(rows))), True) for kind, rows in fewest.items()
        ]
        found: list[tuple[str, ...]] = []
        while len(found) <= most:  # one more, to detect further sets
            model = session.solve(["given_up"], aim, best=False)
            if model is None:
                return tuple(found), True
            session.exclude(Assumption("given_up", row, True) for row in model["given_up"])
            found.append(tuple(sorted(rule_id(row[0]) for row in model["given_up"])))
        return tuple(found[:most]), False

    def doubts(self, achievement: str) -> str:
        """Unproved conditions under which an achievement would be reachable, in words.

        Raises:
            LimitReachedError: The search was given up.
        """
        model = self._doubts.solve(["trusts"], self._aim(achievement))
        assert model is not None, "what is possible is possible with all doubts trusted"
        trusted = sorted(doubt for level, doubt in model["trusts"] if level == "unsure")
        conditions = [_DOUBTS[doubt] for doubt in trusted]
        return f"reachable only if {' and '.join(conditions)}"

    def _aim(self, achievement: str) -> list[Assumption]:
        return [
            Assumption("wanted", (name,), name == achievement)
            for name in self._reachability.world.achievements
        ]
