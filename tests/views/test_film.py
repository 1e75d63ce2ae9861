from __future__ import annotations

import sys

import numpy as np
import pytest
from PIL import Image

from mars_logic.errors import InputError
from mars_logic.views import film
from mars_logic.views.image import render
from tests.views.conftest import lit, make


def gif(path):
    """The frames of a GIF as pixels, and how long it lasts in milliseconds."""
    with Image.open(path) as image:
        frames, duration = [], 0
        for i in range(image.n_frames):
            image.seek(i)
            frames.append(np.asarray(image.convert("RGB")))
            duration += image.info["duration"]
        return np.array(frames), duration, image.info.get("loop")


def test_frames_are_images_in_order():
    observation = make(0, n=150)
    shown = np.array(list(film.frames(observation, (45, 36))))
    np.testing.assert_array_equal(shown, render(observation, (45, 36)))


def test_a_gif_holds_the_frames(tmp_path):
    pictures = render(make(1, n=12), (72, 72))
    film.save(iter(pictures), tmp_path / "a.gif", fps=5)
    frames, duration, loop = gif(tmp_path / "a.gif")
    assert frames.shape == pictures.shape
    assert np.abs(frames.astype(int) - pictures).mean() < 2, "by day, few colours are lost"
    assert duration == 12 * 200 and loop == 0


def test_frames_that_repeat_are_shown_for_longer(tmp_path):
    pictures = render(lit(make(2, n=3), 0.2), (64, 64)).repeat([1, 4, 2], axis=0)
    film.save(pictures, tmp_path / "a.gif", fps=10)
    frames, duration, _ = gif(tmp_path / "a.gif")
    assert len(frames) == 3 and duration == 700


def test_a_path_may_be_a_string(tmp_path):
    film.save(render(make(0)), str(tmp_path / "a.gif"))
    assert gif(tmp_path / "a.gif")


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path):
    with pytest.raises(InputError, match="unknown kind of film"):
        film.save(render(make(0)), tmp_path / "a.avi")
    with pytest.raises(ValueError, match="at least one picture"):
        film.save([], tmp_path / "a.gif")
    for fps in (0, 101):
        with pytest.raises(ValueError, match="fps must be"):
            film.save(render(make(0)), tmp_path / "a.gif", fps)

    def broken():
        yield from render(make(0))
        raise RuntimeError("in the middle")

    (tmp_path / "old.gif").write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError, match="in the middle"):
        film.save(broken(), tmp_path / "old.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["old.gif"]
    assert (tmp_path / "old.gif").read_text(encoding="utf-8") == "old"


def test_without_the_extra_mp4_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(InputError, match=r"mars-logic\[video\]"):
        film.save(render(make(0)), tmp_path / "a.mp4")
    film.save(render(make(0)), tmp_path / "a.gif")


# The library's reader does not close its pipes.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("size", [(64, 64), (63, 45)])
def test_an_mp4_plays(tmp_path, size):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    pictures = render(make(3, n=8), size)
    film.save(pictures, tmp_path / "a.mp4", fps=4)
    reader = ffmpeg.read_frames(str(tmp_path / "a.mp4"))
    about = next(reader)
    even = tuple(side + side % 2 for side in size)
    assert about["size"] == even and about["fps"] == 4
    frames = [np.frombuffer(frame, np.uint8).reshape(even[1], even[0], 3) for frame in reader]
    assert len(frames) == 8
    difference = np.abs(frames[5][: size[1], : size[0]].astype(int) - pictures[5])
    assert difference.mean() < 25


def test_a_long_caption_is_smaller_and_not_cut() -> None:
    picture = np.zeros((90, 160, 3), np.uint8)
    long = "step 213 · make iron pickaxe · make iron pickaxe"
    (shown,) = film.captioned([picture], [long])
    strip = shown[90:].astype(int)
    assert strip[:, :-3].max() > 200, "letters"
    assert strip[:, -3:].max() < 60, "none at the margin"
