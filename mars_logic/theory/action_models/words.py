"""Laws in words: certain and open conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from mars_logic.system.display import listed
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.bounds import Amounts
from mars_logic.theory.action_models.learn import ActionModel, Disjunct, target_names
from mars_logic.theory.action_models.states import COLUMNS, TARGETS
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.words.kinds import spaced, with_article

_COUNTED = (*names.TOOLS, "sapling", "diamond")
_THINGS = ("tree", "table", "furnace", *TARGETS[len(names.MATERIALS) :])
_OPEN_LISTED = 3
"""Questions that a law's words list; --json has them all."""


def tell(law: ActionModel) -> str:
    """A law in sentences, one a line.

    Example:
        >>> from mars_logic.theory.action_models.learn import ActionModel
        >>> tell(ActionModel("eat_plant", (), {}, 4, 0))
        'eat_plant: never seen to succeed (4 records).'
    """
    name = f"{law.goal}:"
    if not law.branches:
        return f"{name} never seen to succeed ({law.tries} records)."
    several = len(law.branches) > 1
    lines = [f"{name} {'; or '.join(_needs(each, several) for each in law.branches)}."]
    lines += [line for branch in law.branches for line in _doubts(branch)]
    if law.kind in ("place", "move"):
        lines += _elsewhere(law)
    lines += _effects(law)
    return "\n  ".join(lines)


def amounts_told(bounds: Amounts | Mapping[int, int]) -> list[str]:
    """Least amounts as phrases.

    Example:
        >>> amounts_told({0: 1, 12: 1, 27: 1})
        ['a sapling', 'water nearby', 'at most 8 energy']
    """
    items = bounds.items() if isinstance(bounds, Mapping) else enumerate(bounds.tolist())
    return [_amount(COLUMNS[column], n) for column, n in items if n]


def _amount(column: str, n: int) -> str:
    if column.startswith("near "):
        return f"{column.removeprefix('near ')} nearby"
    if column.startswith("lack of "):
        return f"at most {MAXIMUM - n} {column.removeprefix('lack of ')}"
    if column not in _COUNTED:
        return f"{n} {column}"
    return with_article(spaced(column)) if n == 1 else f"{n} {spaced(column)}s"


def _targets(targets: Iterable[int]) -> Iterable[str]:
    for name in target_names(tuple(targets)):
        yield with_article(spaced(name)) if name in _THINGS else name


def _needs(branch: Disjunct, several: bool) -> str:
    """What one way needs; of several ways, whether one record alone shows it."""
    needs = amounts_told(branch.bounds.chosen())
    parts = [f"facing {_either(_targets(branch.targets))}"] if branch.targets else []
    parts += [f"with {listed(needs)}"] if needs else []
    luck = branch.bounds
    how = f", by chance ({luck.unlucky} failed so)" if luck.by_chance else ""
    alone = ", as one record alone shows" if several and luck.successes == 1 else ""
    return (" ".join(parts) or "at any time") + how + alone


def _doubts(branch: Disjunct) -> Iterable[str]:
    """The certain conditions, and further possible ones."""
    bounds = branch.bounds
    least, chosen, top = bounds.least(), bounds.chosen(), bounds.top
    guessed = np.where(chosen > least, chosen, 0)
    alone = np.where(least > bounds.corroborated(), least, 0)
    if alone.any():
        yield f"Shown by one record alone: {listed(amounts_told(alone))}."
    if guessed.any():
        yield f"Guessed as the simplest reading, not proved: {listed(amounts_told(guessed))}."
    questions = bounds.weighed_questions()
    for question, records in questions[:_OPEN_LISTED]:
        sure = "Certainly needed" if records > 1 else "Needed, as one record alone shows"
        yield f"{sure}: {_either(amounts_told(question))}."
    if len(questions) > _OPEN_LISTED:
        yield f"And {len(questions) - _OPEN_LISTED} more such choices."
    more = np.where(top > chosen, top, 0)
    if more.any():
        yield f"Perhaps also needed, since it was always so: {listed(amounts_told(more))}."


def _elsewhere(law: ActionModel) -> Iterable[str]:
    often = [target for target in law.barred if _barred_often(law, target)]
    once = [target for target in law.barred if target not in often]
    if often:
        yield f"Certainly not on {_either(_targets(often))}."
    if once:
        each = "each " if len(once) > 1 else ""
        yield f"Not on {_either(_targets(once))}, {each}as one record shows."
    seen = {target for branch in law.branches for target in branch.targets}
    free = range(1, len(names.MATERIALS))
    open_ = tuple(t for t in free if t not in seen and t not in law.barred)
    if open_:
        yield f"Not known of {listed(_targets(open_))}."


def _barred_often(law: ActionModel, target: int) -> bool:
    """Whether two records at least show that it fails on a target."""
    amounts, tries = law.elsewhere[target]
    refuting = np.zeros(len(amounts), np.bool_)
    for branch in law.branches:
        refuting |= branch.bounds.sure(amounts)
    return int(refuting.sum()) > 1 or (len(amounts) == 1 and tries > 1)


def _effects(law: ActionModel) -> Iterable[str]:
    for branch in law.branches:
        effects = branch.effects
        where = f" from {_either(_targets(branch.targets))}"
        part = where if len(law.branches) > 1 and branch.targets else ""
        costs, gains = effects.costs, effects.gains
        told = []
        if costs is None or gains is None:
            kinds = " or ".join(_changes(dict(kind)) for kind, _ in effects.held.most_common())
            told.append(f"changes {kinds}")
        else:
            told += [f"costs {listed(_amount(*each) for each in costs.items())}"] if costs else []
            told += [f"brings {listed(_amount(*each) for each in gains.items())}"] if gains else []
        told += [f"changes {_changes(effects.vitals)}"] if effects.vitals else []
        if law.kind == "do" and effects.left and branch.targets[0] < len(names.MATERIALS):
            stays = branch.targets == (names.MATERIALS.index(effects.left),)
            told.append(f"leaves {'it as it is' if stays else spaced(effects.left)}")
        if told:
            yield f"It {listed(told)}{part}."


def _changes(changes: Mapping[str, int]) -> str:
    told = [f"{n:+d} {spaced(item)}" for item, n in changes.items()]
    return listed(told).replace("-", "−") if told else "nothing"


def _either(parts: Iterable[str]) -> str:
    return listed(parts, " or")


def law_json(law: ActionModel) -> dict[str, object]:
    """A law as plain data."""
    return {
        "goal": law.goal,
        "action": action_goals.action(law.goal) if law.kind != "move" else "move",
        "records": law.tries,
        "successes": law.successes,
        "ways": [_way_json(branch) for branch in law.branches],
        "certainly_not_on": list(target_names(law.barred)),
        "tried_elsewhere": {
            TARGETS[code]: n for code, (_, n) in law.elsewhere.items() if code >= 0
        },
        "words": tell(law).split("\n  "),
    }


def _way_json(branch: Disjunct) -> dict[str, object]:
    bounds, effects = branch.bounds, branch.effects
    return {
        "facing": list(target_names(branch.targets)),
        "needs": _named(bounds.chosen()),
        "certain": _named(bounds.corroborated()),
        "by_one_record": _named(
            np.where(bounds.least() > bounds.corroborated(), bounds.least(), 0)
        ),
        "possible": _named(bounds.top),
        "one_of_each": [
            {COLUMNS[column]: n for column, n in question.items()}
            for question, records in bounds.weighed_questions()
            if records > 1
        ],
        "one_of_each_by_one_record": [
            {COLUMNS[column]: n for column, n in question.items()}
            for question, records in bounds.weighed_questions()
            if records == 1
        ],
        "unlucky": bounds.unlucky,
        "costs": effects.costs,
        "brings": effects.gains,
        "vitals": effects.vitals,
        "not_to_be_seen": sorted(effects.hidden),
        "leaves": dict(effects.leaves),
    }


def _named(bounds: Amounts) -> dict[str, int]:
    return {COLUMNS[column]: int(n) for column, n in enumerate(bounds) if n}
