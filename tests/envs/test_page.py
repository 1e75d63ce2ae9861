"""The code of docs/gymnasium.md runs, in order."""

from __future__ import annotations

import importlib.util
import re

from mars_logic.envs.env import EXTRAS
from mars_logic.envs.game import Options
from tests.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "gymnasium.md").read_text(encoding="utf-8")
NEEDS_EXTRA = "# needs the extra rl"


def test_the_code_runs():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    installed = importlib.util.find_spec("stable_baselines3") is not None
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        if installed or NEEDS_EXTRA not in block:
            exec(block, names)
    assert names["infos"]["inventory"].shape == (256, 16)
    assert "move_left" in names["possible"]


def test_the_tables_are_complete(make, make_vec):
    def rows(word):
        table = PAGE.partition(f"\n| {word} |")[2].partition("\n\n")[0]
        return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))

    env = make("Default")
    _, info = env.reset(seed=1)
    assert rows("key") == set(env.observation_space)
    assert rows("`info`") == set(info)
    assert rows("option") == {*Options.__annotations__, "render_mode", "render_size"}
    envs = make_vec("Default")
    for key in set(envs.reset(seed=1)[1]) | set(EXTRAS):
        name = key.removeprefix("_")
        assert f"`{name}`" in PAGE or f'"{name}"' in PAGE
