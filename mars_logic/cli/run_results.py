"""What ``run`` prints of episodes: in worlds rates and steps, in games scores and theories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mars_logic.cli.output import console, print_table
from mars_logic.domains import domain_of

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.domains.runs import GameEpisode


def print_results(results: dict[str, Any], times: dict[str, float | None], given: str = "") -> None:
    """Print what an agent reached.

    Args:
        results: A summary for each world.
        times: Milliseconds for each decision, by world; None where nothing was played.
        given: What the agent was given besides what it observes, in words.
    """
    _print_totals(results, times)
    if given:
        print(given)
    _print_smartplay(results)
    _print_rates(results)
    _print_luck(results)


def _print_totals(results: dict[str, Any], times: dict[str, float | None]) -> None:
    heads = ("world", "episodes", "reward", "score", "complete", "died", "ms per decision")
    rows = []
    for name, found in results.items():
        reward = f"{found['reward']['mean']:.2f} ± {found['reward']['std']:.2f}"
        score, shares = f"{found['score']:.1f} %", (found["complete"], found["died"])
        took = times[name]
        shown = "" if took is None else f"{took:.1f}"
        cells = (*(f"{share:.0%}" for share in shares), shown)
        rows.append((name, str(len(found["episodes"])), reward, score, *cells))
    print_table(heads, rows)


def _print_smartplay(results: dict[str, Any]) -> None:
    """SmartPlay's score, and what stands beside it."""
    from mars_logic.play.unlock_score import MARKS

    found = {name: each["smartplay"] for name, each in results.items() if "smartplay" in each}
    if not found:
        return
    heads = ("unlocked", "steps lived", "to the end", *(f"score at {mark:,}" for mark in MARKS))
    rows = []
    for name, each in found.items():
        spreads = (each["unlocked"], each["steps"], *each["at"].values())
        few, *many = (f"{s['mean']:,.1f} ± {s['std']:,.1f}" for s in spreads)
        rows.append((name, few, many[0], f"{each['alive']:.0%}", *many[1:]))
    console().print()
    print_table(("SmartPlay", *heads), rows)


def _print_rates(results: dict[str, Any]) -> None:
    """Success rates, each with the median step and its quartiles."""
    names = dict.fromkeys(name for found in results.values() for name in found["success"])
    rows = ((name, *(_rate(found, name) for found in results.values())) for name in names)
    console().print()
    print_table(("success rate, median step (quartiles)", *results), rows)


def _rate(found: dict[str, Any], achievement: str) -> str:
    if achievement not in found["success"]:
        return ""
    rate, steps = found["success"][achievement], found["steps"].get(achievement)
    if rate is None:
        return "proved unreachable"
    when = f", {steps['median']:g} ({steps['low']:g}–{steps['high']:g})" if steps else ""
    barred = found["unreachable"].get(achievement)
    return f"{rate:.0%}{when}" + (f", unreachable on {barred}" if barred else "")


def _print_luck(results: dict[str, Any]) -> None:
    """Results of finite chances, beside their expectation."""
    rows = [(name, *pair) for name, found in results.items() for pair in found["luck"].items()]
    if not rows:
        return
    heads = ("depends on chance", "episodes", "rate", "expected from the tries made", "at most")
    lines = []
    for name, achievement, luck in rows:
        expected = "unknown"
        if luck["expected"] is not None:
            low, high = luck["interval"]
            expected = f"{luck['expected']:.0%} (95 % interval {low:.0%}–{high:.0%})"
        shares = (f"{luck['rate']:.0%}", expected, f"{luck['at_most']:.0%}")
        lines.append((name, achievement, str(luck["episodes"]), *shares))
    console().print()
    print_table(("world", *heads), lines)


def print_game_results(
    agent: str,
    results: Mapping[str, dict[str, Any]],
    families: Mapping[str, dict[str, Any]],
    hypotheses: Mapping[str, dict[str, Any]],
) -> None:
    """Print what a player reached in games.

    Args:
        agent: The player.
        results: A summary for each game.
        families: What came of games that hide their rules, by domain.
        hypotheses: What the hypotheses that were written are worth, by domain.
    """
    from mars_logic.experiments.solved import HYPOTHESES, PUZZLES, hypothesis_cells, puzzle_rows

    played = {name: found for name, found in results.items() if found["domain"] not in families}
    if played:
        _print_summaries(played)
    if families:
        told = ({"agent": agent, "domain": name, **each} for name, each in families.items())
        print_table(PUZZLES, puzzle_rows(told))
    if hypotheses:
        rows = ((family, *hypothesis_cells(each)) for family, each in hypotheses.items())
        print_table(("domain", *HYPOTHESES), rows)


def explained(episode: GameEpisode) -> dict[str, Any]:
    """What was done, seen and believed at each step, as plain values."""
    certificate = episode.certificate
    return {
        "seed": certificate.seed,
        "actions": list(certificate.actions),
        "texts": list(episode.texts),
        "theories": [list(each) for each in episode.theories],
    }


def print_explained(name: str, episode: GameEpisode, game: Game) -> None:
    """Each step: what was believed, what was done, and what was seen then."""
    played = domain_of(game)
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
