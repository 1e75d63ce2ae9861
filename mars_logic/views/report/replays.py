"""Selection of the episodes that a report replays, and their data for the page."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mars_logic.errors import InputError
from mars_logic.play import certificate
from mars_logic.play.certificate import Verification
from mars_logic.views.report.frames import encoded, frames
from mars_logic.views.report.page_names import page_names
from mars_logic.views.report.report_data import PHASES, KeptEpisode, LearnedUnit
from mars_logic.world.load import load_world_beside
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World


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
