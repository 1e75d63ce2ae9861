"""Every field of a certificate of a game, with every kind of wrong value."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.conftest import Run, run  # noqa: F401

PLAYED: Final = {
    "Hanoi3Disk": ("random", ()),
    "BanditTwoArmedDeterministicFixed": ("bayes", ("--learn",)),
    "MessengerL1": ("reader", ()),
    "RockPaperScissorBasic": ("bayes", ("--prior", "told")),
    "rulearn/re_r1_01": ("idea", ("--option", "trust_hints=true")),
}
"""By game: who plays, and how."""
VALUES: Final[dict[str, Any]] = {
    "null": None,
    "true": True,
    "minus one": -1,
    "large": 10**9,
    "huge": 10**30,
    "fraction": 0.5,
    "1e308": 1e308,
    "NaN": float("nan"),
    "infinite": float("inf"),
    "empty": "",
    "text": "nothing-like-this",
    "control": "a\x1b[31m\nb",
    "path": "/dev/zero",
    "long": "x" * 100_000,
    "empty list": [],
    "list": [None],
    "deep": [[[[[[[[1]]]]]]]],
    "mapping": {"nothing_like_this": 1},
    "empty mapping": {},
}
FINE: Final = {
    ("game.name", "long"),
    ("player.prior", "null"),
    ("player.belief", "null"),
    ("player.learning_since", "null"),
    ("player.options", "empty mapping"),
    ("versions", "empty mapping"),
}
"""Values that a certificate may have, for some game; it may be valid or not."""
MESSAGE: Final = re.compile(r"^(error: )?c\.json:\d+: .+: .+; allowed: .+$", re.DOTALL)


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all fields, and of the first and last elements of lists."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield (*at, name)
            yield from places(value, (*at, name))
        yield (*at, "nothing_like_this")
    elif isinstance(document, list) and document:
        for number in sorted({0, len(document) - 1}):
            yield (*at, number)
            yield from places(document[number], (*at, number))


def changed(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    copy = json.loads(json.dumps(document))
    inner = copy
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    return copy


def damages(document: Any) -> Iterator[tuple[str, str]]:
    for place in places(document):
        for what, value in VALUES.items():
            name = ".".join(map(str, place))
            yield f"{name} {what}", json.dumps(changed(document, place, value))
        if place[-1] != "nothing_like_this":
            copy = json.loads(json.dumps(document))
            inner = copy
            for name in place[:-1]:
                inner = inner[name]
            del inner[place[-1]]
            yield f"{'.'.join(map(str, place))} missing", json.dumps(copy)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from tests.domains.conan.commands import command

    folder = tmp_path_factory.mktemp("certificates")
    found = {}
    for game, (player, options) in PLAYED.items():
        out = f"kept{len(found)}"
        command(folder, "run", player, game, "--episodes", "1", *options, "--out", out)
        (path,) = (folder / out).glob("*.json")
        found[game] = json.loads(path.read_text(encoding="utf-8"))
    return found


READERS: Final = ("verify c.json", "summarise c.json", "report c.json -o new.html --force")
CASES: Final = [
    pytest.param(
        game, command, marks=pytest.mark.long if game != "rulearn/re_r1_01" and number else ()
    )
    for game in PLAYED
    for number, command in enumerate(READERS)
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "command"), CASES)
def test_every_wrong_value_is_one_message_or_a_false_claim(
    game: str, command: str, certificates: dict[str, Any], tmp_path: Path,
    run: Run, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    """Status 2 and one message; or the certificate is well formed, and what it claims is judged."""
    monkeypatch.chdir(tmp_path)
    wrong = {}
    tried = 0
    for what, text in damages(certificates[game]):
        Path("c.json").write_text(text, encoding="utf-8")
        tried += 1
        began = time.process_time()
        try:
            outcome = run(*command.split())
        except Exception as error:
            wrong[what] = repr(error)[:300]
            continue
        lines = outcome.err.strip().splitlines()
        if outcome.status == 2:
            if len(lines) != 1 or not MESSAGE.match(lines[0]) or len(lines[0]) > 2000:
                wrong[what] = outcome.err[:300]
        elif outcome.status not in (0, 1) or "Traceback" in outcome.err:
            wrong[what] = f"status {outcome.status}: {outcome.err[-300:]}"
        if time.process_time() - began > 10:
            wrong[f"{what}: seconds"] = str(time.process_time() - began)
    assert not wrong, f"{len(wrong)} of {tried}: {wrong}"
