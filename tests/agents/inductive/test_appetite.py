"""When a learner eats what it does not know."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.agents.inductive.appetite import next_meal
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.posterior import Posterior
from mars_logic.plan.observed_map import Status
from mars_logic.theory.signatures import Eating, Health, held_of
from tests.theory.own_worlds import ADDS, own_world

WORDS = own_world(0).vocabulary
LASTS = {"food": 25, "drink": 20}
LEFT = 1000


def posterior(eaten_at: int | None = None, adds: int = 6) -> Posterior:
    """What is known after a pie that adds some food was eaten with so much food."""
    belief = Belief.begin(load_world("default").adding(ADDS), ADDS)
    if eaten_at is not None:
        before, after = (
            held_of(WORDS.holdable)(n * (i == "pie") for i in WORDS.holdable) for n in (1, 0)
        )
        gain = min(9, eaten_at + adds) - eaten_at
        span = (gain, 99 if eaten_at + gain == 9 else gain)
        calm = Health(5, 5, 0, False, (0,) * 4, 0)
        belief.posterior.see([Eating("pie", before, after, span, (0, 0), calm)])
    return belief.posterior


def status(food: int, drink: int = 5, **held: int) -> Status:
    amounts = {"health": 9, "food": food, "drink": drink, "energy": 9} | held
    inventory = tuple(amounts.get(item, 0) for item in WORDS.items)
    return Status(inventory, False, 1.0, 100, frozenset(), WORDS.items)


def test_it_is_kept_until_the_player_is_hungry() -> None:
    known = posterior(eaten_at=7)
    meal = next_meal(known, status(7, pie=1), LASTS, LEFT)
    assert meal is not None and (meal.item, meal.vital, meal.now) == ("pie", "food", False)
    meal = next_meal(known, status(1, pie=1), LASTS, LEFT)
    assert meal is not None and meal.now


@pytest.mark.parametrize(
    ("known", "held", "left"),
    [(7, 0, LEFT), (7, 1, 50), (1, 1, LEFT)],
    ids=["nothing is held", "no time is left", "it was eaten by a hungry player"],
)
def test_nothing_is_kept_in_vain(known: int, held: int, left: int) -> None:
    assert next_meal(posterior(eaten_at=known), status(7, pie=held), LASTS, left) is None
