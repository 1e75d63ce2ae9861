"""Rule libraries in sentences, compared with the true rules."""

from __future__ import annotations

from pathlib import Path

from mars_logic import load_world
from mars_logic.theory.atoms import KINDS, atoms
from mars_logic.theory.rulesets import read_rules
from mars_logic.theory.rulesets.library import LibraryScore, by_file, score_library
from mars_logic.world.rules import Rule
from mars_logic.world.words import WHOLE_RULES, manual, tell

TRUE = load_world("default")


def scored(tmp_path: Path, text: str) -> LibraryScore:
    file = tmp_path / "rules.txt"
    file.write_text(text, encoding="utf-8")
    return score_library(read_rules([file]), TRUE)  # type: ignore[arg-type]


def test_the_manual_of_the_truth_is_right_and_complete(tmp_path: Path) -> None:
    file = tmp_path / "manual.md"
    file.write_text(manual(TRUE), encoding="utf-8")
    found = score_library(read_rules([file]), TRUE)  # type: ignore[arg-type]
    assert found.precision.value == found.facts.value == found.recall.value == 1
    assert found.true == atoms(TRUE) and found.unread == 0
    for kind in KINDS:
        assert found.by_kind[kind].precision.value == found.by_kind[kind].recall.value == 1


def test_sentences_of_another_world_are_right_where_the_worlds_agree(tmp_path: Path) -> None:
    other = load_world("all_three")
    text = f"{WHOLE_RULES}\n" + "\n".join(map(tell, other.rules()))
    found = scored(tmp_path, text)

    def agree(rule: Rule) -> bool:
        return dict(TRUE[rule.id]) == dict(rule)

    same = sum(map(agree, other.rules()))
    assert 0 < found.precision.part == same < found.precision.of == 52


def test_a_sentence_is_right_whatever_it_leaves_open(tmp_path: Path) -> None:
    found = scored(
        tmp_path,
        "Making an iron pickaxe needs 1 coal.\n"
        "Making an iron pickaxe needs 2 coal.\n"
        "Eating a cow restores food.\n"
        "A table needs wood.\n"
        "Iron swords are sharp.\n",
    )
    assert [each.right for each in found.sentences] == [True, False, True, True]
    assert found.unread == 1 and (found.precision.part, found.precision.of) == (3, 4)
    assert found.stated == {"uses(make(iron_pickaxe), coal, 1)"}
    assert found.mentioned - found.stated == {
        "eaten_factor(cow, food, 1)",
        "uses(place(table), wood, 2)",
    }
    assert found.by_kind["survival"].precision.of == 1
    assert found.by_kind["terrain"].precision.value is None


def test_a_repeated_fact_counts_once_among_facts(tmp_path: Path) -> None:
    found = scored(tmp_path, "Sand can be walked on.\nYou can walk on sand.\nLava is safe.\n")
    assert (found.facts.part, found.facts.of) == (1, 1)
    assert (found.precision.part, found.precision.of) == (2, 2)


def test_each_file_of_a_folder_by_itself(tmp_path: Path) -> None:
    (tmp_path / "e1.txt").write_text("Sand can be walked on.\nLava is safe.\n", encoding="utf-8")
    (tmp_path / "e2.txt").write_text("Water can be walked on.\n", encoding="utf-8")
    files = by_file(read_rules([tmp_path]), TRUE)  # type: ignore[arg-type]
    one, two = files.values()
    assert [Path(name).name for name in files] == ["e1.txt", "e2.txt"]
    assert (one.precision.value, one.unread, two.precision.value, two.unread) == (1, 1, 0, 0)
