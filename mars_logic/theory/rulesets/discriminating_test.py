"""Discriminating tests: observations that would decide on a rule."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from mars_logic.world.cell_rules import Beside, Push, Timer
from mars_logic.world.creature_rules import Behaviour, Hunt
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import Projectile, Shoot
from mars_logic.world.rules import (
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.trace_rules import Eat
from mars_logic.world.uncertain import is_uncertain
from mars_logic.world.words.kinds import spaced, with_article

UNJUDGED = "no episode shows it: it affects the generation of maps only"


def would_decide(rule: Rule) -> str:
    """A test for a rule without evidence."""
    return _experiment(rule)


def would_tell_apart(rule: Rule, others: Iterable[str]) -> str:
    """A test between a rule that may be wrong and its alternatives."""
    return f"{_experiment(rule)}, where {' and '.join(others)} make no difference"


@singledispatch
def _experiment(rule: Rule) -> str:
    raise TypeError(f"no rule: {rule!r}")


@_experiment.register
def _(rule: Neighbour) -> str:
    return "the beginning of an episode" if rule.subject == "player" else UNJUDGED


@_experiment.register
def _(rule: Rename) -> str:  # noqa: ARG001
    return UNJUDGED


@_experiment.register
def _(rule: Walk) -> str:
    return f"moves onto {spaced(rule.subject)} and on it, while nothing near can hurt"


@_experiment.register
def _(rule: Creature) -> str:
    being = "a ripe plant" if rule.subject == "plant" else with_article(rule.subject)
    return f"killing {being}, watching it, and standing beside it for six steps"


@_experiment.register
def _(rule: Drink) -> str:
    return f"collecting from {rule.subject} with less than 9 food, drink and health"


@_experiment.register
def _(rule: Eat) -> str:
    return f"eating {with_article(spaced(rule.subject))} with less than 9 food, drink and health"


@_experiment.register
def _(rule: Collect) -> str:
    return f"collecting from {spaced(rule.subject)} holding {_amounts(rule.requires)}"


@_experiment.register
def _(rule: Place) -> str:
    where = rule.where if not is_uncertain(rule.where) else ()
    on = f" on {' or '.join(map(spaced, where))}" if where else ""
    return f"placing {with_article(spaced(rule.subject))}{on} holding {_amounts(rule.uses)}"


@_experiment.register
def _(rule: Make) -> str:
    nearby = rule.nearby if not is_uncertain(rule.nearby) else ()
    near = f" near {' and '.join(with_article(spaced(each)) for each in nearby)}" if nearby else ""
    return f"making {with_article(spaced(rule.subject))}{near} holding {_amounts(rule.uses)}"


@_experiment.register
def _(rule: Hunt) -> str:
    return f"hitting {with_article(spaced(rule.subject))} holding {_amounts(rule.requires)}"


@_experiment.register
def _(rule: AddedNeed) -> str:
    return f"steps in which {spaced(rule.subject)} falls, rises or is empty"


@_experiment.register
def _(rule: Push) -> str:
    return f"moves against {spaced(rule.subject)} with various things behind it"


@_experiment.register
def _(rule: Beside) -> str:
    becomes = () if is_uncertain(rule.becomes) else rule.becomes
    beside = " or ".join(map(spaced, becomes)) or "various things"
    return f"watching {spaced(rule.subject)} beside {beside}"


@_experiment.register
def _(rule: Timer) -> str:
    after = "for a long time" if is_uncertain(rule.after) else f"for {rule.after} steps or more"
    return f"watching the same cell of {spaced(rule.subject)} {after}"


@_experiment.register
def _(rule: Behaviour) -> str:
    return f"watching {with_article(spaced(rule.subject))} with nothing else within two cells of it"


@_experiment.register
def _(rule: Projectile) -> str:
    shot = with_article(spaced(rule.subject))
    return f"watching {shot} with nothing else near its way, until it hits something or is gone"


@_experiment.register
def _(rule: Shoot) -> str:
    return f"shooting {with_article(spaced(rule.subject))} holding {_amounts(rule.requires)}"


def _amounts(stated: Any) -> str:
    """The items that an experiment is done with and without."""
    if is_uncertain(stated):
        return "various things"
    if not stated:
        return "nothing"
    return " and ".join(f"{amount} {spaced(item)}" for item, amount in stated.items())
