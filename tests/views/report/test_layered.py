from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.views.report.layered import _apart, lay_out

WIDTHS = {f"n{i}": 8.0 + i for i in range(12)} | dict.fromkeys("abxy", 10.0)
BEND_WIDTH = 4.0


@st.composite
def layered_graphs(draw: st.DrawFn) -> tuple[dict[str, int], list[tuple[str, str]]]:
    layers = {f"n{i}": draw(st.integers(0, 4)) for i in range(draw(st.integers(1, 12)))}
    pairs = st.tuples(st.sampled_from(sorted(layers)), st.sampled_from(sorted(layers)))
    return layers, draw(st.lists(pairs, max_size=20))


@pytest.mark.slow
@given(layered_graphs())
def test_everything_has_a_place_of_its_own(
    graph: tuple[dict[str, int], list[tuple[str, str]]],
) -> None:
    layers, edges = graph
    layout = lay_out(layers, edges, WIDTHS, BEND_WIDTH)
    assert {point for point in layout.offsets if layers[point[0]] == point[1]} == set(
        layers.items()
    )
    for source, target in edges:
        for layer in range(layers[source], layers[target]):
            assert (source, layer) in layout.offsets
    for layer in range(5):
        here = sorted(
            (offset, WIDTHS[name] if layers[name] == at else BEND_WIDTH)
            for (name, at), offset in layout.offsets.items()
            if at == layer
        )
        for (before, one), (after, other) in pairwise(here):
            assert after - before >= (one + other) / 2 - 1e-6
    assert min(layout.offsets.values()) == 0
    assert max(layout.offsets.values()) == layout.size


@pytest.mark.slow
@given(layered_graphs())
def test_the_same_graph_is_laid_out_the_same(
    graph: tuple[dict[str, int], list[tuple[str, str]]],
) -> None:
    assert lay_out(*graph, WIDTHS, BEND_WIDTH) == lay_out(*graph, WIDTHS, BEND_WIDTH)


def test_crossings_are_undone() -> None:
    layers = {"a": 0, "b": 0, "x": 1, "y": 1}
    layout = lay_out(layers, [("a", "y"), ("b", "x")], WIDTHS, BEND_WIDTH)
    a, b, x, y = (layout.offsets[name, layers[name]] for name in layers)
    assert (a < b) == (y < x)
    assert a == y
    assert b == x


def test_apart_keeps_wishes_that_keep_the_gaps() -> None:
    assert _apart([0.0, 5.0, 30.0], [5.0, 5.0]) == [0.0, 5.0, 30.0]
    assert _apart([1.0, 1.0], [4.0]) == [-1.0, 3.0]
