"""Effects of hunger, thirst and recovery on the vitals in each step.

The counters behind them are hidden, but they start at 0, and whether they grow depends on nothing
that cannot be seen: so a whole episode tells them exactly. See docs/semantics.md, "The player".
One case is open: in crafter, killing a cow stills the hunger, and a kill is not always seen; then
all possibilities are kept.
"""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.layout import EATS
from mars_logic.world import names
from mars_logic.world.dialect import DECLINE_ASLEEP, DECLINE_AWAKE, HUNGER, RECOVERY, THIRST, WASTED

# In halves, since by halves counters grow in sleep.
_HUNGRY_AFTER = 2 * HUNGER.above
_THIRSTY_AFTER = 2 * THIRST.above
_HEALS_AFTER = 2 * RECOVERY.above
_SICKENS_AFTER = 2 * WASTED
_HUNGER, _THIRST, _RECOVERY, _DECLINE = (
    (int(2 * awake), int(2 * asleep))
    for awake, asleep in (
        (1.0, HUNGER.asleep),
        (1.0, THIRST.asleep),
        (1.0, RECOVERY.asleep),
        (DECLINE_AWAKE, DECLINE_ASLEEP),
    )
)
_SATED = (2 << _HUNGRY_AFTER) - 1
"""A bit for each value of hunger that takes nothing."""
_DO = names.ACTIONS.index("do")
_FOOD, _DRINK, _ENERGY = (names.VITALS.index(vital) for vital in ("food", "drink", "energy"))
_COW = names.LOOKS.index("cow")
_WATER = names.MATERIALS.index("water")


@kernel
def begin_needs(needs: Any, steps: int) -> None:
    """Set the counters as after so many steps, 0 or 1, of an episode.

    At first the player is awake and lacks nothing, so that whatever it does has one outcome.
    """
    needs.hunger = 1 << steps * _HUNGER[0]
    needs.thirst = steps * _THIRST[0]
    needs.recovery = steps * _RECOVERY[0]


@inline_kernel
def feel(needs: Any, step: Any, before: Any, after: Any, asleep: bool, crafter: bool) -> None:
    """Note in ``step`` what needs did.

    Args:
        needs: The counters before it; they are changed.
        step: The transition, of which action, target and object are known.
        before: What the player had.
        after: What it had afterwards.
        asleep: Whether it slept while its needs grew.
        crafter: The dialect.
    """
    doing = step.action == _DO
    stilled = crafter and doing and step.target == _WATER and step.object == 0
    fed = crafter and doing and step.object == _COW
    _thirst(needs, step, asleep, stilled)
    telling = not doing and step.deed != EATS and before.amounts[_FOOD] > 0
    _hunger(needs, step, asleep, fed, telling, before.amounts[_FOOD] > after.amounts[_FOOD])
    fine = after.amounts[_FOOD] > 0 and after.amounts[_DRINK] > 0
    _recover(needs, step, asleep, fine and (after.amounts[_ENERGY] > 0 or asleep))


@inline_kernel
def _thirst(needs: Any, step: Any, asleep: bool, stilled: bool) -> None:
    needs.thirst = (0 if stilled else needs.thirst) + _THIRST[1 if asleep else 0]
    change = 0
    if needs.thirst > _THIRSTY_AFTER:
        needs.thirst, change = 0, -1
    step.drink[0] = change
    step.drink[1] = change


@inline_kernel
def _hunger(needs: Any, step: Any, asleep: bool, fed: bool, telling: bool, fell: bool) -> None:
    """Keep every value that the counter may have; ``telling``: whether food shows if it fell."""
    grown = (needs.hunger | (1 if fed else 0)) << _HUNGER[1 if asleep else 0]
    hungry, sated = grown & ~_SATED, grown & _SATED
    if telling and (hungry if fell else sated):
        hungry, sated = (hungry, 0) if fell else (0, sated)
    needs.hunger = sated | (1 if hungry else 0)
    step.food[0] = -1 if hungry else 0
    step.food[1] = 0 if sated else -1


@inline_kernel
def _recover(needs: Any, step: Any, asleep: bool, well: bool) -> None:
    if well:
        needs.recovery += _RECOVERY[1 if asleep else 0]
    else:
        needs.recovery += _DECLINE[1 if asleep else 0]
    step.recovery = 0
    if needs.recovery > _HEALS_AFTER:
        needs.recovery, step.recovery = 0, 1
    elif needs.recovery < _SICKENS_AFTER:
        needs.recovery, step.recovery = 0, -1
