"""What a report is made of, and what it says; test_browser.py reads it as a person would."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.experiments.published import REWARDS
from mars_logic.experiments.results import read as read_results
from mars_logic.experiments.runs import Run, trajectory_of
from mars_logic.experiments.summary import summary
from mars_logic.play.agent import load_agent
from mars_logic.theory.rulesets.checking import check_rules
from mars_logic.theory.rulesets.stated import Stated
from mars_logic.views.report import page, source
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.replays import replays
from mars_logic.views.report.report_data import Material, Thought, chosen
from mars_logic.views.report.rule_table import Case, cases, rule_table

ALL_THREE = load_world("all_three")


@pytest.fixture(scope="module")
def material(experiment: Path) -> Material:
    return source.read(experiment)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with certificates and trajectories of two episodes at random."""
    folder = tmp_path_factory.mktemp("kept")
    run = Run("random", load_agent("random"), ALL_THREE, "all_three", folder, folder)
    for seed in (0, 1):
        run.add(seed)
    return folder


def read_document(html: str) -> Any:
    found = re.search(r'id="document">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.slow
def test_an_experiment_is_read_as_it_was_written(experiment: Path, material: Material) -> None:
    table = pq.read_table(experiment / "results.parquet").to_pylist()
    assert len(material.rows) == len(material.kept) == len(table) == 3
    for row, written in zip(material.rows, table, strict=True):
        assert row.unlocked == dict(written["unlocked"])
        assert (row.unit, row.phase, row.reward) == (
            written["unit"],
            written["phase"],
            written["reward"],
        )
    assert [each.row.number for each in material.kept] == [1, 1, 2]
    assert material.agents == ("random", "learner") and material.worlds == ("all_three",)
    (learned,) = material.learned.values()
    assert learned.revisions and learned.theory.dynamics == "mars"
    assert material.kept[1].thoughts and not material.kept[0].thoughts


def test_results_are_those_of_summarise(experiment: Path, material: Material) -> None:
    html = page.report(material, 0)
    for cell in summary(read_results(experiment), ["agent", "world"])["results"]:
        assert f"<strong>{cell['reward']['mean']:.1f}</strong>".replace("-", "−") in html
        assert f"score {cell['score']['mean']:.0f} %" in html
    told = (
        "Published results of PPO, DreamerV3 (20 episodes of at most 1,000 steps) are left out, "
        "since episodes differ here: random, learner"
    )
    assert told in html and "Mars paper, Table 2" not in html


def test_published_rewards_stand_beside_as_many_episodes(material: Material) -> None:
    (one,) = [row for row in material.rows if row.agent == "random"]
    many = [
        replace(one, unit=f"all_three__random__s{seed}", seed=seed, ended="death")
        for seed in range(9)
    ]
    html = page.report(replace(material, rows=tuple(many), kept=(), learned={}), 0)
    for theirs in REWARDS["all_three"][2:6]:
        assert f"{theirs.mean:.1f} <small>± {theirs.std:.1f}</small>".replace("-", "−") in html
    assert "9 episodes of at most 1,000 steps" in html and "Mars paper, Table 2" in html
    ppo = REWARDS["all_three"][0]
    assert f"{ppo.mean:.1f} <small>± {ppo.std:.1f}</small>" not in html, "of 20 episodes"


def test_agents_are_marked_with_what_they_are_given(material: Material) -> None:
    rows = [row for row in material.rows if row.agent == "random"]
    rows += [
        replace(row, agent=name, agent_name=name)
        for row in rows
        for name in ("oracle", "clairvoyant", "informed")
    ]
    html = page.report(replace(material, rows=(*rows, *material.rows[1:])), 9)
    for marked in (
        "oracle (given rules, whole map)",
        "clairvoyant (given rules, whole map, future)",
        "informed (given rules)",
        "learner (prior: Crafter&#39;s rules)",
    ):
        assert f">{marked}</th>" in html
        assert marked.partition(" (")[0] + "</th>" not in html, "never without its mark"
    shown = read_document(html)["episodes"]
    assert "learner (prior: Crafter's rules)" in {each["agent"] for each in shown}


def test_the_same_again(material: Material) -> None:
    assert page.report(material, 1) == page.report(material, 1)


def test_the_number_of_replays(material: Material) -> None:
    assert [each.row.agent for each in chosen(material.kept, 2)] == ["random", "learner"]
    assert chosen(material.kept, 9) == list(material.kept)
    html = page.report(material, 2)
    assert len(read_document(html)["episodes"]) == html.count('id="frames-') == 2
    assert "Episodes without a replay: 1; 1 of them can be replayed" in html
    none = page.report(material, 0)
    assert "The results hold no episode to replay" in none and 'id="player"' not in none


def test_nothing_is_taken_for_markup(material: Material) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
    first = material.kept[1]
    spoilt = replace(
        material,
        title=evil,
        spec=evil,
        left_out=(evil,),
        rows=tuple(
            replace(row, agent=f"{row.agent} {evil}", world_name=evil) for row in material.rows
        ),
        kept=tuple(
            replace(
                each,
                row=replace(each.row, agent=evil, world_name=evil),
                thoughts=(Thought(step=1, layer=evil, what=evil),),
            )
            for each in material.kept
        ),
    )
    html = page.report(spoilt, 9)
    assert evil not in html and "<img" not in html
    assert html.count("<script") == 2 + len(material.kept)
    shown = read_document(html)["episodes"][1]
    assert shown["agent"] == evil and shown["thoughts"] == [[1, evil, evil]]
    assert first.row.agent == "learner"


def test_nothing_is_loaded_from_elsewhere(material: Material) -> None:
    html = page.report(material, 9)
    assert not re.findall(r'(?:src|href)="(?!#|data:)', html)
    assert "url(http" not in html and "@import" not in html
    assert set(re.findall(r"https?://[^\"\s]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_rules_are_judged_as_check_does_and_examples_are_true(material: Material) -> None:
    shown = replays(chosen(material.kept, 9))
    (table,) = map(rule_table, cases(shown, material.kept, material.learned))
    episodes = [each for each in material.kept if each.row.agent == "learner"]
    played = [trajectory_of(each.certificate, ALL_THREE) for each in episodes]
    (learned,) = material.learned.values()
    findings = {each.id: each for each in check_rules([Stated(learned.theory, "")], played).rules}
    numbers = {f"ep. {each.kept.row.number}": each for each in shown if each.kept in episodes}
    assert len(table.rows) == 52
    for row in table.rows:
        found = findings[row.id]
        assert (row.verdict, row.applicable) == (found.verdict, found.applicable)
        assert (row.example is not None) <= (found.applicable > 0)
        for moment in (row.example, *row.against, *row.changes):
            if moment is not None:
                replay = numbers[moment.episode]
                assert moment.replay == replay.number
                assert 0 <= moment.step <= replay.kept.certificate.steps
        assert row.truth is None or row.truth != row.text
    assert sum(row.example is not None for row in table.rows) > 5
    changed = {each.rule for each in learned.revisions}
    assert {row.id for row in table.rows if row.changes} == changed


def test_wrong_rules_have_counterexamples(material: Material) -> None:
    """Crafter's rules, tested in another world: each counterexample contradicts by itself."""
    believed = load_world("default")
    learned = replace(next(iter(material.learned.values())), theory=believed, revisions=())
    episodes = {str(number): (each, number) for number, each in enumerate(material.kept)}
    found = rule_table(Case("title", episodes, ALL_THREE, learned))
    wrong = [row for row in found.rows if row.verdict == "contradicted"]
    assert "walk.diamond" in {row.id for row in wrong}
    for row in wrong:
        assert row.contradicted and row.truth and row.truth != row.text
        for moment in row.against:
            assert moment.replay is not None and moment.told
            alone = trajectory_of(material.kept[moment.replay].certificate, ALL_THREE)
            again = check_rules([Stated(believed, "")], [alone]).rules
            assert next(each for each in again if each.id == row.id).contradicted


@pytest.mark.slow
def test_worlds_without_learners_have_tables_of_their_own_rules(kept: Path) -> None:
    shown = replays(source.read(kept).kept)
    (table,) = map(rule_table, cases(shown, [each.kept for each in shown], {}))
    assert not table.learned
    assert {row.verdict for row in table.rows} == {"supported", "untested"}
    assert all(row.truth is None for row in table.rows)


def test_certificates_and_trajectories_of_the_same_play_count_once(kept: Path) -> None:
    material = source.read(kept)
    assert [(row.agent, row.seed) for row in material.rows] == [("random", 0), ("random", 1)]
    assert {each.path.suffix for each in material.kept} == {".json"}
    assert "all_three" in page.report(material, 9)


def test_trajectories_alone_replay_too(kept: Path, tmp_path: Path) -> None:
    for file in kept.glob("*.parquet"):
        shutil.copy(file, tmp_path)
    both, alone = source.read(kept), source.read(tmp_path)
    ours, theirs = (replays(found.kept) for found in (both, alone))
    assert [each.data for each in ours] == [each.data for each in theirs]
    assert [row.unlocked for row in both.rows] == [row.unlocked for row in alone.rows]


def test_one_file_will_do(kept: Path) -> None:
    for file in sorted(kept.iterdir()):
        assert len(source.read(file).rows) == 1


@pytest.mark.slow
def test_worlds_beside_their_certificates(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(
        "name: mine & <b>yours</b>\nbase: all_three\n", encoding="utf-8"
    )
    world = load_world(tmp_path / "my.yaml")
    run = Run("random", load_agent("random"), world, "my.yaml", tmp_path)
    run.add(3)
    html = page.report(source.read(tmp_path), 9)
    assert "The tech tree of my<" in html and "random in my," in html
    assert "yours" not in html, "it goes by one name"


def test_files_that_are_no_certificates_are_told(kept: Path, tmp_path: Path) -> None:
    for file in kept.glob("*.json"):
        shutil.copy(file, tmp_path)
    (tmp_path / "notes.json").write_text('{"schema": "my notes"}', encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert len(source.read(tmp_path).left_out) == 2


def message(found: pytest.ExceptionInfo[InputError]) -> str:
    text = str(found.value)
    assert "\n" not in text and "; allowed: " in text
    return text


def test_wrong_folders(tmp_path: Path, experiment: Path) -> None:
    with pytest.raises(InputError) as found:
        source.read(tmp_path)
    assert "there is no episode" in message(found)
    (tmp_path / "units").mkdir()
    with pytest.raises(InputError) as found:
        source.read(tmp_path)
    assert "no result yet" in message(found)
    copy = tmp_path / "copy"
    shutil.copytree(experiment, copy)
    next(copy.glob("units/*/certificates/e1.json")).unlink()
    with pytest.raises(InputError) as found:
        source.read(copy)
    assert "there is no file" in message(found)
    next(copy.glob("units/*/episodes.parquet")).write_bytes(b"nonsense")
    with pytest.raises(InputError) as found:
        source.read(copy)
    assert "episodes.parquet:1: file:" in message(found)


def test_an_experiment_that_still_runs_is_shown_as_far_as_it_is(
    experiment: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(experiment, copy)
    assert source.read(copy).missing is None
    shutil.rmtree(next(copy.glob("units/*learner*")))
    shown = source.read(copy)  # though results.parquet still tells of more
    assert [row.agent for row in shown.rows] == ["random"]
    assert shown.missing == (1, 2)
    assert "1 of 2 units are done" in page.report(shown, 0)


@pytest.mark.parametrize("file", ["thoughts/e1.json", "revisions.json", "theory.yaml"])
def test_spoilt_files_of_a_unit(experiment: Path, tmp_path: Path, file: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(experiment, copy)
    path = next(copy.glob("units/*learner*")) / file
    path.write_text("[1, 2", encoding="utf-8")
    with pytest.raises(InputError) as found:
        source.read(copy)
    assert str(path) in message(found)


def test_what_does_not_replay_is_refused(kept: Path, tmp_path: Path) -> None:
    good = json.loads(next(kept.glob("*s0.json")).read_text(encoding="utf-8"))
    file = tmp_path / "a.json"
    for change, problem in (
        ({"reward": 99.0}, "it claims a reward of 99"),
        ({"world": {"name": "default", "digest": good["world"]["digest"]}}, "its world has"),
        ({"world": {"name": "nowhere", "digest": "0"}}, "no bundled world"),
    ):
        file.write_text(json.dumps(good | change), encoding="utf-8")
        with pytest.raises(InputError) as found:
            page.report(source.read(tmp_path), 9)
        assert problem in message(found)


def test_curves_are_means_over_the_runs_that_got_so_far() -> None:
    curve = Curve("a & b", ((1.0, 2.0, None), (3.0,)))
    assert curve.mean == [2.0, 2.0, None]
    svg = chart("Reward", [curve])
    assert "a &amp; b: 2, 2, none" in svg and svg.count('class="mark"') == 2
    assert chart("Reward", [Curve("a", ((None,),))]) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "steps"), [("random", 1500), pytest.param("oracle", 5000, marks=pytest.mark.long)]
)
def test_ten_episodes_take_less_than_5_mb(tmp_path: Path, agent: str, steps: int) -> None:
    """Whole ones: an oracle with nothing left to do lives on until the end."""
    from mars_logic.play import certificate
    from mars_logic.play.episodes import play
    from mars_logic.sim import Simulator

    world = load_world("default")
    for seed in range(10):
        played = play(load_agent(agent)(), Simulator(world), seed, {"no achievement"})
        made = certificate.certify(played, world, "default", agent)
        certificate.save(made, tmp_path / f"{seed}.json")
    material = source.read(tmp_path)
    assert sum(row.steps for row in material.rows) > steps
    assert len(page.report(material, 10).encode()) < 5_000_000 * steps / 5000
