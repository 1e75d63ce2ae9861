"""Published results in the same worlds, each with the protocol by which it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

SOURCES: Final = (
    "Published results: Mars paper, Table 2 (RL after a million steps in the world) and Table 3 (a "
    "language model that is given the rules; the number of trials is not stated, and its other "
    "rows are those of Table 2); WALL-E 2.0: its README, rewards only. For mars-logic's agents the "
    "published number of episodes is counted: the first of each run, then the second. Their "
    "episodes end when everything reachable on the map is unlocked."
)
RULES: Final = (
    "The rules that the Mars paper's agent induced in five episodes had a precision of at most "
    "68 % and a recall of at most 28 %, judged by GPT-4 (Section 3.5, Appendix I)."
)
RULES_EPISODES: Final = 5
"""Learning episodes of which :data:`RULES` tells."""


@dataclass(frozen=True)
class Protocol:
    """The protocol of published numbers.

    Attributes:
        trials: Episodes in each world; None if the source does not state it.
        length: Steps after which an episode ends, at most.
    """

    trials: int | None
    length: int

    def __str__(self) -> str:
        trials = "an unknown number of" if self.trials is None else str(self.trials)
        return f"{trials} episodes of at most {self.length:,} steps"


@dataclass(frozen=True)
class Number:
    """A mean with its standard deviation, if published."""

    mean: float
    std: float | None = None

    def __str__(self) -> str:
        return f"{self.mean:g}" if self.std is None else f"{self.mean:.1f} ± {self.std:.1f}"


def _numbers(text: str) -> dict[str, tuple[Number, ...]]:
    """Rows of a table: a world's name, then means and standard deviations in turn."""
    found = {}
    for line in text.strip().splitlines():
        world, *rest = line.split()
        values = list(map(float, rest))
        found[world] = tuple(map(Number, values[::2], values[1::2]))
    return found


_NAMES: Final = ("PPO", "DreamerV3", "ReAct", "Reflexion", "Skill Library", "IfR", "WALL-E 2.0")
"""The columns of :data:`REWARDS`; the first six are those of :data:`SCORES`."""

REWARDS: Final = _numbers("""
default    1.9 1.4  11.5 1.6  7.7 1.6   6.0 1.7   8.0 2.1  9.0 2.3   9.5 2.1
terrain   -0.1 0.6   9.3 2.2  7.4 2.7   6.4 3.0   9.5 2.9  8.0 3.7  10.7 2.6
survival  -0.6 0.5   8.6 4.1  6.4 3.7   4.6 3.9   7.9 2.9  7.7 3.7  13.8 4.4
task_dep   2.1 1.2   8.8 2.8  5.0 2.1   3.2 1.6   1.5 1.9  5.6 2.9   6.4 2.9
terr_surv  0.0 0.7   7.1 2.1  6.7 2.5   4.9 2.5   3.0 2.5  6.8 1.9   5.5 2.7
terr_task -0.7 0.3   6.6 0.7  4.8 2.0   5.3 2.5   5.5 1.5  6.9 1.8   5.8 2.2
surv_task -0.6 0.4   9.6 3.4  1.5 1.3   1.0 1.6   2.3 1.5  3.3 1.4   3.2 1.4
all_three  0.1 0.8   5.1 1.8  0.7 1.6  -0.4 0.7  -0.5 0.5  0.1 0.5   1.3 1.6
""")

SCORES: Final = _numbers("""
default    1.3 1.7  14.2 1.3  8.0 1.5  5.3 0.9   8.3 1.3  13.0 2.1
terrain    0.3 0.1  13.0 1.6  7.6 2.6  7.4 1.6  11.9 3.4  11.8 2.9
survival   0.2 0.0  10.8 2.8  8.0 0.6  5.5 1.7   9.7 2.0  11.0 3.7
task_dep   1.7 0.6  12.1 1.9  4.6 1.6  2.2 0.8   1.5 0.6   6.9 2.5
terr_surv  0.4 0.1   7.9 1.3  7.1 3.0  4.7 1.6   2.8 0.6   6.7 0.8
terr_task  0.1 0.1   4.2 0.1  3.8 0.3  5.5 1.7   4.1 0.7   7.1 2.5
surv_task  0.1 0.1  15.9 2.6  1.3 0.2  1.1 0.1   1.9 0.1   2.1 0.4
all_three  0.6 0.2   4.0 0.3  1.0 0.3  0.2 0.1   0.2 0.0   0.6 0.0
""")

FURTHER: Final = _numbers("""
default   7.9 2.7  11.5 1.6  5.0 0.5  3.6 2.1  3.8 2.4
terrain   7.8 3.1   5.3 3.4  4.0 1.2  2.1 2.2  3.8 2.1
survival  7.0 4.1   6.4 4.4  4.6 2.5  2.3 2.5  3.7 2.8
task_dep  1.8 0.5   3.0 2.1  3.3 0.8  2.3 1.0  2.9 1.0
terr_surv 6.8 1.7   3.8 2.6  2.5 0.6  1.1 1.4  3.8 2.0
terr_task 4.4 0.9   3.5 0.9  4.1 1.2  3.0 1.6  3.3 1.2
surv_task 0.8 0.5   2.2 2.0  2.4 2.2  0.7 2.0  1.1 1.3
all_three 0.1 0.8   1.2 1.3  1.0 0.9  0.2 1.2  0.8 1.4
""")
"""Rewards of :data:`FURTHER_NAMES`, Tables 4 to 7 of the Mars paper."""
FURTHER_NAMES: Final = (
    "ReAct, told Crafter's rules (Table 4)",
    "DreamerV3, trained in Crafter (Table 5)",
    "ELLM (Table 6)",
    "ReAct, LLaMA-3.1-8B (Table 7)",
    "IfR, LLaMA-3.1-8B (Table 7)",
)
PEOPLE: Final = (
    "People who play Crafter well reached rewards of 16 to 18 in the seven changed worlds, after "
    "five episodes of learning (Appendix A); of 72 questions about Crafter's rules GPT-4 answers "
    "81 % (Appendix B, which prints none of them)."
)

_RL, _LLM = Protocol(20, 1_000), Protocol(9, 1_000)
_UNTOLD, _CRAFTER = Protocol(None, 1_000), Protocol(None, 10_000)
_PROTOCOLS: Final = (_RL, _RL, _LLM, _LLM, _LLM, _LLM, _UNTOLD)


@dataclass(frozen=True)
class Published:
    """An agent whose results are published.

    Attributes:
        name: What it is called.
        protocol: How it was measured.
        given: What it is given besides what it observes; empty if nothing.
        rewards: Mean rewards by world.
        scores: Scores in percent by world.
    """

    name: str
    protocol: Protocol
    rewards: Mapping[str, Number]
    scores: Mapping[str, Number] = field(default_factory=dict)
    given: str = ""


def _column(table: Mapping[str, tuple[Number, ...]], place: int) -> dict[str, Number]:
    return {world: row[place] for world, row in table.items() if place < len(row)}


def _in_crafter(name: str, reward: Number, score: Number, given: str = "") -> Published:
    return Published(name, _CRAFTER, {"crafter": reward}, {"crafter": score}, given)


_RULES_TOLD: Final = "given rules"
PUBLISHED: Final = (
    *(
        Published(name, protocol, _column(REWARDS, place), _column(SCORES, place))
        for place, (name, protocol) in enumerate(zip(_NAMES, _PROTOCOLS, strict=True))
    ),
    Published(
        "ReAct",
        _LLM,
        {"default": Number(7.9), "surv_task": Number(4.9)},
        {"default": Number(11.6), "surv_task": Number(9.2)},
        _RULES_TOLD,
    ),
    _in_crafter("human experts", Number(14.3, 2.3), Number(50.5, 6.8)),
    _in_crafter("SPRING", Number(12.3, 0.7), Number(27.3, 1.2), _RULES_TOLD),
    _in_crafter("SPRING with experience", Number(9.9, 1.0), Number(12.9, 2.3), _RULES_TOLD),
    _in_crafter("DreamerV3", Number(11.7, 1.9), Number(14.5, 1.6)),
    _in_crafter("PPO", Number(4.2), Number(4.6)),
    _in_crafter("random", Number(2.1), Number(1.6)),
)
"""Those in Mars are of :data:`SOURCES`; those in Crafter of its README and of the paper *From Laws
to Motivation* (Table 1), neither of which tells the number of episodes."""
