"""Claims on rules about projectiles: flight, hits of creatures, and shots.

A projectile without a rule, in the theory and in the world of the trajectories, flies as an arrow
does; it is never to blame. Where cells are walked on, projectiles fly over them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import le
from typing import Any, Final

from mars_logic.theory.claims import Claim, Field, Judgement, Values, of_stated_rules
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.shot_signatures import Flight, FlightCell, Shooter, Struck
from mars_logic.theory.signature_claims import holds_all, signature_claims, with_gains
from mars_logic.theory.signatures import Passage, ShootTry
from mars_logic.world import names
from mars_logic.world.creature_rules import MOST_DAMAGE
from mars_logic.world.projectile_rules import FARTHEST_FLIGHT, MOST_SPEED, Projectile

_FLIGHT: Final = ("speed", "range", "over", "breaks")
_GONE: Final = 0


class _ShotClaim(Claim):
    """A claim that blames those fields that might explain what was seen if they were otherwise."""

    def judge(self, values: Values) -> Judgement:
        return of_stated_rules(super().judge(values), values)

    def _judge(self, value: Mapping[Field, Any]) -> Judgement:
        met = bool(self.test(*[value[name] for name in self.fields]))
        fields = self.test.tells(value) if met else self.test.blamed(value)  # type: ignore[attr-defined]
        return Judgement(met, tuple(name for name in self.fields if name in fields))


@signature_claims.register
def _(signature: Flight, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    test = FlightTest(signature)
    yield _ShotClaim(test.fields, test)


def flies_over(material: str, over: Sequence[str], walkable: Any) -> bool:
    """Whether a projectile flies over a material."""
    return bool(walkable) or material in over


class FlightTest:
    """Whether a projectile is where its rule leads, and what stopped it what that leaves."""

    def __init__(self, seen: Flight) -> None:
        self.seen = seen
        rule = f"projectile.{seen.projectile}"
        self.own = tuple((rule, name) for name in _FLIGHT)
        cells = [each for each in seen.way if each and not each.player]
        self.ground = tuple(dict.fromkeys((f"walk.{each.material}", "walkable") for each in cells))

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those of the projectile, then those of the ground."""
        return (*self.own, *self.ground)

    def __call__(self, *values: Any) -> bool:
        """For values of all fields."""
        value = dict(zip(self.fields, values, strict=True))
        ages = range(self.seen.flown[0], self.seen.flown[1] + 1)
        speed, most, over, breaks = (self._own(value, name) for name in _FLIGHT)
        end = most or math.inf
        return any(
            self._flies(age, speed, end, over, breaks, value)
            for age in (ages if most else ages[:1])
            if age < end
        )

    def _own(self, value: Mapping[Field, Any], name: str) -> Any:
        rule = self.own[0][0]
        if value[rule, "speed"] is None:
            return Projectile.model_fields[name].default
        return value[rule, name]

    def _flies(
        self,
        age: int,
        speed: int,
        most: float,
        over: Sequence[str],
        breaks: Mapping[str, str],
        value: Mapping[Field, Any],
    ) -> bool:
        """Whether one that has flown so many cells may be where it was seen."""
        went = self.seen.went
        for n, cell in enumerate(self.seen.way[:speed], start=1):
            if cell is None:
                return went in (_GONE, n)
            if cell.player:
                return went == _GONE
            if not flies_over(cell.material, over, value[f"walk.{cell.material}", "walkable"]):
                return went == _GONE and self._left(cell, breaks)
            if not self._left(cell, {}):
                return False
            if age + n >= most:
                return went == _GONE
        return went == speed

    def _left(self, cell: FlightCell, breaks: Mapping[str, str]) -> bool:
        """Whether a cell may have become what it did, if what stops it breaks like this."""
        became = breaks.get(cell.material, cell.material)
        return cell.left in ("", became) or became in self.seen.changing

    def _with(self, value: Mapping[Field, Any], name: Field, new: Any) -> bool:
        changed = {**value, name: new}
        return self(*[changed[each] for each in self.fields])

    def tells(self, value: Mapping[Field, Any]) -> set[Field]:
        """The fields of which a value next to theirs would lead elsewhere."""
        others = self.others(value)
        return {
            name
            for name, values in others.items()
            if not all(self._with(value, name, new) for new in values)
        }

    def blamed(self, value: Mapping[Field, Any]) -> set[Field]:
        """The fields of which any value leads to where it was seen; all, if only several do."""
        found = {
            name
            for name, values in self.all_others(value).items()
            if any(self._with(value, name, new) for new in values)
        }
        return found or {*self.fields}

    def others(self, value: Mapping[Field, Any]) -> dict[Field, list[Any]]:
        """Values next to those of the projectile's fields; none without a rule."""
        rule, most = self.own[0][0], self._own(value, "range")
        if value[rule, "speed"] is None:
            return {}
        speeds = [n for n in range(1, MOST_SPEED + 1) if n != value[rule, "speed"]]
        ranges = [most - 1, most + 1] if most else []
        found: dict[Field, list[Any]] = {(rule, "speed"): speeds, (rule, "range"): ranges}
        return found | self._of_materials(value)

    def all_others(self, value: Mapping[Field, Any]) -> dict[Field, list[Any]]:
        """Other values of all fields."""
        found = self.others(value)
        if found:
            found[self.own[0][0], "range"] = [None, *range(1, FARTHEST_FLIGHT + 1)]
        return found | {name: [not value[name]] for name in self.ground}

    def _of_materials(self, value: Mapping[Field, Any]) -> dict[Field, list[Any]]:
        rule, cells = self.own[0][0], [each for each in self.seen.way if each and not each.player]
        over, breaks = self._own(value, "over"), self._own(value, "breaks")
        found: dict[Field, list[Any]] = {(rule, "over"): [], (rule, "breaks"): []}
        for cell in (each for each in cells if each.material != names.MATERIALS[0]):
            rest = tuple(name for name in over if name != cell.material)
            found[rule, "over"].append(rest if cell.material in over else (*over, cell.material))
            kept = {name: new for name, new in breaks.items() if name != cell.material}
            became = {cell.material: cell.left} if cell.left else {}
            found[rule, "breaks"] += [kept, {**kept, **became}]
            if cell.material not in breaks and cell.left:
                found[rule, "breaks"].append({**kept, cell.material: ""})
        return found


@signature_claims.register
def _(signature: Struck, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    if signature.whole or not signature.died:
        test = StruckTest(signature)
        yield _ShotClaim((test.damage, test.stated), test)


class StruckTest:
    """Whether hits have taken all health, or not."""

    def __init__(self, seen: Struck) -> None:
        self.seen = seen
        self.damage: Field = (f"projectile.{seen.projectile}", "damage")
        self.stated: Field = (f"projectile.{seen.projectile}", "speed")

    def __call__(self, damage: Any, stated: Any) -> bool:
        """For a damage; that of arrows if there is no rule."""
        if stated is None:
            damage = Projectile.model_fields["damage"].default
        left = self.seen.full_health - self.seen.hits * damage
        return left > 0 and (not self.seen.died or left <= damage)

    def tells(self, value: Mapping[Field, Any]) -> set[Field]:
        """The damage, where one point more or less would have led to something else."""
        damage, stated = value[self.damage], value[self.stated]
        near = [n for n in (damage - 1, damage + 1) if 0 <= n <= MOST_DAMAGE] if stated else []
        return {self.damage} if any(not self(n, stated) for n in near) else set()

    def blamed(self, value: Mapping[Field, Any]) -> set[Field]:  # noqa: ARG002
        """The damage."""
        return {self.damage}


@signature_claims.register
def _(signature: Shooter, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    fields = (f"behaviour.{signature.being}", "cases"), (f"creature.{signature.being}", "shoots")
    yield _ShooterClaim(fields, _ShooterTest(signature, fields))


class _ShooterTest:
    """Whether a creature shoots a projectile: by its cases, or without any, arrows by its flag."""

    def __init__(self, seen: Shooter, fields: tuple[Field, Field]) -> None:
        self.seen, self.fields = seen, fields

    def __call__(self, cases: Any, shoots: Any) -> bool:
        what = self.seen.projectile
        if cases is None:
            return bool(shoots) and what == "arrow"
        return any(
            each.act == "shoot" and each.projectile == what and each.chance > 0 for each in cases
        )


class _ShooterClaim(Claim):
    """A claim on what decides whether a creature shoots."""

    def judge(self, values: Values) -> Judgement:
        return of_stated_rules(super().judge(values), values)

    def _judge(self, value: Mapping[Field, Any]) -> Judgement:
        cases, flag = self.fields
        decides = flag if value[cases] is None else cases
        return Judgement(self.test(value[cases], value[flag]), (decides,))


@signature_claims.register
def _(signature: ShootTry, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"shoot.{signature.projectile}"
    requires, uses = (rule, "requires"), (rule, "uses")
    held, after = signature.held, signature.held_after
    fly = _FlyTest(signature)
    if not signature.shot:
        yield _ShotClaim((requires, uses, *fly.fields), _RefusedTest(signature, fly))
        return
    yield Claim((requires,), lambda amounts: holds_all(held, amounts))

    def spent(amounts: Mapping[str, int]) -> bool:
        left = with_gains(held, {item: -amount for item, amount in amounts.items()})
        gained = not signature.alone and all(map(le, left, after))
        return holds_all(held, amounts) and (gained or left == after)

    yield Claim((uses,), spent)
    yield _ShotClaim(fly.fields, fly)


class _FlyTest:
    """Whether a projectile can be on the cell in front of the player."""

    def __init__(self, seen: ShootTry) -> None:
        self.seen = seen
        rule = f"projectile.{seen.projectile}"
        self.over, self.stated = (rule, "over"), (rule, "speed")
        self.walkable = (f"walk.{seen.material}", "walkable")

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.over, self.stated, self.walkable

    def __call__(self, over: Any, stated: Any, walkable: Any) -> bool:
        known = Projectile.model_fields["over"].default if stated is None else over
        return flies_over(self.seen.material, known, walkable)

    def tells(self, value: Mapping[Field, Any]) -> set[Field]:
        """What the cell can be flown over by, if there is one such field."""
        if value[self.walkable]:
            return set()
        return {self.over} if value[self.stated] is not None else set()

    def blamed(self, value: Mapping[Field, Any]) -> set[Field]:
        """The fields that might let it be there, or keep it from there."""
        flies = self(*[value[name] for name in self.fields])
        open_ = value[self.walkable]
        found = {self.walkable} if not flies or open_ else set[Field]()
        if value[self.stated] is not None and not (flies and open_):
            found.add(self.over)
        return found


class _RefusedTest:
    """Whether something kept the player from shooting."""

    def __init__(self, seen: ShootTry, fly: _FlyTest) -> None:
        self.seen, self.fly = seen, fly
        rule = f"shoot.{seen.projectile}"
        self.items: tuple[Field, ...] = (rule, "requires"), (rule, "uses")

    def __call__(self, requires: Any, uses: Any, *rest: Any) -> bool:
        held = self.seen.held
        return not (holds_all(held, requires) and holds_all(held, uses) and self.fly(*rest))

    def tells(self, value: Mapping[Field, Any]) -> set[Field]:
        """The one field that kept it from that, if there is one."""
        lacking = {n for n in self.items if not holds_all(self.seen.held, value[n])}
        if not self.fly(*[value[name] for name in self.fly.fields]):
            lacking.add(self.fly.over)
        return lacking if len(lacking) == 1 else set()

    def blamed(self, value: Mapping[Field, Any]) -> set[Field]:
        """What is held, and the ground if it matters."""
        return {*self.items, *self.fly.blamed(value)}


def trodden(evidence: Evidence, values: Values) -> set[Field]:
    """The flags of ground that moves show to be right, so that nothing else can be due to them."""
    moves = (each for each in evidence.signatures if isinstance(each, Passage))
    shown = {((f"walk.{each.material}", "walkable"), each.moved) for each in moves}
    return {name for name, moved in shown if values(name) == (moved,)}
