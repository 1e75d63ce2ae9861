"""The tables of the Mars paper: published numbers, and ours where somebody ran them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.experiments.published import REWARDS
from mars_logic.experiments.scoreboards.mars import (
    NOT_RUN,
    PAPER,
    asking_costs,
    chosen_agents,
    mars_spec,
    page,
)
from mars_logic.language.prompts import rendered
from mars_logic.language.settings import LanguageSettings
from tests.cli.conftest import Run, run  # noqa: F401  # a fixture
from tests.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "results" / "language" / "README.md"
SCRIPT = """answers:
- {when: You choose the next task, say: ['{"thought": "x", "task": "collect_wood"}']}
- {when: You divide a task, say: ['{"subgoals": ["explore(left, 1)"]}']}
- {when: You find the rules, say: ['{"thought": "x", "facts": []}']}
- {when: You look back, say: ['{"text": "Look for trees first."}']}
- {when: did not fulfil, say: ['{"text": "There was none."}']}
- {say: ['{"thought": "x", "action": "noop"}']}
"""
TABLE = "language", "table", "mars", "--model", "scripted:script.yaml", "--workers", 1
SMALL = "--games", "default,surv_task", "--episodes", 1, "--lessons", 1, "--length", 3


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def test_the_page_holds_the_table_of_what_was_not_run() -> None:
    text = page([], PAPER)
    assert text.strip() in PAGE.read_text(encoding="utf-8")
    assert "| default | not run here | not run here | 7.7 ± 1.6 | 7.9 |" in text
    rewards = [line for line in text.split("## Table 3")[0].splitlines() if NOT_RUN in line]
    assert len(rewards) == 2 * len(REWARDS)
    assert all(line.count(NOT_RUN) == 4 for line in rewards)


def test_one_command_makes_a_whole_table_and_goes_on(run: Run, here: Path) -> None:  # noqa: F811
    limits = here / "limits.yaml"
    limits.write_text("budget: {requests: 12}\n", encoding="utf-8")
    common = *TABLE, *SMALL, "-o", "table"
    refused = run(*common)
    assert refused.status == 2 and "react: 2 episodes, about 6 requests" in refused.err
    assert "allowed: --yes" in refused.err and not (here / "table").exists()
    ended = run(*common, "--yes", "--language", limits)
    assert ended.status == 1 and "12 of 12 are spent" in ended.out
    done = {each.name for each in (here / "table" / "units").glob("*__*")}
    assert 0 < len(done) < 10
    limits.write_text("budget: {requests: 500}\n", encoding="utf-8")
    found = run(*common, "--yes", "--language", limits)
    assert found.status == 0, found.err
    text = (here / "table" / "README.md").read_text(encoding="utf-8")
    line = next(each for each in text.splitlines() if each.startswith("| surv_task |"))
    assert line.count("n = 1") == 4
    assert line.endswith("| 1.5 ± 1.3 | 1.0 ± 1.6 | 2.3 ± 1.5 | 3.3 ± 1.4 |")
    assert "| default | 0, n = 1 | 0, n = 1 | 7.7 ± 1.6 | 7.9 |" in text
    kept = {each: each.read_bytes() for each in (here / "table" / "exchanges").glob("*.jsonl")}
    again = run(*common, "--yes", "--language", limits, "--json")
    cells = [each for each in again.json["rows"] if "published" not in each]
    assert {(each["agent"], each["episodes"]) for each in cells} == {(name, 1) for name in PAPER}
    assert all(path.read_bytes() == content for path, content in kept.items())


@pytest.mark.usefixtures("here")
def test_the_cost_grows_with_the_episodes() -> None:
    settings = LanguageSettings(model="scripted:script.yaml", answer_tokens=100)
    spec = mars_spec(["react", "given_rules"], None, settings)
    told, given = asking_costs(spec, settings)
    assert told.episodes == given.episodes == 8 * 9
    assert told.requests == given.requests == 72_000 and told.written == 7_200_000
    assert given.prompt > 1.5 * told.prompt > 72_000 * 500
    half = asking_costs(
        mars_spec(["react"], "default,terrain,survival,all_three", settings), settings
    )
    assert half[0].requests == 36_000


def test_our_agents_have_a_scoreboard_without_a_model(run: Run, here: Path) -> None:  # noqa: F811
    common = "scoreboard", "mars", "--games", "default", "--episodes", 1, "--workers", 1
    found = run(*common, "--agents", "random", "-o", "board", "--json")
    assert found.status == 0, found.err
    ours = [each for each in found.json["rows"] if "published" not in each]
    assert [(each["agent"], each["world"]) for each in ours] == [("random", "default")]
    for more, message in (
        (("--agents", "react"), "--model: the agent 'react' needs a language model"),
        (("--agents", "raect"), "--agents: there is no 'raect', did you mean 'react'?"),
        (("--endpoint", "http://127.0.0.1:9/v1"), "--endpoint: this option does not apply"),
        (("--games", "crafter"), "--games: there is no 'crafter'"),
    ):
        wrong = run(*common, *more, "-o", "other")
        assert wrong.status == 2 and message in wrong.err
    assert "| reward | random |" in (here / "board" / "README.md").read_text(encoding="utf-8")


def test_advice_as_in_the_paper_is_an_option(run: Run, here: Path) -> None:  # noqa: F811
    (here / "long.yaml").write_text("prompts: mars\n", encoding="utf-8")
    show = "language", "show-prompt", "react", "default"
    short, long = run(*show).out, run(*show, "--language", "long.yaml").out
    assert "Strike back" in long and "Strike back" not in short
    values = {"achievements": ["A"], "actions": ["B"], "rules": [], "lessons": [], "steps": []}
    values |= {
        "subgoal": "",
        "observation": "",
        "sheet": "",
        "rule_form": "facts",
        "added": [],
        "goals": [],
    }
    told = rendered("induce_rules", **values, advice=True)[0].text
    assert "Examples of how observations lead to rules" in told
    assert "Examples of how" not in rendered("induce_rules", **values, advice=False)[0].text
    assert chosen_agents(None, PAPER) == [*PAPER]
