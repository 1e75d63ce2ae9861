"""Language-model agents end to end: against a server, replayed, in experiments; and their rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from mars_logic.agents.language.agent import LanguageAgent
from mars_logic.agents.language.ifr import IfrVerifiedAgent
from mars_logic.agents.language.ifr_planner import IfrPlannerAgent
from mars_logic.agents.language.rule_library import (
    RuleLibrary,
    TestedLibrary,
    proposed_in_facts,
    proposed_in_sentences,
)
from mars_logic.agents.language.skills import SkillLibraryAgent, SkillStore, StoredSkill
from mars_logic.data.trajectory import Trajectory
from mars_logic.language.exchanges import read_exchanges
from mars_logic.language.prompts import rendered, roles
from mars_logic.play.agent import Episode, agent_names, load_agent, takes
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator
from mars_logic.theory import score
from mars_logic.theory.rulesets.artefact import load_rules
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import vocabulary
from tests.cli.conftest import Run
from tests.language.stub import last_text, player, serving
from tests.paths import REPOSITORY

AGENTS = [name for name in agent_names() if takes(name, "language")]
pytest.importorskip("openai")


def files(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())}


def test_there_are_nine() -> None:
    assert AGENTS == [
        "given_rules",
        "ifr",
        "ifr_planner",
        "ifr_verified",
        "react",
        "reflexion",
        "skill_library",
        "smartplay",
        "spring",
    ]


@pytest.mark.slow
def test_ifr_verified_against_a_server_replayed_byte_for_byte(run: Run, tmp_path: Path) -> None:
    common = ("run", "ifr_verified", "default", "--episodes", 2, "--model", "stub", "--length", 50)
    with serving(player) as stub:
        asked = (*common, "--endpoint", stub.url)
        played = run(*asked, "--out", "played", "--exchanges", "kept", "--json")
        assert played.status == 0, played.err
        first = list(stub.requests)
        stub.requests.clear()
        again = run(*asked, "--out", "again", "--exchanges", "kept2", "--json")
        assert again.status == 0 and stub.requests == first
    replayed = run(*common, "--out", "replayed", "--replay", "kept", "--json")
    assert replayed.status == 0, replayed.err
    same = run(*common, "--out", "played", "--replay", "kept", "--json")
    assert same.status == 0, "the same episodes are kept already"
    assert files(tmp_path / "replayed") == files(tmp_path / "played")
    assert played.json == replayed.json == again.json
    counts = replayed.json["language"]
    assert counts["requests"] == len(first) > 100
    (file,) = (tmp_path / "kept").glob("*__*.jsonl")
    kept = read_exchanges(file)
    assert [[m.to_json() for m in each.messages] for each in kept] == [
        each["messages"] for each in first
    ]
    assert {each.place.role for each in kept} >= {"induce_rules", "revise_rules", "control"}
    assert {each.place.episode for each in kept} == {1, 2}
    documents = [load_rules(each) for each in sorted(Path("played").glob("*.rules.json"))]
    assert len(documents) == 2 and documents[1].rules_from == "ifr_verified"
    proposed = [*documents[1].rules, *documents[1].unreadable]
    assert proposed and all(each.by == "ifr_verified" for each in documents[1].rules)
    assert all(each.when.startswith("episode ") for each in documents[1].rules)


def test_a_replay_fails_at_the_first_request_that_differs(run: Run) -> None:
    common = ("run", "react", "default", "--model", "stub", "--length", 6, "--episodes", 1)
    with serving(player) as stub:
        assert run(*common, "--endpoint", stub.url, "--exchanges", "kept").status == 0
    (file,) = Path("kept").glob("*__*.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    changed = json.loads(lines[2])
    changed["text"] = '{"thought": "otherwise", "action": "sleep"}'
    lines[2] = json.dumps(changed)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    failed = run(*common, "--replay", "kept")
    assert failed.status == 2
    assert "request 4 (react, react, episode 1, step 3) is not the recorded one" in failed.err


@pytest.mark.parametrize("rules", ["facts", "sentences"])
@pytest.mark.parametrize("agent", ["ifr", "ifr_verified"])
def test_rules_are_asked_for_as_facts_or_in_sentences(
    agent: str, rules: str, run: Run, tmp_path: Path
) -> None:
    settings = tmp_path / "language.yaml"
    settings.write_text(f"rules: {rules}\n", encoding="utf-8")
    with serving(player) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--language", settings, "--json")
        found = run("run", agent, "default", "--episodes", 1, "--length", 45, *about)
    assert found.status == 0, found.err
    asked = [each for each in stub.requests if "You find the rules" in last_text(each)]
    form = asked[0]["response_format"]["json_schema"]["schema"]["properties"]
    assert ("facts" in form) is (rules == "facts") and ("rules" in form) is (rules == "sentences")
    told = [text for each in stub.requests if "You find" not in (text := last_text(each))][-1]
    unread = "Swords are nice" + (" (not tested)" if rules == "facts" else "")
    assert (unread in told) is (rules == "facts" or agent == "ifr")
    claims = {"Grass can be walked on", "Grass cannot be walked on"}
    if agent == "ifr":
        assert all(each in told for each in claims)
    else:
        assert "Grass can be walked on" in told and "supported by" in told
        assert sum("were compared" in last_text(each) for each in asked) > 0


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_plays_and_counts(agent: str, run: Run) -> None:
    with serving(player) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--json")
        found = run("run", agent, "all_three", "--episodes", 1, "--length", 35, *about)
    assert found.status == 0, found.err
    counts = found.json["language"]
    assert counts["requests"] == len(stub.requests) > 0
    assert counts["unreadable"] == 0
    assert len(found.json["worlds"]["all_three"]["episodes"]) == 1
    texts = "\n".join(map(last_text, stub.requests))
    true_rule = "Collecting from diamond needs"
    assert (true_rule in texts) is (agent in ("given_rules", "smartplay"))


@pytest.mark.parametrize("agent", ["react", "spring", "ifr_verified", "ifr_planner", "smartplay"])
def test_agents_play_worlds_that_add_names(agent: str, run: Run) -> None:
    world = REPOSITORY / "worlds" / "gallery" / "copper.yaml"
    with serving(player) as stub:
        asked = (agent, world, "--model", "stub", "--endpoint", stub.url)
        found = run("run", *asked, "--length", 45, "--episodes", 1, "--json")
    assert found.status == 0, found.err
    asked_first = json.dumps(stub.requests[:2])  # of two questions, the second tells the actions
    assert "kiln" in asked_first and "copper_pickaxe" in asked_first


def test_another_model_does_not_replace_what_is_kept(run: Run) -> None:
    common = ("run", "react", "default", "--length", 4, "--episodes", 1, "--out", "out")
    with serving(lambda _: "move_left") as stub:
        assert run(*common, "--endpoint", stub.url, "--model", "one").status == 0
    (kept,) = Path("out").iterdir()
    before = kept.read_bytes()
    with serving(lambda _: "move_up") as stub:
        other = run(*common, "--endpoint", stub.url, "--model", "other")
    assert other.status == 2 and "this is another episode" in other.err
    assert kept.read_bytes() == before


def test_unreadable_answers_are_answered_once_and_count_as_noop(run: Run, tmp_path: Path) -> None:
    def mute(request: Mapping[str, Any]) -> str:
        return "move_up" if "after 3 of" in last_text(request) else "Hm."

    with serving(mute) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--json", "--out", tmp_path / "out")
        found = run("run", "react", "default", "--episodes", 1, "--length", 5, *about)
    counts = found.json["language"]
    assert (counts["asked"], counts["requests"], counts["unreadable"]) == (5, 9, 4)
    assert counts["unreadable_rate"] == 0.8
    (certificate,) = (tmp_path / "out").glob("*.json")
    assert json.loads(certificate.read_text(encoding="utf-8"))["actions"] == [0, 0, 0, 3, 0]
    second = stub.requests[1]["messages"]
    assert second[2] == {"role": "assistant", "content": "Hm."}
    assert "there is no action in it" in second[3]["content"]


@pytest.mark.slow
def test_a_budget_stops_a_run_cleanly_and_it_goes_on(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "language.yaml"
    common = ("run", "reflexion", "default", "--episodes", 2, "--length", 12, "--model", "stub")
    with serving(player) as stub:
        about = (*common, "--endpoint", stub.url, "--language", settings, "--out", "out", "--json")
        settings.write_text("budget: {requests: 20}\n", encoding="utf-8")
        stopped = run(*about)
        assert stopped.status == 1
        assert "budget.requests: 20 of 20 are spent" in stopped.err
        assert len(stopped.json["worlds"]["default"]["episodes"]) == 1
        assert stopped.json["stopped"].startswith("--language: budget.requests")
        settings.write_text("budget: {requests: 200}\n", encoding="utf-8")
        done = run(*about)
        assert done.status == 0 and len(done.json["worlds"]["default"]["episodes"]) == 2
        asked = len(stub.requests)
        whole = run(*about[:-3], "--out", "whole", "--exchanges", "other", "--json")
        assert len(stub.requests) == 2 * asked, "nothing was asked twice"
    assert whole.json["worlds"] == done.json["worlds"]
    assert files(tmp_path / "whole") == files(tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("react", "default"), "--model: the agent 'react' needs a language model"),
        (("random", "default", "--model", "m"), "no language model plays the agent 'random'"),
        (("react", "BanditTwoArmedHighLowFixed", "--model", "m"), "no language model plays"),
        (("react", "default", "--model", "scripted:no.yaml"), "no.yaml:1: file: there is no such"),
        (("react", "default", "--model", "m", "--replay", "void"), "void holds none"),
        (("react", "default", "--endpoint", "x"), "--endpoint: this is no address"),
        (("react", "default", "--option", "context=paper"), "has no option 'context'"),
        (("spring", "default", "--option", "context"), "allowed: NAME=VALUE"),
        (("spring", "default", "--option", "context=magic"), "allowed: actions, experience, paper"),
        (("spring", "default", "--option", "context=experience"), "a file of laws and context"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], told: str, run: Run) -> None:
    found = run("run", *arguments, "--episodes", 1)
    assert found.status == 2
    assert told in found.err and "; allowed: " in found.err
    assert len(found.err.splitlines()) == 1


@pytest.mark.parametrize("agent", ["given_rules", "ifr_planner", "react", "spring"])
def test_show_prompt_prints_what_is_sent_first(agent: str, run: Run) -> None:
    shown = run("language", "show-prompt", agent, "default", "--seed", 3, "--json")
    assert shown.status == 0, shown.err
    steps = 60 if agent == "ifr_planner" else 1
    with serving(player) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--seed", 3, "--length", steps)
        run("run", agent, "default", "--episodes", 1, *about)
    first = stub.requests[0]
    told = [
        m["content"].replace("of 1000 steps", f"of {steps} steps") for m in shown.json["messages"]
    ]
    assert told == [m["content"] for m in first["messages"]]
    assert first["response_format"]["json_schema"]["schema"] == shown.json["answer_schema"]


def test_the_goals_of_a_world_are_told(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "errands.yaml"
    world.write_text("name: errands\nbase: default\ngoals: {collect_wood: 2, have_3_wood: 1}\n")
    shown = run("language", "show-prompt", "react", world, "--json")
    told = shown.json["messages"][0]["content"]
    assert "There are 2 goals: collect wood (2 points), hold 3 wood at once (1 point)." in told
    assert "Other achievements give no points: collect_coal, " in told
    assert "Every achievement counts" not in told and "collect_wood" not in told


def test_cells_that_are_pushed_or_change(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "pushed.yaml"
    world.write_text("name: pushed\nbase: default\npush:\n  stone: {onto: [grass], leaves: path}\n")
    shown = run("language", "show-prompt", "given_rules", world)
    assert "- Pushing stone works on grass and leaves a path." in shown.out
    refused = run("run", "oracle", world)
    assert refused.status == 2
    assert refused.err.startswith("pushed: the agent oracle does not know the rule push.stone, ")
    with serving(player) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--length", 20, "--json")
        played = run("run", "react", world, "--episodes", 1, *about)
    assert played.status == 0 and played.json["worlds"][str(world)]["episodes"][0]["steps"] == 20


def test_every_prompt_is_rendered() -> None:
    """Every role, with all that any of them mentions."""
    values: dict[str, Any] = {
        **{name: ["A"] for name in ("achievements", "actions", "added", "placed", "rules")},
        **{name: ["B"] for name in ("lessons", "unlocked", "done", "failed", "subgoals", "skills")},
        **dict.fromkeys(("step", "length", "spent"), 7),
        **dict.fromkeys(("observation", "task", "subgoal", "outcome", "explanation"), "C"),
        **dict.fromkeys(("reason", "context", "question", "ended"), "D"),
        "steps": ["{{ 1 + 1 }} <b>"],
        "fields": ["action"],
        "reward": 1.5,
        "goals": "There is 1 goal: live for 5 steps (1 point).",
        "advice": True,
        "rule_form": "sentences",
        "sheet": "Sentences.",
        "last": True,
        "answered": [{"question": "E", "answer": "F"}],
        "objections": [{"rule": "G", "reason": "H"}],
        **{name: ["I"] for name in ("told", "permanent", "buffer", "forms", "offers", "letters")},
        **dict.fromkeys(("manual", "offer", "wanted", "objection", "line"), "J"),
        **{name: {"hypothesis": "K", "plan": "L"} for name in ("hypothesis", "proposed")},
    }
    assert len(roles()) == 18
    for role in roles():
        system, user = rendered(role, **values)
        assert user.text and (system.text or role in ("unreadable", "smartplay_choice"))
        assert "{%" not in system.text + user.text
        if "The last steps" in user.text:
            assert "{{ 1 + 1 }} <b>" in user.text, "values are no templates, and no HTML"


# --- Skills and rules -----------------------------------------------------------------------------


def test_skills_are_kept_and_found() -> None:
    store = SkillStore()
    for task, plan in (("collect_wood", "mine(tree, 1)"), ("place_table", "place(table)")):
        for _ in range(2):
            store.add(StoredSkill(task, "sees tree; holds nothing", (plan,)))
    assert len(store) == 2
    assert [each.task for each in store.like("place_table", "")] == ["place_table"]
    for number in range(500):
        store.add(StoredSkill(f"task{number}", "", ()))
    assert len(store) == 200


def test_a_skill_is_what_fulfilled_a_task(run: Run) -> None:
    with serving(player) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--length", 100, "--seed", 3)
        found = run("run", "skill_library", "default", "--episodes", 1, *about, "--json")
    (episode,) = found.json["worlds"]["default"]["episodes"]
    assert "collect_wood" in episode["unlocked"]
    texts = [last_text(each) for each in stub.requests]
    plans = [text for text in texts if "You divide a task" in text]
    skill = "collect_wood (sees "
    assert skill not in plans[0] and skill in plans[-1]
    assert load_agent("skill_library") is SkillLibraryAgent


@pytest.fixture(scope="module")
def played() -> list[Trajectory]:
    """Random play in Crafter's world."""
    simulator = Simulator(load_world("default"), length=200)
    return [
        record(load_agent("random")(), simulator, seed, agent_name="random")[1] for seed in range(2)
    ]


def test_rules_are_tested_and_objections_have_counterexamples(played: list[Trajectory]) -> None:
    library = TestedLibrary()
    proposed = proposed_in_sentences(
        [
            "Grass can be walked on",
            "Any move on grass costs 3 health",
            "Making an iron sword needs a table nearby",
            "Swords are nice",
            "Grass can be walked on",
        ]
    )
    objections = library.add(proposed, played)
    verdicts = {each.text: each.verdict for each in library.rules}
    assert len(library.rules) == len(verdicts)
    assert verdicts["Grass can be walked on"] == "supported"
    assert verdicts["Making an iron sword needs a table nearby"] == "untested"
    by_rule = {each.rule: each for each in objections}
    assert set(by_rule) == {"Any move on grass costs 3 health", "Swords are nice"}
    assert not verdicts.keys() & by_rule.keys()
    assert by_rule["Any move on grass costs 3 health"].contradicted
    assert "moving on" in by_rule["Any move on grass costs 3 health"].reason
    assert not by_rule["Swords are nice"].contradicted
    assert "cannot be read" in by_rule["Swords are nice"].reason
    told = library.told()
    assert any("(untested)" in each for each in told)
    assert any("(supported by " in each for each in told)


def test_facts_are_tested_and_what_is_none_is_told(played: list[Trajectory]) -> None:
    library = TestedLibrary()
    grass = {"rule": "walk.grass", "field": "walkable", "value": True}
    facts = [
        grass,
        {"rule": "walk.grass", "field": "health", "value": -3},
        {"rule": "walk.grss", "field": "health", "value": 1},
        ["rule"],
        grass,
        {"rule": "walk.sand", "field": "deadly", "value": "unknown"},
    ]
    objections = library.add(proposed_in_facts(facts, vocabulary("mars")), played)
    assert [(each.text, each.verdict) for each in library.rules] == [
        ("Grass can be walked on.", "supported")
    ]
    assert [each.contradicted for each in objections] == [False, False, True]
    assert "did you mean 'walk.grass'?" in objections[0].reason
    assert objections[1].rule == '["rule"]' and "is not an object" in objections[1].reason
    assert library.theory(Theory.unknown("mars")).walk["grass"].walkable is True


def test_a_rule_that_is_contradicted_later_leaves(played: list[Trajectory]) -> None:
    library = TestedLibrary()
    claim = "Grass cannot be walked on"
    simulator = Simulator(load_world("default"), length=1)
    nothing = record(_Waiting(), simulator, 0, agent_name="waiting")[1]
    assert library.add(proposed_in_sentences([claim]), [nothing]) == []
    assert [each.verdict for each in library.rules] == ["untested"]
    (objection,) = library.add([], played)
    assert objection.rule == claim and objection.contradicted
    assert "the player moved" in objection.reason
    assert library.rules == []
    (refused,) = library.document("me", Theory.unknown("mars")).rules
    assert refused.text == claim and refused.verdict == "contradicted" and refused.by == "me"
    assert refused.counterexamples[0].trajectory


class _Waiting(LanguageAgent):
    """Never asks anything, and waits."""

    name = "waiting"

    def begin(self, episode: Episode) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        return 0

    def choose(self, told: str, observation: Observation) -> None:
        """Nothing is chosen."""

    def note(self, *came: Any) -> None:
        """Nothing is kept."""


def test_only_supported_rules_become_the_theory(played: list[Trajectory]) -> None:
    library = TestedLibrary()
    told = ["Grass can be walked on", "Making an iron sword needs a table nearby"]
    library.add(proposed_in_sentences(told), played)
    theory = library.theory(Theory.unknown("mars"))
    assert theory.walk["grass"].walkable is True
    assert theory.make["iron_sword"] == Theory.unknown("mars").make["iron_sword"]
    assert score(theory, load_world("default")).overall.precision == 1.0


def test_an_untested_library_keeps_what_is_said() -> None:
    library = RuleLibrary()
    told = ["Water can be walked on", "Swords are nice", "Water can be walked on"]
    library.add(proposed_in_sentences(told), [])
    assert library.told() == ["Water can be walked on", "Swords are nice"]
    assert library.theory(Theory.unknown("mars")).walk["water"].walkable is True
    library.add(proposed_in_sentences(f"rule {number}" for number in range(300)), [])
    assert len(library.rules) == 200


def test_the_planner_plays_by_what_is_supported() -> None:
    assert issubclass(IfrPlannerAgent, IfrVerifiedAgent)
    agent = IfrPlannerAgent()
    assert agent.decision is None and agent.counts is None


@pytest.mark.slow
def test_learners_are_scored_in_an_experiment_and_goes_on(run: Run, tmp_path: Path) -> None:
    with serving(player) as stub:
        language = {"model": "stub", "endpoint": stub.url}
        spec = {
            "agents": [
                {"name": "ifr_planner", "learn": 1, "options": {"language": language}},
                {"name": "react", "options": {"language": language}},
            ],
            "worlds": ["default"],
            "seeds": [4],
            "length": 20,
        }
        (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")
        command = ("experiment", "spec.yaml", "-o", "results", "--exchanges", "kept")
        done = run(*command, "--workers", 1)
    assert done.status == 0, done.out + done.err
    names = {each.name.rpartition("__")[0] for each in (tmp_path / "kept").glob("*__*.jsonl")}
    assert names == {"default__ifr_planner__s4", "default__react__s4"}
    summary = run("summarise", "results", "--json")
    assert summary.status == 0 and "ifr_planner" in summary.out
