from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.experiments.learner_rules import kind_rows, kinds
from mars_logic.experiments.page import page
from mars_logic.experiments.summary import summary
from mars_logic.theory.score import score
from mars_logic.world.dump import to_yaml
from tests.experiments.test_summary import row


def test_what_learners_know_is_told_by_kind_of_rule(tmp_path: Path) -> None:
    """One run believes in default for two lessons, the other in the truth from the second on."""
    rows = [
        row(seed, world="terrain", phase="learn", number=k, episode=k)
        for seed in (0, 1)
        for k in (1, 2)
    ]
    rows += [row(0, world="terrain", phase="evaluate", number=3), row(agent="random")]
    for seed, believed in enumerate((("default", "default"), ("default", "terrain"))):
        folder = tmp_path / "units" / f"terrain__a__s{seed}" / "theories"
        folder.mkdir(parents=True)
        for k, world in enumerate(believed, 1):
            (folder / f"e{k}.yaml").write_text(to_yaml(load_world(world)), encoding="utf-8")
    (found,) = kinds(tmp_path, rows)
    assert (found["agent"], found["world"]) == ("a", "terrain")
    first, last = found["curve"]
    assert (first["episode"], last["episode"]) == (1, 2)
    assert first["units"] == last["units"] == 2
    right = score(load_world("default"), load_world("terrain")).by_kind
    assert right["terrain"].recall != right["survival"].recall
    for kind, measure in right.items():
        assert measure.recall is not None and measure.precision is not None
        assert first[kind]["recall"]["mean"] == measure.recall
        assert last[kind]["recall"]["mean"] == pytest.approx((measure.recall + 1) / 2)
        assert last[kind]["precision"]["mean"] == pytest.approx((measure.precision + 1) / 2)
    (line,) = kind_rows([found])
    assert line[:3] == ("a", "terrain", "2") and len(line) == 9
    assert line[4] == f"{100 * last['terrain']['recall']['mean']:.1f}"
    document = summary(rows, ["agent", "world"]) | {"kinds": [found]}
    assert f"| {' | '.join(line)} |" in page(document, [], {})
