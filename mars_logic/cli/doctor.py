"""The command ``doctor``: which optional parts are installed, and how to install the others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from mars_logic.cli.output import Json, print_json, print_table
from mars_logic.system.extras import install_hint

_EXTRAS: Final = {
    "bench": ("matplotlib", "pictures of measurements"),
    "dask": ("distributed", "experiments on a cluster"),
    "docs": ("mkdocs", "the documentation as a site"),
    "dreamer": ("sheeprl", "training of DreamerV3"),
    "edit": ("nicegui", "the page on which worlds are written"),
    "language": ("openai", "agents that a language model plays"),
    "minari": ("minari", "data sets in Minari's format"),
    "notebooks": ("ipykernel", "the notebooks"),
    "onelife": ("jsonpatch", "scores of predicted states"),
    "openenv": ("openenv", "training of language models"),
    "pddl": ("unified_planning", "solving of exported planning tasks"),
    "rl": ("stable_baselines3", "training by reinforcement learning"),
    "sql": ("duckdb", "queries of trajectories"),
    "video": ("imageio_ffmpeg", "films as MP4"),
}
"""By extra of the package: a module that it brings, and what needs it."""


@dataclass(frozen=True)
class OptionalPart:
    """An optional part.

    Attributes:
        name: What it is called.
        use: What needs it.
        place: Where it lies; None if it is not installed.
        install: The command that installs it; empty if it is always there.
    """

    name: str
    use: str
    place: str | None
    install: str


def doctor(as_json: Json = False) -> None:
    """List which optional parts are installed.

    Example: mars-logic doctor
    """
    found = parts()
    if as_json:
        rows: Any = [vars(part) | {"installed": part.place is not None} for part in found]
        print_json({"schema": "mars-logic doctor 1", "parts": rows})
        return
    cells = ((each.name, each.use, each.place or f"no; install: {each.install}") for each in found)
    print_table(("part", "needed for", "installed"), cells)


def parts() -> list[OptionalPart]:
    """All optional parts."""
    from mars_logic.domains.biomes.minetest import INSTALL, server_program

    engines = [
        OptionalPart("engine columns", "biome navigation", "bundled", ""),
        OptionalPart("engine minetest", "biome navigation on its maps", server_program(), INSTALL),
    ]
    extras = [
        OptionalPart(name, use, "yes" if find_spec(module) else None, install_hint(name))
        for name, (module, use) in _EXTRAS.items()
    ]
    return engines + extras
