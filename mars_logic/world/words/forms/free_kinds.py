"""What the forms of free text add to the kinds of values and to the parts of sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.words.facts import Exactly, Excluding, Said
from mars_logic.world.words.forms.shared import materials
from mars_logic.world.words.kinds import Several
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Kind, Part, either, say
from mars_logic.world.words.scan import Scan

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class _Saying(Kind):
    """A list of which something else is said than that the field includes it."""

    kind: Kind
    say: Callable[[Any], Said]

    def write(self, *values: Any) -> None:
        """Nothing: free text is only read."""

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The list that stands here, and what is said of it."""
        for (value,), end in self.kind.read(scan, at):
            if value:
                yield (self.say(value),), end


def lacking(kind: Kind) -> Kind:
    """A list of what a field does not have."""
    return _Saying(kind, lambda value: Excluding(tuple(value)))


def lacking_one(kind: Kind) -> Kind:
    """A single thing that a field does not have."""
    return _Saying(kind, lambda name: Excluding((name,)))


def whole(kind: Kind) -> Kind:
    """A list of all that a field has."""
    return _Saying(kind, Exactly)


def things_of(nouns: Nouns) -> Several:
    """Items of which none is needed: without amounts, of which another one might be."""
    return materials(nouns.named(nouns.items), "or")


def patterns(slots: Mapping[str, Any], *templates: str, **meaning: Any) -> Part:
    """Sentences with the same meaning, each a template as in :func:`say`.

    Args:
        slots: What the slots of the templates stand for; a template need not have all of them.
        templates: The templates.
        meaning: Values of fields that each of these sentences implies.
    """
    return either(
        *(
            say(template, **{name: slots[name] for name in _SLOT.findall(template)}, **meaning)
            for template in templates
        )
    )
