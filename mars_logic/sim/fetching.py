"""Asking the memory for an environment before its step, and before it is observed.

A step reads some twenty lines of 64 bytes, spread over a record. In a batch of thousands no near
cache holds them, and each read would wait for memory. Lines that are asked for while the
environments before are stepped arrive in time.
"""

from __future__ import annotations

from typing import Final

from mars_logic.compiled.kernel import inline_kernel
from mars_logic.sim.board import cell_number, is_wide
from mars_logic.sim.layout import BORDER, Env
from mars_logic.sim.vectors import fetch
from mars_logic.world.dialect import AREA

_LINE: Final = 64
_LINES_OF_HEAD: Final = 3
"""From the position in the random stream to the end of the player."""
_LINES_OF_THINGS: Final = 9
"""Those of the 42 things of a mean map."""
_CELLS: Final = (AREA + 2 * BORDER) ** 2
"""Bytes from a cell to its material in wide records: their second layer follows the first."""


@inline_kernel
def fetch_head(env: Env) -> None:
    """Ask for what tells where the rest is; two environments ahead."""
    words = env.stream.words
    for line in range(_LINES_OF_HEAD):
        fetch(words, 4 * len(words) + _LINE * line)
    fetch(env.thing_x, 0)
    fetch(env.thing_y, 0)
    fetch(env.chunks, 0)


@inline_kernel
def fetch_rest(env: Env) -> None:
    """Ask for the next random words, the cells around the player and the things; one ahead."""
    wide = is_wide(env)
    fetch(env.stream.words, 4 * env.stream.position)
    fetch_view(env, wide)
    if not wide or env.num_things > 0:  # all maps of the games have things
        for line in range(_LINES_OF_THINGS):
            fetch(env.things, _LINE * line)


@inline_kernel
def fetch_view(env: Env, wide: bool) -> None:
    """Ask for the cells around the player, in wide records with their materials."""
    first = cell_number(env.player.x, env.player.y + BORDER)
    for column in range(2 * BORDER + 1):
        cell = first + cell_number(column, 0)
        fetch(env.cells, cell)
        if wide:
            fetch(env.cells, cell + _CELLS)
