"""check, revise and score on play of a world that adds names, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.data import save
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_theory
from mars_logic.world.words import tell
from tests.cli.conftest import Run
from tests.theory.own_worlds import ADDS, own_play, own_world
from tests.theory.shot_worlds import ARCHERY, shot_play, shot_world


@pytest.mark.slow
def test_a_belief_is_completed_revised_checked_and_scored(run: Run, tmp_path: Path) -> None:
    world = own_world(1)
    truth, play = tmp_path / "own.yaml", tmp_path / "own.parquet"
    truth.write_text(to_yaml(world), encoding="utf-8")
    save(own_play(world, 6), play)
    found = run("check", truth, play, "--json").json
    assert {"eat.pie", "make.pie", "walk.kiln"} <= {rule["id"] for rule in found["rules"]}
    belief = tmp_path / "belief.yaml"
    revised = run("revise", "default", play, "-o", belief)
    assert revised.status == 0 and "walk.ore" in revised.out
    assert load_theory(str(belief)).adds == ADDS
    assert run("check", belief, play).status == 0
    scored = run("score", belief, truth, "--json").json
    assert scored["overall"]["recall"] > 0.5


@pytest.mark.slow
def test_what_knows_no_added_names_says_so(run: Run, tmp_path: Path) -> None:
    world = own_world(1)
    play, truth = tmp_path / "own.parquet", tmp_path / "own.yaml"
    save(own_play(world, 1, 5), play)
    truth.write_text(to_yaml(world), encoding="utf-8")
    found = run("laws", "learn", play)
    assert found.status == 2 and "added names" in found.err
    assert found.err.count("\n") == 1


def test_sentences_are_read_with_the_names_of_the_play(run: Run, tmp_path: Path) -> None:
    world = own_world(1)
    play, truth, rules = (tmp_path / name for name in ("own.parquet", "own.yaml", "rules.txt"))
    save(own_play(world, 6), play)
    truth.write_text(to_yaml(world), encoding="utf-8")
    wrong = {"walkable": not world.walk["ore"].walkable, "health": 0, "deadly": False}
    false = world.walk["ore"].with_fields(wrong, world.vocabulary)
    rules.write_text(tell(false, world.vocabulary), encoding="utf-8")
    found = run("check", rules, play, "--json").json
    assert found["unreadable"] == [] and found["rules"][0]["verdict"] == "contradicted"
    assert run("score", rules, truth, "--json").json["unread"] == 0


@pytest.mark.slow
def test_what_is_learned_has_the_names_of_the_world(run: Run, tmp_path: Path) -> None:
    truth, found = tmp_path / "own.yaml", tmp_path / "found.yaml"
    truth.write_text(to_yaml(own_world(1)), encoding="utf-8")
    assert run("learn", truth, "--episodes", 1, "--length", 20, "-o", found).status == 0
    assert load_theory(str(found)).own == load_theory(str(truth)).own


def test_sentences_about_cells_are_tested_and_no_rule_lacks_a_test(
    run: Run, tmp_path: Path
) -> None:
    fire, light = (f"worlds/gallery/{name}.yaml" for name in ("fire", "craftax_light"))
    for world, steps in ((fire, 150), (light, 20)):
        played = ("--episodes", 2, "--length", steps, "--record", tmp_path / Path(world).stem)
        assert run("run", "random", world, *played, "--out", tmp_path / "out").status == 0
    rules = tmp_path / "rules.txt"
    rules.write_text("A tree turns into fire beside fire with an 80% chance.\n")
    found = run("check", rules, tmp_path / "fire")
    assert found.status == 1 and "watching tree, a change with 0.8" in found.out
    rules.write_text("A tree turns into fire beside fire with a 4% chance.\n")
    found = run("check", rules, tmp_path / "fire", "--all")
    assert found.status == 0 and "supported" in found.out
    found = run("check", light, tmp_path / "craftax_light", "--all")
    assert found.status == 0 and "watching an arrow with nothing else near its way" in found.out


def test_play_of_a_world_with_constants_is_checked_and_revised(run: Run, tmp_path: Path) -> None:
    sokoban = Path("worlds/gallery/sokoban.yaml")
    played = ("--episodes", 6, "--record", tmp_path / "boxes")
    assert run("run", "random", sokoban, *played, "--out", tmp_path / "out").status == 0
    assert run("check", sokoban, tmp_path / "boxes").status == 0
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(sokoban.read_text("utf-8").replace("{target: stored_box}", "{}"), "utf-8")
    found = run("check", wrong, tmp_path / "boxes")
    assert found.status == 1 and "then floor before stored box" in found.out
    found = run("revise", wrong, tmp_path / "boxes")
    assert found.status == 0 and "1 of 64 rules changed" in found.err


def test_rules_about_projectiles_are_checked_and_revised(run: Run, tmp_path: Path) -> None:
    """The same with what no player may know, and without."""
    truth, wrong = tmp_path / "archery.yaml", tmp_path / "wrong.yaml"
    truth.write_text(ARCHERY, "utf-8")
    wrong.write_text(ARCHERY.replace("bolt: {speed: 1", "bolt: {speed: 2"), "utf-8")
    told = []
    for public in (False, True):
        folder = tmp_path / f"play_{public}"
        folder.mkdir()
        save(shot_play(shot_world(ARCHERY), range(6)), folder / "play.parquet", public=public)
        assert run("check", truth, folder).status == 0
        found = run("check", wrong, folder)
        assert found.status == 1 and "projectile.bolt" in found.out and " step " in found.out
        told.append(found.out.replace(folder.name, ""))
        found = run("revise", wrong, folder)
        assert "+ The flight of a bolt covers 1 cell each step" in found.out
    assert told[0] == told[1]
