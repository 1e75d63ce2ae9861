"""Games in experiments: their rows, what a player keeps between episodes, and wrong specs."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow.parquet as pq
import pytest

from mars_logic.domains import bundled_games, domain_of, load_game, load_game_theory
from mars_logic.domains.certificates import (
    game_of_certificate,
    load_game_certificate,
    verify_game,
)
from mars_logic.domains.game import Game
from mars_logic.domains.playing import play
from mars_logic.domains.scores import normalised
from mars_logic.errors import InputError
from mars_logic.experiments.games import normalised_score
from mars_logic.experiments.layout import ROWS
from mars_logic.experiments.record import COLUMNS, TIMES, Files
from mars_logic.experiments.spec import read
from mars_logic.experiments.summary import game_results
from mars_logic.experiments.units import Unit, units_of
from mars_logic.experiments.work import carry_out
from mars_logic.experiments.worlds import as_kept, beliefs_of, places_of
from tests.experiments.test_summary import row
from tests.experiments.units import unit
from tests.paths import REPOSITORY

HIGH_LOW = "BanditTwoArmedHighLowFixed"
BASIC = "RockPaperScissorBasic"


def in_game(name: str, **changes: Any) -> Unit:
    place = {"world": load_game(name), "world_label": name, "world_path": name}
    return unit(**{"length": None, **place, **changes})


def rows(files: Files) -> list[dict[str, Any]]:
    table = pq.read_table(io.BytesIO(files[ROWS]))
    assert table.schema.names == COLUMNS.names
    return [{k: v for k, v in row.items() if k not in TIMES} for row in table.to_pylist()]


@pytest.mark.parametrize("name", bundled_games())
@pytest.mark.parametrize("agent", ["random", "oracle", "bayes"])
def test_a_row_is_the_episode_of_its_seed(name: str, agent: str) -> None:
    game = load_game(name)
    domain = domain_of(game)
    if agent not in domain.players or game.name == "Hanoi5Disk":
        return
    (found,) = rows(carry_out(in_game(name, seed=5, agent=agent, label=agent)))
    player = domain.player(agent, domain.untold(game) if agent == "bayes" else game)
    played = play(domain.simulator(game), player, 5, game.length)
    assert (found["seed"], found["episode"], found["phase"]) == (5, 1, "play")
    assert (found["score"], found["reward"]) == (played.score, sum(played.rewards))
    assert (found["steps"], found["complete"]) == (len(played.actions), played.last.completed)
    if domain.name != "messenger":  # there an episode may end in other ways
        assert found["ended"] == ("complete" if played.last.completed else "length")
    assert (found["dynamics"], found["world_digest"]) == (domain.name, game.digest)
    assert found["unlocked"] == []
    known = game.name in {HIGH_LOW, BASIC, "Hanoi3Disk", "MessengerL1", "MessengerL2"}
    assert found["normalised"] == (normalised(game.name, played.score) if known else None)


@pytest.mark.parametrize(
    ("agent", "changes"),
    [
        ("random", {}),
        ("bayes", {"learn": 2, "evaluate": 1}),
        ("bayes", {"options": '{"prior": "told"}'}),
    ],
)
def test_certificates_of_games_replay(agent: str, changes: dict[str, Any], tmp_path: Path) -> None:
    work = in_game(HIGH_LOW, seed=5, agent=agent, label=agent, **changes)
    files = carry_out(work)
    game = load_game(HIGH_LOW)
    for found in rows(files):
        path = tmp_path / Path(found["certificate"]).name
        assert found["certificate"] == f"units/{work.name}/certificates/{path.name}"
        path.write_bytes(files[f"certificates/{path.name}"])
        kept = load_game_certificate(path)
        assert verify_game(kept, game_of_certificate(kept, path)).valid
        assert (kept.seed, kept.score, kept.game.digest) == (
            found["seed"],
            found["score"],
            game.digest,
        )
        assert kept.player.name == agent and (kept.player.learning_since == 5) == bool(
            changes.get("learn")
        )


def test_certificates_are_left_out_where_they_would_not_replay() -> None:
    for changes in ({"length": 10}, {"certificates": False}):
        (found,) = rows(carry_out(in_game(HIGH_LOW, agent="random", label="random", **changes)))
        assert found["certificate"] is None


def test_episodes_of_one_player_are_those_of_separate_ones() -> None:
    """A player that does not learn keeps its plan and nothing else."""
    told = {"agent": "bayes", "label": "told", "options": '{"prior": "told"}'}
    for name in (HIGH_LOW, BASIC):
        together = rows(carry_out(in_game(name, evaluate=3, **told)))
        assert [found["seed"] for found in together] == [1_000_000, 2_000_000, 3_000_000]
        for found in together:
            (alone,) = rows(carry_out(in_game(name, seed=found["seed"], **told)))
            assert (found["score"], found["reward"]) == (alone["score"], alone["reward"])


def test_the_theory_outlives_episodes_of_learning_but_not_those_of_evaluation() -> None:
    asked = in_game(HIGH_LOW, agent="bayes", label="learner", learn=2, evaluate=2)
    files = carry_out(asked)
    found = rows(files)
    places = [(each["phase"], each["seed"], each["episode"]) for each in found]
    lessons = [("learn", 0, 1), ("learn", -1_000_000, 2)]
    tests = [("evaluate", 1_000_000, 1), ("evaluate", 2_000_000, 1)]
    assert places == lessons + tests
    sentences = [
        [each["what"] for each in json.loads(files[f"thoughts/e{k}.json"])["thoughts"]]
        for k in (1, 2, 3, 4)
    ]
    stays = [next(each for each in some if "same in every episode" in each) for some in sentences]
    assert len(set(stays)) == 4, "each episode adds to the two of learning alone"
    game = load_game(HIGH_LOW)
    domain = domain_of(game)
    player = domain.player("bayes", domain.untold(game), learn=True)
    for seed in (0, -1_000_000, 2_000_000):
        last = play(domain.simulator(game), player, seed, game.length)
    assert last.score == found[-1]["score"], "without the first episode of evaluation"
    assert [*player.theory()] == sentences[-1]


def test_the_same_again() -> None:
    asked = in_game(BASIC, agent="bayes", label="learner", learn=2)
    first, second = carry_out(asked), carry_out(asked)
    assert rows(first) == rows(second)
    assert {**first, ROWS: b""} == {**second, ROWS: b""}


def test_a_shorter_length_makes_a_shorter_game() -> None:
    told = {"agent": "bayes", "label": "told", "options": '{"prior": "told"}'}
    (found,) = rows(carry_out(in_game(HIGH_LOW, length=7, **told)))
    assert found["steps"] == 7 and found["score"] <= 7
    assert found["normalised"] is None, "people played 50 pulls"
    (whole,) = rows(carry_out(in_game(HIGH_LOW, length=70, **told)))
    assert whole["steps"] == 50 and whole["normalised"] is not None


def test_a_game_is_normalised_by_its_rules_and_not_by_its_name() -> None:
    game = load_game(BASIC)
    assert normalised_score(game, 43) == 1
    assert normalised_score(game.model_copy(update={"name": "mine"}), 43) == 1
    assert normalised_score(game.model_copy(update={"length": 49}), 43) is None


def test_files_of_games_are_kept_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("domain: hanoi\ndisks: 2\nlength: 9\n", encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(
        "agents: [random, oracle]\nworlds: [mine.yaml, Hanoi3Disk, default]\nseeds: 0..1\n",
        encoding="utf-8",
    )
    spec, out = read(tmp_path / "spec.yaml"), tmp_path / "out"
    places = places_of(spec, tmp_path, out)
    assert [place.path for place in places] == ["worlds/mine.yaml", "Hanoi3Disk", "default"]
    assert load_game(out / "worlds/mine.yaml").digest == load_game(tmp_path / "mine.yaml").digest
    kept = as_kept(spec, places, beliefs_of(spec, places, tmp_path, out))
    (out / "spec.yaml").write_text(kept.to_yaml(), encoding="utf-8")
    again = read(out / "spec.yaml")
    units = units_of(again, places_of(again, out, out))
    assert [each.identity() for each in units] == [
        each.identity() for each in units_of(spec, places)
    ]
    (tmp_path / "mine.yaml").write_text("domain: hanoi\ndisks: 3\nlength: 9\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"other rules than those of mine\.yaml"):
        places_of(spec, tmp_path, out)


def test_bayes_plays_by_a_belief_from_a_file(tmp_path: Path) -> None:
    """By a belief that the first machine pays more often, it is pulled always."""
    theory = tmp_path / "theory.yaml"
    second = "{probability: {one_of: [{value: 0}, {value: 0.5}]}}"
    arms = f"arms: [{{probability: 0.95}}, {second}]\norder: fixed\n"
    theory.write_text(f"domain: bandits\nlength: 50\n{arms}", encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(
        "agents: [{name: bayes, label: sure, belief: theory.yaml}, bayes]\n"
        f"worlds: [{HIGH_LOW}]\nseeds: 3\nlength: 9\n",
        encoding="utf-8",
    )
    spec, out = read(tmp_path / "spec.yaml"), tmp_path / "out"
    places = places_of(spec, tmp_path, out)
    beliefs = beliefs_of(spec, places, tmp_path, out)
    assert beliefs["sure"].path == "beliefs/sure.yaml"
    sure, usual = units_of(spec, places, beliefs)
    belief = load_game_theory(theory)
    assert isinstance(sure.belief, Game) and sure.belief.digest == belief.digest
    assert usual.belief is None and sure.identity() != usual.identity()
    (found,) = rows(carry_out(sure))
    shorter = {"length": 9}
    rules = load_game(HIGH_LOW).model_copy(update=shorter)
    player = domain_of(rules).player("bayes", belief.model_copy(update=shorter))
    assert found["score"] == play(domain_of(rules).simulator(rules), player, 3, 9).score
    assert found["belief"] == belief.digest and found["score"] in (0, 9)
    (out / "spec.yaml").write_text(as_kept(spec, places, beliefs).to_yaml(), encoding="utf-8")
    again = read(out / "spec.yaml")
    kept = units_of(again, places, beliefs_of(again, places, out, out))
    assert [each.identity() for each in kept] == [sure.identity(), usual.identity()]
    files = carry_out(replace(sure, length=None))
    (row,) = rows(files)
    certificate = tmp_path / "e1.json"
    certificate.write_bytes(files["certificates/e1.json"])
    reference = load_game_certificate(certificate).player
    assert (reference.prior, reference.belief) == (None, belief.digest) and row["steps"] == 50


@pytest.mark.parametrize(
    ("agent", "world", "message"),
    [
        ("bays", HIGH_LOW, "name: bandits has no player 'bays', did you mean 'bayes'"),
        ("bayes", "Hanoi3Disk", "name: hanoi has no player 'bayes'; allowed: random, oracle"),
        ("inductive", HIGH_LOW, "name: bandits has no player 'inductive'"),
        ("bayes", "default", "name: there is no agent 'bayes'"),
        ("{name: random, learn: 3}", HIGH_LOW, "learn: the player 'random' does not learn"),
        ("{name: bayes, options: {prior: all}}", BASIC, "options.prior: .*allowed: told, none"),
        ("{name: bayes, options: {prior: [1]}}", BASIC, "options.prior: .*allowed: told, none"),
        ("{name: bayes, options: {prio: told}}", BASIC, "options.prio: .*did you mean 'prior'"),
        ("{name: oracle, options: {prior: told}}", BASIC, "options.prior: .*allowed: nothing here"),
        (
            "{name: bayes, belief: default}",
            BASIC,
            "belief: 'default' is about crafter, not ",
        ),
        ("{name: bayes, belief: Hanoi3Disk}", BASIC, "belief: 'Hanoi3Disk' is about hanoi, not ro"),
        ("{name: bayes, belief: nowhere.yaml}", BASIC, "belief: there is no bundled world and no"),
        (
            f"{{name: oracle, belief: {BASIC}}}",
            BASIC,
            "belief: .*'oracle' takes no belief; allowed:",
        ),
        (
            f"{{name: bayes, belief: {BASIC}, options: {{prior: told}}}}",
            BASIC,
            "options.prior: the b",
        ),
        (f"{{name: bayes, belief: {BASIC}}}", "default", "name: there is no agent 'bayes'"),
        (
            "{name: bayes, belief: RockPaperScissorDifferentScore}",
            BASIC,
            "belief: .*another game than the one",
        ),
        ("random", "BanditTwoArmedHighLow", "worlds.* no file .*did you mean"),
    ],
)
def test_wrong_specs_are_one_line(tmp_path: Path, agent: str, world: str, message: str) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(f"seeds: 0\nagents:\n- {agent}\nworlds: [{world}]\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"spec.yaml:[34]: (agents\[0\]\.)?{message}") as found:
        read(path)
    assert "\n" not in str(found.value) and "; allowed: " in str(found.value)


def test_a_bandit_that_is_too_long_to_plan_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    arms = "[{probability: 0.5}, {probability: 0.2}]"
    game, path = tmp_path / "long.yaml", tmp_path / "spec.yaml"
    game.write_text(f"domain: bandits\nlength: 101\narms: {arms}\n", encoding="utf-8")
    spec = "agents: [random, bayes]\nworlds: [long.yaml]\nseeds: 0\n"
    path.write_text(spec, encoding="utf-8")
    with pytest.raises(InputError, match=r"spec.yaml:1: agents\[1\]\.name: .*allowed: .*100"):
        read(path)
    path.write_text(f"{spec}length: 100\n", encoding="utf-8")
    assert read(path).length == 100


def test_what_is_wrong_in_two_games_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    worlds = f"[{HIGH_LOW}, BanditTwoArmedLowLowFixed]"
    path.write_text(f"agents: [bays]\nworlds: {worlds}\nseeds: 0\n", encoding="utf-8")
    with pytest.raises(InputError) as found:
        read(path)
    assert "\n" not in str(found.value)


def test_a_wrong_file_of_a_game_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("domain: hanoi\ndisks: 20\nlength: 9\n", encoding="utf-8")
    path = tmp_path / "spec.yaml"
    path.write_text("agents: [random]\nworlds: [mine.yaml]\nseeds: 0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine.yaml:2: disks: .*allowed: "):
        read(path)


@pytest.mark.parametrize("name", ["games", "games_learning"])
def test_specs_of_games_in_the_checkout(name: str) -> None:
    found = read(REPOSITORY / "benchmarks" / "specs" / f"{name}.yaml")
    assert {where.world for where in found.worlds} <= {*bundled_games()}


def test_means_of_games_with_intervals() -> None:
    def game(seed: int, **changes: Any) -> Any:
        of = {"dynamics": "bandits", "complete": None, "unlocked": {}, "normalised": 0.5}
        return row(seed, world="b", **{**of, **changes})

    played = [game(seed, score=float(40 + seed), reward=float(seed)) for seed in range(9)]
    lessons = [
        game(seed, agent="l", phase="learn", episode=k, number=k, score=float(10 * k + seed))
        for seed in range(6)
        for k in (1, 2)
    ]
    other, learner = game_results([*played, *lessons, row()], [*played, *lessons, row()])
    assert (other["agent"], other["units"], other["episodes"]) == ("a", 9, 9)
    assert other["score"]["mean"] == 44 and other["complete"] is None and other["curve"] == []
    low, high = other["score"]["interval"]
    assert 40 < low < 44 < high < 48
    assert other["normalised"]["mean"] == 0.5
    assert [point["score"]["mean"] for point in learner["curve"]] == [12.5, 22.5]
    assert learner["score"]["mean"] == fmean([12.5, 22.5])
    unknown = [game(0, score=1.0, normalised=None), game(1, score=2.0)]
    assert game_results(unknown, unknown)[0]["normalised"] is None
