"""The widget of notebooks: buttons take steps, and the picture is what the player then sees."""

from __future__ import annotations

import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import mars_logic
from mars_logic.errors import InputError
from mars_logic.views.image import render
from mars_logic.views.play_widget import PlayWidget

WORLD = mars_logic.load_world("default")


def picture(widget: PlayWidget) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(widget.box.children[0].value)).convert("RGB"))


def test_buttons_take_steps_and_take_them_back() -> None:
    pytest.importorskip("ipywidgets", reason="needs the extra 'notebooks'")
    widget = PlayWidget(WORLD, seed=3)
    assert set(widget.buttons) == {*WORLD.vocabulary.actions, "undo"}
    assert widget.buttons["undo"].disabled and "step 0 of 1000" in widget.status
    at_first = picture(widget)
    for name in ("move_right", "noop", "place_stone"):
        widget.buttons[name].click()
    assert [WORLD.vocabulary.actions[code] for code in widget.session.actions] == [
        "move_right",
        "noop",
        "place_stone",
    ]
    assert "step 3 of 1000" in widget.status and widget.status.endswith("place_stone")
    assert (picture(widget) == render(widget.session.seen, (432, 432))[0]).all()
    for _ in range(3):
        widget.buttons["undo"].click()
    assert widget.session.actions == [] and widget.session.aids == {"undo"}
    assert (picture(widget) == at_first).all() and widget.buttons["undo"].disabled
    assert "text/plain" in widget._repr_mimebundle_()


def test_the_end_of_an_episode_disables_actions() -> None:
    pytest.importorskip("ipywidgets", reason="needs the extra 'notebooks'")
    widget = PlayWidget(WORLD)
    widget.session.length = 2
    for _ in range(3):
        widget.buttons["noop"].click()
    assert widget.session.steps == 2 and "the episode is over" in widget.status
    assert all(b.disabled for name, b in widget.buttons.items() if name != "undo")
    widget.buttons["undo"].click()
    assert not widget.buttons["noop"].disabled


def test_without_ipywidgets_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(InputError, match=r"'ipywidgets' is not installed; allowed: after .*notebo"):
        PlayWidget(WORLD)
