"""Play by keys: what a player sees after some actions, as a job of a worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.play.action_keys import action_keys
from mars_logic.play.session import PlaySession
from mars_logic.workbench.reading import world_of
from mars_logic.workbench.worker import Begin
from mars_logic.world.vocabulary import Vocabulary

_SIZE: Final = (432, 432)
"""Width and height of the picture of what is seen, with the inventory."""


@dataclass(frozen=True)
class PlayerView:
    """What a player sees after some actions.

    Attributes:
        picture: What is seen and held, as a PNG in a ``data:`` URL.
        status: The step, the reward, and what is unlocked.
        news: What the last action changed.
        digest: The digest of the world.
        ended: Whether the episode is over.
        keys: The code of the action of each key.
        names: The names of actions, by code.
    """

    picture: str
    status: str
    news: str
    digest: str
    ended: bool
    keys: dict[str, int]
    names: tuple[str, ...]


@dataclass
class _Kept:
    """The episode that was played last, so that one more action is one more step."""

    text: str
    path: Path
    session: PlaySession


_kept: list[_Kept] = []


def scene(_: Begin, text: str, path: Path, seed: int, actions: tuple[int, ...]) -> PlayerView:
    """What a player sees after some actions.

    Args:
        _: Not told; it takes no time.
        text: The text of a world.
        path: Its file.
        seed: The map's seed.
        actions: The codes of the actions; those after the end of the episode do nothing.

    Raises:
        InputError: The text is no world, or has more actions than there are keys.
    """
    from mars_logic.views.image import render
    from mars_logic.views.report.templates import as_url

    session, news = _session(text, path, seed, actions)
    words = session.world.vocabulary
    return PlayerView(
        as_url(render(session.seen, _SIZE, words=words)[0]),
        session.status,
        news,
        session.world.digest,
        session.ended is not None,
        key_codes(words),
        words.actions,
    )


def key_codes(words: Vocabulary) -> dict[str, int]:
    """The code of the action of each key, by names of keys as browsers have them."""
    browser = {"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown"}
    browser |= {"space": " ", "tab": ""}
    codes = {name: code for code, name in enumerate(words.actions)}
    keys = ((key, name) for name, some in action_keys(words).items() for key in some)
    return {found: codes[name] for key, name in keys if (found := browser.get(key, key))}


def _session(text: str, path: Path, seed: int, actions: tuple[int, ...]) -> tuple[PlaySession, str]:
    """The episode after some actions, and what the last of them changed."""
    kept = _kept[0] if _kept else None
    same = kept and (kept.text, kept.path, kept.session.seed) == (text, path, seed)
    if kept is None or not same:
        world = world_of(text, path)
        kept = _Kept(text, path, PlaySession(world, seed, world.achievements))
        _kept[:] = [kept]
    session = kept.session
    while session.actions != [*actions[: session.steps]] and session.can_undo:
        session.undo()
    if session.actions != [*actions[: session.steps]]:  # more than can be taken back
        session = kept.session = PlaySession(session.world, seed, session.world.achievements)
    news = ""
    for action in actions[session.steps :]:
        news = session.act_told(action)
    return session, news
