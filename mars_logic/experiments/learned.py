"""Learning a world from Python, and the result in words: the rules that changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from mars_logic.system.display import html_table, number
from mars_logic.world.diff import Difference, diff
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import is_uncertain
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell

if TYPE_CHECKING:
    from mars_logic.play.learning import Study
    from mars_logic.theory import Score
    from mars_logic.theory.rulesets import Rules

_SHOWN = 4
"""Observations that are told of a field that no value explains."""
_NEARLY_ALL = 0.99
"""Probabilities above it are not rounded to certainty."""


@dataclass(frozen=True, repr=False)
class LearnedRule:
    """A rule of which at least one field was learned.

    Attributes:
        before: The rule as the learner believed it at first.
        after: The rule as it believes it now; its other fields may be unknown.
        fields: The fields that were learned.
        confidence: The least posterior probability of these fields, from 0.5 to 1; None where the
            learner does not weigh them.
        right: Whether these fields are as in the world.
        words: The vocabulary of the world.
    """

    before: Any
    after: Any
    fields: tuple[str, ...]
    confidence: float | None
    right: bool
    words: Vocabulary

    @property
    def id(self) -> str:
        """The rule's id, such as ``collect.stone``."""
        return str(self.after.id)

    def lines(self) -> Iterator[str]:
        """The rule in words, before and after."""
        yield self._judged()
        if not all(is_uncertain(getattr(self.before, name)) for name in self.fields):
            yield f"  - {tell(self.before, self.words)}"
        yield f"  + {tell(self.after, self.words)}"

    def __repr__(self) -> str:
        return f"<LearnedRule {self._judged()}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _judged(self) -> str:
        """The verdict, with the learned fields named where others are guesses."""
        partly = any(is_uncertain(getattr(self.after, name)) for name in self.after.field_names())
        about = f" ({', '.join(self.fields)})" if partly else ""
        sure = "" if self.confidence is None else f"{_sure(self.confidence)} sure, "
        return f"{self.id}{about}: {sure}{'right' if self.right else 'wrong'}"


@dataclass(frozen=True, repr=False)
class Learned:
    """What a learner made of a world.

    ``print`` shows the rules that changed; a notebook shows them as a table.

    Attributes:
        world: The world that was learned.
        prior: The rules that the learner started from.
        study: The episodes, experiments and revisions.
    """

    world: World
    prior: Theory
    study: Study

    @property
    def theory(self) -> Theory:
        """The belief at the end: a world file whose fields may be unknown."""
        return self.study.theory

    @property
    def scores(self) -> tuple[Score, ...]:
        """Precision and recall of the belief after each episode."""
        return tuple(lesson.score for lesson in self.study.lessons)

    @cached_property
    def journal(self) -> str:
        """Experiments and revisions in their order, as Markdown."""
        from mars_logic.play.journal import journal

        return "\n".join(journal(self.study)) + "\n"

    @cached_property
    def changes(self) -> tuple[LearnedRule, ...]:
        """The rules that changed, in the order of rules; rules that are only in doubt left out."""
        found = (self._learned(difference) for difference in diff(self.prior, self.theory))
        return tuple(rule for rule in found if rule.fields)

    def rules(self) -> Rules:
        """The rules of the belief, tested on the episodes of learning, with how they came about.

        The episodes are played again from their actions.
        """
        from mars_logic.experiments.runs import trajectory_of
        from mars_logic.play.certificate import certify
        from mars_logic.play.learning import revisions
        from mars_logic.theory.rulesets.artefact import with_truth
        from mars_logic.theory.rulesets.revised import tested_theory
        from mars_logic.theory.rulesets.rule_report import RuleRevision

        played = [
            replace(
                trajectory_of(
                    certify(each.played, self.world, self.world.name, "learner"),
                    self.world,
                    public=True,
                ),
                source=f"episode {number}",
            )
            for number, each in enumerate(self.study.lessons, 1)
        ]
        changes: dict[str, tuple[RuleRevision, ...]] = {}
        for each in revisions(self.study):
            rule, (before, after) = each.pop("rule"), each.pop("words")
            change = RuleRevision(
                **{**each, "because": tuple(each["because"])}, before=before, after=after
            )
            changes[rule] = (*changes.get(rule, ()), change)
        place = f"learned in {self.world.name}"
        tested = tested_theory(self.theory, place, played, changes, by="learn")
        sure = self.study.confidence
        rules = tuple(
            each.model_copy(update={"confidence": min(known) if known else None})
            for each in tested.rules
            for known in ([sure[each.id, n] for n in each.states or () if (each.id, n) in sure],)
        )
        return with_truth(tested.model_copy(update={"rules": rules}), self.world, place)

    def _learned(self, difference: Difference) -> LearnedRule:
        before, after = difference.before, difference.after
        assert before and after, "theories about the same dialect have the same rules"
        changed = (n for n in after.field_names() if getattr(before, n) != getattr(after, n))
        fields = tuple(name for name in changed if not is_uncertain(getattr(after, name)))
        truth = self.world[after.id]
        known = [self.study.confidence.get((after.id, name)) for name in fields]
        weighed = [each for each in known if each is not None]
        right = all(getattr(after, name) == getattr(truth, name) for name in fields)
        sure = min(weighed, default=None)
        return LearnedRule(before, after, fields, sure, right, self.world.vocabulary)

    def __repr__(self) -> str:
        rules = number(len(self.changes), "rule")
        episodes = number(len(self.study.lessons), "episode")
        return f"<Learned {self.world.name}: {rules} in {episodes}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """What was learned, in words."""
        right = sum(rule.right for rule in self.changes)
        yield (
            f"{self.world.name}: {len(self.changes)} of {len(self.theory.rules())} rules changed, "
            f"{right} of them to the true rule"
        )
        for rule in self.changes:
            yield from rule.lines()
        for (rule_id, name), seen in self.study.inexpressible.items():
            yield f"{rule_id}: {name}: no value of this field explains"
            yield from (f"    {each}" for each in seen[:_SHOWN])
            if len(seen) > _SHOWN:
                yield f"    and {len(seen) - _SHOWN} more"

    def _repr_html_(self) -> str:
        rows = (
            (
                *(rule.id, tell(rule.before, rule.words), tell(rule.after, rule.words)),
                *(_sure(rule.confidence), "right" if rule.right else "wrong"),
            )
            for rule in self.changes
        )
        return html_table(rows, ("rule", "before", "learned", "sure", ""))


def learn(
    world: World | str,
    episodes: int = 5,
    *,
    seed: int = 0,
    length: int | None = None,
    prior: Literal["crafter", "none"] = "crafter",
    belief: Theory | None = None,
    evaluate: int = 0,
    agent: str = "inductive",
) -> Learned:
    """Let an agent learn the rules of a world by playing.

    Args:
        world: The world, or the name of a bundled one or of a file.
        episodes: Number of episodes to learn in, at least 1.
        seed: The environment's seed; episode i is its i-th.
        length: Steps after which an episode ends, if before the world's own length.
        prior: What the agent believes at first: Crafter's rules, or nothing.
        belief: What it believes at first instead.
        evaluate: Number of episodes afterwards, on other seeds, without learning.
        agent: A learner, by its registered name.

    Raises:
        WorldError: The file is missing or invalid.
        InputError: The agent does not tell what it believes, or takes no belief.
        ValueError: There is no episode to learn in.

    Example:
        >>> import mars_logic
        >>> learned = mars_logic.learn("terrain", episodes=1, length=5)
        >>> learned
        <Learned terrain: 2 rules in 1 episode>
    """
    from mars_logic.play.learning import require_learner, study

    require_learner(agent)
    if episodes < 1:
        raise ValueError(f"episodes must be at least 1, not {episodes}")
    loaded = load_world(world) if isinstance(world, str) else world
    options: dict[str, Any] = {"prior": prior, "belief": belief}
    found = study(loaded, seed, episodes, evaluate, agent=agent, limit=length, **options)
    return Learned(loaded, first_belief(loaded, prior, belief), found)


def first_belief(world: World, prior: str, belief: Theory | None) -> Theory:
    """The rules that a learner starts from."""
    if belief is None:
        named = load_world("crafter") if prior == "crafter" else Theory.unknown(world.dynamics)
    return (belief or named).within(world)


def _sure(share: float | None) -> str:
    if share is None:
        return ""
    return "over 99%" if share > _NEARLY_ALL else f"{share:.0%}"
