from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.benchmarks.dataset import AGENTS, DatasetPart, build, card, worlds
from mars_logic.errors import InputError


def test_the_card_lists_every_part() -> None:
    parts = [
        DatasetPart(f"{world}-{agent}-v0", world, agent, 2, 1_500, 1.25, 4.0)
        for world in worlds()
        for agent in AGENTS
    ]
    text = card(parts, "the command")
    assert len(worlds()) == 9 and "the command" in text
    assert f"{len(parts) * 2} episodes, {len(parts) * 1500:,} transitions" in text
    assert all(
        f"| `{part.name}` | {part.world} | {part.agent} | 2 | 1,500 |" in text for part in parts
    )


def test_a_part_can_be_read_back(tmp_path: Path) -> None:
    pytest.importorskip("minari", reason="needs the extra 'minari'")
    from mars_logic.envs.offline import load_minari

    parts = [*build(tmp_path / "played", 2, seed=3, length=4, chosen=["terrain"])]
    assert [part.agent for part in parts] == [*AGENTS]
    for part in parts:
        found = load_minari(tmp_path / "played" / part.name)
        assert len(found) == part.episodes == 2
        assert len(found.action) == part.steps == 8
        assert {each.agent for each in found.abouts} == {part.agent}
    count = 0

    def played() -> None:
        nonlocal count
        count += 1

    again = [*build(tmp_path / "played", 2, 3, 4, ["terrain"], played)]
    assert again == parts, "what is there is not made again"
    assert count == 6, "the bar counts what is there"
    with pytest.raises(InputError, match="it holds 2 episodes from seed 3 on; allowed: the same"):
        [*build(tmp_path / "played", 1, 3, 4, ["terrain"])]
