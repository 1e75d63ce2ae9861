"""The commands on games, which are told from worlds by name or by what their file states."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mars_logic.cli.play import GameSession, play_on, resume
from mars_logic.domains import bundled_games, load_game
from mars_logic.domains.certificates import PlayerReference, certify_game
from mars_logic.domains.runs import certificate_path
from mars_logic.errors import InputError
from mars_logic.system.documents import write_document
from tests.cli.conftest import Run
from tests.paths import DATA, SHARED

RECORDINGS = sorted((DATA / "smartplay").glob("*.jsonl"))
HIGH_LOW = "BanditTwoArmedHighLowFixed"
GAME = "domain: bandits\nlength: 6\narms:\n  - {probability: 0.9}\n  - {probability: 0.2}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_worlds_lists_games_by_domain(run: Run) -> None:
    assert all(name in run("worlds").out for name in bundled_games())
    rows = run("worlds", "--json").json["games"]
    assert [row["name"] for row in rows] == list(bundled_games())
    assert {row["domain"] for row in rows} == {
        "bandits",
        "biomes",
        "hanoi",
        "messenger",
        "rock_paper_scissors",
    }
    assert rows[0]["digest"] == load_game(rows[0]["name"]).digest


@pytest.mark.parametrize("name", bundled_games())
def test_show(run: Run, tmp_path: Path, name: str) -> None:
    words = run("show", name)
    assert words.status == 0 and all(line.startswith("- ") for line in words.out.splitlines())
    again = tmp_path / "again.yaml"
    assert run("show", name, "--as", "yaml", "-o", again).status == 0
    assert load_game(again) == load_game(name)
    facts = run("show", name, "--as", "facts").out.splitlines()
    assert all(line.endswith(".") for line in facts)
    assert run("show", name, "--json").json["domain"] == load_game(name).domain


def test_a_game_has_no_tree(run: Run, tmp_path: Path) -> None:
    message = "--as: a game has no tree; allowed: words, yaml, facts\n"
    for more in ((), ("-o", tmp_path / "tree.svg")):
        found = run("show", HIGH_LOW, "--as", "tree", *more)
        assert (found.status, found.out, found.err) == (2, "", message)


def test_validate(run: Run, tmp_path: Path, game: Path) -> None:
    found = run("validate", game, "default", "--json")
    assert found.status == 0 and f"{game}: valid: a game, mine, bandits, digest" in found.err
    assert [row["name"] for row in found.json["files"]] == ["mine", "default"]
    theory = tmp_path / "theory.yaml"
    theory.write_text(GAME.replace("0.9", "unknown"), encoding="utf-8")
    assert "valid: a theory, 1 fields open" in run("validate", theory).err
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(GAME.replace("0.9", "1.9"), encoding="utf-8")
    found = run("validate", wrong)
    assert found.status == 2
    assert found.err.startswith(f"{wrong}:4: arms[0].probability: 1.9 is out of range; allowed:")


def test_a_domain_is_one_of_those_there_are(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "world.yaml"
    world.write_text("domain: crafter\nbase: default\n", encoding="utf-8")
    assert run("validate", world).status == 0
    world.write_text("domain: crofter\nbase: default\n", encoding="utf-8")
    found = run("validate", world)
    assert found.status == 2 and "did you mean 'crafter'?" in found.err


def test_a_game_is_no_world(run: Run, game: Path) -> None:
    found = run("prove", game)
    assert found.status == 2
    assert found.err.startswith(
        f"{game}:1: domain: `prove` supports worlds, not bandits; allowed: "
    )


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("plan", "Hanoi3Disk"), "hanoi"),
        (("plan", "rulearn/re_r1_01"), "reactor"),
        (("plan", "rulearn/reactor"), "reactor"),
        (("revise", "Hanoi3Disk", "."), "hanoi"),
        (("prove", "Hanoi3Disk"), "hanoi"),
        (("learn", "MessengerL1"), "messenger"),
        (("check", "Hanoi3Disk", "."), "hanoi"),
        (("score", "Hanoi3Disk", "Hanoi4Disk"), "hanoi"),
        (("value", "BiomeNavigation"), "biomes"),
    ],
)
def test_what_a_domain_does_not_offer_is_refused_in_one_wording(
    run: Run, words: tuple[str, ...], kind: str
) -> None:
    found = run(*words)
    assert found.status == 2
    assert re.search(rf": `{words[0]}` supports [a-z_, ]+, not {kind}; allowed: ", found.err)


def test_diff(run: Run, game: Path) -> None:
    found = run("diff", "Hanoi3Disk", "Hanoi4Disk")
    assert (found.status, found.out) == (0, "disks\n  - 3\n  + 4\n")
    rows = run("diff", HIGH_LOW, game, "--json").json["fields"]
    assert {"field": "length", "values": [50, 6]} in rows
    for other in ("Hanoi3Disk", "default"):
        found = run("diff", HIGH_LOW, other)
        assert found.status == 2 and "; allowed: " in found.err


@pytest.mark.parametrize(("prior", "score"), [("told", 48.611), ("none", 48.294)])
def test_value(run: Run, prior: str, score: float) -> None:
    document = run("value", HIGH_LOW, "--prior", prior, "--json").json
    assert document["schema"] == "mars-logic value 1" and document["prior"] == prior
    assert document["score"] == pytest.approx(score, abs=1e-3)
    text = run("value", HIGH_LOW, "--prior", prior).out
    assert f"expected score   {score:.3f}" in text and document["moves"][1] in text


def test_value_of_what_has_none(run: Run) -> None:
    for name in ("default", "BanditTwoArmedHighLow"):
        found = run("value", name)
        assert found.status == 2 and "; allowed: " in found.err


def test_conform(run: Run, tmp_path: Path) -> None:
    found = run("conform", *RECORDINGS)
    assert found.status == 0
    assert found.out == "6 of 6 recordings of games agree; 41 episodes, 1,215 steps compared\n"
    both = run("conform", RECORDINGS[0], min((DATA / "golden").glob("*.npz")), "--json").json
    assert both["traces"][0]["agrees"] and both["recordings"][0]["difference"] is None
    changed = tmp_path / "changed.jsonl"
    lines = RECORDINGS[0].read_text(encoding="utf-8").splitlines()
    episode = json.loads(lines[1])
    episode["steps"][7]["score"] += 1
    changed.write_text("\n".join([lines[0], json.dumps(episode)]), encoding="utf-8")
    found = run("conform", changed)
    assert found.status == 1
    assert found.out.startswith(
        f"{changed}:2: episode {episode['episode']}, step 7: score: recorde"
    )
    (row,) = run("conform", changed, "--json").json["recordings"]
    assert row["difference"]["field"] == "score" and row["difference"]["step"] == 7


def test_run(run: Run) -> None:
    names = (HIGH_LOW, "RockPaperScissorBasic")
    found = run("run", "bayes", *names, "--episodes", 3, "--seed", 4)
    assert found.status == 0 and all(name in found.out for name in names)
    document = run("run", "bayes", *names, "--episodes", 3, "--seed", 4, "--json").json
    assert document["schema"] == "mars-logic game run 1" and document["prior"] == "none"
    game = document["games"][HIGH_LOW]
    assert [episode["seed"] for episode in game["episodes"]] == [4, 5, 6]
    mean = sum(episode["score"] for episode in game["episodes"]) / 3
    assert game["score"]["mean"] == pytest.approx(mean) and game["completion"] is None
    assert game["normalised"] == pytest.approx(mean / 45)


def test_run_of_a_game_that_has_a_goal(run: Run) -> None:
    game = run("run", "oracle", "Hanoi3Disk", "--episodes", 2, "--json").json["games"]["Hanoi3Disk"]
    assert game["completion"] == 1 and game["normalised"] == 1
    assert {episode["steps"] for episode in game["episodes"]} == {7}
    noisy = run("run", "oracle", "Hanoi3Disk", "--episodes", 5, "--noise", 0.3, "--json").json
    episodes = noisy["games"]["Hanoi3Disk"]["episodes"]
    assert all(episode["completed"] for episode in episodes)
    assert max(episode["steps"] for episode in episodes) > 7


def test_a_game_of_ones_own_is_not_normalised(run: Run, game: Path) -> None:
    named = game.with_name("Hanoi3Disk.yaml")
    named.write_text("domain: hanoi\nlength: 9\ndisks: 2\n", encoding="utf-8")
    for path in (game, named):
        found = run("run", "random", path, "--episodes", 1, "--json").json["games"][str(path)]
        assert found["normalised"] is None


def test_certificates_are_kept_and_gone_on_with(run: Run, game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    options = ("--prior", "told", "--noise", 0.25, "--json")
    first = run("run", "bayes", game, "--episodes", 2, *options, "--out", folder).json
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(kept) == 2 and all("bayes_prior_told_noise_0.25__s" in path.name for path in kept)
    again = run("run", "bayes", game, "--episodes", 3, *options, "--out", folder).json
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())
    assert again == run("run", "bayes", game, "--episodes", 3, *options).json
    mine = first["games"][str(game)]["episodes"]
    assert again["games"][str(game)]["episodes"][:2] == mine
    assert run("verify", *folder.iterdir()).status == 0


def test_what_was_learned_is_learned_again_from_what_is_kept(
    run: Run, game: Path, tmp_path: Path
) -> None:
    options = ("run", "bayes", game, "--learn", "--explain", "--json")
    whole = run(*options, "--episodes", 4).json
    assert run(*options, "--episodes", 2, "--out", tmp_path / "games").status == 0
    assert run(*options, "--episodes", 4, "--out", tmp_path / "games").json == whole
    (last, *_) = reversed(whole["explained"][str(game)])
    assert any("the same in every episode" in sentence for sentence in last["theories"][-1])


def test_nothing_of_the_users_is_overwritten(run: Run, game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    assert run("run", "random", game, "--episodes", 1, "--out", folder).status == 0
    (path,) = folder.iterdir()
    document = json.loads(path.read_text(encoding="utf-8"))
    for text in ("my shopping list", json.dumps(document | {"seed": 7})):
        path.write_text(text, encoding="utf-8")
        found = run("run", "random", game, "--episodes", 1, "--out", folder)
        assert found.status == 2 and found.err.startswith(f"{path}:1: ")
        assert path.read_text(encoding="utf-8") == text


def test_a_theory_is_told_after_each_pull(run: Run, game: Path) -> None:
    found = run("run", "bayes", game, "--episodes", 1, "--explain").out
    assert found.count("pull machine") >= 6
    assert found.count("Machine 1 pays with probability 0.500: 0 of 0 pulls paid.") >= 1
    (episode,) = run("run", "bayes", game, "--episodes", 1, "--explain", "--json").json[
        "explained"
    ][str(game)]
    assert len(episode["theories"]) == len(episode["texts"]) == len(episode["actions"]) + 1
    for step, sentences in enumerate(episode["theories"][:-1]):
        pulls = [int(word) for s in sentences for word in re.findall(r"of (\d+) pull", s)]
        assert sum(pulls) == step


def test_bayes_plays_by_a_belief(run: Run, game: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(GAME.replace("0.9", "0.1") + "order: fixed\n", encoding="utf-8")
    stubborn = run("run", "bayes", game, "--episodes", 1, "--belief", wrong, "--explain")
    assert stubborn.status == 0
    assert stubborn.out.count("  pull machine 2\n") == 6
    for belief in ("Hanoi3Disk", HIGH_LOW):
        found = run("run", "bayes", game, "--episodes", 1, "--belief", belief)
        assert found.status == 2 and "; allowed: " in found.err


@pytest.mark.parametrize(
    "words",
    [
        ("bayes", "Hanoi3Disk"),
        ("inductive", HIGH_LOW),
        ("random", HIGH_LOW, "default"),
        ("random", HIGH_LOW, "--learn"),
        ("oracle", HIGH_LOW, "--prior", "told"),
        ("random", HIGH_LOW, "--length", 5),
        ("bayes", HIGH_LOW, "--prior", "told", "--belief", HIGH_LOW),
        ("bayes", HIGH_LOW, "--noise", 1.5),
        ("random", "default", "--learn"),
        ("random", "default", "--noise", 0.1),
        ("random", "default", "--explain"),
    ],
    ids=lambda words: " ".join(map(str, words)),
)
def test_what_does_not_go_together_is_refused(run: Run, words: tuple[object, ...]) -> None:
    found = run("run", *words, "--episodes", 1)
    assert (found.status, found.out) == (2, "")
    assert "; allowed: " in found.err and len(found.err.splitlines()) == 1


@pytest.fixture
def certificate(run: Run, game: Path, tmp_path: Path) -> Path:
    assert run("run", "bayes", game, "--episodes", 1, "--out", tmp_path / "games").status == 0
    (path,) = (tmp_path / "games").iterdir()
    return path


def test_verify(run: Run, certificate: Path) -> None:
    found = run("verify", certificate)
    assert found.status == 0 and f"{certificate}: valid, " in found.out and "6 steps" in found.out
    (row,) = run("verify", certificate, "--json").json
    assert row["valid"] and row["problems"] == [] and row["completed"] is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"score": 99}, "it claims a score of 99, and the replay gave "),
        ({"reward": -99}, "it claims a reward of -99, and the replay gave "),
        ({"completed": True}, "it claims a completion of True, and the replay gave None"),
        ({"steps": 5}, "it claims 5 steps and has 6 actions"),
        ({"actions": [0, 7], "steps": 2}, "step 2: action: 7 is not an action"),
        ({"actions": [0] * 7, "steps": 7}, "the episode is over after step 6"),
    ],
)
def test_verify_finds_tampering(
    run: Run, certificate: Path, change: dict[str, object], problem: str
) -> None:
    document = json.loads(certificate.read_text(encoding="utf-8"))
    certificate.write_text(json.dumps(document | change), encoding="utf-8")
    found = run("verify", certificate)
    assert found.status == 1 and "NOT VALID" in found.out and f"  {problem}" in found.out


def test_verify_finds_another_game(run: Run, game: Path, certificate: Path) -> None:
    game.write_text(GAME.replace("0.9", "0.8"), encoding="utf-8")
    found = run("verify", certificate)
    assert found.status == 1 and "its game has the digest " in found.out


@pytest.mark.parametrize("change", [{"score": "all"}, {"more": 1}, {"actions": [-1]}])
def test_a_damaged_certificate_is_one_message(
    run: Run, certificate: Path, change: dict[str, object]
) -> None:
    document = json.loads(certificate.read_text(encoding="utf-8"))
    certificate.write_text(json.dumps(document | change), encoding="utf-8")
    found = run("verify", certificate)
    assert found.status == 2 and found.err.startswith(f"{certificate}:1: {next(iter(change))}")
    assert len(found.err.splitlines()) == 1


ALL = SHARED / "reference" / "systems" / "golden" / "smartplay"


@pytest.mark.skipif(not ALL.exists(), reason="the full set of recordings is not at hand")
def test_conform_with_all_recordings(run: Run) -> None:
    found = run("conform", *(ALL / f"{name}.jsonl" for name in ("bandits", "rps", "hanoi")))
    assert found.out == "3 of 3 recordings of games agree; 320 episodes, 13,372 steps compared\n"


def test_a_person_stops_when_no_answer_can_come_any_more() -> None:
    session = GameSession(load_game("Hanoi3Disk"), 0)
    shown: list[str] = []
    answers = iter(["2\n", "\n", "seven\n", "¹\n", ""])
    play_on(session, shown.append, lambda _: next(answers))
    assert session.steps == 1 and not session.over
    assert shown[0].startswith("You have 3 disks") and "- C: |bottom, [0], top|" in shown[1]
    refused = [f"'{word}' is no action; allowed: 1 to 6, q" for word in ("", "seven", "¹")]
    assert shown[2:] == refused


def test_an_episode_of_a_person_goes_on_from_what_replays(run: Run, tmp_path: Path) -> None:
    game = load_game("Hanoi3Disk")
    session = GameSession(game, 0)
    session.act(1)
    path = certificate_path(tmp_path, game, PlayerReference(name="human"), 0)
    player = PlayerReference(name="human")
    write_document(certify_game(session.played(), game, game.name, 0, player), path)
    assert run("verify", path).status == 0
    resumed = GameSession(game, 0)
    resume(resumed, path)
    assert resumed.simulator.snapshot() == session.simulator.snapshot()
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(document | {"score": 3}), encoding="utf-8")
    with pytest.raises(InputError, match="another episode than the one to be played here"):
        resume(GameSession(game, 0), path)
