"""The command ``render``: films of episodes, pictures of maps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from mars_logic.cli.output import Force, Json, print_json, progress, require_free
from mars_logic.cli.verify import world_of
from mars_logic.errors import InputError
from mars_logic.system.files import write_atomically
from mars_logic.world.load import all_bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.sim import Observation
    from mars_logic.world.vocabulary import Vocabulary

Item = TypeVar("Item")
LARGEST = 2048
"""The longest side of a picture in pixels."""


def render(
    source: Annotated[
        str,
        typer.Argument(
            help="A certificate (.json), a trajectory (.parquet), or a world.",
            autocompletion=lambda: list(all_bundled_worlds()),
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The file to write: .gif or .mp4 for an episode, .png for a map."
        ),
    ],
    size: Annotated[
        str,
        typer.Option(help="Pixels, as SIDE or WIDTHxHEIGHT; a map is square.", metavar="SIZE"),
    ] = "512",
    fps: Annotated[
        float, typer.Option(min=0.1, max=100, help="Steps of an episode a second.")
    ] = 10,
    first: Annotated[
        int, typer.Option("--from", min=0, max=2**31 - 1, help="The first step to show.")
    ] = 0,
    last: Annotated[
        int | None,
        typer.Option("--to", min=0, max=2**31 - 1, help="The last step; by default the end."),
    ] = None,
    captions: Annotated[
        bool, typer.Option("--captions", help="Write step, action and achievement below.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**60, help="The seed of a world's map.")] = 0,
    legend: Annotated[
        bool, typer.Option("--legend", help="Maps: mark the player, and name the tiles beside.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a film of an episode, or a picture of a map.

    A certificate is replayed; a trajectory is drawn as it was seen. MP4 needs the extra `video`.

    Example: mars-logic render runs/all_three__random__s0.json -o episode.gif --size 256 --to 200
    """
    width, height = _size(size)
    require_free(out, force)
    path = Path(source)
    if path.suffix in (".json", ".parquet"):
        if legend:
            raise InputError("--legend: a film has none; allowed: with a world")
        shown = _film(path, out, (width, height), fps, first, last, captions)
    elif path.suffix in (".npz", ".jsonl"):
        raise InputError(
            f"{path}:1: file: a recording is not drawn; allowed: a certificate (.json) or a "
            "trajectory (.parquet), as mars-logic import makes of recordings (.npz)"
        )
    elif first or last is not None or captions:
        raise InputError(
            "--from, --to, --captions: a map has no steps; allowed: with an episode's file"
        )
    else:
        width, height = _map(source, seed, out, min(width, height), legend)
        shown = 1
    if as_json:
        document = {"file": str(out), "frames": shown, "width": width, "height": height}
        print_json({"schema": "mars-logic render 1", **document})
    else:
        what = "1 picture" if shown == 1 else f"{shown} frames"
        print(f"{out}: {what} of {width} × {height} pixels")


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,5})(?:[x×](\d{1,5}))?", text)
    width, height = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not (9 <= width <= LARGEST and 9 <= height <= LARGEST):
        raise InputError(
            f"--size: {text!r} is not possible; allowed: SIDE or WIDTHxHEIGHT, 9 to {LARGEST} each"
        )
    return width, height


def _film(
    path: Path,
    out: Path,
    size: tuple[int, int],
    fps: float,
    first: int,
    last: int | None,
    captions: bool,
) -> int:
    from mars_logic.views import film

    film.require_format(out)
    seen = _of_certificate(path) if path.suffix == ".json" else _recorded(path)
    steps = len(seen.materials) - 1
    end = steps if last is None else min(last, steps)
    if first > end:
        raise InputError(f"{path}:1: --from: {first} is too large; allowed: 0 to {end}")
    lines = _captions(path)[first : end + 1] if captions else None
    part = seen.part(slice(first, end + 1))
    return write_film(part, out, size, fps, lines, _words_of(path))


def write_film(
    seen: Observation,
    out: Path,
    size: tuple[int, int] = (512, 512),
    fps: float = 10,
    captions: Sequence[str] | None = None,
    words: Vocabulary | None = None,
) -> int:
    """Draw what was seen, moment by moment; return the number of pictures."""
    from mars_logic.views import film

    moments = len(seen.materials)
    pictures = film.frames(seen, size, words)
    if captions is not None:
        pictures = film.captioned(pictures, captions)
    film.save(_shown(pictures, moments), out, fps)
    return moments


def _words_of(path: Path) -> Vocabulary:
    from mars_logic.data import store
    from mars_logic.play import certificate
    from mars_logic.world.vocabulary import vocabulary

    if path.suffix != ".json":
        return store.load(path).about.words
    claimed = certificate.load(path)
    return world_of(claimed, path).vocabulary if claimed.adds else vocabulary(claimed.dynamics)


def _captions(path: Path) -> list[str]:
    """For each moment of an episode: its step, the action that led to it, what that unlocked."""
    from mars_logic.data import store
    from mars_logic.play import certificate

    words = _words_of(path)
    if path.suffix == ".json":
        claimed = certificate.load(path)
        actions, unlocked = claimed.actions, claimed.unlocked
    else:
        recorded = store.load(path)
        actions = tuple(recorded.action)
        steps, counters = recorded.unlocked.nonzero()
        names = words.achievements
        unlocked = {names[i]: int(step) + 1 for step, i in zip(steps, counters, strict=True)}
    return captions_of([words.actions[action] for action in actions], unlocked)


def captions_of(actions: Sequence[str], unlocked: Mapping[str, int]) -> list[str]:
    """For each moment of an episode, the first one included, its caption.

    Args:
        actions: The names of its actions.
        unlocked: The step of each achievement.
    """
    reached: dict[int, list[str]] = {}
    for name, step in unlocked.items():
        reached.setdefault(step, []).append(name.replace("_", " "))
    told = (
        (f"step {step}", action.replace("_", " "), *reached.get(step, ()))
        for step, action in enumerate(actions, 1)
    )
    return ["step 0", *(" · ".join(parts) for parts in told)]


def _shown(items: Iterator[Item], total: int) -> Iterator[Item]:
    """The same items, with a bar that shows how many have gone."""
    with progress() as bars:
        bar = bars.add_task("drawing", total=total)
        for item in items:
            yield item
            bars.advance(bar)


def _of_certificate(path: Path) -> Observation:
    """The observations of a certificate's episode, from the reset on."""
    from mars_logic.play import certificate
    from mars_logic.play.certificate import replayed

    claimed = certificate.load(path)
    world = world_of(claimed, path)
    if claimed.world.digest != world.digest:
        raise InputError(
            f"{path}:1: world.digest: it was played in another version of {claimed.world.name}; "
            f"allowed: {world.digest}"
        )
    return replayed(claimed, world)


def _recorded(path: Path) -> Observation:
    from mars_logic.data import store
    from mars_logic.sim import Observation

    views = store.load(path).views
    names = (each.name for each in fields(Observation) if hasattr(views, each.name))  # no marks
    return Observation(**{name: getattr(views, name) for name in names})


def _map(name: str, seed: int, out: Path, side: int, legend: bool) -> tuple[int, int]:
    """Draw the map of a world as large as fits; return its width and height in pixels."""
    from mars_logic.sim import Simulator
    from mars_logic.views import traced, whole_map
    from mars_logic.views.png import png
    from mars_logic.world.dialect import AREA

    if out.suffix.lower() != ".png":
        raise InputError(f"{out}:1: file: this is not a name for a picture; allowed: .png")
    if side < AREA:
        raise InputError(f"--size: a map needs more pixels; allowed: {AREA} to {LARGEST}")
    simulator = Simulator(load_world(name))
    simulator.reset(seed)
    state, words = simulator.state(), simulator.world.vocabulary
    if not words.traced:
        state = whole_map.cropped(state)
    unit = side // len(state.materials)
    if legend and words.traced:
        raise InputError(f"--legend: not with {words.name}; allowed: worlds of Crafter and Mars")
    picture = (
        traced.draw_map(state, words, unit)
        if words.traced
        else whole_map.draw(state, unit, words=words)
    )
    if legend:
        picture = whole_map.with_legend(picture, state, words)
    write_atomically(out, png(picture))
    return picture.shape[1], picture.shape[0]
