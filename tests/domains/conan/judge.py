"""Answers recomputed from a scene's raw events: written apart from the package, for tests.

It walks the events once with a stack of names, and knows nothing of histories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mars_logic.domains.conan.codes import CODES, ITEMS, OBJECTS

COSTS = {
    "place_table": ["wood", "wood"],
    "place_furnace": ["stone"] * 4,
    "place_bed": ["bed"],
    "make_wood_pickaxe": ["wood"],
    "make_wood_sword": ["wood"],
    "make_stone_pickaxe": ["wood", "stone"],
    "make_stone_sword": ["wood", "stone"],
    "make_bed": ["wood", "wood", "stone"],
    "make_iron_pickaxe": ["wood", "coal", "iron"],
    "make_iron_sword": ["wood", "coal", "iron"],
    "make_steak": ["beef"],
    "make_bucket": ["iron", "iron"],
    "fill_water": ["bucket"],
    "fill_lava": ["bucket"],
}
TOOLS = {
    "collect_stone": "wood_pickaxe",
    "collect_coal": "wood_pickaxe",
    "collect_iron": "stone_pickaxe",
    "collect_diamond": "iron_pickaxe",
}
VERBS = ["", "", "collect", "place", "make", "kill", "drink", "eat", "fill", "sleep"]
TABLE = ("wood_pickaxe", "wood_sword", "stone_pickaxe", "stone_sword", "bed")


@dataclass
class Done:
    verb: str
    name: str
    cell: tuple[int, int]
    stack: list[str]
    why: int
    sword: str
    paid: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.verb}_{self.name}"


class Judge:
    """Answers about one scene."""

    def __init__(self, events: Any, names: Sequence[str], task: str) -> None:
        self.task = task
        self.done: list[Done] = []
        stack: list[str] = []
        for event in events:
            kind, code = int(event["kind"]), int(event["code"])
            if kind == 0:
                stack.append(names[code])
            elif kind == 1:
                stack = stack[:-1]
            else:
                verb = VERBS[kind]
                known = ITEMS if verb in ("make", "eat") else OBJECTS if verb == "kill" else CODES
                sword = ITEMS[event["weapon"]] if event["weapon"] >= 0 else "hands"
                name = "water" if verb == "drink" else known[code]
                cell = (int(event["x"]), int(event["y"]))
                self.done.append(Done(verb, name, cell, stack[:], int(event["why"]), sword))
        self._pay()

    def _pay(self) -> None:
        purses: defaultdict[str, list[Done]] = defaultdict(list)
        for done in self.done:
            for item in COSTS.get(str(done), [done.name] if done.verb == "eat" else []):
                if purses[item]:
                    purses[item].pop(0).paid[item] = str(done)
            if done.verb == "collect":
                got = {"tree": ["wood"], "apple_tree": ["wood", "apple"]}
                for item in got.get(done.name, [done.name]):
                    purses[item].append(done)
            elif done.verb == "make":
                purses[done.name].append(done)

    def at(self, cell: tuple[int, int]) -> int:
        """The last deed that shaped a cell."""
        return max(
            i
            for i, done in enumerate(self.done)
            if done.cell == cell and done.verb in ("collect", "place", "kill")
        )

    def around(self, done: Done) -> str:
        if done.stack and done.stack[-1][:5] == "need_":
            return done.stack[-1]
        return done.stack[-2] if len(done.stack) > 1 else "goal"

    def made_at(self, cell: tuple[int, int]) -> list[int]:
        station = self.done[self.at(cell)]
        return [
            i
            for i, done in enumerate(self.done)
            if i > self.at(cell)
            and done.verb == "make"
            and (done.name in TABLE) == (station.name == "table")
            and abs(done.cell[0] - cell[0]) <= 1
            and abs(done.cell[1] - cell[1]) <= 1
        ]

    def answer(self, template: str, cell: Any, name: str | None) -> str:
        """The answer to a template about a cell; not I1 and I2."""
        if template[0] == "G":
            return self.task
        here = self.done[self.at(cell)]
        later = [str(done) for done in self.done[self.at(cell) + 1 :]]
        earlier = [str(done) for done in self.done[: self.at(cell)]]
        if template == "I3":
            return later[0] if later else "nothing"
        if template == "I4":
            return earlier[-1] if earlier else "nothing"
        if template in ("I5", "I7", "I11", "I13"):
            made = self.made_at(cell)
            return self.done[made[0]].name if made else "nothing"
        if template in ("I6", "I12"):
            return self.around(here)
        if template in ("I8", "I9", "I10"):
            index = next(i for i in self.made_at(cell) if self.done[i].name == name)
            return self._of_made(template, index)
        if template in ("I14", "I17", "I18"):
            return "way" if here.why == 1 else self.around(here)
        if template in ("I15", "I19"):
            return here.paid.get("wood" if template == "I15" else here.name, "nothing")
        if template == "I16":
            kind = "apple" if here.stack[-1] in ("get_apple_tree", "need_food") else "wood"
            return "way" if here.why == 1 else kind
        if template in ("I20", "I21"):
            return "arrow" if here.why == 2 else here.sword
        assert template == "I22"
        if here.why == 2:
            return "arrow"
        if here.why == 3:
            return "self_defence"
        if here.stack and here.stack[-1] == "need_food" and here.why == 0:
            return "beef"
        if not here.stack or here.stack[-1] != f"defeat_{here.name}":
            return "way"
        if "make_steak" in here.stack:
            return "steak"
        return "beef" if "get_beef" in self.task.split("+") else "goal"

    def _of_made(self, template: str, index: int) -> str:
        made, after = self.done[index], self.done[index + 1 :]
        if template == "I8":
            return self.around(made)
        if template == "I9":
            return str(after[0]) if after else "nothing"
        for done in after:
            uses = [*COSTS.get(str(done), []), TOOLS.get(str(done), "")]
            if made.name in uses or (done.verb == "kill" and done.sword == made.name):
                return str(done)
        return "nothing"
