"""Plans made elsewhere are read, checked, and carried out step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

import mars_logic
from mars_logic.errors import InputError
from mars_logic.experiments.plans import verify_plan
from mars_logic.logic import Step
from mars_logic.logic.pddl.read import plan_lines
from mars_logic.play.interactions import deeds
from mars_logic.play.plan_execution import carry_out

WOOD = "(collect-tree)\n" * 2 + "(place-table grass-cell)\n"
"""A table of `default` takes two wood."""


def plan(folder: Path, text: str) -> Path:
    path = folder / "plan.pddl"
    path.write_text(text, encoding="utf-8")
    return path


def verdict(folder: Path, text: str) -> tuple[str, str]:
    found = verify_plan(mars_logic.load_world("default"), plan(folder, text), 1)
    told = f"{found.problem.line}: {found.problem.reason}" if found.problem else ""
    return found.verdict, told


@pytest.mark.parametrize(
    "text",
    [
        "(collect-tree)\n; cost = 1 (general cost)\n",
        "( COLLECT-TREE )\r\n\r\n",
        "0: (collect-tree) [1]\n",
        "0.00000: (collect-tree)\n",
        "(collect-tree n0 n1)",
        "collect-tree(n0, n1)",
    ],
)
def test_the_formats_of_planners(text: str, tmp_path: Path) -> None:
    assert [words[0] for _, words in plan_lines(plan(tmp_path, text))] == ["collect-tree"]
    assert verdict(tmp_path, text)[0] == "valid"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1: file: it holds no action"),
        ("; cost = 0\n", "1: file: it holds no action"),
        ("(collect-tree)\ncollect-tree", "2: plan: 'collect-tree' is no action"),
        ("(collect-tree", "1: plan: '(collect-tree' is no action"),
        ("(collect-tree) (sleep)", "is no action"),
        ("(colect-tree)", "did you mean 'collect-tree'"),
        ("(place-table)", "place-table takes other objects; allowed: a material"),
        ("(place-table wood)", "place-table takes other objects"),
        ("(enter patch-100000 grass-cell)", "no object 'patch-100000'"),
    ],
)
def test_what_is_no_plan_for_the_task(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        verdict(tmp_path, text)
    assert said in str(error.value) and "plan.pddl:" in str(error.value)


def test_the_first_step_that_does_not_apply_is_named(tmp_path: Path) -> None:
    assert verdict(tmp_path, WOOD) == ("valid", "")
    short = WOOD.replace("(collect-tree)\n", "; nothing\n", 1)
    assert verdict(tmp_path, short) == ("invalid", "3: (held wood) is 1, and 2 is needed")
    far = "(enter patch-1 grass-cell)\n"
    assert verdict(tmp_path, far)[0] == "invalid"


def test_steps_are_done_in_their_order() -> None:
    world = mars_logic.load_world("default")
    rules = ["collect.tree", "collect.water", "collect.tree", "place.table", "creature.cow"]
    done = carry_out(world, 1, [Step(rule, 1) for rule in rules])
    assert done.reason is None and done.done == len(rules)
    played = [deed.rule for deed in deeds(world, 1, 1, done.actions)]
    rest = iter(played)
    assert all(rule in rest for rule in rules), "a subsequence of what was done"


def test_a_step_that_takes_too_long_is_told() -> None:
    world = mars_logic.load_world("default")
    found = carry_out(world, 1, [Step("creature.skeleton", 1)], patience=5)
    assert found.reason == "no way to a skeleton, within 5 steps"
    assert found.done == 0 and len(found.actions) == 5


def test_what_was_used_to_stay_alive_is_replaced() -> None:
    world = mars_logic.load_world("default")
    found = carry_out(world, 1, [Step("place.table", 1)])
    assert found.reason is None and found.done == 1
    assert found.replaced == world.place["table"].uses["wood"]
