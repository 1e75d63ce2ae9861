"""Default rules for unknown fields: Crafter's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mars_logic.system import resources
from mars_logic.world.rule_set import RuleSet
from mars_logic.world.source import read
from mars_logic.world.validate import rules_of


def crafter_file() -> Path:
    """Path of the world ``crafter``."""
    return resources.folder("worlds") / "mars" / "crafter.yaml"


@cache
def crafter_rules() -> RuleSet:
    """The rules of Crafter."""
    document = read(crafter_file().resolve(), "crafter")
    return RuleSet.from_rules("crafter", rules_of(document, None, "crafter", None))
