"""The rules of a theory that came about by revisions, tested on the play that it is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mars_logic.data.trajectory import Trajectory
from mars_logic.theory.revise import Change, Revision
from mars_logic.theory.rulesets.checking import check_rules
from mars_logic.theory.rulesets.rule_report import RuleFinding, RuleRevision, Rules
from mars_logic.theory.rulesets.stated import Stated
from mars_logic.world.theory import Theory
from mars_logic.world.words import tell


def rules_of_revision(
    found: Revision, place: str, played: Sequence[Trajectory], earlier: Iterable[RuleFinding] = ()
) -> Rules:
    """The rules of a revised theory.

    Args:
        found: The revision.
        place: Where the theory before it is from.
        played: The play that it explains.
        earlier: The rules before it, with how these came about.
    """
    revisions = {each.id: (_revision(each),) for each in found.changes}
    return tested_theory(found.theory, place, played, revisions, by="revise", earlier=earlier)


def tested_theory(
    theory: Theory,
    place: str,
    played: Sequence[Trajectory],
    revisions: Mapping[str, tuple[RuleRevision, ...]],
    *,
    by: str,
    earlier: Iterable[RuleFinding] = (),
) -> Rules:
    """The rules of a theory with their verdicts, and with how they came about.

    Args:
        theory: The theory.
        place: Where it is from.
        played: The play that it is tested on.
        revisions: How rules changed, by id.
        by: Who changed them.
        earlier: The rules before that, with how these came about.
    """
    before = {each.id: each for each in earlier if each.form == "theory"}
    tested = check_rules([Stated(theory, place)], played)
    rules = []
    for each in tested.rules:
        known, new = before.get(each.id), revisions.get(each.id, ())
        history = (*(known.revisions if known else ()), *new)
        said = by if new else known.by if known else ""
        when = f"episode {new[-1].episode}, step {new[-1].step}" if new and new[-1].episode else ""
        kept = {"by": said, "when": when or (known.when if known and not new else "")}
        rules.append(each.model_copy(update={**kept, "revisions": history}))
    return tested.model_copy(update={"rules": tuple(rules)})


def _revision(change: Change) -> RuleRevision:
    places = [each.where for each in change.because if each.where]
    return RuleRevision(
        before=tell(change.before, change.words),
        after=tell(change.after, change.words),
        because=tuple(dict.fromkeys(f"{each.did}: {each.saw}" for each in change.because)),
        step=places[0].step if places else None,
        trajectory=places[0].source if places else None,
    )
