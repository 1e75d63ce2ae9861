"""What ``run`` and ``verify`` do with games: players play them, certificates are replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mars_logic.cli.language_model import print_counts
from mars_logic.cli.output import make_folder, print_json, print_table, progress, say_wrong
from mars_logic.display import number
from mars_logic.domains import domain_names, domain_of, load_game_theory
from mars_logic.domains.registry import domain
from mars_logic.errors import InputError
from mars_logic.play.agent import plays_games

if TYPE_CHECKING:
    from mars_logic.cli.games import GamePrior
    from mars_logic.domains.base import Domain
    from mars_logic.domains.certificates import GameCertificate
    from mars_logic.domains.game import Game
    from mars_logic.domains.runs import GameEpisode, GameRun
    from mars_logic.language.chat import LanguageModelError
    from mars_logic.language.session import AnswerCounts
    from mars_logic.language.settings import LanguageSettings


def player_names() -> list[str]:
    """The names of all players of games."""
    return [*dict.fromkeys(name for each in domain_names() for name in domain(each).players)]


def refuse(options: Mapping[str, object], allowed: str) -> None:
    """Refuse options that do not apply.

    Args:
        options: By their names, the values; one that was not given is false, or None.
        allowed: Where they do.

    Raises:
        InputError: One was given.
    """
    for name, value in options.items():
        if value:
            raise InputError(f"--{name}: this option does not apply here; allowed: {allowed}")


def run_games(
    agent: str,
    games: Mapping[str, Game],
    episodes: int,
    seed: int,
    *,
    prior: GamePrior | None,
    belief: str | None,
    learn: bool,
    noise: float,
    out: Path | None,
    record: Path | None,
    public: bool,
    explain: bool,
    as_json: bool,
    options: Mapping[str, Any],
    language: LanguageSettings | None = None,
) -> None:
    """Let a player play games, and sum up its results.

    Raises:
        InputError: There is no such player, or it takes no such options.
    """
    from mars_logic.domains.players import wrong_own_options
    from mars_logic.domains.runs import GameRun, game_summary
    from mars_logic.domains.trajectories import record_game
    from mars_logic.language.chat import BudgetReachedError

    if belief is not None and prior is not None:
        raise InputError("--prior: the belief is the prior; allowed: none without --belief")
    theory = load_game_theory(belief) if belief else None
    for game in games.values():
        if plays_games(agent):
            continue  # its options are known
        kind = domain_of(game).player_class(agent)
        for name, message, allowed in wrong_own_options(kind, agent, options):
            raise InputError(f"--option: {name}: {message}; allowed: {allowed}")
    runs = {
        name: GameRun(
            game,
            name,
            agent,
            prior=prior.value if prior else None,
            belief=theory,
            learning_since=seed if learn else None,
            noise=noise,
            folder=out,
            explain=explain,
            options=options,
            language=language,
        )
        for name, game in games.items()
    }
    reference = next(iter(runs.values())).player
    for folder in filter(None, (out, record)):
        make_folder(folder)
    stopped: LanguageModelError | None = None
    with progress() as shown:
        bars = {name: shown.add_task(name, total=episodes) for name in runs}
        try:
            for name, run in runs.items():
                for i in range(episodes):
                    episode = run.add(seed + i)
                    if record is not None:
                        record_game(record, games[name], episode.certificate, public=public)
                    shown.advance(bars[name])
        except BudgetReachedError as error:
            stopped = error
    counts = _counts(runs.values()) if language else None
    runs = {name: run for name, run in runs.items() if run.episodes}
    results = {
        name: game_summary(games[name], [each.certificate for each in run.episodes])
        for name, run in runs.items()
    }
    families = _families(games, runs)
    hypotheses = _hypotheses(games, runs) if language and families else None
    if as_json:
        explained = {name: [_explained(e) for e in run.episodes] for name, run in runs.items()}
        document = {
            "schema": "mars-logic game run 1",
            "agent": agent,
            "prior": reference.prior,
            "belief": reference.belief,
            "learn": learn,
            "noise": noise,
            "options": dict(options),
            "games": results,
        }
        document |= {"families": families} if families else {}
        if language and counts:
            told = {"language": counts.to_json(language)}
            document |= told | {"stopped": str(stopped) if stopped else None}
            document |= {"hypotheses": hypotheses} if hypotheses else {}
        print_json(document | ({"explained": explained} if explain else {}))
        _end(stopped)
        return
    if explain:
        for name, run in runs.items():
            for episode in run.episodes:
                _print_explained(name, episode, domain_of(games[name]))
    played = {name: found for name, found in results.items() if found["domain"] not in families}
    if played:
        _print_summaries(played)
    if families:
        _print_families(agent, families)
    if hypotheses:
        _print_hypotheses(hypotheses)
    if language and counts:
        print_counts(counts, language)
    _end(stopped)


def _hypotheses(
    games: Mapping[str, Game], runs: Mapping[str, GameRun]
) -> dict[str, dict[str, Any]]:
    """What the hypotheses that were written are worth, by domain; nothing without any."""
    from mars_logic.domains.rulearn.language_models.quality import (
        HypothesisRecord,
        hypothesis_record,
        hypothesis_summary,
    )
    from mars_logic.domains.seen_episodes import replayed_episode

    found: dict[str, list[HypothesisRecord]] = {}
    for name, run in runs.items():
        kept = (each.certificate for each in run.episodes)
        played = (replayed_episode(name, games[name], each.seed, each.actions) for each in kept)
        records = map(hypothesis_record, played)
        found.setdefault(games[name].domain, []).extend(each for each in records if each.written)
    return {family: hypothesis_summary(records) for family, records in found.items() if records}


def _print_hypotheses(found: Mapping[str, dict[str, Any]]) -> None:
    from mars_logic.experiments.solved import HYPOTHESES, hypothesis_cells

    rows = ((family, *hypothesis_cells(each)) for family, each in found.items())
    print_table(("domain", *HYPOTHESES), rows)


def _end(stopped: LanguageModelError | None) -> None:
    """End with status 1 if the budget was reached."""
    if stopped:
        say_wrong(str(stopped))
        raise typer.Exit(1)


def _counts(runs: Iterable[GameRun]) -> AnswerCounts:
    """The counts of players that a language model plays, together."""
    from mars_logic.language.session import summed

    return summed([run.counts for run in runs if run.counts is not None])


def _families(games: Mapping[str, Game], runs: Mapping[str, GameRun]) -> dict[str, dict[str, Any]]:
    """What came of puzzles, by domain."""
    from mars_logic.experiments.solved import solved

    found: dict[str, list[GameCertificate]] = {}
    for name, game in games.items():
        if domain_of(game).hides_rules:
            mine = found.setdefault(game.domain, [])
            mine += [each.certificate for each in runs[name].episodes]
    counted = Counter(game.domain for game in games.values())
    return {
        family: {"puzzles": counted[family], **solved(certificates)}
        for family, certificates in found.items()
    }


def _print_families(agent: str, families: Mapping[str, dict[str, Any]]) -> None:
    from mars_logic.experiments.solved import PUZZLES, puzzle_rows

    told = ({"agent": agent, "domain": name, **each} for name, each in families.items())
    print_table(PUZZLES, puzzle_rows(told))


def _explained(episode: GameEpisode) -> dict[str, Any]:
    certificate = episode.certificate
    return {
        "seed": certificate.seed,
        "actions": list(certificate.actions),
        "texts": list(episode.texts),
        "theories": [list(each) for each in episode.theories],
    }


def _print_explained(name: str, episode: GameEpisode, played: Domain[Any]) -> None:
    """Each step: what was believed, what was done, and what was seen then."""
    print(f"{name}, seed {episode.certificate.seed}")
    *before, last = episode.theories
    codes = episode.certificate.actions
    steps = zip(before, codes, episode.texts[1:], strict=True)
    for count, (believed, action, text) in enumerate(steps, 1):
        for sentence in believed:
            print(f"      {sentence}")
        print(f"  {count:>2}  {played.action_text(played.read_action(action))}")
        for line in text.splitlines():
            print(f"      {line}")
    for sentence in last:
        print(f"      {sentence}")
    print()


def _print_summaries(results: Mapping[str, dict[str, Any]]) -> None:
    heads = ("game", "episodes", "score", "reward", "completion", "normalised score")
    rows = []
    for name, found in results.items():
        pairs = (found["score"], found["reward"])
        measured = (f"{each['mean']:.2f} ± {each['std']:.2f}" for each in pairs)
        completion = "" if found["completion"] is None else f"{found['completion']:.0%}"
        scaled = "" if found["normalised"] is None else f"{found['normalised']:.2f}"
        rows.append((name, str(len(found["episodes"])), *measured, completion, scaled))
    print_table(heads, rows)


def verified_game(path: Path) -> tuple[dict[str, Any], str]:
    """What replaying a certificate of a game showed: as plain values, and in words.

    Raises:
        InputError: It is no certificate, or its game cannot be loaded.
    """
    from mars_logic.domains import certificates

    claimed = certificates.load_game_certificate(path)
    found = certificates.verify_game(claimed, certificates.game_of_certificate(claimed, path))
    row = {
        "schema": "mars-logic verification 1",
        "certificate": str(path),
        "valid": found.valid,
        "score": found.score,
        "reward": found.reward,
        "completed": found.completed,
        "problems": list(found.problems),
    }
    steps = f"{number(claimed.steps, 'step')}, score {found.score}, reward {found.reward}"
    return row, f"{claimed.game.name}, {steps}"
