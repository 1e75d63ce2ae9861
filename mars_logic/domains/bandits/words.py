"""A bandit in words."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.domains.bandits.rules import Arm, Bandit
from mars_logic.domains.telling import holding, value
from mars_logic.system.display import number

ACTIONS: Final = ("pull machine 1", "pull machine 2")
TEXT_LIMIT: Final = 80
"""Characters of the longest observation."""


def manual(game: Bandit, arms: tuple[Arm, Arm]) -> str:
    """What a player is told before an episode: all but the probabilities and the order."""
    lines = [
        "You play with two slot machines.",
        "Each of them pays with a probability of its own, which you are not told.",
        *(
            f"Machine {place}: a pull that pays gives {arm.win}, any other gives {arm.loss}."
            for place, arm in enumerate(arms, 1)
        ),
        f"You have {number(game.length, 'pull')}.",
        "Get as much reward as you can.",
        "",
        "Actions:",
        *(f"{place}. {name}" for place, name in enumerate(ACTIONS, 1)),
    ]
    return "\n".join(lines)


def observation(machine: int, reward: int) -> str:
    """The last pull; ``machine`` is -1 before the first."""
    if machine < 0:
        return "You have not pulled a machine yet."
    return f"You pulled machine {machine + 1} and got a reward of {reward}."


def rules(theory: Bandit) -> list[str]:
    """The rules, one sentence each."""
    order: dict[Any, str] = {
        "shuffled": "The machines change places at random before each episode.",
        "fixed": "The machines keep their places.",
    }
    return [
        *(
            f"Arm {place} pays with probability {value(arm.probability)}; a pull that pays gives "
            f"{arm.win}, any other gives {arm.loss}."
            for place, arm in enumerate(theory.arms, 1)
        ),
        order.get(theory.order, f"The order of the machines is {value(theory.order)}."),
        f"An episode has {number(theory.length, 'pull')}.",
    ]


def facts(theory: Bandit) -> str:
    """The rules as facts."""
    lines = [f"length({theory.length})."]
    for place, arm in enumerate(theory.arms, 1):
        lines += [f"arm({place}).", f"win({place}, {arm.win}).", f"loss({place}, {arm.loss})."]
        lines += holding(f"probability({place}", arm.probability)
    return "\n".join([*lines, *holding("order(", theory.order)]) + "\n"
