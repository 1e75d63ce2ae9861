"""A widget for notebooks in which an episode is played by buttons."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.play.action_keys import spoken
from mars_logic.play.session import PlaySession
from mars_logic.system.extras import install_hint
from mars_logic.views.image import render
from mars_logic.views.png import png
from mars_logic.world.theory import World

_SIZE: Final = (432, 432)
"""Width and height of the picture in pixels."""
_ARROWS: Final = {"move_left": "←", "move_up": "↑", "move_down": "↓", "move_right": "→"}


class PlayWidget:
    """One episode of a world, with a picture of what the player sees and a button for each action.

    A notebook shows it where it is the value of a cell. It needs ipywidgets (the extra
    ``notebooks``).

    Attributes:
        session: The episode so far: ``session.actions``, ``session.reward``, ``session.unlocked``.
        buttons: The buttons by action, and ``undo``.
        box: All of it as a widget of ipywidgets.

    Example:
        ``PlayWidget(mars_logic.load_world("default"), seed=3)``
    """

    def __init__(self, world: World, seed: int = 0) -> None:
        """Begin the first episode of a seed.

        Raises:
            InputError: ipywidgets is not installed.
        """
        try:
            import ipywidgets
        except ImportError:
            told = "the package 'ipywidgets' is not installed"
            raise InputError(f"play: {told}; allowed: after {install_hint('notebooks')}") from None
        self.session = PlaySession(world, seed, world.achievements)
        words = world.vocabulary
        self.buttons: dict[str, Any] = {}
        for code, name in enumerate(words.actions):
            wide = "3em" if name in _ARROWS else "auto"
            self.buttons[name] = ipywidgets.Button(
                description=_ARROWS.get(name, spoken(name)),
                tooltip=spoken(name),
                layout=ipywidgets.Layout(width=wide),
            )
            self.buttons[name].on_click(partial(self._on_action, code))
        self.buttons["undo"] = ipywidgets.Button(
            description="undo", layout=ipywidgets.Layout(width="auto")
        )
        self.buttons["undo"].on_click(self._on_undo)
        self._picture = ipywidgets.Image(format="png", width=_SIZE[0], height=_SIZE[1])
        self._line = ipywidgets.Label()
        rows = ipywidgets.Layout(flex_flow="row wrap", max_width=f"{_SIZE[0]}px")
        moves = [self.buttons[name] for name in _ARROWS if name in self.buttons]
        rest = [button for name, button in self.buttons.items() if name not in _ARROWS]
        self.box = ipywidgets.VBox(
            [
                self._picture,
                self._line,
                ipywidgets.HBox(moves),
                ipywidgets.Box(rest, layout=rows),
            ]
        )
        self._show("")

    @property
    def status(self) -> str:
        """The step, the reward, what is unlocked, and what the last action changed."""
        return str(self._line.value)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.box._repr_mimebundle_(**options)

    def _on_action(self, code: int, _button: Any) -> None:
        self._show(self.session.act_told(code))

    def _on_undo(self, _button: Any) -> None:
        self.session.undo()
        self._show("undone")

    def _show(self, news: str) -> None:
        session = self.session
        self._picture.value = png(render(session.seen, _SIZE, words=session.world.vocabulary)[0])
        self._line.value = " · ".join(filter(None, (session.status, news)))
        for button in self.buttons.values():
            button.disabled = session.ended is not None
        self.buttons["undo"].disabled = not session.can_undo
