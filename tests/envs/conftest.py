import gymnasium
import pytest

import mars_logic.envs  # noqa: F401  (registers the environments)


@pytest.fixture
def make():
    """Makes environments without the wrappers that `gymnasium.make` adds, and closes them."""
    made = []

    def new(name="Crafter", **kwargs):
        made.append(gymnasium.make(f"mars_logic/{name}-v0", **kwargs))
        return made[-1].unwrapped

    yield new
    for env in made:
        env.close()


@pytest.fixture
def make_vec():
    """Makes native vector environments, and closes them."""
    made = []

    def new(name="Crafter", num_envs=3, **kwargs):
        made.append(gymnasium.make_vec(f"mars_logic/{name}-v0", num_envs, **kwargs))
        return made[-1]

    yield new
    for envs in made:
        envs.close()
