from __future__ import annotations

from pathlib import Path

from mars_logic import load_world
from mars_logic.experiments.learner_rules import mistake_rows, mistakes
from mars_logic.experiments.page import page
from mars_logic.experiments.summary import summary
from mars_logic.world.dump import to_yaml
from tests.experiments.test_summary import row


def test_what_learners_believe_wrongly_is_counted_by_runs(tmp_path: Path) -> None:
    """Of three runs in terrain, two ended with the rules of default, and one with the truth."""
    rows = [row(seed, world="terrain") for seed in (0, 0, 1, 2)] + [row(agent="random")]
    for seed, believed in enumerate(("default", "default", "terrain")):
        unit = tmp_path / "units" / f"terrain__a__s{seed}"
        unit.mkdir(parents=True)
        (unit / "theory.yaml").write_text(to_yaml(load_world(believed)), encoding="utf-8")
    (found,) = mistakes(tmp_path, rows)
    assert (found["agent"], found["world"], found["units"]) == ("a", "terrain", 3)
    missed = {each["atom"]: each["units"] for each in found["missed"]}
    false = {each["atom"]: each["units"] for each in found["false"]}
    assert missed["neighbour(player, sand)"] == false["neighbour(player, grass)"] == 2
    assert set(missed.values()) == {2}
    ((agent, world, runs, *listed),) = mistake_rows([found], most=1)
    assert (agent, world, runs) == ("a", "terrain", "3")
    assert all(cell.endswith("` 2") for cell in listed)
    document = summary(rows, ["agent", "world"]) | {"mistakes": [found]}
    assert "`neighbour(coal, grass)` 2" in page(document, [], {})
