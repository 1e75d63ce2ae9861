"""What notebooks show of worlds and episodes: tech trees and films.

Proofs and what was learned show themselves (``_repr_html_``). Worlds and certificates know nothing
of pictures, so IPython is told here how to draw them; that happens when ``mars_logic`` is imported
in a notebook.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mars_logic.play.certificate import Certificate
    from mars_logic.world.theory import World

_SIDE, _FPS, _MOST = 256, 10, 600


def register() -> None:
    """Tell IPython, if it runs, how to show worlds and episodes."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    html = shell.display_formatter.formatters["text/html"]
    html.for_type_by_name("mars_logic.world.theory", "World", world_html)
    html.for_type_by_name("mars_logic.play.certificate", "Certificate", episode_html)


def world_html(world: World) -> str:
    """A world as its tech tree, an SVG drawing."""
    from mars_logic.logic import prove
    from mars_logic.views.report.tech_tree import tech_tree
    from mars_logic.views.report.tech_tree_svg import draw

    return f'<div style="overflow:auto">{draw(tech_tree(world, prove(world)))}</div>'


def episode_html(certificate: Certificate) -> str:
    """An episode as a film of its first minute."""
    import base64
    import tempfile
    from pathlib import Path

    from mars_logic.play.certificate import replayed
    from mars_logic.views import film
    from mars_logic.world.load import load_world

    world = load_world(certificate.world.name)
    first = replayed(certificate, world).part(slice(_MOST))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "episode.gif"
        film.save(film.frames(first, (_SIDE, _SIDE), world.vocabulary), path, _FPS)
        encoded = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="the player\'s view" src="data:image/gif;base64,{encoded}">'
