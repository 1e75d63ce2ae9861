"""The tech tree of a world as a drawing (SVG).

Rules are boxes, things rounded boxes. Frames: thick for nodes of a witness, thin for other
reachable nodes, dotted with a question mark for unknown ones, dashed and hatched with a cross for
unreachable ones. A tick and a percentage give the share of episodes that unlocked a thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from mars_logic.views.report.layered import Bend, LayeredLayout, lay_out
from mars_logic.views.report.tech_tree import REST, Edge, Node, Status, TechTree

_WIDTHS = {True: 122, False: 88}
"""The widths of rules and of things."""
_HEIGHTS = {True: 36, False: 26}
_ACROSS = 40
"""Between two layers."""
_NODE_GAP, _BEND_GAP, _LANE = 46, 13, 9
_MARGIN, _HEAD, _FOOT = 24, 48, 48
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
    layout = lay_out(layers, pairs, _NODE_GAP, _BEND_GAP)
    return _Drawing(tree, layout, look, key, unlocked or {}).svg()


def thing_of(achievement: str) -> str:
    """The thing of a tech tree that an achievement is about."""
    if achievement == "wake_up":
        return REST
    verb, _, thing = achievement.partition("_")
    if achievement == "eat_plant":
        return "eaten plant"
    return "placed stone" if (verb, thing) == ("place", "stone") else thing


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
        self._layout = layout
        self._nodes = {node.name: node for node in tree.nodes}
        self._depth = 1 + max(node.layer for node in tree.nodes)
        self._backward = [
            edge
            for edge in tree.edges
            if self._nodes[edge.target].layer <= self._nodes[edge.source].layer
        ]
        self._top = _HEAD + _LANE * len(self._backward)

    def svg(self) -> str:
        width = self._left(self._depth) - _ACROSS + _MARGIN
        height = self._top + self._layout.size + _NODE_GAP + _FOOT
        paper, hatch = self._look.paper, self._look.hatch
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:.0f}" '
            f'width="{width:g}" height="{height:.0f}" role="img" id="tree{self._key}">',
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
            *self._legend(height - _FOOT / 2),
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
        """A tick and a share on dark ground; or, never unlocked, an empty frame."""
        node = self._nodes.get(thing_of(achievement))
        if node is None:
            return ""
        left, right, height = self._point((node.name, node.layer))
        (wide, high), middle = _PILL, (left + right) / 2
        top = height + _HEIGHTS[False] / 2 - high / 2 + 1
        ground, ink = (self._look.ink, self._look.paper)
        text = f"✓ {share:.0%}"
        if not share:
            ground, ink, text = self._look.paper, self._look.soft, "never"
        told = f"{achievement}: unlocked in {share:.0%} of episodes"
        return (
            f"<g><title>{escape(told)}</title>"
            f'<rect x="{middle - wide / 2:g}" y="{top:.1f}" width="{wide}" height="{high}" '
            f'rx="{high / 2:g}" fill="{ground}" stroke="{self._look.soft}"/>'
            f'<text x="{middle:g}" y="{top + 11:.1f}" text-anchor="middle" '
            f'style="font-size: 10px; fill: {ink}">{text}</text></g>'
        )

    def _left(self, layer: int) -> float:
        """The left side of a layer."""
        rules, things = (layer + 1) // 2, layer // 2
        return _MARGIN + rules * _WIDTHS[True] + things * _WIDTHS[False] + layer * _ACROSS

    def _point(self, bend: Bend) -> tuple[float, float, float]:
        """The left and right side of a node or a bend, and its height."""
        left = self._left(bend[1])
        right = left + _WIDTHS[bend[1] % 2 == 0]
        return left, right, self._layout.heights[bend] + self._top + _NODE_GAP / 2

    def _node(self, node: Node) -> str:
        left, right, middle = self._point((node.name, node.layer))
        high = _HEIGHTS[node.is_rule]
        radius = 3 if node.is_rule else high / 2
        centre = (left + right) / 2
        lines = [node.title, node.detail] if node.detail else [node.title]
        plain = "" if node.status == "unreachable" else " in"  # hatching calls for a white edge
        text = "".join(
            f'<text class="{("name", "detail")[i]}{plain}" x="{centre:g}" '
            f'y="{middle + 4 + 13 * (i - (len(lines) - 1) / 2):.1f}" text-anchor="middle">'
            f"{escape(line)}</text>"
            for i, line in enumerate(lines)
        )
        if mark := _MARK[node.status]:
            text += (
                f'<circle cx="{right - 2:g}" cy="{middle - high / 2 + 1:.1f}" r="7" '
                f'fill="{self._look.paper}" stroke="{self._look.soft}"/><text x="{right - 2:g}" '
                f'y="{middle - high / 2 + 5:.1f}" text-anchor="middle">{mark}</text>'
            )
        told = f"{node.name}: {_TOLD[node.status]}"
        return (
            f"<g><title>{escape(told)}</title>"
            f'<rect x="{left:g}" y="{middle - high / 2:.1f}" width="{right - left:g}" '
            f'height="{high}" rx="{radius:g}" {self._frame(node.status)}/>{text}</g>'
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
        _, x, y = self._point((source.name, source.layer))
        for layer in range(source.layer + 1, target.layer):
            left, right, height = self._point((source.name, layer))
            yield f'<path d="{_curve(x, y, left, height)}" {look}/>'
            yield f'<path d="M{left:g} {height:.1f}H{right:g}" {look}/>'
            x, y = right, height
        left, _, height = self._point((target.name, target.layer))
        yield f'<path d="{_curve(x, y, left - 4, height)}" {look}/>'
        yield (
            f'<path d="M{left - 6:g} {height - 3:.1f}L{left:g} {height:.1f}L{left - 6:g} '
            f'{height + 3:.1f}" stroke="{ink}"/>'
        )

    def _back(self, edge: Edge, look: str) -> str:
        """An edge to an earlier layer, above everything, each in a lane of its own."""
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        _, x1, y1 = self._point((source.name, source.layer))
        x2, _, y2 = self._point((target.name, target.layer))
        lane = _HEAD + _LANE * self._backward.index(edge)
        path = (
            f"M{x1:g} {y1:.1f}C{x1 + 22:g} {y1:.1f} {x1 + 22:g} {lane:g} {x1:g} {lane:g}"
            f"H{x2:g}C{x2 - 26:g} {lane:g} {x2 - 26:g} {y2:.1f} {x2 - 1:g} {y2:.1f}"
        )
        return f'<path d="{path}" {look}/>'

    def _label(self, edge: Edge) -> str:
        """How many, or how likely: half-way along the piece that is this edge's alone."""
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        if target.layer <= source.layer:
            return ""
        _, x1, y1 = self._point((source.name, target.layer - 1))
        x2, _, y2 = self._point((target.name, target.layer))
        text = edge.label if edge.tie == "gives" else f"{edge.label} ×"
        return (
            f'<text class="label" x="{(x1 + x2) / 2:g}" y="{(y1 + y2) / 2 + 3:.1f}" '
            f'text-anchor="middle">{escape(text)}</text>'
        )

    def _legend(self, middle: float) -> Iterable[str]:
        x = float(_MARGIN)
        present: Sequence[Status] = ("witness", "reachable", "unknown", "unreachable")
        for status in present:
            yield (
                f'<rect x="{x:g}" y="{middle - 8:.1f}" width="26" height="16" rx="3" '
                f"{self._frame(status)}/>"
            )
            yield f'<text x="{x + 32:g}" y="{middle + 4:.1f}">{_TOLD[status]}</text>'
            x += 130
        for dash, told in (("", "gives or takes"), (' stroke-dasharray="2 2"', "requires, keeps")):
            line = f'stroke="{self._look.ink}" stroke-width="1.1"{dash}'
            yield f'<path d="M{x:g} {middle:.1f}h26" {line}/>'
            yield f'<text x="{x + 32:g}" y="{middle + 4:.1f}">{told}</text>'
            x += 130


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f"M{x1:g} {y1:.1f}C{middle:g} {y1:.1f} {middle:g} {y2:.1f} {x2:g} {y2:.1f}"
