"""Settings, laws and curves of training runs; these parts need no PyTorch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mars_logic
from mars_logic.errors import InputError
from mars_logic.theory.action_models import Records, learn, write
from mars_logic.training import curve, laws
from mars_logic.training.settings import Settings, hyperparameters, stated_values


def settings(**changed):
    plain = {
        "world": "default",
        "digest": "0",
        "algorithm": "simple_ppo",
        "observation": "symbolic",
        "reward": "crafter",
        "laws": None,
        "laws_digest": None,
        "shuffled": None,
        "envs": 256,
        "seed": 0,
        "length": None,
    }
    return Settings(**plain | changed)


def test_settings_survive_a_file():
    stated = stated_values(["learning_rate=3e-4", "n_steps=8"])
    first = settings(laws=("true",), reward="laws", hyperparameters=hyperparameters("ppo", stated))
    assert first.hyperparameters.learning_rate == 3e-4
    assert Settings.from_json(json.loads(json.dumps(first.to_json())), Path("t.json")) == first
    other = settings(seed=3)
    assert settings().differences(other) == ["seed 0 / 3"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("gama=0.9", "no 'gama', did you mean 'gamma'.; allowed: n_steps"),
        ("gamma=2", "gamma: 2 is not possible; allowed: a number from 0 to 1"),
        ("n_steps=0", "n_steps: 0 is not possible; allowed: a whole number from 1 to"),
        ("n_steps=1.5", "n_steps: 1.5 is not possible; allowed: a whole number"),
        ("clip=x", "clip: 'x'"),
        ("clip", "'clip' is no setting; allowed: NAME=VALUE"),
        ("learning_rate=nan", "learning_rate: nan"),
    ],
)
def test_wrong_hyperparameters(word, message):
    with pytest.raises(InputError, match=message):
        hyperparameters("simple_ppo", stated_values([word]))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"algorithm": "ppoo"}, "--agent: there is no 'ppoo'.*allowed: simple_ppo"),
        ({"observation": "text"}, "--observation: .*allowed: symbolic, image"),
        ({"reward": "laws"}, "--laws: the reward 'laws' needs laws"),
        ({"laws": ("true",)}, "--laws: the reward 'crafter' uses no laws"),
        ({"envs": 1}, "batch_size: 2048; allowed: at most 64"),
    ],
)
def test_settings_that_do_not_go_together(changed, message):
    with pytest.raises(InputError, match=message):
        settings(**changed)


def test_laws_from_records_are_shuffled_by_a_seed(tmp_path):
    from mars_logic.play.agent import load_agent
    from mars_logic.play.recording import record
    from mars_logic.sim import Simulator

    world = mars_logic.load_world("default")
    _, found = record(load_agent("random")(), Simulator(world), seed=2, agent_name="random")
    records = Records.of(found)
    path = tmp_path / "records.json"
    path.write_text(write(records), encoding="utf-8")
    learned = laws.clauses_of([str(path)], world, None)
    assert learned == laws.clauses_of([str(path)], world, None)
    assert learned.keys() == set(world.achievements)
    dealt = laws.clauses_of([str(path)], world, 1)
    assert dealt != learned
    assert sorted(map(str, dealt.values())) == sorted(map(str, learned.values()))
    assert len({laws.digest(each) for each in (learned, dealt, None)}) == 3
    assert learn(records).dynamics == "mars"
    with pytest.raises(InputError, match="dialect mars; allowed: crafter, that of the world"):
        laws.clauses_of([str(path)], mars_logic.load_world("crafter"), None)


def test_sources_of_laws_that_do_not_go_together():
    world = mars_logic.load_world("default")
    with pytest.raises(InputError, match="more than one source"):
        laws.clauses_of(["true", "printed"], world, None)
    with pytest.raises(InputError, match="true laws cannot be shuffled"):
        laws.clauses_of(["true"], world, 0)
    assert laws.clauses_of(["true"], world, None) is None
    assert len(laws.clauses_of(["printed"], world, None)) == 22


def test_a_curve_keeps_all_digits(tmp_path):
    points = [curve.Point(10, 2, 0.1 + 0.2, 1 / 3, 2.0, 3.5, 100.0)]
    path = tmp_path / "curve.csv"
    curve.write(path, points)
    assert curve.read(path) == points
    path.write_text(path.read_text(encoding="utf-8") + "1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"curve.csv:3: row: '1,2'; allowed: steps, ended"):
        curve.read(path)
