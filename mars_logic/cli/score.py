"""The command ``score``: theories and sentences compared with the true rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.findings import print_scores
from mars_logic.cli.output import Json, print_json, refuse, require_free, say_written
from mars_logic.cli.rule_files import (
    RulesOut,
    entries_of,
    load_believed,
    require_rules_ending,
    signed,
    write_rules,
)
from mars_logic.cli.rule_library import holds_sentences, is_sentences, score_rules
from mars_logic.cli.state_ranking import score_states
from mars_logic.cli.stated_theories import game_theory, score_theory, whole_theory
from mars_logic.cli.theory import recorded_play
from mars_logic.errors import InputError
from mars_logic.world.known_names import require_no_traces
from mars_logic.world.load import bundled_worlds, load_theory, load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.world.theory import World


class Protocols(StrEnum):
    """How theories are scored instead of by their atoms."""

    onelife = "onelife"


def score(
    theory: Annotated[
        str,
        typer.Argument(
            help="The belief: a world or theory, bundled or a file; or rules in sentences, a "
            "file (.txt or .md) or a folder of them.",
            metavar="THEORY",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    truth: Annotated[
        str,
        typer.Argument(
            help="The world that is true.",
            metavar="TRUTH",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    prior: Annotated[
        str, typer.Option(help="The belief before any play.", metavar="THEORY")
    ] = "crafter",
    play: Annotated[
        list[Path] | None,
        typer.Option(
            help="Recorded play (a file or a folder; may be repeated), to rank the outcomes of "
            "actions among the possible ones, or to test sentences on.",
            metavar="TRAJECTORY",
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option(min=1, max=20, help="Puzzles: the largest inputs to compare on.")
    ] = None,
    protocol: Annotated[
        Protocols | None,
        typer.Option(help="Rank the true next states of scenarios instead: onelife."),
    ] = None,
    transitions: Annotated[
        int | None,
        typer.Option(
            min=1, max=10_000, help="--protocol: transitions of a scenario; by default 30."
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(min=1, max=1_000, help="--protocol: trials of a transition; by default 5."),
    ] = None,
    out: RulesOut = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: Json = False,
) -> None:
    """Compare a theory or sentences with the true rules.

    Precision and recall of a theory are over atomic facts. A probability is right within 0.15.
    "What differs" counts only what the prior does not know.

    A sentence is right if all that it says is true, whatever it leaves open. Recall is over the
    atomic facts that true sentences state.

    A theory of a puzzle, or sentences about it, is compared with the truth on all inputs up to
    --size.

    With --protocol onelife, the theory's simulator ranks the true next states of 38 scenarios among
    wrong ones and its own sample: mean reciprocal rank, Rank@1, and the sample's edit distance.

    Example: mars-logic score belief.yaml all_three
    """
    require_rules_ending(out)
    require_free(out, force)
    if protocol is not None:
        refuse({"play": play, "size": size, "out": out}, "without --protocol")
        believed, world = load_believed(theory), load_world(truth)
        names, sizes = (theory, truth), (transitions or 30, trials or 5)
        score_states(believed, world, names, *sizes, as_json=as_json)
        return
    refuse({"transitions": transitions, "trials": trials}, "with --protocol")
    true_game = game_theory(truth)
    if true_game is not None and is_sentences(theory):
        told = whole_theory(theory, true_game)
        score_theory(told, true_game, (theory, truth), size, as_json, out)
        return
    if holds_sentences(theory):
        played = recorded_play(play) if play else []
        score_rules(theory, truth, load_world(truth), played, as_json=as_json)
        _keep_scored(out, theory, load_world(truth), played)
        return
    game = game_theory(theory)
    if game is not None and true_game is not None:
        score_theory(game, true_game, (theory, truth), size, as_json, out)
        return
    if game or true_game:
        message = f"'{theory}' and '{truth}' are not both games"
        raise InputError(f"score: {message}; allowed: two worlds, or two games")

    from mars_logic.theory import Evidence, rank
    from mars_logic.theory import score as compare

    believed, true = load_believed(theory), load_world(truth)
    require_no_traces(true, "score", "the comparison of theories")
    require_no_traces(believed, "score", "the comparison of theories")
    found = compare(believed, true, load_theory(prior))
    ranking = None
    played = recorded_play(play) if play else []
    if play:
        seen = Evidence.of(played)
        if believed.dynamics != seen.dynamics:
            raise InputError(
                f"{theory}:1: dynamics: the theory's are {believed.dynamics}, those of the "
                f"trajectories {seen.dynamics}; allowed: {seen.dynamics}"
            )
        ranking = rank(believed, seen)
    _keep_scored(out, theory, true, played)
    if as_json:
        print_json(
            {
                "schema": "mars-logic score 1",
                "theory": theory,
                "truth": truth,
                "prior": prior,
                **found.to_json(),
                "ranking": ranking.to_json() if ranking else None,
            }
        )
        return
    print_scores({theory: found})
    loss = found.log_loss
    if loss.mean is not None:
        stated = f"{loss.of} probabilit{'y' if loss.of == 1 else 'ies'}"
        print(f"log-loss of {stated}: {loss.mean:.3f} (of the truth: {loss.least:.3f})")
    if ranking and ranking.mrr is not None:
        print(
            f"outcomes of {ranking.outcomes} actions, ranked among the possible ones: "
            f"mean reciprocal rank {ranking.mrr:.3f}, ranked first {ranking.first:.0%}"
        )


def _keep_scored(out: Path | None, source: str, world: World, played: list[Trajectory]) -> None:
    """Write rules with whether each is true, and with what play says of them."""
    if out is None:
        return
    from mars_logic.theory.rulesets import check_rules, read_rules
    from mars_logic.theory.rulesets.artefact import untested, with_history, with_truth

    read = read_rules([source])
    rules = check_rules(read, played) if played else untested(read, world)
    kept = with_truth(with_history(rules, entries_of(source)), world, source)
    write_rules(out, signed(kept, "score", source))
    say_written(out, "the rules with whether each is true")
