"""Explanations: the fewest rules that stand in the way, and what an open verdict hinges on."""

from __future__ import annotations

from functools import cached_property

from mars_logic.logic.former import former_facts
from mars_logic.logic.judge import Judge
from mars_logic.logic.solve import Assumption, Relations, Session
from mars_logic.logic.witness import rule_id

_DOUBTS = {
    "layout": "regions touch that need not touch on every map",
    "harm": "ground or drink that kills, or nearly does, is survived",
    "fight": "a creature that strikes hard is killed before it kills",
    "setting": "things that are needed nearby are found, or can be placed, close together",
    "arrows": "an arrow breaks a table or furnace and leaves a path",
    "wandering": "a creature comes to where the player is",
    "supplies": "there is enough to place for crossing what cannot be walked on",
}


class Explanations:
    """The explanations of one judgement; each kind is grounded when it is first asked for."""

    def __init__(self, judge: Judge):
        """Prepare; nothing is solved yet."""
        self._judge = judge

    @cached_property
    def _repairs(self) -> Session:
        return self._judge.session("repair.lp", facts=former_facts(self._judge.world))

    @cached_property
    def _doubts(self) -> Session:
        return self._judge.session("unsure.lp")

    def repair(self, achievement: str) -> tuple[str, ...]:
        """The fewest rules to give up so that an achievement becomes possible.

        Of several such sets, the one whose sorted ids come first. Rules that would have to get
        back what they formerly left, spawned or put on the map are taken only if nothing else
        helps.

        Returns:
            Their ids, sorted; none if no rules can be given up for it.

        Raises:
            LimitReachedError: A search was given up.
        """
        best = self._repair(achievement, ())
        if best is None:
            return ()
        size, restored = len(best["given_up"]), len(best["restored"])
        chosen: list[str] = []
        while len(chosen) < size:
            incumbent = _ids(best)
            for rule in self._candidates:
                if rule >= incumbent[len(chosen)]:
                    break
                if chosen and rule <= chosen[-1]:
                    continue
                other = self._repair(achievement, (*chosen, rule))
                if other and (len(other["given_up"]), len(other["restored"])) == (size, restored):
                    best = other
                    break
            chosen = _ids(best)[: len(chosen) + 1]
        return tuple(chosen)

    @cached_property
    def _candidates(self) -> list[str]:
        return sorted(rule_id(row[0]) for row in self._repairs.atoms("given_up"))

    def _repair(self, achievement: str, given_up: tuple[str, ...]) -> Relations | None:
        assumptions = self._aim(achievement)
        assumptions += [Assumption("given_up", (_term(rule),), True) for rule in given_up]
        return self._repairs.solve(["given_up", "restored"], assumptions)

    def doubts(self, achievement: str) -> str:
        """What would have to turn out well for an achievement to be reachable, in words.

        Raises:
            LimitReachedError: The search was given up.
        """
        model = self._doubts.solve(["trusts"], self._aim(achievement))
        assert model is not None, "what is possible is possible with all doubts trusted"
        conditions = [_DOUBTS[doubt] for _, doubt in sorted(model["trusts"])]
        return f"reachable only if {' and '.join(conditions)}"

    def _aim(self, achievement: str) -> list[Assumption]:
        return [
            Assumption("wanted", (name,), name == achievement)
            for name in self._judge.world.achievements
        ]


def _ids(model: Relations) -> list[str]:
    return sorted(rule_id(row[0]) for row in model["given_up"])


def _term(rule: str) -> str:
    family, _, subject = rule.partition(".")
    return f"{family}({subject})"
