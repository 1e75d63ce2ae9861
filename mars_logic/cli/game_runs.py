"""What ``run`` and ``verify`` do with games: players play them, certificates are replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.output import make_folder, print_json, print_stripped, progress
from mars_logic.domains import domain_names, domain_of, load_game_theory
from mars_logic.domains.registry import domain
from mars_logic.domains.telling import number
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.cli.games import GamePrior
    from mars_logic.domains.base import Domain
    from mars_logic.domains.certificates import GameCertificate
    from mars_logic.domains.game import Game
    from mars_logic.domains.runs import GameEpisode, GameRun


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
) -> None:
    """Let a player play games, and sum up its results.

    Raises:
        InputError: There is no such player, or it takes no such options.
    """
    from mars_logic.domains.runs import GameRun, game_summary
    from mars_logic.experiments.game_recording import record_game, require_numbers
    from mars_logic.experiments.games import own_options

    if belief is not None and prior is not None:
        raise InputError("--prior: the belief is the prior; allowed: none without --belief")
    theory = load_game_theory(belief) if belief else None
    for game in games.values():
        known = own_options(domain_of(game).player_class(agent))
        if unknown := [each for each in options if each not in known]:
            message = f"the player '{agent}' has no option '{unknown[0]}'"
            raise InputError(f"--option: {message}; allowed: {', '.join(known) or 'none'}")
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
        )
        for name, game in games.items()
    }
    if record is not None:
        require_numbers(games.values())
    for folder in filter(None, (out, record)):
        make_folder(folder)
    with progress() as shown:
        bars = {name: shown.add_task(name, total=episodes) for name in runs}
        for name, run in runs.items():
            for i in range(episodes):
                episode = run.add(seed + i)
                if record is not None:
                    record_game(record, games[name], episode.certificate, public=public)
                shown.advance(bars[name])
    results = {
        name: game_summary(games[name], [each.certificate for each in run.episodes])
        for name, run in runs.items()
    }
    families = _families(games, runs)
    if as_json:
        player = next(iter(runs.values())).player
        explained = {name: [_explained(e) for e in run.episodes] for name, run in runs.items()}
        document = {
            "schema": "mars-logic game run 1",
            "agent": agent,
            "prior": player.prior,
            "belief": player.belief,
            "learn": learn,
            "noise": noise,
            "options": dict(options),
            "games": results,
        }
        document |= {"families": families} if families else {}
        print_json(document | ({"explained": explained} if explain else {}))
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


def _families(games: Mapping[str, Game], runs: Mapping[str, GameRun]) -> dict[str, dict[str, Any]]:
    """What came of puzzles, by domain."""
    from mars_logic.experiments.puzzle_summary import solved

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
    from rich.table import Table

    from mars_logic.experiments.puzzle_summary import PUZZLES, puzzle_rows

    table = Table(*PUZZLES, box=None)
    for row in puzzle_rows({"agent": agent, "domain": n, **f} for n, f in families.items()):
        table.add_row(*row)
    print_stripped(table)


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
    from rich.table import Table

    heads = ("game", "episodes", "score", "reward", "completion", "normalised score")
    table = Table(*heads, box=None)
    for name, found in results.items():
        pairs = (found["score"], found["reward"])
        measured = (f"{each['mean']:.2f} ± {each['std']:.2f}" for each in pairs)
        completion = "" if found["completion"] is None else f"{found['completion']:.0%}"
        scaled = "" if found["normalised"] is None else f"{found['normalised']:.2f}"
        table.add_row(name, str(len(found["episodes"])), *measured, completion, scaled)
    print_stripped(table)


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
