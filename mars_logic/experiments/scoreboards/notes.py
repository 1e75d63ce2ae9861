"""What the episodes of scoreboards are made from, noted in their folders; see ``kept``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.language.scripted import PREFIX
from mars_logic.language.settings import LanguageSettings
from mars_logic.play.agent import load_agent
from mars_logic.system.files import locked, read_bytes
from mars_logic.system.kept import claim, code_of, digest_of, read_note
from mars_logic.system.printable import in_one_line

NOTE: Final = "made_from.json"
_WAY_OUT: Final = "another --out, or to remove the folder"
_SCRIPT, _MOST_BYTES = "a script of answers", 400_000_000


@contextmanager
def folder_of_episodes(
    folder: Path, made_from: Mapping[str, Any], held: Collection[str]
) -> Iterator[None]:
    """Hold a scoreboard's folder, and note what is played in it.

    Args:
        folder: The folder; it is there.
        made_from: What episodes are made from, by what they are of; what others are made from may
            be noted as well.
        held: Of the names of ``made_from``, those of which episodes are in it.

    Raises:
        InputError: Another process is at work in it, or episodes that it holds were made from
            something else, or it is not known from what.
    """
    note = folder / NOTE
    with locked(folder / ".lock", wait=False) as ours:
        if not ours:
            told = "another mars-logic scoreboard is at work here"
            raise InputError(f"{folder}:1: folder: {told}; allowed: another folder, or to wait")
        if held and not note.exists():
            told = "it is missing, so that it is not known what the episodes here were made from"
            raise InputError(f"{note}:1: file: {told}; allowed: {_WAY_OUT}")
        if held and (unknown := sorted({*held} - {*read_note(note)})):
            told = "it is missing, so that it is not known what its episodes were made from"
            raise InputError(f"{note}:1: {in_one_line(unknown[0])}: {told}; allowed: {_WAY_OUT}")
        claim(note, made_from, _WAY_OUT, grows=True)
        yield


def player_code(name: str, player_class: Callable[[str], Any], *others: Any) -> str:
    """A digest of the code of a player or agent, and of what plays with it.

    Args:
        name: The player.
        player_class: Gives the class of a player; one that it does not know is an agent.
        others: Functions that play.
    """
    try:
        kind = player_class(name)
    except InputError:
        kind = load_agent(name)
    return code_of(*others, kind)


def answers_of(settings: LanguageSettings | None) -> dict[str, Any]:
    """What decides the answers of a language model, as far as settings tell.

    Raises:
        InputError: A script or a folder of exchanges cannot be read.
    """
    if settings is None:
        return {}
    found: dict[str, Any] = {
        **settings.sampling,
        "endpoint": settings.endpoint,
        "history": [settings.history_tokens, settings.history_steps],
        "schema_mode": settings.schema_mode,
        "prompts": settings.prompts,
    }
    if (settings.model or "").startswith(PREFIX):
        script = Path((settings.model or "").removeprefix(PREFIX))
        found["script"] = digest_of(read_bytes(script, _SCRIPT, _MOST_BYTES))
    if settings.replay is not None:
        files = sorted(Path(settings.replay).glob("*.jsonl"))
        held = (read_bytes(each, "exchanges", _MOST_BYTES) for each in files)
        found["replay"] = digest_of(*(each.name for each in files), *held)
    return found
