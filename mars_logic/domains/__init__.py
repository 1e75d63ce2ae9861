"""Games beside the survival games: each a file of rules, simulated, told in words, and learned.

A domain is a package in this folder that holds the rules of a family of games as data, their
simulator, their words, and players. :func:`domain` finds one by name; :func:`load_game` reads a
file. No domain knows another, and what all of them offer is in :mod:`mars_logic.domains.base`.
"""

from typing import TYPE_CHECKING

from mars_logic.system.lazy import lazy_names

if TYPE_CHECKING:
    from mars_logic.domains.library import bundled_games, game_sets, games_of
    from mars_logic.domains.load import load_game, load_game_theory, load_rules, load_rules_theory
    from mars_logic.domains.registry import domain, domain_names, domain_of, family_of

__all__ = [
    "bundled_games",
    "domain",
    "domain_names",
    "domain_of",
    "family_of",
    "game_sets",
    "games_of",
    "load_game",
    "load_game_theory",
    "load_rules",
    "load_rules_theory",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "library": ("bundled_games", "game_sets", "games_of"),
        "load": ("load_game", "load_game_theory", "load_rules", "load_rules_theory"),
        "registry": ("domain", "domain_names", "domain_of", "family_of"),
    },
)
