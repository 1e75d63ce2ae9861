"""Codes: every fact of an observation can be read back, and different facts never share a code."""

from __future__ import annotations

import gymnasium
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mars_logic.envs import codes
from mars_logic.sim import Observation
from mars_logic.world import names


def decoded(row):
    """The facts behind the codes of an observation."""
    cells, materials, looks = 63, len(names.MATERIALS) - 1, len(names.LOOKS) - 1
    facts = []
    for code in row[row > 0].astype(int) - 1:
        if code < cells * materials:
            facts.append(("material", *divmod(code, materials)))
        elif (code := code - cells * materials) < cells * looks:
            facts.append(("look", *divmod(code, looks)))
        elif (code := code - cells * looks) < 16 * 9:
            facts.append(("item", *divmod(code, 9)))
        else:
            facts.append(("rest", code - 16 * 9))
    return facts


observations = st.builds(
    Observation,
    arrays(np.uint8, (1, 9, 7), elements=st.integers(0, len(names.MATERIALS) - 1)),
    arrays(np.uint8, (1, 9, 7), elements=st.integers(0, len(names.LOOKS) - 1)),
    arrays(np.int16, (1, 16), elements=st.integers(0, 9)),
    st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]).map(lambda d: np.array([d], np.int8)),
    arrays(np.bool_, (1,)),
    arrays(np.float64, (1,), elements=st.floats(0, 1)),
)


@given(observations)
def test_codes_tell_everything(seen):
    row = codes.encode(seen)[0]
    assert codes.SPACE.contains(row)
    facts = decoded(row)
    materials, looks = seen.materials[0].ravel(), seen.objects[0].ravel()
    expected = [("material", i, m - 1) for i, m in enumerate(materials.tolist()) if m]
    expected += [("look", i, o - 1) for i, o in enumerate(looks.tolist()) if o]
    expected += [("item", i, n - 1) for i, n in enumerate(seen.inventory[0].tolist()) if n]
    dx, dy = seen.facing[0].tolist()
    rest = [3 * (dx + 1) + dy + 1] + [9] * bool(seen.sleeping[0])
    rest.append(10 + min(7, int(seen.daylight[0] * 8)))
    assert facts == expected + [("rest", each) for each in rest]


def test_an_environment_shows_codes():
    env = gymnasium.make("mars_logic/Default-v0", observation="codes")
    seen, _ = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    np.testing.assert_array_equal(seen, codes.encode(env.unwrapped.game.seen)[0])
