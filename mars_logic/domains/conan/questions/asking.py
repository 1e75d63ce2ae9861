"""Questions of a scene: which may be asked, which are drawn, and among which choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, PRINTS
from mars_logic.domains.conan.possible import ConanReach
from mars_logic.domains.conan.questions.answers import ANSWERS, GOAL, NOTHING, SURVIVAL_POOLS, WAY
from mars_logic.domains.conan.questions.history import Box, History, Subject
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.templates import Template, templates
from mars_logic.domains.conan.vandal.tasks import PRIOR, SURVIVING, equivalents

CHOICES: Final = 4
MOST_INTENT: Final = 11
"""Questions of category Intent in a scene."""
MOST_SURVIVAL: Final = 6
"""Questions in a scene of survival."""
MOST_ALIKE: Final = 2
"""Questions of one template in a scene."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its choices.

    Attributes:
        template: The template's id.
        text: The question.
        subject: The cell, name and area that it is about.
        mask: The area that it shows.
        choices: Four answers, as keys; :func:`phrases.phrase` gives their words.
        answer: Index of the right one.
    """

    template: str
    text: str
    subject: Subject
    mask: Box
    choices: tuple[str, ...]
    answer: int

    @property
    def category(self) -> str:
        """Intent, goal or survival."""
        return templates()[self.template].category


def subjects(
    template: Template, history: History, codes: NDArray[np.uint8]
) -> Iterator[tuple[Subject, int]]:
    """What a template can be asked about, each with the bracket whose box is its mask, or -1.

    Args:
        template: The template.
        history: The scene's history.
        codes: uint8[64, 64]: the finished map; a question is about what lies on a cell.
    """
    if template.subject == "scene":
        yield Subject(), -1
    elif template.subject == "bracket":
        for index, box in enumerate(history.boxes):
            yield Subject(box=box), index
    elif template.subject == "print":
        for cell, step in history.arrivals.items():
            if PRINTS[codes[cell]] and step > 0:
                yield Subject(cell), _open_at(history, step)
    else:
        for cell, index in history.changed.items():
            deed = history.deeds[index]
            shown = CODES[codes[cell]]
            if not shows(shown, deed.kind, deed.name):
                continue
            if template.subject == "made" and shown in ("table", "furnace"):
                made = [d for d in history.deeds[index + 1 :] if d.kind == "make"]
                for name in dict.fromkeys(each.name for each in made):
                    yield Subject(cell, name), deed.bracket
            elif template.subject in ("deed", shown, _SHOWN.get(shown)):
                named = "{X}" in template.text
                yield Subject(cell, deed.name if named else None), deed.bracket


_SHOWN: Final = {
    "tree_cut": "tree",
    **dict.fromkeys(("stone_left", "coal_left", "iron_left", "diamond_left"), "mined"),
    **dict.fromkeys(("cow_dead", "zombie_dead", "skeleton_dead"), "killed"),
}
"""Subjects of the templates that ask about remains."""


def shows(shown: str, kind: str, name: str) -> bool:
    """Whether a cell still shows the trace of a deed."""
    if kind == "place":
        return shown == name
    if kind == "kill":
        return shown == f"{name}_dead"
    return shown == ("tree_cut" if name in ("tree", "apple_tree") else f"{name}_left")


def _open_at(history: History, step: int) -> int:
    found = -1
    for index, bracket in enumerate(history.brackets):
        if bracket.first < step <= bracket.last:
            found = index
    return found


def pool(kind: str, history: History, brackets: Sequence[str]) -> tuple[str, ...]:
    """All answers of a type.

    Args:
        kind: The type.
        history: The scene's history, for its rules.
        brackets: Names of brackets.
    """
    rules = history.recipes
    at = {
        station: tuple(name for name, way in rules.make.items() if way.source == station)
        for station in ("table", "furnace")
    }
    made = tuple(f"make_{name}" for name in rules.make)
    placed = tuple(f"place_{name}" for name in rules.place)
    mined = tuple(f"collect_{name}" for name in ("stone", "coal", "iron", "diamond"))
    kills = tuple(f"kill_{name}" for name in ("cow", "zombie", "skeleton"))
    fills = ("fill_water", "fill_lava")
    meals = ("eat_apple", "eat_beef", "sleep_none") if "need_food" in brackets else ()
    trees = ("collect_tree", "collect_apple_tree")
    return {
        "work": (*brackets, GOAL, WAY),
        "deed": (*trees, *mined, *placed, *made, *kills, *fills, *meals, "drink_water", NOTHING),
        "use": (*mined, *placed, *made, *kills, *fills, NOTHING),
        "at_table": (*at["table"], NOTHING),
        "at_furnace": (*at["furnace"], NOTHING),
        "tree_reason": ("wood", "apple", WAY, "sapling"),
        "weapon": ("hands", "wood_sword", "stone_sword", "iron_sword", "arrow"),
        "kill_reason": (GOAL, "beef", "steak", WAY, "self_defence", "arrow"),
        "task": tuple(PRIOR),
        **SURVIVAL_POOLS,
    }[kind]


def questions_with_answers(
    template: Template, history: History, codes: NDArray[np.uint8], rng: np.random.RandomState
) -> Iterator[Asked]:
    """The questions of a template that have an answer, in random order."""
    found = list(subjects(template, history, codes))
    for i in rng.permutation(len(found)):
        subject, bracket = found[i]
        answer = ANSWERS[template.answer](history, subject)
        own = bracket if template.subject == "bracket" else -1
        if answer is None or (own >= 0 and answer != history.brackets[own].name):
            continue
        yield template, subject, bracket, answer


def draw_questions(
    history: History,
    codes: NDArray[np.uint8],
    reach: ConanReach,
    brackets: Sequence[str],
    rng: np.random.RandomState,
    first_letter: int,
    *,
    hard: bool = False,
    plausible: frozenset[str] = frozenset(),
    prior: Mapping[str, float] = PRIOR,
) -> list[Question]:
    """The questions of a scene.

    Args:
        history: The scene's history.
        codes: uint8[64, 64]: the finished map.
        reach: What the map allows.
        brackets: Names of brackets.
        rng: The questions' own stream.
        first_letter: Index of the first right answer; those of later questions rotate.
        hard: Whether an equivalent task is among the choices of a Goal question.
        plausible: Tasks that the first view does not exclude; one is among the choices if any.
        prior: Probability of each task.
    """
    order = list(templates().values())
    if history.task == SURVIVING:
        survival = [each for each in order if each.category == "survival"]
        chosen = _rounds(survival, history, codes, rng, MOST_SURVIVAL)
    else:
        goals = [each for each in order if each.category == "goal"]
        chosen = list(questions_with_answers(goals[rng.randint(len(goals))], history, codes, rng))
        intents = [each for each in order if each.category == "intent"]
        chosen += _rounds(intents, history, codes, rng, MOST_INTENT)
    questions: list[Question] = []
    for template, subject, bracket, answer in chosen:
        options = _distractors(
            *(template, history, reach, brackets, answer, rng),
            hard=hard,
            plausible=plausible,
            prior=prior,
        )
        if len(options) < CHOICES - 1:
            continue
        letter = (first_letter + len(questions)) % CHOICES
        questions.append(
            question_about((template, subject, bracket, answer), options, letter, history, codes)
        )
    return questions


Asked = tuple[Template, Subject, int, str]
"""A template, its subject, the bracket whose box is shown (or -1), and the right answer."""


def question_about(
    asked: Asked,
    others: Sequence[str],
    letter: int,
    history: History,
    codes: NDArray[np.uint8],
) -> Question:
    """A question with its choices.

    Args:
        asked: What is asked.
        others: The three other choices.
        letter: Index of the right one.
        history: The scene's history.
        codes: uint8[64, 64]: the finished map.
    """
    template, subject, bracket, answer = asked
    choices = (*others[:letter], answer, *others[letter:])
    mask = history.boxes[bracket] if bracket >= 0 else history.whole
    text = template.text.replace("{X}", named(template, subject, codes))
    return Question(template.id, text, subject, mask, choices, letter)


def _rounds(
    order: Sequence[Template],
    history: History,
    codes: NDArray[np.uint8],
    rng: np.random.RandomState,
    most: int,
) -> list[Asked]:
    """A question of each template in random order, then second ones, until there are so many."""
    lists = [
        list(islice(questions_with_answers(order[i], history, codes, rng), MOST_ALIKE))
        for i in rng.permutation(len(order))
    ]
    rounds = [each[turn] for turn in range(MOST_ALIKE) for each in lists if len(each) > turn]
    return rounds[:most]


def named(template: Template, subject: Subject, codes: NDArray[np.uint8]) -> str:
    """What stands for {X}: a name, or, of survival, the deed that a cell shows."""
    if template.category == "survival" and subject.cell:
        return DEEDS[CODES[codes[subject.cell]]]
    return (subject.name or "").replace("_", " ")


DEEDS: Final = {
    "tree_cut": "cutting the tree",
    **{f"{name}_left": f"mining {name}" for name in ("stone", "coal", "iron", "diamond")},
    **{f"{name}_dead": f"killing the {name}" for name in ("cow", "zombie", "skeleton")},
}
"""Deeds of survival by what they leave."""


def _distractors(
    template: Template,
    history: History,
    reach: ConanReach,
    brackets: Sequence[str],
    answer: str,
    rng: np.random.RandomState,
    *,
    hard: bool,
    plausible: frozenset[str],
    prior: Mapping[str, float],
) -> tuple[str, ...]:
    """Three other choices in random order, or fewer if there are no more."""
    options = options_of(template, history, reach, brackets, answer, prior)
    if template.category == "survival":
        return tuple(options[i] for i in rng.permutation(len(options))[: CHOICES - 1])
    if template.type == "task":
        return _other_tasks(answer, options, rng, hard=hard, plausible=plausible, prior=prior)
    words = {phrase(each) for each in (answer, *same_answers(answer, history))}
    drawn: list[str] = []
    for i in rng.permutation(len(options)).tolist():
        option = options[i]
        if len(drawn) < CHOICES - 1 and phrase(option) not in words:
            drawn.append(option)
            words |= {phrase(option), *map(phrase, same_answers(option, history))}
    return tuple(drawn)


def options_of(
    template: Template,
    history: History,
    reach: ConanReach,
    brackets: Sequence[str],
    answer: str,
    prior: Mapping[str, float],
) -> list[str]:
    """What may stand beside an answer: other answers of its type that the map allows."""
    if template.category == "survival":
        return [each for each in SURVIVAL_POOLS[template.type] if each != answer]
    if template.type == "task":
        return [task for task in reach.tasks(prior) if task not in equivalents(answer)]
    barred = {answer, *same_answers(answer, history)}
    words = {phrase(each) for each in barred}
    return [
        each
        for each in pool(template.type, history, brackets)
        if each not in barred
        and phrase(each) not in words
        and reach.allows(each)
        and (each != GOAL or (template.id != "I1" and template.id != "I2"))
        and (each != WAY or template.type != "work" or template.answer == "collected_purpose")
    ]


def same_answers(answer: str, history: History) -> tuple[str, ...]:
    """Answers that mean the same in this scene: the outermost bracket is the task itself."""
    if not history.brackets:
        return ()
    root = history.brackets[0].name
    return (root,) if answer == GOAL else (GOAL,) if answer == root else ()


def _other_tasks(
    answer: str,
    options: list[str],
    rng: np.random.RandomState,
    *,
    hard: bool,
    plausible: frozenset[str],
    prior: Mapping[str, float],
) -> tuple[str, ...]:
    """Other tasks, drawn by their prior, so that the choices alone do not tell the answer."""
    alike = equivalents(answer)
    drawn: list[str] = []
    others = [task for task in alike if task != answer and hard]
    if others:
        drawn.append(others[rng.randint(len(others))])
    _draw(drawn, [task for task in options if task in plausible], 1 + len(drawn), rng, prior)
    _draw(drawn, options, CHOICES - 1, rng, prior)
    return tuple(drawn[i] for i in rng.permutation(len(drawn)))


def _draw(
    drawn: list[str],
    options: list[str],
    most: int,
    rng: np.random.RandomState,
    prior: Mapping[str, float],
) -> None:
    """Draw tasks by their prior without replacement until there are so many."""
    while len(drawn) < most:
        left = [task for task in options if task not in drawn]
        if not left:
            return
        weights = np.cumsum([prior[task] for task in left])
        drawn.append(
            left[int(np.searchsorted(weights, rng.random_sample() * weights[-1], "right"))]
        )
