"""The tech tree of a world as a drawing (SVG).

Shape and line tell what a node is: rules are boxes, things are rounded. What a witness uses is
framed by a thick line, what else is reachable by a thin one; what is in doubt by dots, with a
question mark; what is unreachable by dashes, hatched, with a cross.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from mars_logic.report.layered import Bend, Layout, lay_out
from mars_logic.report.tech_tree import Edge, Node, Status, TechTree

_WIDTHS = {True: 122, False: 88}
"""The widths of rules and of things."""
_HEIGHTS = {True: 36, False: 26}
_ACROSS = 40
"""Between two layers."""
_NODE_GAP, _BEND_GAP, _LANE = 46, 13, 9
_MARGIN, _HEAD, _FOOT = 24, 48, 48
_INK, _SOFT, _PAPER = "#1f2328", "#6a737d", "#ffffff"

_FRAME: dict[Status, str] = {
    "witness": f'fill="#d7ebd3" stroke="{_INK}" stroke-width="2.6"',
    "reachable": f'fill="#f6f8fa" stroke="{_INK}" stroke-width="1"',
    "unknown": f'fill="#fff3cd" stroke="{_INK}" stroke-width="1.4" stroke-dasharray="1.5 3"',
    "unreachable": f'fill="url(#hatch)" stroke="{_SOFT}" stroke-width="1.4" stroke-dasharray="6 3"',
}
_MARK: dict[Status, str] = {"witness": "", "reachable": "", "unknown": "?", "unreachable": "×"}
_TOLD: dict[Status, str] = {
    "witness": "in a witness",
    "reachable": "reachable too",
    "unknown": "in doubt",
    "unreachable": "unreachable",
}
_STYLE = f"""text {{ font-family: Helvetica, Arial, sans-serif; font-size: 11px; fill: {_INK} }}
.title {{ font-size: 17px; font-weight: bold }}
.detail, .label {{ font-size: 9.5px; fill: {_SOFT} }}
.name, .detail, .label {{ paint-order: stroke; stroke: {_PAPER}; stroke-width: 3px }}
.in {{ stroke: none }}
path {{ fill: none }}"""


def draw(tree: TechTree) -> str:
    """The drawing, as the text of an SVG file."""
    layers = {node.name: node.layer for node in tree.nodes}
    pairs = [(edge.source, edge.target) for edge in tree.edges]
    layout = lay_out(layers, pairs, _NODE_GAP, _BEND_GAP)
    return _Drawing(tree, layout).svg()


class _Drawing:
    """Turns a layout into marks on paper."""

    def __init__(self, tree: TechTree, layout: Layout):
        self._tree = tree
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
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:.0f}" '
            f'width="{width:g}" height="{height:.0f}" role="img">',
            f"<title>The tech tree of {escape(self._tree.title)}</title>",
            f"<style>{_STYLE}</style>",
            '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(45)"><rect width="6" height="6" fill="{_PAPER}"/>'
            '<path d="M0 0V6" stroke="#c9ced4" stroke-width="2"/></pattern></defs>',
            f'<rect width="100%" height="100%" fill="{_PAPER}"/>',
            f'<text class="title" x="{_MARGIN}" y="30">{escape(self._tree.title)}</text>',
            *self._edges(),
            *(self._node(node) for node in self._tree.nodes),
            *self._legend(height - _FOOT / 2),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

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
                f'fill="{_PAPER}" stroke="{_SOFT}"/><text x="{right - 2:g}" '
                f'y="{middle - high / 2 + 5:.1f}" text-anchor="middle">{mark}</text>'
            )
        told = f"{node.name}: {_TOLD[node.status]}"
        return (
            f"<g><title>{escape(told)}</title>"
            f'<rect x="{left:g}" y="{middle - high / 2:.1f}" width="{right - left:g}" '
            f'height="{high}" rx="{radius:g}" {_FRAME[node.status]}/>{text}</g>'
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
        look = f'stroke="{_INK if alive else _SOFT}" stroke-width="{1.1 if alive else 1}"'
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
            f'{height + 3:.1f}" stroke="{_INK if alive else _SOFT}"/>'
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
                f"{_FRAME[status]}/>"
            )
            yield f'<text x="{x + 32:g}" y="{middle + 4:.1f}">{_TOLD[status]}</text>'
            x += 130
        for dash, told in (("", "gives, or takes"), (' stroke-dasharray="2 2"', "must be there")):
            yield f'<path d="M{x:g} {middle:.1f}h26" stroke="{_INK}" stroke-width="1.1"{dash}/>'
            yield f'<text x="{x + 32:g}" y="{middle + 4:.1f}">{told}</text>'
            x += 130


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    return f"M{x1:g} {y1:.1f}C{middle:g} {y1:.1f} {middle:g} {y2:.1f} {x2:g} {y2:.1f}"
