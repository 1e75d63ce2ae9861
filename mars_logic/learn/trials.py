"""Experiments as data: rival hypotheses, what each predicts, the setting, and the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mars_logic.learn.posterior import Posterior
from mars_logic.learn.settings import GATES, Setting, decisive, passes, prospect
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.signatures import Collecting, Making, Passage, Placing, Signature, Tread
from mars_logic.theory.values import worded
from mars_logic.theory.wording import told
from mars_logic.world import names
from mars_logic.world.words.kinds import spaced

NOTHING = "nothing happens"
WORKS = "it works"


@dataclass(frozen=True)
class Hypothesis:
    """What may be so, and what follows from it.

    Attributes:
        value: A value of the field in question.
        probability: Of that value.
        predicts: What should be seen then.
    """

    value: str
    probability: float
    predicts: str


@dataclass(frozen=True)
class Trial:
    """An experiment that was made.

    Attributes:
        episode: Which episode it was, from 1.
        step: Which step of it, from 1.
        rule: The rule that it was about.
        field: The field of which least was known.
        setting: What was done, in words.
        hypotheses: The most probable one, and the most probable that predicts something else.
        bits: The information that it was expected to give.
        outcome: What was seen; None if nothing of it could be.
    """

    episode: int
    step: int
    rule: str
    field: str
    setting: str
    hypotheses: tuple[Hypothesis, ...]
    bits: float
    outcome: str | None = None


def planned(posterior: Posterior, setting: Setting, episode: int, step: int) -> Trial:
    """An experiment that is about to be made."""
    promise = prospect(posterior, setting)
    (rule, field), ranked = decisive(posterior, promise)
    guesses = [
        Hypothesis(worded(value), probability, _prediction(setting, field, value))
        for value, probability in ranked
    ]
    rivals = [guess for guess in guesses[1:] if guess.predicts != guesses[0].predicts]
    hypotheses = (guesses[0], *rivals[:1])
    did = _did(setting)
    return Trial(episode, step, rule, field, did, hypotheses, promise.bits)


def outcome(setting: Setting, new: Evidence) -> str | None:
    """What was seen of a deed."""
    family, _, subject = setting.rule.partition(".")
    seen = [told(each)[1] for each in new.signatures if _is_of(each, family, subject, setting)]
    return "; ".join(seen) or None


def _is_of(signature: Signature, family: str, subject: str, setting: Setting) -> bool:
    match signature:
        case Collecting(material=material):
            return family == "collect" and material == subject
        case Passage(material=material):
            return family == "walk" and material == subject
        case Tread(ground=ground):
            return family == "walk" and ground == subject
        case Placing(thing=thing, material=material):
            return family == "place" and (thing, material) == (subject, setting.material)
        case Making(tool=tool):
            return family == "make" and tool == subject
    return False


def _did(setting: Setting) -> str:
    family, _, subject = setting.rule.partition(".")
    if family == "walk":
        return f"moving onto {subject}"
    held = ", ".join(
        f"{n} {spaced(item)}" for item, n in zip(names.HOLDABLE, setting.held, strict=True) if n
    )
    holding = f"holding {held or 'nothing'}"
    if family == "collect":
        return f"collecting from {subject} {holding}"
    if family == "place":
        return f"placing {subject} on {setting.material} {holding}"
    near = " and ".join(setting.stations) or "nothing built"
    return f"making {spaced(subject)} near {near} {holding}"


def _prediction(setting: Setting, field: str, value: Any) -> str:
    """What should be seen if a field has a value, and all else lets the deed work."""
    if field in GATES:
        works = f"it takes {worded(value)}" if field == "uses" else WORKS
        return works if passes(setting, field, value) else NOTHING
    if isinstance(value, bool):
        return "it kills" if value else "it does not kill"
    if value == 0:
        return f"{field} stays as it is"
    verb = {"leaves": "it leaves", "yields": "it may give", "spawns": "there may come"}
    return f"{verb.get(field, f'{field} changes by')} {worded(value)}"
