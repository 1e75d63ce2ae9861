"""A layered layout of a directed graph, with few crossings.

The method is Sugiyama's: edges over several layers pass through bends, one in each layer between;
layers are ordered by sweeps of barycentres; and then moved to lie beside their neighbours. All
edges out of a node share their bends, as the wires of a cable do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

_SWEEPS = 24

Bend = tuple[str, int]
"""Where the edges out of a node pass through a layer; in its own layer, the node itself."""


@dataclass(frozen=True)
class LayeredLayout:
    """Where everything lies.

    Attributes:
        offsets: The place within its layer of each node, and of each bend, by name and layer.
        size: The largest of them; the least is 0.
    """

    offsets: Mapping[Bend, float]
    size: float


def lay_out(
    layers: Mapping[str, int],
    edges: Iterable[tuple[str, str]],
    widths: Mapping[str, float],
    bend_width: float,
) -> LayeredLayout:
    """Place the nodes of each layer beside each other.

    Args:
        layers: The layer of each node.
        edges: Pairs of nodes. An edge that does not lead to a later layer has no influence.
        widths: The room within its layer that each node takes.
        bend_width: The room that a bend takes.
    """
    columns, links = _chains(layers, edges)
    columns = _ordered(columns, links)
    offsets = _straightened(columns, links, layers, widths, bend_width)
    least = min(offsets.values())
    offsets = {point: offset - least for point, offset in offsets.items()}
    return LayeredLayout(offsets, max(offsets.values()))


def _chains(
    layers: Mapping[str, int], edges: Iterable[tuple[str, str]]
) -> tuple[list[list[Bend]], list[tuple[Bend, Bend]]]:
    """The nodes and bends of each layer, and the links between neighbouring layers."""
    columns: list[list[Bend]] = [[] for _ in range(max(layers.values()) + 1)]
    for name, layer in layers.items():
        columns[layer].append((name, layer))
    links: dict[tuple[Bend, Bend], None] = {}
    for source, target in edges:
        last = layers[target] - 1
        for layer in range(layers[source], last):
            bend = (source, layer + 1)
            if bend not in columns[layer + 1]:
                columns[layer + 1].append(bend)
            links[(source, layer), bend] = None
        if last >= layers[source]:
            links[(source, last), (target, last + 1)] = None
    return columns, list(links)


def _neighbours(
    links: Sequence[tuple[Bend, Bend]],
) -> tuple[dict[Bend, list[Bend]], dict[Bend, list[Bend]]]:
    before: dict[Bend, list[Bend]] = defaultdict(list)
    after: dict[Bend, list[Bend]] = defaultdict(list)
    for source, target in links:
        before[target].append(source)
        after[source].append(target)
    return before, after


def _ordered(columns: list[list[Bend]], links: Sequence[tuple[Bend, Bend]]) -> list[list[Bend]]:
    """The columns, each in the order of the sweep with the fewest crossings."""
    before, after = _neighbours(links)
    best, fewest = columns, _crossings(columns, after)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        beside, indices = (
            (before, range(1, len(columns)))
            if forward
            else (
                after,
                range(len(columns) - 2, -1, -1),
            )
        )
        columns = list(columns)
        for i in indices:
            place = {point: k for k, point in enumerate(columns[i - 1 if forward else i + 1])}
            own = {point: k for k, point in enumerate(columns[i])}
            columns[i] = sorted(
                columns[i],
                key=lambda point: (
                    fmean(place[other] for other in beside[point]) if beside[point] else own[point]
                ),
            )
        crossings = _crossings(columns, after)
        if crossings < fewest:
            best, fewest = columns, crossings
    return best


def _crossings(columns: Sequence[Sequence[Bend]], after: Mapping[Bend, Sequence[Bend]]) -> int:
    crossings = 0
    for column, following in pairwise(columns):
        place = {point: k for k, point in enumerate(following)}
        ends = [sorted(place[other] for other in after.get(point, ())) for point in column]
        flat = [end for group in ends for end in group]
        crossings += sum(a > b for i, a in enumerate(flat) for b in flat[i + 1 :])
    return crossings


def _straightened(
    columns: Sequence[Sequence[Bend]],
    links: Sequence[tuple[Bend, Bend]],
    layers: Mapping[str, int],
    widths: Mapping[str, float],
    bend_width: float,
) -> dict[Bend, float]:
    """Offsets that keep the order and the room, each as near as can be to its neighbours'."""

    def half(point: Bend) -> float:
        name, layer = point
        return (widths[name] if layers[name] == layer else bend_width) / 2

    before, after = _neighbours(links)
    offsets: dict[Bend, float] = {}
    for column in columns:
        end = 0.0
        for point in column:
            offsets[point] = end + half(point)
            end += 2 * half(point)
        for point in column:  # around 0
            offsets[point] -= end / 2
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wished = []
            for point in column:
                sides = [side[point] for side in (before, after) if side[point]]
                means = [fmean(offsets[other] for other in side) for side in sides]
                wished.append(fmean(means) if means else offsets[point])
            gaps = [half(a) + half(b) for a, b in pairwise(column)]
            offsets.update(zip(column, _apart(wished, gaps), strict=True))
    return offsets


def _apart(wished: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The numbers nearest to those wished for (in squares) of which each keeps its gap.

    By pooling adjacent violators: numbers that would come too close form a block.
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, int]] = []
    for wish, offset in zip(wished, offsets, strict=False):
        mean, size = wish - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, count = blocks.pop()
            mean, size = (mean * size + other * count) / (size + count), size + count
        blocks.append((mean, size))
    means = [mean for mean, size in blocks for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]
