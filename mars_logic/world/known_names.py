"""Refusal of worlds by layers that know only Crafter's vocabulary."""

from __future__ import annotations

from mars_logic.errors import InputError, unsupported
from mars_logic.world import names
from mars_logic.world.adds import Adds
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import CELL_FAMILIES, CREATURE_FAMILIES, PROJECTILE_FAMILIES

_SHOWN = 2


def require_crafter_names(world: Theory, layer: str, who: str) -> None:
    """Refuse a world with materials or items that a layer does not know.

    Args:
        world: The world.
        layer: The command or the package, for the message.
        who: What does not know them, for example ``the planner``.

    Raises:
        InputError: It has other materials or items than Crafter's.
    """
    require_known_kinds(world, layer, who)
    words = world.vocabulary
    strange = [name for name in words.materials if name not in names.MATERIALS]
    strange += [name for name in words.items if name not in (*names.ITEMS, *strange)]
    if strange:
        listed = ", ".join(strange[:_SHOWN]) + (", …" if len(strange) > _SHOWN else "")
        message = f"{world.name} has materials or items that {who} does not know ({listed})"
        allowed = f"worlds of the dialects {', '.join(names.DYNAMICS)} without added names"
        raise InputError(f"{layer}: {message}; allowed: {allowed}")
    require_usual_constants(world, layer, who)


def require_known_kinds(world: Theory, layer: str, who: str) -> None:
    """Refuse a world with kinds of rules that a layer does not know, which takes any other names.

    The arguments are those of :func:`require_crafter_names`.

    Raises:
        InputError: Deeds leave traces in it, cells are pushed or change by themselves, or creatures
            or projectiles are added or described in tables.
    """
    require_no_traces(world, layer, who)
    require_usual_kinds(world, layer, who)


def require_plannable(world: Theory, layer: str, who: str) -> None:
    """Refuse a world with rules that planning does not know.

    The arguments are those of :func:`require_crafter_names`.

    Raises:
        InputError: Deeds leave traces in it, cells are pushed or change beside others, or
            projectiles are described.
    """
    require_no_traces(world, layer, who)
    for family in ("push", "beside"):
        for name in world.adds.changing[family]:
            message = f"{who} does not know the rule {family}.{name}, of cells that are pushed"
            allowed = "worlds without push, beside"
            raise InputError(f"{layer}: {message} or change beside others; allowed: {allowed}")
    if rule := projectile_rule(world):
        message = f"{who} does not know the rule {rule}, of projectiles"
        allowed = f"worlds without {', '.join(PROJECTILE_FAMILIES)} and added projectiles"
        raise InputError(f"{layer}: {message}; allowed: {allowed}")


def require_as_task(world: Theory, layer: str, who: str) -> None:
    """Refuse a world that cannot be written as a planning task.

    Args:
        world: The world.
        layer: The command, for the message.
        who: What does not know its rules, for example ``the planning task``.

    Raises:
        InputError: Deeds leave traces in it, cells change whatever the player does, or projectiles
            are described.
    """
    require_no_traces(world, layer, who)
    if rule := unjudged_rule(world) or projectile_rule(world):
        message = f"{who} takes no account of the rule {rule}"
        raise InputError(f"{layer}: {message}; allowed: worlds without such rules")


def require_no_traces(world: Theory, layer: str, who: str) -> None:
    """Refuse a world in which deeds leave traces.

    The arguments are those of :func:`require_crafter_names`.

    Raises:
        InputError: They do.
    """
    if world.vocabulary.traced:
        raise unsupported(layer, who, names.DYNAMICS, world.dynamics)


def require_usual_kinds(rules: Theory | Adds, layer: str, who: str) -> None:
    """Refuse a world, or play of one, with rules of kinds that Crafter lacks.

    Args:
        rules: The world, or what it adds.
        layer: The command, the package or the file, for the message.
        who: What does not know such rules, for example ``the learner``.

    Raises:
        InputError: It has such a rule.
    """
    if rule := cell_rule(rules):
        message = f"{who} does not know the rule {rule}, of cells that are pushed or change"
        allowed = f"worlds without {', '.join(CELL_FAMILIES)}"
    elif rule := creature_rule(rules):
        message = f"{who} does not know the rule {rule}, of creatures that a world describes"
        allowed = f"worlds without {', '.join(CREATURE_FAMILIES)} and added creatures"
    elif rule := projectile_rule(rules):
        message = f"{who} does not know the rule {rule}, of projectiles"
        allowed = f"worlds without {', '.join(PROJECTILE_FAMILIES)} and added projectiles"
    elif rule := need_rule(rules):
        message = f"{who} does not know the rule {rule}, of a need that a world adds"
        allowed = "worlds without added needs"
    else:
        return
    raise InputError(f"{layer}: {message}; allowed: {allowed}")


def unusual_rule(rules: Theory | Adds) -> str | None:
    """The first rule of a kind that Crafter lacks; None without any."""
    found = cell_rule(rules) or creature_rule(rules)
    return found or projectile_rule(rules) or need_rule(rules)


def cell_rule(rules: Theory | Adds) -> str | None:
    """The first rule about cells that are pushed or change by themselves; None without any."""
    adds = rules if isinstance(rules, Adds) else rules.adds
    found = (f"{kind}.{name}" for kind, names in adds.changing.items() for name in names)
    return next(found, None)


def creature_rule(rules: Theory | Adds) -> str | None:
    """The first rule about a creature that is added, or described in tables; None without any."""
    adds = rules if isinstance(rules, Adds) else rules.adds
    of = {"creature": adds.creature_names, **adds.living}
    return next((f"{kind}.{name}" for kind, names in of.items() for name in names), None)


def projectile_rule(rules: Theory | Adds) -> str | None:
    """The first rule about projectiles; None without any."""
    adds = rules if isinstance(rules, Adds) else rules.adds
    found = (f"{kind}.{name}" for kind, names in adds.launched.items() for name in names)
    return next(found, None)


def need_rule(rules: Theory | Adds) -> str | None:
    """The rule about the first need that is added; None without any."""
    adds = rules if isinstance(rules, Adds) else rules.adds
    return next((f"need.{name}" for name in adds.needs), None)


def unjudged_rule(world: Theory) -> str | None:
    """The first rule by which cells change whatever the player does; None without any."""
    grazing = (rule.id for rule in world.behaviour.values() if rule.grazes)
    usual = world.vocabulary.arrow_leaves.items()
    breaking = (rule.id for rule in world.projectile.values() if not rule.breaks.items() <= usual)
    flights = {name: world.projectile.get(name) for name in world.shoot}
    opening = (f"shoot.{name}" for name, rule in flights.items() if rule is None or rule.breaks)
    return cell_rule(world) or next(grazing, None) or next(breaking, None) or next(opening, None)


def require_usual_constants(world: Theory, layer: str, who: str) -> None:
    """Refuse a world with constants of its own, for a layer that counts with its dialect's.

    The arguments are those of :func:`require_crafter_names`.

    Raises:
        InputError: It states some.
    """
    if world.constants:
        message = f"{who} counts with the constants of the dialect, and {world.name} has others"
        raise InputError(f"{layer}: {message}; allowed: worlds that state no constants")


def require_no_added_names(adds: Adds, source: str, who: str) -> None:
    """Refuse play with added names, for a layer that knows only those of the dialects.

    Args:
        adds: The added names of the play.
        source: Where it comes from, for the message.
        who: What does not know them, for example ``a rule program``.

    Raises:
        InputError: There are some.
    """
    if adds:
        allowed = "play of worlds with the names of their dialect"
        raise InputError(f"{source}:1: adds: {who} knows no added names; allowed: {allowed}")


def require_unmarked(world: Theory) -> None:
    """Refuse to record a world with traces.

    Raises:
        InputError: Its dialect has marks.
    """
    if world.vocabulary.traced:
        message = f"trajectories hold no marks, as {world.name} has"
        raise InputError(f"--record: {message}; allowed: --out")
