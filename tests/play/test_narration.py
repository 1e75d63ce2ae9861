from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.play.episode_stages import course
from mars_logic.play.interactions import Interaction
from mars_logic.play.narration import tell
from mars_logic.world.rules import Collect, Make
from mars_logic.world.theory import World

START = (32, 32)
DEFAULT = load_world("default")


def tree(step: int, cell: tuple[int, int], hit: bool = True) -> Interaction:
    counted = ("collect_wood",) if hit else ()
    return Interaction(step, "collect.tree", (cell[0], cell[1] + 1), cell, "tree", counted)


def table(step: int) -> Interaction:
    return Interaction(step, "place.table", (30, 27), (31, 27), "grass", ("place_table",))


def pickaxe(step: int) -> Interaction:
    done = ("make_wood_pickaxe",)
    return Interaction(step, "make.wood_pickaxe", (30, 27), (30, 27), "grass", done)


def stone(step: int, cell: tuple[int, int] = (30, 23)) -> Interaction:
    return Interaction(step, "collect.stone", (30, 24), cell, "stone", ("collect_stone",))


PLAN = TaskPlan(
    (
        Task("collect.tree", 3),
        Task("place.table"),
        Task("make.wood_pickaxe"),
        Task("collect.stone"),
    ),
    ("place_table", "make_wood_pickaxe", "collect_stone"),
)
DONE = [
    tree(6, (30, 26)),
    tree(8, (30, 26)),
    tree(9, (31, 26)),
    table(10),
    pickaxe(11),
    stone(20),
    stone(22),
    stone(24),
]


def sentences(world: World, done: list[Interaction], plan: TaskPlan = PLAN) -> tuple[str, ...]:
    return tell(world, course(world, plan, done, START)).steps


def test_each_stage_says_when_where_what_and_why() -> None:
    assert dict(DEFAULT.place["table"].uses) == {"wood": 2}, "of the three that are taken"
    assert sentences(DEFAULT, DONE) == (
        "Steps 6 to 9, 5 north and 2 west: take 3 wood from 2 trees, for the table and the wood "
        "pickaxe, and for the achievement collect wood.",
        "Step 10, here: place a table, to make the wood pickaxe beside it, and for the "
        "achievement place table.",
        "Step 11, here: make a wood pickaxe, to collect from stone, and for the achievement make "
        "wood pickaxe.",
        "Step 20, 3 north: take 1 stone, for the achievement collect stone.",
    )


def test_what_was_not_planned_is_told_in_sum() -> None:
    found = tell(DEFAULT, course(DEFAULT, PLAN, DONE, START))
    assert found.besides == "collecting from stone twice" and found.left == ""


def test_what_is_left_undone() -> None:
    found = tell(DEFAULT, course(DEFAULT, PLAN, DONE[:3], START))
    assert found.left == (
        "collecting from stone once, making a wood pickaxe once and placing a table once"
    )
    assert found.besides == ""
    assert found.steps[0].endswith(
        "take 3 wood from 2 trees, meant for the table and the wood pickaxe, and for the "
        "achievement collect wood."
    )


def test_rules_give_the_reasons_and_not_what_things_are_called() -> None:
    """Where grass gives the wood and diamonds make the pickaxe, that is what is told."""
    world = DEFAULT.with_rules(
        Collect.model_validate({"subject": "grass", "yields": {"wood": 2}, "leaves": "sand"}),
        Collect.model_validate({"subject": "sand", "yields": {"diamond": 1}}),
        Make.model_validate({"subject": "wood_pickaxe", "uses": {"diamond": 1}, "nearby": []}),
    )
    plan = TaskPlan((Task("collect.grass"), Task("collect.sand")), ())
    cell = (32, 33)
    done = [
        Interaction(1, "collect.grass", START, cell, "grass", ("collect_wood",)),
        Interaction(2, "collect.sand", START, cell, "sand", ("collect_diamond",)),
        Interaction(3, "make.wood_pickaxe", START, START, "grass", ("make_wood_pickaxe",)),
    ]
    assert sentences(world, done, plan) == (
        "Step 1, here: take 2 wood from grass, to collect from the sand there, and for the "
        "achievement collect wood.",
        "Step 2, here: take a diamond from sand, for the wood pickaxe, and for the achievement "
        "collect diamond.",
        "Step 3, here: make a wood pickaxe, for the achievement make wood pickaxe.",
    )


def test_tries_that_luck_did_not_favour() -> None:
    grass = [
        Interaction(step, "collect.grass", START, (32, 33), "grass", hit)
        for step, hit in ((1, ()), (2, ()), (3, ("collect_sapling",)))
    ]
    plant = Interaction(4, "place.plant", START, (32, 33), "grass", ("place_plant",))
    eaten = Interaction(60, "creature.plant", START, (32, 33), "grass", ("eat_plant",))
    plan = TaskPlan((Task("collect.grass", 1, "sapling"), Task("place.plant")), ())
    assert sentences(DEFAULT, [*grass, plant, eaten], plan) == (
        "Steps 1 to 3, here: take a sapling from grass in 3 tries, for the plant, and for the "
        "achievement collect sapling.",
        "Step 4, here: place a plant, to eat it once it is ripe, and for the achievement place "
        "plant.",
        "Step 60, here: eat a ripe plant, for the achievement eat plant.",
    )


def test_tries_in_vain() -> None:
    grass = [Interaction(step, "collect.grass", START, (32, 33), "grass", ()) for step in (1, 2)]
    plan = TaskPlan((Task("collect.grass", 1, "sapling"),), ("collect_sapling",))
    assert sentences(DEFAULT, grass, plan) == (
        "Steps 1 to 2, here: try grass twice for a sapling, in vain.",
    )


def test_nothing_was_done() -> None:
    found = tell(DEFAULT, course(DEFAULT, TaskPlan(()), [], START))
    assert (found.steps, found.besides, found.left) == ((), "", "")
