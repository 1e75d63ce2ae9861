from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.data import file_name, save
from mars_logic.logic.solve import LimitReachedError
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world.load import load_theory
from tests.cli.conftest import Run
from tests.paths import DATA
from tests.theory.play import Busy

WRONG = "name: wrong\nbase: all_three\ncollect:\n  iron: {leaves: path}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few recorded episodes of all_three."""
    found = tmp_path_factory.mktemp("runs")
    simulator = Simulator(load_world("all_three"))
    for seed in range(4):
        _, trajectory = record(Busy(), simulator, seed, agent_name="busy")
        save(trajectory, found / file_name(trajectory.about))
    return found


def test_the_truth_passes(run: Run, folder: Path) -> None:
    found = run("check", "all_three", folder)
    assert (found.status, found.out) == (0, "")
    assert "transitions" in found.err and "contradicted" not in found.err


def test_a_file_that_is_given_twice_counts_once(run: Run, folder: Path) -> None:
    once, twice = (
        run("check", "all_three", *given, "--json").json
        for given in ([folder], [folder, *folder.glob("*.parquet")])
    )
    assert once["transitions"] == twice["transitions"]


def test_rules_on_the_same_thing_are_told_apart(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # long paths would not fit into the table
    (tmp_path / "a.txt").write_text(
        "Sand can be walked on\nGrass can be walked on\n", encoding="utf-8"
    )
    assert "stated in" not in run("check", ".", folder, "--all").out
    (tmp_path / "b.txt").write_text("\nSand cannot be walked on\n", encoding="utf-8")
    found = run("check", ".", folder, "--all")
    rows = [line.split() for line in found.out.splitlines() if line.startswith(" walk.sand")]
    assert [row[-1] for row in rows] == ["a.txt:1", "b.txt:2"]


def test_what_is_left_out_is_said(run: Run, tmp_path: Path) -> None:
    assert (
        run(
            "import", DATA / "golden" / "mars__world_terr_npc_ach__s9001.npz", "-o", tmp_path
        ).status
        == 0
    )
    found = run("check", "default", tmp_path)
    shared = found.out.partition("at least one of several rules is wrong:\n")[2]
    assert shared.count("\n  but ") == 3
    assert shared.endswith("more of other rules; --json has them all\n")


def test_all_rules_are_listed_on_demand(run: Run, folder: Path) -> None:
    found = run("check", "all_three", *sorted(folder.glob("*.parquet")), "--all")
    assert found.status == 0
    table, _, decide = found.out.partition(" (un")
    assert len({line.split()[0] for line in table.splitlines() if "." in line.split()[0]}) == 52
    assert "untested" in table and "guessed" in table
    assert "collect.lava (untested): collecting from lava holding nothing" in found.out and decide


def test_a_wrong_rule_is_found_with_a_counterexample(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    found = run("check", path, folder)
    assert found.status == 1
    assert "collect.iron: Collecting from iron needs nothing, yields 1 iron and leaves a path." in (
        found.out
    )
    assert "but collecting from iron holding " in found.out
    assert "+1 iron, tree in its place" in found.out and ".parquet step " in found.out


def test_check_json(run: Run, folder: Path) -> None:
    found = run("check", "default", folder, "--json")
    assert found.status == 1 and found.json["schema"] == "mars-logic rules 1"
    assert found.json["contradicted"] and len(found.json["rules"]) == 52
    rules = {rule["id"]: rule for rule in found.json["rules"]}
    diamond = rules["walk.diamond"]
    assert diamond["verdict"] == "contradicted" and diamond["contradicted"] > 0
    assert diamond["applicable"] == diamond["consistent"] + diamond["contradicted"]
    assert diamond["fields"]["walkable"]["verdict"] == "contradicted"
    (example,) = diamond["counterexamples"]
    assert example["fields"] == ["walk.diamond.walkable"]
    assert example["saw"] == "the player moved" and Path(example["trajectory"]).exists()
    assert rules["make.iron_sword"]["counterexamples"] == []


def test_an_episode_in_two_files_counts_once(run: Run, folder: Path, tmp_path: Path) -> None:
    together = tmp_path / "together.parquet"
    assert run("export", folder, "--to", "parquet", "-o", together).status == 0
    once, twice = run("check", "default", folder), run("check", "default", folder, together)
    assert (twice.status, twice.out) == (once.status, once.out)
    warning, *summary = twice.err.splitlines()
    assert str(together) in warning and "are the same episode, which counts once" in warning
    assert summary == once.err.splitlines()


def test_revise_prints_rules_reasons_and_score(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "revised.yaml"
    found = run("revise", "default", folder, "--truth", "all_three", "-o", out)
    assert found.status == 0
    lines = found.out.splitlines()
    at = lines.index("walk.diamond")
    assert lines[at + 1 : at + 3] == [
        "  - Diamond cannot be walked on.",
        "  + Diamond can be walked on.",
    ]
    assert lines[at + 3].startswith("    moving onto diamond: the player moved (")
    assert "before: what differs" in found.out and "after: all rules" in found.out
    assert load_theory(out).walk["diamond"].walkable is True
    assert load_theory(out).name == "revised"
    assert run("check", out, folder).status == 0


def test_a_file_is_not_replaced_by_accident(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "precious.yaml"
    out.write_text("mine", encoding="utf-8")
    found = run("revise", "default", folder, "-o", out)
    assert (
        found.status == 2
        and "it exists already" in found.err
        and out.read_text(encoding="utf-8") == "mine"
    )
    assert run("revise", "default", folder, "-o", out, "--force").status == 0
    assert out.read_text(encoding="utf-8") != "mine"
    missing = run("revise", "default", folder, "-o", tmp_path / "no" / "such.yaml")
    assert missing.status == 2 and "no such folder" in missing.err


def test_revise_json(run: Run, folder: Path) -> None:
    found = run("revise", "crafter", folder, "--truth", "all_three", "--json").json
    assert found["schema"] == "mars-logic revise 1" and found["unexplained"] == []
    for change in found["changes"]:
        assert change["fields"] and change["because"] and len(change["words"]) == 2
    before, after = found["score"]["before"], found["score"]["after"]
    assert after["overall"]["f1"] > before["overall"]["f1"]
    assert after["changes"]["right"] > 0 == before["changes"]["right"]
    assert run("revise", "crafter", folder, "--json").json["score"] is None


@pytest.mark.slow
def test_revise_tells_what_is_certain_and_what_is_open(run: Run, folder: Path) -> None:
    found = run("revise", "default", folder, "--consequences", "--ties", "reachable")
    assert found.status == 0
    certain, _, still = found.out.partition("certain (")[2].partition("still open (")
    assert any(line.startswith("  walk.diamond: walkable yes") for line in certain.splitlines())
    assert " | " in still
    told = run("revise", "default", folder, "--consequences", "--json").json["consequences"]
    assert told["certain"]["walk.diamond.walkable"] is True
    for left in told["open"].values():
        assert len(left["possible"]) > 1 and left["shortest"]
    assert run("revise", "default", folder, "--json").json["consequences"] is None
    assert run("revise", "default", folder, "--ties", "best").status == 2


TRUE, FALSE, UNREADABLE = (
    "Diamond can be walked on",
    "Diamond cannot be walked on",
    "Diamonds are forever",
)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((TRUE,), 0),
        ((TRUE, FALSE), 1),
        ((UNREADABLE,), 2),
        ((TRUE, UNREADABLE), 2),
        ((UNREADABLE, FALSE, TRUE), 1),
    ],
)
def test_the_status_tells_what_is_contradicted_and_what_is_unreadable(
    run: Run, folder: Path, tmp_path: Path, lines: tuple[str, ...], status: int
) -> None:
    path = tmp_path / "guesses.txt"
    path.write_text("# guesses\n" + "\n".join(lines), encoding="utf-8")
    found, told = run("check", path, folder), run("check", path, folder, "--json")
    assert found.status == told.status == status
    assert [rule["text"] for rule in told.json["rules"]] == [s for s in lines if s != UNREADABLE]
    if UNREADABLE not in lines:
        assert told.json["unreadable"] == [] and "unreadable" not in found.err
        return
    place = lines.index(UNREADABLE) + 2
    (line,) = told.json["unreadable"]
    assert (line["file"], line["line"], line["text"]) == (str(path), place, UNREADABLE)
    assert f"{path}:{place}: sentence: cannot read " in found.err
    assert f"the nearest form: {line['nearest']}" in found.err
    assert found.err.strip().endswith("; 1 unreadable line")
    assert line["nearest"].startswith("Diamond ")


@pytest.mark.parametrize("command", ["check", "revise"])
def test_bad_input(run: Run, folder: Path, tmp_path: Path, command: str) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    text = tmp_path / "text.parquet"
    text.write_text("no archive", encoding="utf-8")
    for arguments, message in [
        (("nowhere", folder), "no bundled world"),
        (("default", tmp_path / "missing.parquet"), "no such file"),
        (("default", empty), "there is no trajectory"),
        (("default", text), "no Parquet file"),
    ]:
        found = run(command, *arguments)
        assert found.status == 2 and message in found.err and found.out == ""
    if command == "check":
        found = run(command, "crafter", folder)
        assert found.status == 2 and "dynamics" in found.err


@pytest.mark.slow
def test_a_wrong_block_among_rules_keeps_no_other_from_being_judged(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.md"
    block = "```lp\nviolated(x) :- didd(T, do).\n```\n```yaml\nbase: nowhere\n```\n"
    rules.write_text(f"- Sand can be walked on\n\n{block}", encoding="utf-8")
    found, told = run("check", rules, folder), run("check", rules, folder, "--json")
    assert found.status == told.status == 2
    assert f"{rules}:4: program: nothing derives didd/2" in found.err
    assert f"{rules}:7: base: there is no world 'nowhere'" in found.err
    assert found.err.strip().endswith("; 2 mistakes in theories or programs")
    assert [rule["id"] for rule in told.json["rules"]] == ["walk.sand"]
    assert [each["what"] for each in told.json["unreadable"]] == ["program", "base"]
    rules.write_text(f"- Sand cannot be walked on\n\n{block}", encoding="utf-8")
    assert run("check", rules, folder, "--json").status == 1


def test_of_many_unreadable_lines_the_first_are_printed(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "rules.txt").write_text(
        "".join(f"Grass is green {n}\n" for n in range(30)), encoding="utf-8"
    )
    found = run("check", tmp_path / "rules.txt", folder)
    assert found.status == 2 and found.err.count(": sentence: ") == 10
    assert "and 20 more that cannot be read" in found.err


def test_a_program_that_names_a_step_that_there_is_not(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "rules.lp").write_text("violated(x, 123456789) :- did(T, do).\n", encoding="utf-8")
    found = run("check", tmp_path / "rules.lp", folder)
    assert found.status == 2 and "there is no transition 123456789; allowed: " in found.err


def test_a_theory_of_another_dialect_is_not_taken_in_silence(run: Run, folder: Path) -> None:
    warning = "crafter:1: dynamics: the theory is of the dialect crafter, the trajectories of mars"
    found, told = run("revise", "crafter", folder), run("revise", "crafter", folder, "--json")
    assert found.status == 0 and found.err.startswith(f"warning: {warning}")
    assert told.json["warnings"][0].startswith(warning)
    assert "warning" not in run("revise", "default", folder).err
    ranked = run("score", "crafter", "all_three", "--play", folder)
    assert ranked.status == 2 and ranked.err.startswith("crafter:1: dynamics: ")


@pytest.mark.parametrize("command", ["check", "revise"])
def test_a_search_that_is_given_up_is_one_message(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise LimitReachedError

    monkeypatch.setattr("mars_logic.theory.revise", give_up)
    monkeypatch.setattr("mars_logic.theory.rulesets.checking.check", give_up)
    found = run(command, "all_three", folder)
    assert found.status == 2
    assert found.err.startswith("all_three:1: rules: the search was given up at its limit; allowed")


def test_links_in_a_circle_are_no_trajectories(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.parquet").symlink_to("loop.parquet")
    for given in (tmp_path, tmp_path / "loop.parquet"):
        found = run("check", "default", given)
        assert found.status == 2 and found.err.startswith(f"{tmp_path / 'loop.parquet'}:1: file: ")


def test_rules_in_sentences_are_scored(run: Run, folder: Path, tmp_path: Path) -> None:
    rules = tmp_path / "library.txt"
    rules.write_text(
        "- Trees yield iron.\n- Trees yield wood.\n- Water can be walked on.\n- Zombies may fly.\n",
        encoding="utf-8",
    )
    found = run("score", rules, "all_three", "--play", folder, "--json").json
    assert found["schema"] == "mars-logic score rules 1"
    assert (found["precision"]["part"], found["precision"]["of"], found["unread"]) == (2, 3, 1)
    assert found["facts"]["part"] == 3 and found["facts"]["of"] == 4
    assert [each["right"] for each in found["sentences"]] == [True, False, True]
    assert sum(found["verdicts"].values()) == 3
    assert list(found["by_file"]) == [str(rules)] and len(found["unreadable"]) == 1
    printed = run("score", rules, "all_three")
    assert "67% (2/3)" in printed.out and "wrong: Trees yield wood" in printed.out
    assert "3 sentences read, 1 unread" in printed.err and "verdicts" not in printed.out


def test_other_rules_among_sentences_are_not_scored(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Trees give wood.\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text(WRONG, encoding="utf-8")
    found = run("score", tmp_path, "all_three")
    assert found.status == 2 and "cannot be scored with them; allowed: sentences" in found.err
