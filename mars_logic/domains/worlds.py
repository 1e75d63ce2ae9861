"""Survival worlds as a family of rules, beside the domains of games."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from mars_logic.domains.family import Family, Form
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import vocabulary


class Worlds(Family[Theory]):
    """Survival worlds of all dialects, and theories of them."""

    called = "a world"
    agents = True
    forms: ClassVar[tuple[Form, ...]] = ("words", "yaml", "facts", "tree")
    stands_on_base = True

    def label(self, rules: Theory) -> str:
        """The dialect."""
        return rules.dynamics

    def about(self, rules: Theory) -> dict[str, Any]:
        """A row in lists."""
        from mars_logic.world.diff import diff

        return {
            "name": rules.name,
            "title": rules.title,
            "dynamics": rules.dynamics,
            "base": rules.base.name if rules.base else None,
            "differs": len(diff(rules.base, rules)) if rules.base else None,
            "digest": rules.digest,
        }

    def open_fields(self, rules: Theory) -> list[str]:
        """Open fields, as ``collect.iron.requires``."""
        return [f"{rule}.{field}" for rule, field in rules.uncertain]

    def as_yaml(self, rules: Theory, *, whole: bool = False) -> str:
        """The world as a file."""
        from mars_logic.world.dump import to_yaml

        return to_yaml(rules, whole=whole)

    def own_goals(self, rules: Theory) -> tuple[str, ...] | None:
        """Its achievements, unless they are those of its dialect."""
        usual = vocabulary(rules.dynamics).achievements
        return None if rules.achievements == usual else rules.achievements

    def _shown(self, rules: Theory, form: Form, *, solution: bool, whole: bool) -> str:  # noqa: ARG002
        if form == "yaml":
            return self.as_yaml(rules, whole=whole)
        if form == "facts":
            from mars_logic.logic.choices import theory_facts

            return theory_facts(rules)
        if form == "tree":
            from mars_logic.world.tree import tech_tree

            return tech_tree(rules.most_likely())
        from mars_logic.world.words import manual

        return manual(rules)


WORLDS: Final = Worlds()
