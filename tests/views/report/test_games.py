"""Games in a report: results, and episodes step by step with what was believed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mars_logic.data import GameTrajectory, load, save_game
from mars_logic.domains import load_game, load_game_theory
from mars_logic.domains.runs import GameRun
from mars_logic.domains.trajectories import record_game
from mars_logic.errors import InputError
from mars_logic.experiments.folder import ResultsFolder
from mars_logic.experiments.spec import read as read_spec
from mars_logic.experiments.units import units_of
from mars_logic.experiments.work import carry_out
from mars_logic.experiments.worlds import as_kept, beliefs_of, places_of
from mars_logic.language.settings import LanguageSettings
from mars_logic.views.report import source, told_episodes
from mars_logic.views.report.page import report
from mars_logic.views.report.report_data import chosen
from mars_logic.views.report.told_episodes import ToldEpisode
from tests.views.report.opened import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HIGH_LOW = "BanditTwoArmedHighLowFixed"
BASIC = "RockPaperScissorBasic"
SHORT = "domain: bandits\nlength: 5\narms:\n  - {probability: 0.9}\n  - {probability: 0.2}\n"


def told(folder: Path, most: int = 60) -> list[ToldEpisode]:
    material = source.read(folder).games
    return told_episodes.told(material, chosen(material.kept, most))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT, encoding="utf-8")
    return path


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("name", [HIGH_LOW, BASIC])
def test_beliefs_are_those_of_the_player(tmp_path: Path, name: str, learn: bool) -> None:
    since = 3 if learn else None
    folder = tmp_path / "kept"
    folder.mkdir()
    kept = GameRun(load_game(name), name, "bayes", learning_since=since, folder=folder)
    run = GameRun(load_game(name), name, "bayes", learning_since=since, explain=True)
    for seed in (3, 4):
        kept.add(seed)
        run.add(seed)
    for episode, expected in zip(told(folder), run.episodes, strict=True):
        shown = [(*step.believed, *episode.throughout) for step in episode.steps]
        shown.append((*episode.last, *episode.throughout))
        assert list(map(sorted, shown)) == list(map(sorted, expected.theories))
        assert [step.seen for step in episode.steps] == list(expected.texts[1:])
        assert sum(step.reward for step in episode.steps) == expected.certificate.reward
        assert episode.steps[-1].score == expected.certificate.score
        assert sum(bool(step.best) for step in episode.steps) == expected.certificate.score
        assert [title.partition(" ")[0] for title, _, _ in episode.charts] == [
            "Score",
            "Reward",
            "Regret",
            "Belief",
        ]
        links = re.findall(r'href="#g\d+s(\d+)"', episode.charts[0][2])
        assert list(map(int, links)) == [1, *range(1, len(episode.steps) + 1)]


def test_beliefs_that_cannot_be_told_say_why(tmp_path: Path, game: Path) -> None:
    theory = tmp_path / "theory.yaml"
    theory.write_text(SHORT.replace("0.9", "unknown"), encoding="utf-8")
    folder = tmp_path / "kept"
    folder.mkdir()
    given = GameRun(
        load_game(game), str(game), "bayes", belief=load_game_theory(theory), folder=folder
    )
    given.add(0)
    (episode,) = told(folder)
    assert "was given is not in the folder" in episode.untold and not episode.has_beliefs
    (folder / "theory.yaml").write_bytes(theory.read_bytes())
    (folder / "notes.yaml").write_text("domain: [", encoding="utf-8")
    (episode,) = told(folder)
    assert episode.has_beliefs and episode.untold == ""

    learner = GameRun(load_game(game), str(game), "bayes", learning_since=0, folder=folder)
    for seed in range(3):
        learner.add(seed)
    assert sum(each.has_beliefs for each in told(folder)) == 4
    next(folder.glob("*learning_since_s0__s1.json")).unlink()
    found = [each for each in told(folder) if each.untold]
    assert len(found) == 2 and "that of seed 1 is not in the folder" in found[0].untold


def test_certificates_and_trajectories_count_once(tmp_path: Path, game: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    run = GameRun(load_game(game), str(game), "random", folder=folder)
    certificate = run.add(0).certificate
    path = record_game(folder, load_game(game), certificate)
    assert len(told(folder)) == 1
    next(folder.glob("*.json")).unlink()
    (episode,) = told(folder)
    assert episode.kept.path == path and episode.kept.certificate.score == certificate.score
    assert episode.kept.row.reward == certificate.reward


def test_actions_of_a_trajectory_are_known_by_their_names(tmp_path: Path, game: Path) -> None:
    certificate = GameRun(load_game(game), str(game), "random").add(0).certificate
    path = record_game(tmp_path, load_game(game), certificate)
    kept = load(path)
    assert isinstance(kept, GameTrajectory)
    save_game(replace(kept, actions=kept.actions[::-1], action=1 - kept.action), path)
    (episode,) = told(path)
    assert episode.kept.certificate.actions == certificate.actions
    for changes in ({"actions": ("jump", "run")}, {"reward": kept.reward + 1}):
        save_game(replace(kept, **changes), path)
        with pytest.raises(
            InputError, match=r"s0\.parquet:1: file: it does not replay in the game"
        ):
            told(path)


def test_what_does_not_replay_is_refused(tmp_path: Path, game: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    GameRun(load_game(game), str(game), "random", folder=folder).add(0)
    (path,) = folder.glob("*.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(document | {"score": 99}), encoding="utf-8")
    with pytest.raises(InputError, match="does not replay: it claims a score of"):
        told(folder)


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    beside = tmp_path_factory.mktemp("games")
    (beside / "short.yaml").write_text(SHORT, encoding="utf-8")
    (beside / "theory.yaml").write_text(SHORT.replace("0.2", "unknown"), encoding="utf-8")
    (beside / "spec.yaml").write_text(
        "agents:\n- random\n- {name: bayes, label: learner, learn: 3, evaluate: 2}\n"
        "- {name: bayes, label: given, belief: theory.yaml}\n"
        "worlds: [short.yaml]\nseeds: 0..1\n",
        encoding="utf-8",
    )
    spec, out = read_spec(beside / "spec.yaml"), beside / "<b>out"
    places = places_of(spec, beside, out)
    beliefs = beliefs_of(spec, places, beside, out)
    units = units_of(spec, places, beliefs)
    with ResultsFolder(out) as folder:
        folder.begin(as_kept(spec, places, beliefs), units)
        for unit in units:
            folder.keep(unit, carry_out(unit))
        folder.collect(units)
    return out


def test_an_experiment_in_games_alone(experiment: Path) -> None:
    found = told(experiment)
    assert len(found) == 2 + 2 * 5 + 2
    assert all(each.has_beliefs == (each.kept.row.agent != "random") for each in found)
    learner = [each for each in found if each.kept.row.unit.endswith("learner__s0")]
    first, tests = learner[0], learner[3:]
    assert len(tests) == 2 and tests[0].steps[0].believed == tests[1].steps[0].believed
    assert first.steps[0].believed != tests[0].steps[0].believed  # it has learned
    page = report(source.read(experiment), 60)
    assert "<b>out" not in page and "&lt;b&gt;out" in page
    assert "3 agents · 1 game · 14 episodes · 70 steps" in page
    assert "learning episode 2: score" in page and "(test): score" in page
    assert 'id="results"' not in page and 'id="trees"' not in page


def test_fewer_are_told(experiment: Path) -> None:
    page = report(source.read(experiment), 3)
    assert page.count('class="told"') == 3
    assert "Episodes that are not told: 11; 11 of them can be." in page
    assert 'class="told"' not in report(source.read(experiment), 0)


@pytest.mark.slow
def test_worlds_and_games_share_a_page(tmp_path: Path, game: Path) -> None:
    from mars_logic import load_world
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent

    Run("random", load_agent("random"), load_world("default"), "default", tmp_path).add(0)
    GameRun(load_game(game), str(game), "random", folder=tmp_path).add(0)
    page = report(source.read(tmp_path), 60)
    assert "1 agent · 1 world · 1 game · 2 episodes" in page
    assert all(f'id="{name}"' in page for name in ("results", "replay", "games", "episodes"))


@pytest.mark.slow
def test_a_link_opens_an_episode_at_its_step(
    browser: Browser, experiment: Path, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_text(report(source.read(experiment), 60), encoding="utf-8")
    found = Opened(browser.new_page(viewport={"width": 1000, "height": 700}))
    found.watch(path.as_uri())
    found.page.goto(path.as_uri() + "#g5s4")
    step = found.page.locator("#g5s4")
    assert step.is_visible() and found.page.locator("#g5").get_attribute("open") is not None
    assert found.page.evaluate("matchMedia('print') && document.scrollingElement.scrollTop > 0")
    assert not found.page.locator("#g4s1").is_visible()
    found.page.locator("#games a", has_text="random").click()
    assert found.page.locator("#g0s1").is_visible()
    width = found.page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= 1000 and found.wrong == []
    found.page.close()


def test_puzzles_are_told_with_the_hypotheses_of_the_player(tmp_path: Path) -> None:
    run = GameRun(load_game("rulearn/re_r1_06"), "rulearn/re_r1_06", "idea", folder=tmp_path)
    run.add(0)
    (episode,) = told(tmp_path)
    assert [step.action for step in episode.steps][-1] == "submit the target"
    assert any("reactions" in sentence for step in episode.steps for sentence in step.believed)
    material = source.read(tmp_path)
    page = report(material, 60)
    assert "Episodes of games" in page and "submit the target" in page
    assert '<table class="results">' in page and "100.0%" in page and "20.7% to 100.0%" in page


def test_puzzles_of_language_models_are_told_without_beliefs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = '{"hypothesis": "Second before first.", "plan": ""}'
    script = {"answers": [{"say": [said]}]}
    Path("script.yaml").write_text(json.dumps(script), encoding="utf-8")
    settings = LanguageSettings(model="scripted:script.yaml", rules="sentences")
    name, folder = "rulearn/re_r1_06", tmp_path / "kept"
    folder.mkdir()
    GameRun(load_game(name), name, "idea_llm_planner", folder=folder, language=settings).add(0)
    (episode,) = told(folder)
    assert episode.steps[0].action == "write a hypothesis Second before first."
    assert not episode.has_beliefs and not episode.untold
