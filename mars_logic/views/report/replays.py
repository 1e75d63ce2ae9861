"""Selection of the episodes that a report replays, and their data for the page."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.play import certificate
from mars_logic.play.certificate import Certificate, Verification
from mars_logic.sim import Simulator, State
from mars_logic.sim.codes import ARROW, ARROW_LEFT, LOOKS, PLANT, RIPE_PLANT
from mars_logic.views.appearances import player_looks
from mars_logic.views.report.page_names import OF_CRAFTER, PageCodes, PageNames, page_names
from mars_logic.views.report.report_data import PHASES, KeptEpisode, LearnedUnit
from mars_logic.world.dialect import AREA
from mars_logic.world.load import load_world_beside
from mars_logic.world.names import Dynamics
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import vocabulary


@dataclass(frozen=True)
class Replay:
    """An episode in a page.

    Attributes:
        number: Number of the episode in the page, from 0.
        kept: The episode.
        world: Where it was played.
        data: Its frames (:func:`frames.encoded`) in base64.
        ended: Why it ended; None if that is not known.
    """

    number: int
    kept: KeptEpisode
    world: World
    data: str
    ended: str | None

    @property
    def label(self) -> str:
        """Its label within its agent and world."""
        row = self.kept.row
        which = f"seed {row.seed}" + (f", episode {row.episode}" if row.episode > 1 else "")
        return which if row.phase == "play" else f"{which} ({PHASES[row.phase]})"


def replays(
    episodes: Sequence[KeptEpisode], done: Callable[[], None] = lambda: None
) -> list[Replay]:
    """Replay episodes.

    Args:
        episodes: Which.
        done: Called after each.

    Raises:
        InputError: A world is missing or another version, or what a certificate claims is not so.
    """
    found = []
    worlds = [_world_of(kept) for kept in episodes]
    names = page_names(world.vocabulary for world in worlds)
    for number, (kept, world) in enumerate(zip(episodes, worlds, strict=True)):
        replayed = _verified(kept, world)
        data = base64.b64encode(encoded(frames(kept.certificate, world, names))).decode()
        ended = kept.row.ended or ("death" if replayed.died else None)
        found.append(Replay(number, kept, world, data, ended))
        done()
    return found


def _world_of(kept: KeptEpisode) -> World:
    if kept.world is not None:
        return kept.world
    try:
        return load_world_beside(kept.certificate.world.name, kept.path.parent)
    except WorldError as error:
        raise InputError(f"{kept.path}:1: world.name: {error}") from None


def _verified(kept: KeptEpisode, world: World) -> Verification:
    if not kept.certificate.actions:
        raise InputError(f"{kept.path}:1: actions: there are none; allowed: at least one")
    found = certificate.verify(kept.certificate, world)
    if found.problems:
        raise InputError(
            f"{kept.path}:1: file: it does not replay: {found.problems[0]}; allowed: an episode of "
            "the world as it is now"
        )
    return found


def documents(shown: Iterable[Replay]) -> list[dict[str, Any]]:
    """Data of each episode for the page's player, without its frames."""
    shown = list(shown)
    thinkers = {replay.kept.row.agent for replay in shown if replay.kept.thoughts}
    return [_document(replay) | {"thinks": replay.kept.row.agent in thinkers} for replay in shown]


def _document(replay: Replay) -> dict[str, Any]:
    kept, row = replay.kept, replay.kept.row
    return {
        "label": replay.label,
        "unit": row.unit,
        "number": row.number,
        "agent": row.agent,
        "world": row.world_name,
        "phase": row.phase,
        "ended": replay.ended,
        "unlocked": sorted(kept.certificate.unlocked.items(), key=lambda pair: pair[1]),
        "thoughts": [[each.step, each.layer, each.what] for each in kept.thoughts],
    }


def revisions(learned: LearnedUnit) -> list[dict[str, Any]]:
    """The revisions of a belief, for the page's player."""
    return [each.model_dump() for each in learned.revisions]


MAGIC: Final = b"MLF2"
"""The first bytes: the name of this format, and its version."""
_HEAD: Final = struct.Struct("<4sIII")
_FULL_DAYLIGHT: Final = 255
LOOK_SHIFT: Final = 10
"""How far left the code of what stands on a cell is from that of its material, in bits."""


@dataclass(frozen=True, eq=False)
class Frames:
    """An episode of T steps: T + 1 moments, and the T steps between them.

    Attributes:
        first: uint16[64, 64], indexed [x, y]: the map at the beginning. A cell is the code of its
            material on the page plus 1024 times that of what stands on it
            (``views.appearances``); the player is left out.
        counts: uint16[T]: how many cells each step changed.
        places: uint16[changes]: which, as 64 x + y, step after step.
        values: uint16[changes]: what they became.
        x: uint8[T + 1]: the player's column.
        y: uint8[T + 1]: its row, counted downwards.
        pose: uint8[T + 1]: 0 to 4 for left, right, up, down and asleep.
        daylight: uint8[T + 1]: from 0 (dark) to 255.
        inventory: uint8[items, T + 1], by the codes of items on the page.
        action: uint8[T]: codes of actions on the page.
        reward: float32[T].
    """

    first: NDArray[np.uint16]
    counts: NDArray[np.uint16]
    places: NDArray[np.uint16]
    values: NDArray[np.uint16]
    x: NDArray[np.uint8]
    y: NDArray[np.uint8]
    pose: NDArray[np.uint8]
    daylight: NDArray[np.uint8]
    inventory: NDArray[np.uint8]
    action: NDArray[np.uint8]
    reward: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.action)


def frames(kept: Certificate, world: World, names: PageNames = OF_CRAFTER) -> Frames:
    """Play an episode once more, and keep every moment of it.

    Args:
        kept: What was done.
        world: Where.
        names: The names of the page, those of the world among them.
    """
    codes = names.codes(world.vocabulary)
    simulator = Simulator(world)
    simulator.reset(kept.seed, kept.episode)
    states, rewards = [simulator.state()], []
    first = before = cells(states[0], world.dynamics, codes)
    places, values = [], []
    for action in kept.actions:
        reward, _ = simulator.step(action)
        rewards.append(reward[0])
        states.append(simulator.state())
        after = cells(states[-1], world.dynamics, codes)
        places.append(np.flatnonzero(before != after))
        values.append(after.reshape(-1)[places[-1]])
        before = after
    return Frames(
        first=first,
        counts=np.array([len(changed) for changed in places], np.uint16),
        places=np.concatenate([*places, []]).astype(np.uint16),
        values=np.concatenate([*values, []]).astype(np.uint16),
        x=np.array([state.x for state in states], np.uint8),
        y=np.array([state.y for state in states], np.uint8),
        pose=poses(states),
        daylight=np.rint([_FULL_DAYLIGHT * state.daylight for state in states]).astype(np.uint8),
        inventory=_inventory(states, codes),
        action=codes.actions[np.array(kept.actions, np.intp)],
        reward=np.array(rewards, np.float32),
    )


def _inventory(states: Sequence[State], codes: PageCodes) -> NDArray[np.uint8]:
    held = np.zeros((codes.held, len(states)), np.uint8)
    held[codes.items] = np.array([state.inventory for state in states], np.uint8).T
    return held


def cells(state: State, dynamics: Dynamics, codes: PageCodes) -> NDArray[np.uint16]:
    """The map with what stands on it, but for the player: uint16[64, 64], as in :class:`Frames`."""
    found = codes.materials[state.materials]
    things = state.objects
    looks = things["kind"].astype(np.uint8)
    looks[(looks == PLANT) & (things["grown"] > vocabulary(dynamics).ripe_age)] = RIPE_PLANT
    # The four arrows in the order of directions: left, right, up, down.
    onwards = things["facing_x"] + things["facing_y"] > 0
    arrows = ARROW_LEFT + 2 * (things["facing_x"] == 0) + onwards
    looks = np.where(things["kind"] == ARROW, arrows, looks).astype(np.uint16)
    added = things["kind"] > PLANT
    looks[added] = codes.creatures[things["kind"][added] - PLANT - 1]
    found[things["x"], things["y"]] |= looks << np.uint16(LOOK_SHIFT)
    return found


def poses(states: Sequence[State]) -> NDArray[np.uint8]:
    """How players look: uint8[n], 0 to 4 for left, right, up, down and asleep."""
    facing = np.array([state.facing for state in states])
    sleeping = np.array([state.sleeping for state in states])
    return (player_looks(facing, sleeping) - len(LOOKS)).astype(np.uint8)


def encoded(played: Frames) -> bytes:
    """Frames as bytes: a zlib stream of a head and all columns, in little-endian order.

    The head is :data:`MAGIC` and, as uint32, the number of steps, of changes and of items; the
    columns come in the order of the attributes of :class:`Frames`.
    """
    assert played.first.shape == (AREA, AREA)
    head = _HEAD.pack(MAGIC, len(played), len(played.places), len(played.inventory))
    columns = (np.ascontiguousarray(column) for column in vars(played).values())
    little = (column.astype(column.dtype.newbyteorder("<"), copy=False) for column in columns)
    return zlib.compress(head + b"".join(column.tobytes() for column in little), 9)
