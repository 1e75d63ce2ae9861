"""A learner's experiments and findings, as a lab notebook in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set

from mars_logic.play.learner import Hypothesis, RevisionEvent, Trial
from mars_logic.play.learning import LearningEpisode, Study
from mars_logic.theory.claims import Field
from mars_logic.theory.value_phrasing import tell_certain, tell_open
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell


def journal(found: Study) -> Iterator[str]:
    """The lines of a journal: experiments and surprises in their order, and what is still open."""
    yield f"# Learning {found.world.name}, seed {found.seed}"
    known: frozenset[Field] = frozenset()
    for number, lesson in enumerate(found.lessons, 1):
        played = lesson.played
        reached = sorted(played.unlocked.items(), key=lambda pair: (pair[1], pair[0]))
        told = ", ".join(f"{name.replace('_', ' ')} ({step})" for name, step in reached)
        yield f"\n## Episode {number}\n"
        cause = f" ({lesson.death})" if lesson.death else ""
        yield f"{played.steps} steps, reward {played.reward:.1f}, ended by {played.ended}{cause}."
        yield f"Reached (at step): {told or 'nothing'}.\n"
        yield from _entries(found, number)
        yield from _balance(lesson, known)
        if lesson.consequences:
            known = frozenset(lesson.consequences.certain)


def _entries(found: Study, episode: int) -> Iterator[str]:
    """Of experiments with the same outcome, the first is told, and how many there were."""
    trials = [trial for trial in found.trials if trial.episode == episode]
    times = Counter(map(_alike, trials))
    first = {_alike(trial): trial for trial in reversed(trials)}
    entries = [(trial.step, 0, _of_trial(trial, times[key])) for key, trial in first.items()]
    for surprise in found.surprises:
        if surprise.episode == episode:
            entries.append((surprise.step, 1, _of_surprise(surprise, found.world.vocabulary)))
    for _, _, lines in sorted(entries, key=lambda entry: entry[:2]):
        yield from lines


def _alike(trial: Trial) -> tuple[str, str, str | None]:
    return trial.rule, trial.field, trial.outcome


def _of_trial(trial: Trial, times: int) -> list[str]:
    again = f" {times} times in this episode." if times > 1 else ""
    guesses = " ".join(_guess(trial.field, hypothesis) for hypothesis in trial.hypotheses)
    return [
        f"- **Step {trial.step}, experiment on `{trial.rule}`.** {_capital(trial.setting)}.",
        f"  {guesses} Expected to tell {trial.bits:.1f} bits.",
        f"  Saw: {trial.outcome or 'nothing that decides'}.{again}",
    ]


def _guess(field: str, hypothesis: Hypothesis) -> str:
    what = f"`{field}` is {hypothesis.value} ({hypothesis.probability:.0%})"
    return f"If {what}, {hypothesis.predicts}."


def _of_surprise(surprise: RevisionEvent, words: Vocabulary) -> list[str]:
    lines = []
    for change in surprise.changes:
        lines.append(f"- **Step {surprise.step}, `{change.id}`.**")
        lines.append(f"  Believed: {tell(change.before, words)}")
        lines += [f"  Saw: {conflict.did}: {conflict.saw}." for conflict in change.because[:1]]
        lines.append(f"  Believe now: {tell(change.after, words)}")
    return lines


def _balance(lesson: LearningEpisode, known: Set[Field]) -> Iterator[str]:
    """The certain and open fields, and the accuracy of the belief."""
    found = lesson.consequences
    if found:
        new = {name: value for name, value in found.certain.items() if name not in known}
        yield from _listed("Certain since this episode", tell_certain(new))
        yield from _listed("Still open, with the values that remain", tell_open(found.open))
    overall = lesson.score.overall
    if overall.precision is not None and overall.recall is not None:
        yield (
            f"\nOf the rules believed after this episode {overall.precision:.0%} are true, and "
            f"{overall.recall:.0%} of the true ones are believed."
        )


def _listed(head: str, rules: Iterable[str]) -> Iterator[str]:
    lines = [*rules]
    if lines:
        yield f"\n{head}:\n"
    for line in lines:
        rule, _, told = line.partition(": ")
        yield f"- `{rule}`: {told}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
