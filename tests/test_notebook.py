"""What Python prints and notebooks show."""

from __future__ import annotations

import re
import runpy
import time
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import mars_logic
from mars_logic.agents.random import RandomAgent
from mars_logic.compiled import compilation
from mars_logic.data import Trajectories
from mars_logic.logic.pddl import planning_task
from mars_logic.notebook import episode_html, world_html
from mars_logic.play.bound import lower_bounds
from mars_logic.play.certificate import certify, verify
from mars_logic.play.episodes import play
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.system.extras import install_hint
from mars_logic.theory import Evidence, check, consequences, rank, revise, score
from mars_logic.theory.action_models import Records
from mars_logic.theory.action_models import learn as learn_action_models
from mars_logic.theory.rulesets import check_rules, read_rules
from mars_logic.world.uncertain import is_uncertain
from tests.paths import REPOSITORY


@pytest.fixture(scope="module")
def learned() -> mars_logic.Learned:
    return mars_logic.learn("terrain", episodes=1, seed=7, length=80)


def test_a_proof_prints_what_the_command_prints() -> None:
    proof = mars_logic.prove(mars_logic.load_world("default"))
    lines = str(proof).splitlines()
    assert lines[0] == "default: 22 of 22 achievements reachable"
    assert repr(proof) == "<Proof default: 22 of 22 achievements reachable>"
    for name, verdict in proof.achievements.items():
        assert any(line.split()[:2] == [name, f"{verdict.verdict},"] for line in lines)
    assert proof._repr_html_().count("<tr>") == 22


def test_a_world_has_a_short_name_and_is_drawn_as_a_tree() -> None:
    world = mars_logic.load_world("all_three")
    assert re.fullmatch(r"<World all_three: mars, digest [0-9a-f]{12}>", repr(world))
    assert "<svg" in world_html(world)
    assert world.digest[:12] in repr(world)


@pytest.mark.slow
def test_learned_rules_are_those_that_changed(learned: mars_logic.Learned) -> None:
    assert learned.changes, "in 80 steps it sees that trees leave a path"
    for rule in learned.changes:
        now = learned.theory[rule.id]
        truth = learned.world[rule.id]
        for name in rule.fields:
            assert not is_uncertain(getattr(now, name))
            assert getattr(now, name) != getattr(learned.prior[rule.id], name)
        told = [getattr(now, name) == getattr(truth, name) for name in rule.fields]
        assert rule.right == all(told)
        assert rule.confidence is None or 0.5 <= rule.confidence <= 1
        assert mars_logic.tell(now) in str(learned)
    assert str(learned).startswith(f"terrain: {len(learned.changes)} of 52 rules changed, ")
    assert learned._repr_html_().count("<tr>") == 1 + len(learned.changes)
    assert learned.journal.startswith("# Learning terrain, seed 7")
    assert [score.overall.recall for score in learned.scores] == [
        lesson.score.overall.recall for lesson in learned.study.lessons
    ]


def test_learning_takes_an_episode() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        mars_logic.learn("terrain", episodes=0)


def test_an_episode_is_shown_as_a_film() -> None:
    simulator = Simulator(mars_logic.load_world("default"))
    played = play(RandomAgent(), simulator, 3, (), limit=4)
    certificate = certify(played, simulator.world, "default", "random")
    assert "data:image/gif;base64,R0lGOD" in episode_html(certificate)


def _results(learned: mars_logic.Learned) -> Iterator[object]:
    """Results of all kinds, of an episode of a few steps."""
    world = learned.world
    played, trajectory = record(RandomAgent(), Simulator(world, length=40), 3, agent_name="random")
    yield from (played, certify(played, world, "terrain", "random"), trajectory, trajectory.views)
    yield from (trajectory.privileged, Trajectories.of([trajectory]))
    evidence, belief = Evidence.of([trajectory]), mars_logic.load_theory("default")
    revision, report = revise(belief, evidence), check(belief, evidence)
    yield from (evidence, revision, *revision.changes, report, *report.rules, *report.conflicts)
    yield from (consequences(belief, evidence), score(belief, world, belief))
    yield rank(belief, evidence)
    yield from (learned, *learned.changes, *learned.scores, learned.study)
    proof = mars_logic.prove(world)
    yield from (proof, *proof.achievements.values(), planning_task(world))
    yield from (lower_bounds(world, 3), verify(certify(played, world, "terrain", "random"), world))
    kept = check_rules(read_rules(["default"]), Trajectories.of([trajectory]))
    yield from (kept, *kept.rules)
    records = Records.of(trajectory)
    models = learn_action_models(records)
    yield from (records, records.before, models, *models.by_goal.values())


@pytest.mark.slow
def test_results_have_short_names_and_tables_in_notebooks(learned: mars_logic.Learned) -> None:
    tables = 0
    for result in _results(learned):
        assert re.fullmatch(rf"<{type(result).__name__}\b.{{1,180}}>", repr(result)), repr(result)
        if html := getattr(result, "_repr_html_", None):
            tables += 1
            ElementTree.fromstring(html())  # well-formed
            assert str(result) != repr(result)
    assert tables >= 6


def test_the_cheat_sheet_is_up_to_date() -> None:
    made = runpy.run_path(str(REPOSITORY / "docs" / "cheat_sheet.py"))["page"]()
    written = (REPOSITORY / "docs" / "cheat_sheet.md").read_text(encoding="utf-8")
    assert written == made, "run: python docs/cheat_sheet.py"


def test_the_clock_stands_still_while_kernels_are_compiled() -> None:
    noted: list[str] = []
    compilation.notify(lambda: noted.append("begin"), lambda: noted.append("end"))
    try:
        before = compilation.clock()
        with compilation.compiling(), compilation.compiling():
            time.sleep(0.2)
            during = compilation.clock()
        after = compilation.clock()
    finally:
        compilation.notify(None, None)
    assert during - before < 0.1
    assert after - before < 0.1
    assert noted == ["begin", "end"]


def test_a_hint_installs_the_extra_where_the_package_is() -> None:
    assert re.fullmatch(r'pip install (-e )?".+\[video\]"', install_hint("video"))
