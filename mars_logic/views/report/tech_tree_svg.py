"""The tech tree of a world as a drawing (SVG), from top to bottom.

Rules are boxes, things rounded boxes. Frames: thick for nodes of a witness, thin for other
reachable nodes, dotted with a question mark for unknown ones, dashed and hatched with a cross for
unreachable ones. A tick and a percentage give the share of episodes that unlocked a thing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from mars_logic.views.report.layered import Bend, LayeredLayout, lay_out
from mars_logic.views.report.tech_tree import REST, Edge, Node, Status, TechTree

_WIDTHS = {True: 94, False: 84}
"""The widths of rules and of things."""
_HEIGHTS = {True: 48, False: 26}
_WITH_SHARE = 42
"""The height of things that have a share of episodes below their name."""
_LINE = 14
"""Letters in a line of a rule's title."""
_BETWEEN = 32
"""Between two layers."""
_NODE_GAP, _BEND_WIDTH, _LANE = 8, 11, 9
_MARGIN, _HEAD, _FOOT = 24, 60, 84
_LEGEND = 560
"""The width that the legend takes."""
_PILL = 50, 15
"""Width and height of the share of episodes."""

_MARK: dict[Status, str] = {"witness": "", "reachable": "", "unknown": "?", "unreachable": "×"}
_TOLD: dict[Status, str] = {
    "witness": "in a witness",
    "reachable": "also reachable",
    "unknown": "unknown",
    "unreachable": "unreachable",
}


@dataclass(frozen=True)
class NodeStyle:
    """Colours, as SVG takes them."""

    ink: str
    soft: str
    paper: str
    witness: str
    reachable: str
    doubt: str
    hatch: str


PRINT = NodeStyle("#1f2328", "#6a737d", "#ffffff", "#d7ebd3", "#f6f8fa", "#fff3cd", "#c9ced4")
"""For files of their own."""

Shares = Mapping[str, float]
"""The share of episodes that unlocked an achievement, by the achievement's name."""


def draw(
    tree: TechTree,
    look: NodeStyle = PRINT,
    key: str = "",
    unlocked: Mapping[str, Shares] | None = None,
) -> str:
    """The drawing, as the text of an SVG file.

    Args:
        tree: What to draw.
        look: The colours.
        key: What its ids end in, if it is to be part of a page with others.
        unlocked: For each player, what it unlocked; the page shows one at a time, at first the
            first (``data-player`` tells which).
    """
    layers = {node.name: node.layer for node in tree.nodes}
    pairs = [(edge.source, edge.target) for edge in tree.edges]
    widths = {node.name: _WIDTHS[node.is_rule] + _NODE_GAP for node in tree.nodes}
    layout = lay_out(layers, pairs, widths, _BEND_WIDTH)
    return _Drawing(tree, layout, look, key, unlocked or {}).svg()


_DONE = {"place": "placed", "eat": "eaten"}


def thing_of(achievement: str, things: Container[str]) -> str:
    """The thing of a tech tree, among those that there are, that an achievement is about."""
    if achievement == "wake_up":
        return REST
    verb, _, thing = achievement.partition("_")
    done = f"{_DONE.get(verb, verb)} {thing}"
    return done if done in things else thing


class _Drawing:
    """Turns a layout into marks on paper."""

    def __init__(
        self,
        tree: TechTree,
        layout: LayeredLayout,
        look: NodeStyle,
        key: str,
        unlocked: Mapping[str, Shares],
    ):
        self._tree = tree
        self._look = look
        self._key = key
        self._unlocked = unlocked
        self._heights = _HEIGHTS | ({False: _WITH_SHARE} if unlocked else {})
        self._nodes = {node.name: node for node in tree.nodes}
        self._shared = {
            thing_of(name, self._nodes) for shares in unlocked.values() for name in shares
        }
        self._layout = layout
        self._depth = 1 + max(node.layer for node in tree.nodes)
        self._backward = [
            edge
            for edge in tree.edges
            if self._nodes[edge.target].layer <= self._nodes[edge.source].layer
        ]
        self._left = _MARGIN + _LANE * len(self._backward) + _WIDTHS[True] / 2

    def svg(self) -> str:
        width = max(self._left + self._layout.size + _WIDTHS[True] / 2 + _MARGIN, _LEGEND)
        height = self._top(self._depth) - _BETWEEN + _FOOT
        paper, hatch = self._look.paper, self._look.hatch
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img" id="tree{self._key}">',
            f"<title>The tech tree of {escape(self._tree.title)}</title>",
            f"<style>{self._style()}</style>",
            f'<defs><pattern id="hatch{self._key}" width="6" height="6" '
            'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<rect width="6" height="6" fill="{paper}"/>'
            f'<path d="M0 0V6" stroke="{hatch}" stroke-width="2"/></pattern></defs>',
            f'<rect width="100%" height="100%" fill="{paper}"/>',
            f'<text class="title" x="{_MARGIN}" y="30">{escape(self._tree.title)}</text>',
            *self._edges(),
            *(self._node(node) for node in self._tree.nodes),
            *self._pills(),
            *self._legend(height - _FOOT + 40),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _style(self) -> str:
        """Rules that reach no further than this drawing, also within a page."""
        look, own = self._look, f"#tree{self._key}"
        return f"""{own} text {{ font-family: Helvetica, Arial, sans-serif; font-size: 11px; \
fill: {look.ink} }}
{own} .title {{ font-size: 17px; font-weight: bold }}
{own} .detail, {own} .label {{ font-size: 9.5px; fill: {look.soft} }}
{own} .name, {own} .detail, {own} .label {{ paint-order: stroke; stroke: {look.paper}; \
stroke-width: 3px }}
{own} .label {{ stroke-width: 6px }}
{own} .in {{ stroke: none }}
{own} path {{ fill: none }}"""

    def _frame(self, status: Status) -> str:
        look = self._look
        return {
            "witness": f'fill="{look.witness}" stroke="{look.ink}" stroke-width="2.6"',
            "reachable": f'fill="{look.reachable}" stroke="{look.ink}" stroke-width="1"',
            "unknown": f'fill="{look.doubt}" stroke="{look.ink}" stroke-width="1.4" '
            'stroke-dasharray="1.5 3"',
            "unreachable": f'fill="url(#hatch{self._key})" stroke="{look.soft}" '
            'stroke-width="1.4" stroke-dasharray="6 3"',
        }[status]

    def _pills(self) -> Iterable[str]:
        """Unlocked things of each player; one player's are shown."""
        for number, (player, shares) in enumerate(self._unlocked.items()):
            hidden = ' style="display: none"' if number else ""
            pills = "".join(self._pill(name, share) for name, share in shares.items())
            yield f'<g class="unlocked" data-player="{escape(player)}"{hidden}>{pills}</g>'

    def _pill(self, achievement: str, share: float) -> str:
        """Below a thing's name a tick and a share on dark ground; never unlocked, a frame."""
        node = self._nodes.get(thing_of(achievement, self._nodes))
        if node is None:
            return ""
        middle, _, bottom = self._point((node.name, node.layer))
        wide, high = _PILL
        top = bottom - high - 5
        ground, ink = (self._look.ink, self._look.paper)
        text = f"✓ {share:.0%}"
        if not share:
            ground, ink, text = self._look.paper, self._look.soft, "never"
        told = f"{achievement}: unlocked in {share:.0%} of episodes"
        return (
            f"<g><title>{escape(told)}</title>"
            f'<rect x="{middle - wide / 2:.1f}" y="{top:g}" width="{wide}" height="{high}" '
            f'rx="{high / 2:g}" fill="{ground}" stroke="{self._look.soft}"/>'
            f'<text x="{middle:.1f}" y="{top + 11:g}" text-anchor="middle" '
            f'style="font-size: 10px; fill: {ink}">{text}</text></g>'
        )

    def _top(self, layer: int) -> float:
        """The upper side of a layer."""
        rules, things = (layer + 1) // 2, layer // 2
        filled = rules * self._heights[True] + things * self._heights[False]
        return _HEAD + filled + layer * _BETWEEN

    def _point(self, bend: Bend) -> tuple[float, float, float]:
        """The middle of a node or a bend, and its upper and lower side."""
        top = self._top(bend[1])
        return self._layout.offsets[bend] + self._left, top, top + self._heights[bend[1] % 2 == 0]

    def _node(self, node: Node) -> str:
        middle, top, bottom = self._point((node.name, node.layer))
        wide, high = _WIDTHS[node.is_rule], bottom - top
        left, right = middle - wide / 2, middle + wide / 2
        centre = (top + bottom - (_PILL[1] if node.name in self._shared else 0)) / 2
        lines = [("name", line) for line in wrap(node.title, _LINE)]
        lines += [("detail", node.detail)] if node.detail else []
        plain = "" if node.status == "unreachable" else " in"  # hatching calls for a white edge
        text = "".join(
            f'<text class="{kind}{plain}" x="{middle:.1f}" '
            f'y="{centre + 4 + 13 * (i - (len(lines) - 1) / 2):g}" '
            f'text-anchor="middle">{escape(line)}</text>'
            for i, (kind, line) in enumerate(lines)
        )
        if mark := _MARK[node.status]:
            text += (
                f'<circle cx="{right - 2:.1f}" cy="{top + 1:g}" r="7" '
                f'fill="{self._look.paper}" stroke="{self._look.soft}"/><text x="{right - 2:.1f}" '
                f'y="{top + 5:g}" text-anchor="middle">{mark}</text>'
            )
        radius = 3 if node.is_rule else _HEIGHTS[False] / 2
        told = f"{node.name}: {_TOLD[node.status]}"
        return (
            f"<g><title>{escape(told)}</title>"
            f'<rect x="{left:.1f}" y="{top:g}" width="{wide}" '
            f'height="{high:g}" rx="{radius:g}" {self._frame(node.status)}/>{text}</g>'
        )

    def _edges(self) -> Iterable[str]:
        """Each piece of a cable once, and the labels last, so that no line covers them."""
        drawn: dict[str, None] = {}
        labels = []
        for edge in self._tree.edges:
            for piece in self._pieces(edge):
                drawn[piece] = None
            if edge.label:
                labels.append(self._label(edge))
        return [*drawn, *labels]

    def _pieces(self, edge: Edge) -> Iterable[str]:
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        alive = "unreachable" not in (source.status, target.status)
        ink = self._look.ink if alive else self._look.soft
        look = f'stroke="{ink}" stroke-width="{1.1 if alive else 1}"'
        look += ' stroke-dasharray="2 2"' if edge.tie == "holds" else ""
        if target.layer <= source.layer:
            yield self._back(edge, look)
            return
        x, _, y = self._point((source.name, source.layer))
        for layer in range(source.layer + 1, target.layer):
            middle, top, bottom = self._point((source.name, layer))
            yield f'<path d="{_curve(x, y, middle, top)}" {look}/>'
            yield f'<path d="M{middle:.1f} {top:g}V{bottom:g}" {look}/>'
            x, y = middle, bottom
        x2, top, _ = self._point((target.name, target.layer))
        middle = x2 + _entry(x - x2, _WIDTHS[target.is_rule])
        yield f'<path d="{_curve(x, y, middle, top - 4)}" {look}/>'
        yield (
            f'<path d="M{middle - 3:.1f} {top - 6:g}L{middle:.1f} {top:g}L{middle + 3:.1f} '
            f'{top - 6:g}" stroke="{ink}"/>'
        )

    def _back(self, edge: Edge, look: str) -> str:
        """An edge to an earlier layer, left of everything, each in a lane of its own."""
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        x1, _, y1 = self._point((source.name, source.layer))
        x2, y2, _ = self._point((target.name, target.layer))
        lane = _MARGIN + _LANE * self._backward.index(edge)
        path = (
            f"M{x1:.1f} {y1:g}C{x1:.1f} {y1 + 22:g} {lane:g} {y1 + 22:g} {lane:g} {y1:g}"
            f"V{y2:g}C{lane:g} {y2 - 26:g} {x2:.1f} {y2 - 26:g} {x2:.1f} {y2 - 1:g}"
        )
        return f'<path d="{path}" {look}/>'

    def _label(self, edge: Edge) -> str:
        """How many, or how likely: half-way along the piece that is this edge's alone."""
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        if target.layer <= source.layer:
            return ""
        x1, _, y1 = self._point((source.name, target.layer - 1))
        x2, y2, _ = self._point((target.name, target.layer))
        text = edge.label if edge.tie == "gives" else f"{edge.label} ×"
        x2 += _entry(x1 - x2, _WIDTHS[target.is_rule])
        return (
            f'<text class="label" x="{(x1 + x2) / 2:.1f}" y="{(y1 + y2) / 2 + 3:g}" '
            f'text-anchor="middle">{escape(text)}</text>'
        )

    def _legend(self, middle: float) -> Iterable[str]:
        """Frames in one line, and lines below."""
        x = float(_MARGIN)
        present: Sequence[Status] = ("witness", "reachable", "unknown", "unreachable")
        for status in present:
            yield (
                f'<rect x="{x:g}" y="{middle - 8:g}" width="26" height="16" rx="3" '
                f"{self._frame(status)}/>"
            )
            yield f'<text x="{x + 32:g}" y="{middle + 4:g}">{_TOLD[status]}</text>'
            x += _LEGEND / 4.3
        x, middle = float(_MARGIN), middle + 24
        for dash, told in (("", "gives or takes"), (' stroke-dasharray="2 2"', "requires, keeps")):
            line = f'stroke="{self._look.ink}" stroke-width="1.1"{dash}'
            yield f'<path d="M{x:g} {middle:g}h26" {line}/>'
            yield f'<text x="{x + 32:g}" y="{middle + 4:g}">{told}</text>'
            x += _LEGEND / 4.3


def _entry(towards: float, width: float) -> float:
    """Where an edge enters a node, from its middle: on the side that the edge comes from."""
    return max(-width / 3, min(width / 3, towards / 4))


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (y1 + y2) / 2
    return f"M{x1:.1f} {y1:g}C{x1:.1f} {middle:g} {x2:.1f} {middle:g} {x2:.1f} {y2:g}"
