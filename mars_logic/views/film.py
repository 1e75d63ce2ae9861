"""Films: pictures one after the other, as a GIF or an MP4 file."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.system.files import write_atomically
from mars_logic.views.image import SIZE, render
from mars_logic.views.traced import draw_view

if TYPE_CHECKING:
    from mars_logic.sim import Observation
    from mars_logic.world.vocabulary import Vocabulary

Frame = NDArray[np.uint8]

FORMATS: Final = (".gif", ".mp4")
_LEAST_STRIP: Final = 12
_DARK, _LIGHT = (24, 26, 30), (240, 240, 236)
_AT_ONCE: Final = 64
"""Frames that are drawn at a time, so that long films need little memory."""


def frames(
    observation: Observation, size: tuple[int, int] = SIZE, words: Vocabulary | None = None
) -> Iterator[Frame]:
    """The images of n moments, one after the other: uint8[height, width, 3] each.

    Args:
        observation: Of n moments.
        size: Width and height in pixels.
        words: The vocabulary, Crafter's by default.
    """
    if words is not None and words.traced:
        for moment in range(len(observation.materials)):
            part = observation.part(slice(moment, moment + 1))
            yield draw_view(part, words, size)
        return
    for start in range(0, len(observation.materials), _AT_ONCE):
        part = observation.part(slice(start, start + _AT_ONCE))
        yield from render(part, size, words=words)


def captioned(pictures: Iterable[Frame], captions: Iterable[str]) -> Iterator[Frame]:
    """The pictures, each with a line of text on a dark strip below it, smaller if it is long.

    Args:
        pictures: uint8[height, width, 3] each.
        captions: One for each picture.

    Yields:
        uint8[height + strip, width, 3]; the strip's height is a tenth of the width, and even.
    """
    for picture, caption in zip(pictures, captions, strict=True):
        height, width, _ = picture.shape
        strip = max(width // 20 * 2, _LEAST_STRIP)
        with_strip = Image.new("RGB", (width, height + strip), _DARK)
        with_strip.paste(Image.fromarray(picture))
        font = ImageFont.load_default(strip * 0.55)
        if (excess := font.getlength(caption) / (width - strip // 2)) > 1:
            font = ImageFont.load_default(strip * 0.55 / excess)
        middle = strip // 4, height + strip // 2
        ImageDraw.Draw(with_strip).text(middle, caption, _LIGHT, font, anchor="lm")
        yield np.asarray(with_strip)


def save(pictures: Iterable[Frame], path: str | Path, fps: float = 10) -> None:
    """Write a film, whole or not at all; a GIF repeats for ever.

    Args:
        pictures: At least one; uint8[height, width, 3] each, all of the same size.
        path: It ends in ``.gif`` or ``.mp4``, which needs the extra ``video``.
        fps: Frames a second, above 0 and at most 100. A GIF shows each frame for a whole number of
            hundredths of a second; pictures that repeat are kept once, and shown for longer.

    Raises:
        InputError: The path has another ending, or the extra is not installed.
        OSError: The file cannot be written.
        ValueError: There is no picture, or ``fps`` is out of range.
    """
    path = Path(path)
    require_format(path)
    if not 0 < fps <= 100:
        raise ValueError(f"fps must be above 0 and at most 100, not {fps}")
    encode = _gif if path.suffix.lower() == ".gif" else _mp4
    write_atomically(path, encode(_not_empty(pictures), fps))


def require_format(path: Path) -> None:
    """Make sure that a film with this name can be written.

    Raises:
        InputError: The path has an unknown ending, or its format needs an extra.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}:1: file: unknown kind of film; allowed: {' or '.join(FORMATS)}")
    if path.suffix.lower() == ".mp4":
        try:
            import imageio_ffmpeg  # noqa: F401
        except ImportError:
            raise InputError(
                f"{path}:1: file: MP4 needs the extra 'video'; "
                f"allowed: .gif, or install it with {install_hint('video')}"
            ) from None


def _not_empty(pictures: Iterable[Frame]) -> Iterator[Frame]:
    any_at_all = False
    for picture in pictures:
        any_at_all = True
        yield picture
    if not any_at_all:
        raise ValueError("a film needs at least one picture")


def _gif(pictures: Iterator[Frame], fps: float) -> bytes:
    """A GIF; each picture has its own palette, without dithering, which pixel art does not need."""
    images = (
        Image.fromarray(picture).quantize(256, dither=Image.Dither.NONE) for picture in pictures
    )
    first = next(images)
    buffer = io.BytesIO()
    duration = 10 * max(1, round(100 / fps))
    first.save(
        buffer, "GIF", save_all=True, append_images=images, duration=duration, loop=0, optimize=True
    )
    return buffer.getvalue()


def _mp4(pictures: Iterator[Frame], fps: float) -> bytes:
    """An MP4 in H.264; a side of odd length gets a row of black pixels, as the format wants."""
    import imageio_ffmpeg

    first = _even(next(pictures))
    height, width = first.shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(path), (width, height), fps=fps, codec="libx264", quality=8, macro_block_size=2
        )
        writer.send(None)
        try:
            writer.send(first)
            for picture in pictures:
                writer.send(_even(picture))
        finally:
            writer.close()
        return path.read_bytes()


def _even(picture: Frame) -> Frame:
    height, width = picture.shape[:2]
    return np.ascontiguousarray(np.pad(picture, ((0, height % 2), (0, width % 2), (0, 0))))
