"""Writes a world or a theory as YAML: in full, or as the difference from its base."""

from __future__ import annotations

from typing import Any

import yaml

from mars_logic.world.adds import DESCRIBED
from mars_logic.world.constants import all_constants, nested
from mars_logic.world.families import families_of
from mars_logic.world.load import all_bundled_worlds, load_world
from mars_logic.world.maps import GENERATOR_FAMILIES
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import dialects


def to_yaml(world: Theory, *, whole: bool = False) -> str:
    """The world as a file that loads as an equal world with the same digest.

    A world whose base is bundled is written as its difference from that base; any other world is
    written whole. One rule takes one line.

    Args:
        world: The world.
        whole: Whether to write all rules and all constants, whatever its base.
    """
    base = world.base if not whole and world.base and _is_bundled(world.base) else None
    about = {"name": world.name, "title": world.title} if world.title else {"name": world.name}
    if base:
        about["base"] = base.name
    if not base or base.dynamics != world.dynamics:
        about["dynamics"] = world.dynamics
    lines = [f"{key}: {_text(value)}" for key, value in about.items()]
    if world.length is not None:
        lines.append(f"length: {world.length}")
    constants = all_constants(world.vocabulary) if whole else world.constants
    if constants and not world.vocabulary.traced:
        stated = nested(constants).items()
        lines += ["", "constants:", *(f"  {name}: {flow(value)}" for name, value in stated)]
    if world.map:
        lines += ["", "map:", *_mapped(world)]
    if world.adds.as_data():
        lines += ["", "adds:", *_added(world)]
    if world.goals:
        lines += ["", "goals:", *(f"  {name}: {flow(reward)}" for name, reward in world.goals)]
    for kind in families_of(world.vocabulary):
        if world.map.is_drawn and kind.family in GENERATOR_FAMILIES:
            continue
        rows = [
            f"  {rule.subject}: {flow(_body(rule, fields))}"
            for rule in getattr(world, kind.family).values()
            if (fields := stated_fields(rule, base.rule(rule.id) if base else None))
        ]
        if rows:
            lines += ["", f"{kind.family}:", *rows]
    return "\n".join(lines) + "\n"


def _added(world: Theory) -> list[str]:
    """The section of added names, a material, creature or projectile a line."""
    data = world.adds.as_data()
    lists = ("items", "needs")
    lines = [f"  {kind}: {flow(data[kind])}" for kind in lists if kind in data]
    for kind in reversed(DESCRIBED):
        rows = [f"    {name}: {flow(about)}" for name, about in data.get(kind, {}).items()]
        lines = [f"  {kind}:", *rows, *lines] if rows else lines
    return lines


def _mapped(world: Theory) -> list[str]:
    """The section of the map: a drawing as a block of text, all else a row a line."""
    data = world.map.as_data()
    lines: list[str] = []
    for text in data.get("drawn", ()):
        lines += ["    - |", *(f"      {row}" for row in text.splitlines())]
    if lines:
        lines.insert(0, "  drawn:")
    for key in ("legend", "scatter"):
        if key in data:
            rows = [f"    {flow(name)}: {flow(about)}" for name, about in data[key].items()]
            lines += [f"  {key}:", *rows]
    return lines


def stated_fields(rule: Rule, base: Rule | None) -> dict[str, Any]:
    """The fields in which a rule differs from its base's; all of them without a base."""
    fields = rule.model_dump(mode="json", exclude={"subject"})
    if base is None:
        return fields
    return {
        name: value for name, value in fields.items() if getattr(base, name) != getattr(rule, name)
    }


def _is_bundled(world: Theory) -> bool:
    return world.name in all_bundled_worlds() and load_world(world.name) == world


def stated_rule(rule: Rule, base: Rule | None) -> Any:
    """What a file states of a rule: the fields in which it differs from its base's."""
    fields = stated_fields(rule, base)
    if not rule.shorthand:
        return fields
    return _body(rule, fields or stated_fields(rule, None))


def _body(rule: Rule, fields: dict[str, Any]) -> Any:
    return fields[rule.shorthand] if rule.shorthand else fields


def flow(value: Any, style: str | None = None) -> str:
    """A value in YAML's flow style, on one line."""
    text = yaml.safe_dump(
        value,
        default_flow_style=True,
        default_style=style,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _text(text: str) -> str:
    """Free text: plain where it is a name that YAML cannot take for anything else."""
    return text if text in all_bundled_worlds() or text in dialects() else flow(text, '"')
