"""A language model as detective: it reads what was seen, and answers questions about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, OBJECTS, TRACES
from mars_logic.domains.conan.person import question_lines
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.phrases import noun, phrase
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.language.answers import action_answer
from mars_logic.language.session import open_session
from mars_logic.language.settings import LanguageSettings

_ANSWERS: Final = tuple(f"answer_{number}" for number in range(1, CHOICES + 1))
_MARKS: Final = {
    **{way: f"footprint to the {way}" for way in ("left", "right")},
    **{way: f"footprint {way}wards" for way in ("up", "down")},
    "unknown": "footprints in several directions",
    "water": "spilt water",
    "blood": "blood",
}
"""What is left on land, by the end of a code's name."""


def seen_lines(scene: FinishedScene, seen_at: NDArray[np.int16], last: int) -> Iterator[str]:
    """What a walk showed: a line for each step that showed a trace, a creature or the figure.

    Args:
        scene: The scene.
        seen_at: int16[64, 64]: the step at which each cell was first seen.
        last: The last step that counts.
    """
    by_step: defaultdict[int, list[str]] = defaultdict(list)
    told = TRACES[scene.codes] | (scene.things > 0)
    told[scene.figure] = True
    for x, y in np.argwhere(told & (seen_at <= last)).tolist():
        by_step[int(seen_at[x, y])].append(f"{_words(scene, x, y)} at ({x}, {y})")
    for step, found in sorted(by_step.items()):
        yield f"Step {step}: {'; '.join(found)}"
    whole = np.unique(scene.codes[seen_at <= last]).tolist()
    ground = [CODES[code] for code in whole if code and not TRACES[code]]
    yield f"Also seen: {', '.join(name.replace('_', ' ') for name in ground)}"


def _words(scene: FinishedScene, x: int, y: int) -> str:
    if (x, y) == scene.figure:
        return "the vandal's dead body" if scene.dead else "the vandal"
    if scene.things[x, y]:
        return noun(OBJECTS[scene.things[x, y]])
    name = CODES[scene.codes[x, y]]
    what, _, kind = name.rpartition("_")
    if what in ("grass", "sand", "path"):
        return _MARKS[kind]
    if kind == "left":
        return f"rubble of {what}"
    if kind == "cut":
        return "stump of a tree"
    return f"{kind} {what}" if kind in ("dead", "destroyed") else noun(name)


def model_judge(
    settings: LanguageSettings, scene: FinishedScene, seen_at: NDArray[np.int16], last: int
) -> Callable[[Question], NDArray[np.float64]]:
    """What asks a language model about a scene: all mass is on the choice that it names.

    An answer that cannot be read, twice, spreads it evenly, and one is chosen at random.

    Args:
        settings: Of the language model; exchanges about a scene are a session of their own.
        scene: The scene.
        seen_at: int16[64, 64]: the step at which each cell was first seen.
        last: The last step that counts.

    Raises:
        InputError: No model is named, or something that the settings name is wrong or missing.
    """
    name = f"scene{scene.corpus_seed}_{scene.number:06d}_{last}"
    session = open_session("detective", settings.model_copy(update={"session": name}))
    told = list(seen_lines(scene, seen_at, last))
    form = action_answer(_ANSWERS)
    chance = np.random.RandomState(scene.number)

    def judged(question: Question) -> NDArray[np.float64]:
        asked = session.counts.asked
        session.place = replace(session.place, seed=scene.number, step=asked)
        line, *_ = question_lines(question)
        offers = list(map(phrase, question.choices))
        found = session.ask("conan_question", form, told=told, question=line, offers=offers)
        mass = np.full(CHOICES, 1 / CHOICES)
        if found is None:
            mass[chance.randint(CHOICES)] += 1e-6
            return mass
        mass[:] = 0
        mass[_ANSWERS.index(found.action)] = 1
        return mass

    return judged
