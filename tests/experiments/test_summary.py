"""Summaries of made-up episodes, whose numbers are known."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from mars_logic.errors import InputError
from mars_logic.experiments import published
from mars_logic.experiments.layout import SPEC
from mars_logic.experiments.page import LONG, curves, page
from mars_logic.experiments.paired import paired
from mars_logic.experiments.results import read
from mars_logic.experiments.rows import Row
from mars_logic.experiments.statistics import wilson
from mars_logic.experiments.summary import flat, summary, totals, with_marks
from mars_logic.world.load import bundled_worlds, load_world
from mars_logic.world.vocabulary import vocabulary


def row(seed: int = 0, agent: str = "a", world: str = "default", **changes: Any) -> Row:
    usual = {
        "unit": f"{world}__{agent}__s{seed}",
        "number": 1,
        "agent": agent,
        "agent_name": agent,
        "world": world,
        "world_name": world,
        "world_digest": load_world(world).digest if world in bundled_worlds() else world,
        "dynamics": "crafter" if world == "crafter" else "mars",
        "seed": seed,
        "episode": 1,
        "phase": "play",
        "steps": 100,
        "reward": 1.0,
        "ended": "length",
        "unlocked": {"collect_wood": 5},
        "unreachable": (),
        "complete": False,
        "precision": None,
        "recall": None,
        "changes_recall": None,
        "revisions": None,
        "seconds_per_decision": 0.002,
        "seconds": 2.0,
        "peak_memory_mib": 300.0,
    }
    return Row(**usual | changes)


def test_metrics_of_a_group() -> None:
    rows = [row(0, reward=2.0, ended="death"), row(1, reward=4.0, unlocked={}, steps=50)]
    found = totals(rows)
    assert found["units"] == found["episodes"] == 2
    assert found["reward"]["mean"] == 3.0 and found["reward"]["std"] == pytest.approx(2**0.5)
    assert found["score"]["mean"] == pytest.approx(math.exp(math.log(51) / 22) - 1)
    assert found["success"]["collect_wood"]["rate"] == 0.5
    assert found["success"]["collect_wood"]["step"] == {"low": 5, "median": 5, "high": 5}
    assert found["death"]["rate"] == 0.5
    assert found["complete"]["rate"] == 0 and found["steps"]["median"] == 75
    assert list(found["success"]) == list(vocabulary("mars").achievements)
    quantities = (found["reward"], found["score"], found["death"], found["success"]["eat_plant"])
    assert all(each["interval"] is None for each in quantities), "of fewer than five units"


def test_intervals_from_five_units_on() -> None:
    rows = [row(seed, reward=float(seed), ended="death") for seed in range(4)]
    assert totals([*rows, row(3, number=2)])["reward"]["interval"] is None, "four units"
    found = totals([*rows, row(4, reward=4.0)])
    low, high = found["reward"]["interval"]
    assert 0 <= low < 2 < high <= 4
    assert found["death"] == {"rate": 0.8, "interval": wilson(4, 5)}
    assert found["success"]["collect_wood"]["interval"] == wilson(5, 5)


def test_what_is_unreachable_does_not_count() -> None:
    rows = [row(0), row(1, unlocked={}, unreachable=("collect_wood", "eat_plant"))]
    found = totals([*rows, row(2, unreachable=("eat_plant",))])
    assert found["success"]["collect_wood"]["rate"] == 1.0
    everywhere = totals([row(seed, unreachable=("eat_plant",)) for seed in range(5)])
    assert everywhere["success"]["eat_plant"] is None
    low, high = everywhere["score"]["interval"]
    assert low == high == pytest.approx(everywhere["score"]["mean"])


def test_the_bootstrap_draws_units_not_episodes() -> None:
    few = [row(seed, reward=float(seed)) for seed in range(8)]
    many = [row(seed, reward=float(seed), number=k) for seed in range(8) for k in range(5)]
    assert totals(few)["reward"]["interval"] == pytest.approx(totals(many)["reward"]["interval"])
    assert totals(many)["units"] == 8 and totals(many)["episodes"] == 40
    assert totals(many[:20])["reward"]["interval"] is None, "four units"


def test_agents_are_judged_without_what_they_did_to_learn() -> None:
    learned = [row(episode=k, number=k, phase="learn", reward=-1.0, recall=k / 4) for k in (1, 2)]
    rows = [*learned, row(phase="evaluate", number=3), row(agent="b", phase="learn")]
    found = summary(rows, ["agent", "world"])
    assert [(r["agent"], r["phase"], r["episodes"]) for r in found["results"]] == [
        ("a", "evaluate", 1),
        ("b", "learn", 1),
    ]
    curve = found["learning"][0]["curve"]
    assert [point["recall"]["mean"] for point in curve] == [0.25, 0.5]
    assert curve[0]["precision"] is None and curve[0]["units"] == 1
    assert found["cost"] == {
        "units": 2,
        "episodes": 4,
        "steps": 400,
        "seconds": 8.0,
        "peak_memory_mib": 300.0,
        "agents": [
            {"agent": "a", "steps": 300, "milliseconds_per_step": pytest.approx(2.0)},
            {"agent": "b", "steps": 100, "milliseconds_per_step": pytest.approx(2.0)},
        ],
    }
    uneven = [row(steps=300, seconds_per_decision=0.01), row(seconds_per_decision=0.05)]
    (cost,) = summary(uneven, ["agent"])["cost"]["agents"]
    assert cost["milliseconds_per_step"] == pytest.approx(20.0), "steps count, not episodes"


def test_worlds_of_both_dialects_are_summed_up_under_one_name() -> None:
    rows = [row(unlocked={"kill_cow": 3}), row(world="crafter", unlocked={"eat_cow": 4})]
    (found,) = summary(rows, ["agent"])["results"]
    assert found["success"]["kill_cow"]["rate"] == 1.0 and "eat_cow" not in found["success"]


def test_agents_are_compared_on_the_maps_that_both_played() -> None:
    rewards = (3.0, 1.1, 1.0, 1.0, 1.0, 9.0)
    ours = [row(seed, "b", reward=reward) for seed, reward in enumerate(rewards)]
    theirs = [row(seed, "a", reward=1.0) for seed in range(5)]
    (found,) = paired([*ours, *theirs], "a")
    assert (found["agent"], found["world"], found["maps"], found["units"]) == ("b", "default", 5, 5)
    assert found["difference"]["mean"] == pytest.approx(0.42)
    low, high = found["difference"]["interval"]
    assert 0 <= low < 0.42 < high <= 2
    assert (found["better"], found["worse"], found["equal"]) == (2, 0, 3)
    assert found["ratio"] == pytest.approx(7.1 / 5)
    (few,) = paired([*ours[:4], *theirs], "a")
    assert few["difference"]["interval"] is None and few["difference"]["mean"] > 0
    nothing = [row(seed, "a", reward=-0.1) for seed in range(3)]
    assert paired([*ours, *nothing], "a")[0]["ratio"] is None
    with pytest.raises(InputError, match="there is no agent 'c' here; allowed: b, a"):
        paired([*ours, *theirs], "c")
    elsewhere = [row(0, label, "terrain") for label in "ab"]
    worlds = [pair["world"] for pair in paired([*ours, *theirs, *elsewhere], "a")]
    assert worlds == ["default", "terrain", None]


def test_learners_are_compared_with_yardsticks_that_played() -> None:
    rows = [row(seed, "best", agent_name="oracle", reward=20.0) for seed in (0, 1)]
    rows += [row(seed, "limited", agent_name="informed", reward=15.0) for seed in (0, 1)]
    rows += [row(seed, "wrong", agent_name="informed", belief="0" * 64) for seed in (0, 1)]
    rows += [row(seed, "a", reward=12.0 + seed, phase="evaluate") for seed in (0, 1)]
    rows += [row(seed, "a", reward=1.0, phase="learn", episode=2) for seed in (0, 1)]
    found = summary([*rows, row(0, "random")], ["agent", "world"])
    limited, pair = found["oracle"]
    assert (limited["agent"], limited["baseline"], limited["ratio"]) == ("limited", "best", 0.75)
    assert (pair["agent"], pair["baseline"], pair["ratio"]) == ("a", "best", 0.625)
    (pair,) = found["informed"]
    assert (pair["agent"], pair["baseline"], pair["ratio"]) == ("a", "limited", 12.5 / 15)
    text = page(found, [], {})
    assert "| default | a | best (given rules, whole map) | 2 | 62 | -7.5 " in text
    assert "| default | a | limited (given rules) | 2 | 83 | -2.5 " in text
    alone = summary(rows[4:], ["agent", "world"])
    assert not alone["oracle"] and not alone["informed"], "a belief is no yardstick"


def test_tables_and_curves_tell_what_agents_are_given() -> None:
    settings = {
        "best": {"agent_name": "oracle"},
        "ahead": {"agent_name": "clairvoyant"},
        "limited": {"agent_name": "informed"},
        "learner": {"agent_name": "inductive"},
        "no-prior": {"agent_name": "inductive", "options": '{"prior": "none"}'},
    }
    rows = [row(0, label, **of) for label, of in settings.items()]
    rows += [row(0, label, phase="learn", **settings[label]) for label in ("learner", "no-prior")]
    found = summary(rows, ["agent", "world"], "learner")
    assert found["given"]["ahead"] == "given rules, whole map, future"
    assert {each["agent"] for each in found["results"]} == set(settings), "plain, beside `given`"
    text = page(found, [], {})
    cells = {cell.strip() for line in text.splitlines() for cell in line.split("|")}
    told = {f"{label} ({given})" for label, given in found["given"].items()}
    assert told <= cells and not cells & set(settings), "no label without its mark"
    (panel,) = curves(with_marks(found["learning"], found["given"]))["reward"]
    assert [line.label for line in panel.lines] == [
        "learner (prior: Crafter's rules)",
        "no-prior (prior: none)",
    ]


def test_a_line_of_csv_holds_plain_numbers() -> None:
    line = flat({"agent": "a"} | totals([row(seed) for seed in range(5)]))
    assert line["reward_mean"] == 1.0 and line["collect_wood"] == 1.0
    assert (line["eat_plant_low"], line["eat_plant_high"]) == wilson(0, 5)
    assert all(isinstance(value, int | float | str | None) for value in line.values())


def test_long_tables_are_left_to_a_file_of_data() -> None:
    rows = [row(0, "a", f"world{number}") for number in range(LONG)]
    found = summary(rows, ["agent", "world"])
    assert "| a | world7 | 1 | 1 |" in page(found, [], {})
    text = page(found, [], {}, data="r.json", name="Many worlds")
    assert text.startswith("# Many worlds\n")
    assert "| a | world7 | 1 | 1 |" not in text
    assert f"{LONG + 2} lines, all in [r.json](r.json)" in text
    assert "| world7 | 1.0 |" in text, "rewards at a glance stay"
    few = summary(rows[:2], ["agent", "world"])
    assert page(few, [], {}, data="r.json") == page(few, [], {})


def test_the_page_has_everything_in_tables() -> None:
    rows = [
        row(seed, agent, world, ended="death")
        for seed in range(9)
        for agent in "ab"
        for world in ("all_three",)
    ]
    rows += [row(seed, "a", "crafter", reward=3.0) for seed in (0, 1)]
    rows += [row(s, "b", "all_three", phase="learn", recall=0.5 + s / 10) for s in range(5)]
    found = summary(rows, ["agent", "world"], "a")
    text = page(found, ["by hand"], {"recall": "recall.png"}, "agents: [a]\n", ["1.2 (commit f00)"])
    assert "Made with mars-logic 1.2 (commit f00) by the commands at the end." in text
    assert "| a | all_three | 9 | 9 | 1.0 ± 0.0 (1.0 to 1.0) |" in text
    assert "| all_three | 1.0 ± 0.0 | 1.0 ± 0.0 | 0.7 ± 1.6 | -0.4 ± 0.7 | -0.5 ± 0.5 |" in text
    assert (
        "Published results of PPO, DreamerV3 (20 episodes of at most 1,000 steps) are left out, "
        "since episodes differ here: a, b: 9" in text
    )
    assert "Published results of human experts, " in text and "PPO | DreamerV3" not in text
    assert "| mean reward | a | b |" in text and "| all_three | 0; 100 | 0; 100 |" in text
    assert text.endswith("```yaml\nagents: [a]\n```\n\n</details>\n")
    assert text.count("<details") == text.count("</details>")
    assert "```\nby hand\n```\n" in text
    assert "| b | all_three | 1 | 5 | 1.0 (1.0 to 1.0) |  | 70.0 (" in text
    assert "](recall.png)" in text and "reward.png" not in text
    assert "| all_three | b | a | 9 | 100 | 0.0 (0.0 to 0.0) | 0 | 0 | 9 |" in text
    assert "| collect_wood | 100% (70%–100%) |" in text and "8 units" not in text
    assert "| b | 1,400 | 2 |" in text, "milliseconds a step"
    drawn = curves(found["learning"])
    assert set(drawn) == {"reward", "recall"}
    (panel,) = drawn["recall"]
    (line,) = panel.lines
    assert (panel.name, line.label, line.x) == ("all_three", "b", (1.0,))
    assert line.y[0].median == pytest.approx(70)


def test_the_mean_over_worlds_stands_beside_that_of_others() -> None:
    rows = [
        row(seed, "a", world, reward=2.0, ended="death")
        for world in published.REWARDS
        for seed in range(20)
    ]
    some = [row(seed, "b", ended="death") for seed in range(20)]
    text = page(summary([*rows, *some], ["agent", "world"]), [], {})
    assert "| mean | 2.0 |  | 0.3 | 8.3 |" in text
    assert "| mean | 2.0 |  | 5.0 | 3.9 | 4.7 | 5.9 |  |" in text


def test_published_numbers_are_complete() -> None:
    assert list(published.REWARDS) == list(published.SCORES)
    known = {peer.name: peer for peer in published.PUBLISHED if "all_three" in peer.rewards}
    assert all(set(peer.rewards) == set(published.REWARDS) for peer in known.values())
    assert [name for name, peer in known.items() if not peer.scores] == ["WALL-E 2.0"]
    dreamer = known["DreamerV3"]
    assert (dreamer.protocol.trials, dreamer.protocol.length) == (20, 1000)
    assert dreamer.rewards["all_three"] == published.Number(5.1, 1.8)
    assert dreamer.scores["surv_task"] == published.Number(15.9, 2.6)
    assert known["ReAct"].protocol.trials == 9 and known["WALL-E 2.0"].protocol.trials is None


def test_what_is_no_result(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no result yet; allowed: "):
        read(tmp_path)
    (tmp_path / SPEC).write_text("mine", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"spec.yaml:1: file: this is no Parquet file.*; allowed: "
    ):
        read(tmp_path / SPEC)
