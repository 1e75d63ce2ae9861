"""Experiments as data: rival hypotheses with predictions, the setting, and the outcome."""

from __future__ import annotations

from typing import Any

from mars_logic.play.learner import Hypothesis, Trial
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.phrasing import told
from mars_logic.theory.signatures import Collecting, Making, Passage, Placing, Signature, Tread
from mars_logic.theory.value_phrasing import worded
from mars_logic.world.words.kinds import spaced

from .information_gain import (
    GATES,
    ExperimentSetting,
    decisive,
    information_gain,
    passes,
)
from .posterior import Posterior

NOTHING = "nothing happens"
WORKS = "it works"


def planned(posterior: Posterior, setting: ExperimentSetting, episode: int, step: int) -> Trial:
    """An experiment that is about to be made."""
    promise = information_gain(posterior, setting)
    (rule, field), ranked = decisive(posterior, promise)
    guesses = [
        Hypothesis(worded(value), probability, _prediction(setting, field, value))
        for value, probability in ranked
    ]
    rivals = [guess for guess in guesses[1:] if guess.predicts != guesses[0].predicts]
    hypotheses = (guesses[0], *rivals[:1])
    did = _did(setting)
    return Trial(episode, step, rule, field, did, hypotheses, promise.bits)


def outcome(setting: ExperimentSetting, new: Evidence) -> str | None:
    """The observed outcome of an interaction."""
    family, _, subject = setting.rule.partition(".")
    seen = [told(each)[1] for each in new.signatures if _is_of(each, family, subject, setting)]
    return "; ".join(seen) or None


def _is_of(signature: Signature, family: str, subject: str, setting: ExperimentSetting) -> bool:
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


def _did(setting: ExperimentSetting) -> str:
    family, _, subject = setting.rule.partition(".")
    if family == "walk":
        return f"moving onto {subject}"
    held = ", ".join(f"{n} {spaced(item)}" for item, n in setting.held.named() if n)
    holding = f"holding {held or 'nothing'}"
    if family == "collect":
        return f"collecting from {subject} {holding}"
    if family == "place":
        return f"placing {subject} on {setting.material} {holding}"
    near = " and ".join(setting.stations) or "nothing built"
    return f"making {spaced(subject)} near {near} {holding}"


def _prediction(setting: ExperimentSetting, field: str, value: Any) -> str:
    """The predicted outcome for a field's value, if all other preconditions hold."""
    if field in GATES:
        works = f"it takes {worded(value)}" if field == "uses" else WORKS
        return works if passes(setting, field, value) else NOTHING
    if isinstance(value, bool):
        return "it kills" if value else "it does not kill"
    if value == 0:
        return f"{field} stays as it is"
    verb = {"leaves": "it leaves", "yields": "it may give", "spawns": "it may spawn"}
    return f"{verb.get(field, f'{field} changes by')} {worded(value)}"
