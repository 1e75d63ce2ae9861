"""Domains by name: the bundled ones, and those of installed packages.

Another package adds a domain by an entry point of the group ``mars_logic.domains``. A module is
imported when its domain is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from mars_logic.errors import InputError, unsupported
from mars_logic.world.fields import unknown
from mars_logic.world.rule_set import RuleSet

if TYPE_CHECKING:
    from mars_logic.domains.base import Domain
    from mars_logic.domains.family import Family
    from mars_logic.domains.game import Game
    from mars_logic.world.theory import Theory

GROUP: Final = "mars_logic.domains"
WORLD_DOMAIN: Final = RuleSet.domain
"""What files state as the domain of survival worlds."""
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
"""The bundled domains. They are no entry points, so that a checkout plays without installation."""


@cache
def added_domains() -> dict[str, EntryPoint]:
    """Domains of installed packages, by name; cached, since the lookup takes milliseconds."""
    points = {each.name: each for each in entry_points(group=GROUP)}
    return {name: points[name] for name in sorted(points.keys() - _MODULES.keys())}


def domain_names() -> tuple[str, ...]:
    """The names of all domains of games, the bundled ones first."""
    return (*_MODULES, *added_domains())


@cache
def domain(name: str) -> Domain[Any]:
    """The domain with this name.

    Raises:
        InputError: There is none, or an installed package does not keep what it offers.
    """
    if name in _MODULES:
        found: Domain[Any] = importlib.import_module(_MODULES[name]).DOMAIN
        return found
    if name in added_domains():
        return _added(added_domains()[name])
    wrong = unknown("domain", name, domain_names())
    assert wrong.context
    raise InputError(f"domain: {wrong.message()}; allowed: {wrong.context['allowed']}")


def _added(point: EntryPoint) -> Domain[Any]:
    try:
        found: Domain[Any] = point.load()
    except (ImportError, AttributeError, ValueError) as error:
        raise _broken(point, f"cannot be loaded: {error}") from error
    if isinstance(found, type) or not hasattr(found, "version_space"):
        raise _broken(point, "is no Domain")
    if (found.name, found.kind.domain) != (point.name, point.name):
        raise _broken(point, f"calls itself {found.name}, and its games {found.kind.domain}")
    return found


def _broken(point: EntryPoint, message: str) -> InputError:
    package = point.dist.name if point.dist else "a package"
    allowed = f"an entry point of {GROUP} that names a Domain called '{point.name}'"
    return InputError(f"{package}: {point.value} {message}; allowed: {allowed}")


def family_of(rules: Theory | Game) -> Family[Any]:
    """The family of rules: survival worlds, or a domain of games."""
    if rules.domain == WORLD_DOMAIN:
        from mars_logic.domains.worlds import WORLDS

        return WORLDS
    return domain(rules.domain)


def domain_of(game: Game) -> Domain[Any]:
    """The domain that a game or a theory of one belongs to."""
    return domain(game.domain)


def require_offered(
    command: str,
    rules: Theory | Game,
    offered: Callable[[Domain[Any]], object],
    others: tuple[str, ...] = (),
) -> None:
    """Refuse rules whose family does not offer what a command needs.

    Args:
        command: The command.
        rules: The rules of a world or a game.
        offered: What it needs of a domain: true, or not None, where it is there.
        others: What the command supports besides games, such as ``worlds``.

    Raises:
        InputError: The family does not offer it.
    """
    if rules.domain == WORLD_DOMAIN or not offered(domain(rules.domain)):
        able = [name for name in domain_names() if offered(domain(name))]
        kind = "worlds" if rules.domain == WORLD_DOMAIN else rules.domain
        raise unsupported(rules.name, f"`{command}`", (*others, *able), kind)


def player_names() -> list[str]:
    """The names of all players of games."""
    return [*dict.fromkeys(name for each in domain_names() for name in domain(each).players)]
