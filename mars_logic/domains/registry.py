"""Domains by name. A module is imported when its domain is asked for."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mars_logic.errors import InputError
from mars_logic.world.fields import unknown

if TYPE_CHECKING:
    from mars_logic.domains.base import Domain
    from mars_logic.domains.game import Game

_MODULES: Final = {
    "bandits": "mars_logic.domains.bandits.domain",
    "rock_paper_scissors": "mars_logic.domains.rock_paper_scissors.domain",
    "hanoi": "mars_logic.domains.hanoi.domain",
    "messenger": "mars_logic.domains.messenger.domain",
    "biomes": "mars_logic.domains.biomes.domain",
    "function_operator": "mars_logic.domains.rulearn.function_operator.domain",
    "escape_room": "mars_logic.domains.rulearn.escape_room.domain",
    "reactor": "mars_logic.domains.rulearn.reactor.domain",
}


def domain_names() -> tuple[str, ...]:
    """The names of all domains of games."""
    return tuple(_MODULES)


@cache
def domain(name: str) -> Domain[Any]:
    """The domain with this name.

    Raises:
        InputError: There is none.
    """
    if name not in _MODULES:
        wrong = unknown("domain", name, _MODULES)
        assert wrong.context
        raise InputError(f"domain: {wrong.message()}; allowed: {wrong.context['allowed']}")
    found: Domain[Any] = importlib.import_module(_MODULES[name]).DOMAIN
    return found


def domain_of(game: Game) -> Domain[Any]:
    """The domain that a game or a theory of one belongs to."""
    return domain(game.domain)
