"""Language models in the loop of puzzles: what they are asked, and what is made of the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.playing import PlayedGame, play
from mars_logic.domains.rulearn.language_models.quality import (
    HypothesisRecord,
    hypothesis_record,
    hypothesis_summary,
    repeated_actions,
)
from mars_logic.domains.seen_episodes import replayed_episode
from mars_logic.domains.space import SeenEpisode
from mars_logic.errors import InputError
from mars_logic.language.exchanges import Exchange, read_exchanges
from mars_logic.language.settings import LanguageSettings
from tests.cli.conftest import Run, run
from tests.language.stub import last_text, serving

__all__ = ["run"]
REACTOR = "rulearn/re_r1_06"
FORWARDS = "Always: the first input followed by the second input."
BACKWARDS = "The second input followed by the first one."


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def script(*lines: tuple[str, list[Any]], rules: str = "sentences") -> LanguageSettings:
    """Settings of a model that answers so; an answer is a text or the fields of an object."""
    answers = [
        {"when": when, "say": [s if isinstance(s, str) else json.dumps(s) for s in say]}
        for when, say in lines
    ]
    Path("script.yaml").write_text(json.dumps({"answers": answers}), encoding="utf-8")
    settings = {"model": "scripted:script.yaml", "rules": rules}
    Path("language.yaml").write_text(json.dumps(settings), encoding="utf-8")
    return LanguageSettings.model_validate(settings)


def played(agent: str, name: str, settings: LanguageSettings) -> tuple[Any, PlayedGame]:
    game = load_game(name)
    domain = domain_of(game)
    told = domain.player_class(agent).usual_prior == "told"
    session = settings.model_copy(update={"session": f"{agent}_{name}"})
    player = domain.player(agent, game if told else domain.untold(game), language=session)
    return player, play(domain.simulator(game), player, 0, game.length)


def record(name: str, found: PlayedGame) -> HypothesisRecord:
    return hypothesis_record(episode(name, found))


def episode(name: str, found: PlayedGame) -> SeenEpisode:
    game = load_game(name)
    taken = [domain_of(game).action_data(each) for each in found.actions]
    return replayed_episode(name, game, 0, taken)


def asked(role: str) -> list[Exchange]:
    kept = [each for file in Path("exchanges").glob("*__*.jsonl") for each in read_exchanges(file)]
    return [each for each in kept if each.place.role == role]


def hypothesis(text: str) -> dict[str, str]:
    return {"hypothesis": text, "plan": "Go on."}


SOLVING = (
    ("You chose: put", [{"input": "B + C"}, {"input": ["CB", "A"]}]),
    ("submit the target", ["I take it.\nChoice: [2]"]),
    ("2. write a new hypothesis", ["[1]"]),
)


def test_idea_writes_first_then_chooses_and_solves() -> None:
    said = hypothesis(BACKWARDS)
    _, found = played("idea_llm", REACTOR, script(("Write your first", [said]), *SOLVING))
    assert found.actions[0].do == "hypothesise" and found.actions[0].text == BACKWARDS
    assert [each.materials for each in found.actions[1:-1]] == [("B", "C"), ("CB", "A")]
    assert found.last.completed and found.steps == 2
    (first,) = asked("puzzle_hypothesis")
    assert "In storage: A, B and C." in first.messages[1].text
    choices = asked("puzzle_choice")
    assert f"Your hypothesis: {BACKWARDS}" in choices[0].messages[1].text
    assert "react B + C\nB + C gives CB." in choices[1].messages[1].text


def test_an_answer_that_cannot_be_read_costs_a_step_and_changes_nothing() -> None:
    player, found = played("baseline_llm", "rulearn/er_r1_01", script(("", ["hm"])))
    assert {each.do for each in found.actions} == {"malformed"}
    assert (len(found.actions), found.steps) == (15, 15)
    assert player.counts.unreadable == player.counts.requests == 15


def test_the_seventeenth_hypothesis_ends_the_episode() -> None:
    lines = (("Write", [hypothesis("First before second")]), ("Actions:", ["[2]"]))
    _, found = played("idea_llm", REACTOR, script(*lines))
    assert [each.do for each in found.actions] == ["hypothesise"] * 17
    assert found.last.done and not found.last.completed and found.steps == 0


def test_two_hypotheses_in_a_row_are_not_offered_in_a_room() -> None:
    lines = (("Write", [hypothesis("Digit 1 is the number of oil paintings")]), ("Needed", ["9"]))
    _, found = played("idea_llm", "rulearn/er_r1_01", script(*lines, ("", ["[3]"])))
    pairs = zip(found.actions, found.actions[1:], strict=False)
    assert not any(one.do == other.do == "hypothesise" for one, other in pairs)
    first = asked("puzzle_choice")[0].messages[1].text
    assert "write a new hypothesis" not in first.partition("Actions:")[2]


def test_a_new_hypothesis_moves_what_was_observed_to_the_permanent_memory() -> None:
    lines = (
        ("Write", [hypothesis(FORWARDS), hypothesis(BACKWARDS)]),
        ("Needed", ["[C + B]"]),
        ("- react C + B", ["[2]", "[1]"]),
        ("", ["[1]"]),
    )
    played("idea_llm", REACTOR, script(*lines))
    texts = [each.messages[1].text for each in asked("puzzle_choice")]
    parts = [each.partition("Observed since") for each in texts]
    assert any("react C + B" in before and "nothing" in since for before, _, since in parts)
    assert any("react C + B" in before and "react C + B" in since for before, _, since in parts)


def test_verified_returns_a_contradicted_hypothesis_without_a_step() -> None:
    lines = (
        ("Write your first", [hypothesis(FORWARDS)]),
        ("Write a new", [hypothesis(FORWARDS)]),
        ("You proposed", [hypothesis(f"{BACKWARDS} Nobody knows."), hypothesis(BACKWARDS)]),
        ("Needed", ["[C + B]"]),
        ("C + B gives BC", ["[2]", "[1]"]),
        ("", ["[1]"]),
    )
    _, found = played("idea_llm_verified", REACTOR, script(*lines))
    assert [each.text for each in found.actions if each.text][:2] == [FORWARDS, BACKWARDS]
    returned = [each.messages[1].text for each in asked("puzzle_correction")]
    assert "contradicted by an observation: react C + B gives BC." in returned[0]
    assert 'It cannot be read: cannot read "Nobody knows" in "Nobody knows."' in returned[1]


AS_DATA = {FORWARDS: 1, BACKWARDS: [{"products": [{"join": [{"of": "second"}, {"of": "first"}]}]}]}


def stated(text: str, remark: str = "") -> dict[str, Any]:
    """A hypothesis as data."""
    return {"rule": AS_DATA[text], "plan": "Go on.", "remarks": [remark] if remark else []}


def test_rules_are_asked_for_by_schema_and_told_in_words() -> None:
    broken = {"rule": [{"products": [{"join": [{"of": "third"}]}]}], "plan": "", "remarks": []}
    lines = (
        ("Write your first", [stated(FORWARDS, "It may be mended.")]),
        ("Write a new", [stated(FORWARDS)]),
        ("You proposed", [broken, stated(BACKWARDS)]),
        ("Needed", ["[C + B]"]),
        ("C + B gives BC", ["[2]", "[1]"]),
        ("", ["[1]"]),
    )
    _, found = played("idea_llm_verified", REACTOR, script(*lines, rules="facts"))
    first, second = [each.text for each in found.actions if each.text][:2]
    assert first == f"{FORWARDS}\n# It may be mended."
    assert second == "Always: the second input followed by the first input."
    schema = asked("puzzle_hypothesis")[0].schema
    assert schema is not None and schema["properties"]["rule"]["type"] == "array"
    returned = [each.messages[1].text for each in asked("puzzle_correction")]
    assert "contradicted by an observation: react C + B gives BC." in returned[0]
    assert "It states no rule: " in returned[1] and "third" in returned[1]


@pytest.mark.parametrize("answer", [{"rule": "hm"}, {"rule": None}, {"rule": [[[[[]]]]]}])
def test_what_is_no_rule_is_no_hypothesis_to_play_by(answer: dict[str, Any]) -> None:
    settings = script(("Write", [answer]), ("proposed", [answer]), rules="facts")
    _, found = played("idea_llm_planner", "rulearn/er_r1_01", settings)
    assert {each.do for each in found.actions} >= {"hypothesise", "enter_code"}
    assert all(each.text.startswith("# ") for each in found.actions if each.text)


def test_planner_plays_by_a_rule_that_is_stated_as_data() -> None:
    lines = (("Write your first", [stated(FORWARDS)]), ("Write a new", [stated(BACKWARDS)]))
    _, found = played("idea_llm_planner", REACTOR, script(*lines, rules="facts"))
    assert found.last.completed and found.steps == 3
    assert record(REACTOR, found).right


def test_planner_acts_by_the_hypothesis_and_asks_again_when_it_is_contradicted() -> None:
    lines = (
        ("Write your first", [hypothesis(FORWARDS)]),
        ("Write a new", [hypothesis(BACKWARDS)]),
    )
    _, found = played("idea_llm_planner", REACTOR, script(*lines))
    assert found.last.completed and found.steps == 3
    assert [each.text for each in found.actions if each.text] == [FORWARDS, BACKWARDS]
    measured = record(REACTOR, found)
    assert measured.right and measured.solved and measured.repeated == 0
    assert [each.contradicted for each in measured.written] == [None, None]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rulearn/fo_r1_06", None),
        (
            "rulearn/er_r1_12",
            "The digits are the numbers of oil, acrylic and watercolor paintings of the hinted "
            "color.",
        ),
    ],
)
def test_planner_in_the_other_families(name: str, text: str | None) -> None:
    game: Any = load_game(name)
    rules = domain_of(game).rules(game)
    text = text or " ".join(each for each in rules if each.startswith("Function"))
    _, found = played("idea_llm_planner", name, script(("Write", [hypothesis(text)])))
    assert found.last.completed and found.steps <= 3


def test_planner_without_a_usable_hypothesis_acts_at_random() -> None:
    lines = (("Write", [hypothesis("hm")]), ("proposed", [hypothesis("hm")]))
    _, found = played("idea_llm_planner", "rulearn/er_r1_01", script(*lines))
    assert {each.do for each in found.actions} >= {"hypothesise", "enter_code"}


def test_told_reads_the_rule_and_no_value() -> None:
    settings = script(("", ["hm"]))
    played("told_llm", "rulearn/fo_r1_06", settings)
    told = asked("puzzle_choice")[0].messages[0].text
    assert "The rule is:" in told and "Function 2 is" in told and "Parameter a is" not in told
    with pytest.raises(InputError, match="told_llm plays by a rule"):
        game = load_game(REACTOR)
        domain = domain_of(game)
        player = domain.player("told_llm", domain.untold(game), language=settings)
        play(domain.simulator(game), player, 0, game.length)


def test_nothing_of_the_truth_is_sent() -> None:
    """All families, all players that find out the rule: no rule is in any prompt."""
    for name in ("rulearn/fo_r1_06", "rulearn/er_r1_01", REACTOR):
        game: Any = load_game(name)
        for agent in ("idea_llm", "idea_llm_verified", "idea_llm_planner", "baseline_llm"):
            played(agent, name, script(("Write", [hypothesis("hm")]), ("", ["hm"])))
        truths = [each for each in domain_of(game).rules(game) if "The hint names" not in each]
        sent = [m.text for role in ("puzzle_choice", "puzzle_hypothesis") for e in asked(role)
                for m in e.messages if "Sentences like these" not in m.text]  # fmt: skip
        assert sent and not [each for each in truths for text in sent if each in text]


def test_summary_counts() -> None:
    lines = (
        ("Write", [hypothesis(f"{FORWARDS} Hm."), hypothesis(FORWARDS), hypothesis("hm")]),
        ("Needed", ["[C + B]"]),
        ("C + B gives BC", ["[2]", "[2]", "[1]"]),
        ("", ["[1]"]),
    )
    _, found = played("idea_llm", REACTOR, script(*lines))
    measured = record(REACTOR, found)
    assert repeated_actions(episode(REACTOR, found).steps) == measured.repeated > 0
    assert measured.written[1].contradicted == "react C + B gives BC"
    summary = hypothesis_summary([measured])
    many = len(measured.written)
    assert [(each.partly, each.problem is None) for each in measured.written[:3]] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert summary["written"] == many and 0 < summary["read"] < 1
    assert summary["partly"] == sum(each.partly for each in measured.written) / many > 0
    assert summary["contradicted"] > 0 and summary["with_revision"] == [0, 1]
    assert hypothesis_summary([])["read"] is None


# --- Commands ---------------------------------------------------------------------------------


def test_run_against_an_endpoint_and_its_replay(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("openai")

    def answer(request: Mapping[str, Any]) -> str:
        text = last_text(request)
        if "Write" in text:
            return json.dumps(stated(BACKWARDS if "- react" in text else FORWARDS))
        return "[1]"

    about = ("run", "idea_llm_planner", REACTOR, "--episodes", 1, "--model", "stub", "--json")
    with serving(answer) as stub:
        first = run(*about, "--endpoint", stub.url, "--exchanges", "talk", "--out", "kept")
    assert first.status == 0, first.err
    assert first.json["hypotheses"]["reactor"]["right"] == 1.0
    assert first.json["language"]["by_role"]["puzzle_hypothesis"]["requests"] == 2
    again = run(*about, "--endpoint", "http://127.0.0.1:9/v1", "--replay", "talk")
    assert again.json["games"] == first.json["games"]
    (kept,) = tmp_path.glob("kept/*.json")
    assert run("verify", kept).status == 0
    rule = tmp_path / "rule.txt"
    rule.write_text(FORWARDS, encoding="utf-8")
    checked = run("check", rule, tmp_path / "kept")
    assert checked.status == 1 and "step 1: react" in checked.out
    rule.write_text(BACKWARDS, encoding="utf-8")
    assert run("check", rule, kept).status == 0
    assert "equal on all" in run("score", rule, REACTOR).out
    rule.write_text("It is magic.", encoding="utf-8")
    refused = run("check", rule, kept)
    assert refused.status == 2 and f"{rule}:1: sentence: cannot read" in refused.err


def test_a_run_stops_at_its_budget_and_goes_on(run: Run) -> None:
    script(("", ["hm"]))
    settings = "model: scripted:script.yaml\nbudget: {requests: 20}\n"
    Path("few.yaml").write_text(settings, encoding="utf-8")
    about = ("run", "baseline_llm", "rulearn/er_r1_01", "--episodes", 2, "--out", "kept")
    found = run(*about, "--language", "few.yaml")
    assert found.status == 1 and "budget.requests" in found.err
    assert "escape_room  1        1" in found.out
    found = run(*about, "--language", "language.yaml", "--json")
    assert found.status == 0 and len(found.json["games"]["rulearn/er_r1_01"]["episodes"]) == 2


def test_scoreboard_has_a_table_of_hypotheses(run: Run) -> None:
    script(("Write", [hypothesis(BACKWARDS)]))
    about = ("scoreboard", "rulearn", "-o", "board", "--puzzles", REACTOR, "--workers", 1)
    refused = run(*about, "--players", "idea_llm_planner")
    assert refused.status == 2 and "needs a language model" in refused.err
    model = ("--language", "language.yaml")
    found = run(*about, "--players", "idea_llm_planner", *model)
    assert found.status == 0, found.err
    assert "| idea_llm_planner | reactor | 1 | 100.0% |" in found.out
    again = run(*about, "--players", "idea_llm_planner", *model, "--json").json
    assert again["episodes"][0]["hypotheses"]["right"]


@pytest.mark.parametrize("rules", ["facts", "sentences"])
@pytest.mark.parametrize("agent", ["idea_llm", "idea_llm_verified", "idea_llm_planner"])
def test_hostile_answers_do_nothing(agent: str, rules: str, run: Run, tmp_path: Path) -> None:
    evil = "\x1b[2J\u202e {{ 7 * 7 }} $(touch owned) __import__('os').system('touch owned') "
    fields = {"hypothesis": evil * 500, "plan": evil, "thought": evil, "choice": 1, "input": evil}
    fields |= {"rule": [{"products": evil}], "remarks": [evil * 50] * 50}
    script(("", [fields]), rules=rules)
    about = ("rulearn/fo_r1_06", "--episodes", 1, "--language", "language.yaml", "--explain")
    found = run("run", agent, *about, "--out", "kept")
    assert found.status == 0, found.err
    assert not (tmp_path / "owned").exists() and "49" not in found.out
    assert "\x1b" not in found.out + found.err and "\u202e" not in found.out
    (kept,) = Path("exchanges").glob("*__*.jsonl")
    last = read_exchanges(kept)[-1]
    assert sum(len(each.text) for each in last.messages) < 60_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "idea", REACTOR, "--model", "m"), "no language model plays the agent 'idea'"),
        (("run", "idea_llm", REACTOR), "needs a language model"),
        (("language", "show-prompt", "idea", REACTOR), "no language model plays"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[Any, ...], message: str) -> None:
    found = run(*arguments)
    assert found.status == 2 and message in found.err and "Traceback" not in found.err


def test_show_prompt(run: Run) -> None:
    found = run("language", "show-prompt", "idea_llm", REACTOR)
    assert found.status == 0 and "Write your first hypothesis" in found.out
    assert "It is said that C + A gives CA." in found.out
