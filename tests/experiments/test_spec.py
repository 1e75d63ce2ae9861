"""Specs: what they may say, and one line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.experiments.spec import Spec, read
from mars_logic.experiments.units import units_of
from mars_logic.experiments.worlds import as_kept, beliefs_of, places_of

WHOLE = """\
agents:
  - random
  - {name: inductive, label: blank, options: {prior: none}, learn: 2, evaluate: 3}
worlds:
  - default
  - mine.yaml
  - sample: {count: 2, seed: 5, changes: [survival], difficulty: 2..4, livable: false}
seeds: 3..5
length: 50
keep: {certificates: 2, thoughts: none}
"""


def spec(folder: Path, text: str) -> Spec:
    (folder / "mine.yaml").write_text(
        "base: default\nwalk: {sand: {health: 1}}\n", encoding="utf-8"
    )
    (folder / "spec.yaml").write_text(text, encoding="utf-8")
    return read(folder / "spec.yaml")


def test_a_spec_reads_the_same_in_its_canonical_form(tmp_path: Path) -> None:
    found = spec(tmp_path, WHOLE)
    assert [setting.label for setting in found.agents] == ["random", "blank"]
    assert found.seeds == (3, 4, 5) and found.length == 50
    sampled = found.worlds[2].sample
    assert sampled and sampled.difficulty == (2, 4) and sampled.changes == ("survival",)
    assert not sampled.livable
    assert spec(tmp_path, found.to_yaml()) == found


def test_episodes_that_go_on_are_of_other_units(tmp_path: Path) -> None:
    found = spec(tmp_path, WHOLE.replace("length: 50", "live_on: true"))
    assert found.live_on and spec(tmp_path, found.to_yaml()) == found
    (usual, *_), (living, *_) = (
        units_of(each, places_of(each, tmp_path, tmp_path / "out"))
        for each in (spec(tmp_path, WHOLE.replace("length: 50\n", "")), found)
    )
    assert living.identity() == usual.identity() | {"live_on": True}


def test_an_agent_may_have_seeds_of_its_own(tmp_path: Path) -> None:
    found = spec(tmp_path, WHOLE.replace("evaluate: 3}", "evaluate: 3, seeds: [7]}"))
    assert spec(tmp_path, found.to_yaml()) == found
    units = units_of(found, places_of(found, tmp_path, tmp_path / "out"))
    assert {unit.seed for unit in units if unit.label == "random"} == {3, 4, 5}
    assert {unit.seed for unit in units if unit.label == "blank"} == {7}
    assert len(units) == 4 * 3 + 4
    assert all(unit.certificates for unit in units if unit.label == "blank"), "its first seed"


def test_units_are_agents_by_worlds_by_seeds(tmp_path: Path) -> None:
    found, out = spec(tmp_path, WHOLE), tmp_path / "out"
    units = units_of(found, places_of(found, tmp_path, out))
    assert len({unit.name for unit in units}) == len(units) == 2 * 4 * 3
    assert units[0].name == "default__random__s3"
    worlds = {unit.world_label: unit.world_path for unit in units}
    assert worlds == {
        "default": "default",
        "mine": "worlds/mine.yaml",
        "sample_5_0": "worlds/sampled_5/sample_5_0.yaml",
        "sample_5_1": "worlds/sampled_5/sample_5_1.yaml",
    }
    assert all((out / path).is_file() for path in worlds.values() if path != "default")
    assert [unit.certificates for unit in units[::8]] == [True, True, False]
    assert not any(unit.thoughts for unit in units)
    assert units[1].played == [(1_000_003, 1), (2_000_003, 1), (3_000_003, 1)]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("random", "randm", "spec.yaml:2: agents[0].name: there is no agent 'randm', did you"),
        ("blank", "a__b", "spec.yaml:3: agents[1].label: 'a__b' is no label; allowed: letters"),
        ("blank", "random", "spec.yaml:3: agents[1].label: two agents are called 'random'"),
        ("prior: none", "prior: 3", "agents[1].options.prior: this is no such value; "),
        ("prior:", "prio:", "no option 'prio', did you mean 'prior'?; allowed: prior"),
        ("learn: 2, ", "", "spec.yaml:3: agents[1].learn: this field is missing; allowed: a whole"),
        ("learn: 2", "lern: 2", "spec.yaml:3: agents[1].lern: unknown field 'lern', did you mean"),
        ("- random", "- {name: random, learn: 2}", "agents[0].learn: the agent 'random' does not"),
        ("seeds: 3..5", "seeds: 5..3", "spec.yaml:8: seeds: '5..3' are no seeds; allowed: a range"),
        ("seeds: 3..5", "seeds: [1, 1]", "spec.yaml:8: seeds: a list are no seeds; allowed: "),
        ("evaluate: 3", "seeds: -1", "spec.yaml:3: agents[1].seeds: -1 are no seeds; allowed: a r"),
        ("seeds: 3..5\n", "", "spec.yaml:1: seeds: this field is missing"),
        ("count: 2", "count: 0", "spec.yaml:7: worlds[2].sample.count: 0 is not possible; all"),
        ("[survival]", "[surviv]", "spec.yaml:7: worlds[2].sample.changes: unknown change 'sur"),
        ("livable: false", "livable: 3", "worlds[2].sample.livable: 3 is not true or false; "),
        ("2..4", "many", "worlds[2].sample.difficulty: 'many' is no number of rules; allowed: a"),
        ("sample:", "sampled:", "spec.yaml:7: worlds[2]: a mapping is no world; allowed: a"),
        ("certificates: 2", "certificates: -1", "spec.yaml:10: keep.certificates: -1 is no number"),
        ("length: 50", "lenght: 50", "spec.yaml:9: lenght: unknown field 'lenght', did you mean"),
        ("length: 50", "length: 0", "spec.yaml:9: length: 0 is not possible; allowed: a whole"),
        ("seeds", "see: ds", "spec.yaml:8: file: not YAML"),
    ],
)
def test_mistakes(before: str, after: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as found:
        spec(tmp_path, WHOLE.replace(before, after, 1))
    assert message in str(found.value) and "; allowed: " in str(found.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as found:
        spec(tmp_path, WHOLE.replace("3..5", "no").replace("50", "fifty"))
    assert [line.split(":")[1] for line in str(found.value).splitlines()] == ["8", "9"]


def test_worlds_that_are_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"spec.yaml:3: worlds\[1\]: .*did you mean 'default'\?"):
        spec(tmp_path, "agents: [random]\nworlds: [crafter,\n  defualt]\nseeds: [0]\n")
    (tmp_path / "bad.yaml").write_text(
        "base: default\nwalk: {sand: {helth: 1}}\n", encoding="utf-8"
    )
    found = spec(tmp_path, "agents: [random]\nworlds: [bad.yaml]\nseeds: [0]\n")
    with pytest.raises(InputError, match=r"bad.yaml:2: walk.sand.helth: unknown field"):
        places_of(found, tmp_path, tmp_path / "out")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.yaml").write_text("base: default\n", encoding="utf-8")
    found = spec(tmp_path, "agents: [random]\nworlds: [a/mine.yaml, b/mine.yaml]\nseeds: [0]\n")
    with pytest.raises(InputError, match="two worlds are called 'mine'"):
        places_of(found, tmp_path, tmp_path / "out")
    impossible = "{count: 1, changes: [survival], difficulty: 50..52}"
    found = spec(tmp_path, f"agents: [random]\nworlds: [sample: {impossible}]\nseeds: [0]\n")
    with pytest.raises(InputError, match="there is no such world; allowed: "):
        places_of(found, tmp_path, tmp_path / "out")


BELIEFS = """\
agents:
  - {name: informed, label: own, belief: mine.yaml}
  - {name: informed, label: usual, belief: crafter_like.yaml}
  - {name: informed, label: bundled, belief: default}
  - informed
worlds: [default]
seeds: [0]
"""


def test_beliefs_are_kept_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "crafter_like.yaml").write_text(
        "base: default\ncollect: {iron: unknown}\n", encoding="utf-8"
    )
    found, out = spec(tmp_path, BELIEFS), tmp_path / "out"
    places = places_of(found, tmp_path, out)
    beliefs = beliefs_of(found, places, tmp_path, out)
    assert {label: given.path for label, given in beliefs.items()} == {
        "own": "beliefs/own.yaml",
        "usual": "beliefs/usual.yaml",
        "bundled": "default",
    }
    units = {unit.label: unit for unit in units_of(found, places, beliefs)}
    assert units["informed"].belief is None and units["informed"].made_with == {}
    assert units["own"].identity()["belief"] == beliefs["own"].theory.digest
    (out / "spec.yaml").write_text(as_kept(found, places, beliefs).to_yaml(), encoding="utf-8")
    again = read(out / "spec.yaml")
    kept = beliefs_of(again, places, out, out)
    assert {k: v.theory.digest for k, v in kept.items()} == {
        k: v.theory.digest for k, v in beliefs.items()
    }
    (tmp_path / "mine.yaml").write_text(
        "base: default\nwalk: {sand: {health: 2}}\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"these are other rules than those of mine\.yaml"):
        beliefs_of(found, places, tmp_path, out)


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (
            "{name: random, belief: default}",
            "spec.yaml:1: agents[0].belief: the agent 'random' takes",
        ),
        (
            "{name: informed, belief: defualt}",
            "there is no bundled world and no file 'defualt', did",
        ),
        ("{name: informed, options: {belief: x}}", "the agent 'informed' has no option 'belief'"),
        (
            "{name: informed, belief: 3}",
            "agents[0].belief: 3 is not text; allowed: a",
        ),
    ],
)
def test_what_is_no_belief(tmp_path: Path, agent: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        spec(tmp_path, f"agents: [{agent}]\nworlds: [default]\nseeds: 0\n")
    assert told in str(refused.value)


def test_a_belief_of_another_dialect_is_refused(tmp_path: Path) -> None:
    text = "agents: [{name: informed, belief: crafter}]\nworlds: [crafter, default]\nseeds: 0\n"
    found = spec(tmp_path, text)
    places = places_of(found, tmp_path, tmp_path / "out")
    with pytest.raises(InputError, match="crafter:1: dynamics: this belief is about crafter; allo"):
        beliefs_of(found, places, tmp_path, tmp_path / "out")
