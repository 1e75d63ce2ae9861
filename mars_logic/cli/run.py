"""The command ``run``: agents play episodes in worlds or games."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.games import GamePrior
from mars_logic.cli.induction import TrustHints, player_options
from mars_logic.cli.language_model import (
    AgentOptions,
    Endpoint,
    ExchangesFolder,
    LanguageFile,
    LanguageOptions,
    ModelName,
    ReplayFolder,
    agent_options,
    agent_settings,
    player_settings,
    print_counts,
)
from mars_logic.cli.learn import ExperimentChoice
from mars_logic.cli.loading import (
    Assignments,
    BeliefFile,
    Dialect,
    Hints,
    ObservationKind,
    SentencesFile,
    known_names,
    load_all,
    load_belief,
    variant,
    with_sentences,
)
from mars_logic.cli.output import (
    Json,
    Length,
    LiveOn,
    PublicOnly,
    RecordFolder,
    Trust,
    console,
    make_folder,
    print_json,
    print_table,
    progress,
    require_recording,
    say_wrong,
)
from mars_logic.cli.run_results import player_names, refuse, run_games
from mars_logic.play.agent import require_player
from mars_logic.world.known_names import require_unmarked

if TYPE_CHECKING:
    from mars_logic.language.session import AnswerCounts


class BenchmarkScore(StrEnum):
    """Scores of other benchmarks that worlds can have beside their own."""

    smartplay = "smartplay"


def _agents() -> list[str]:
    from mars_logic.play.agent import agent_names

    return [*dict.fromkeys((*agent_names(), *player_names()))]


def run(
    agent: Annotated[
        str, typer.Argument(help="Who plays.", metavar="AGENT", autocompletion=_agents)
    ],
    worlds: Annotated[
        list[str],
        typer.Argument(
            help="Worlds or games: bundled ones, sets of games, or files.",
            metavar="WORLD...",
            autocompletion=known_names,
        ),
    ],
    episodes: Annotated[int, typer.Option(min=1, max=1_000_000, help="Episodes in each.")] = 10,
    seed: Annotated[
        int, typer.Option(min=0, max=2**60, help="Episode i uses environment seed SEED + i.")
    ] = 0,
    length: Length = None,
    belief: BeliefFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Keep each episode as a certificate here; a later run goes on."
        ),
    ] = None,
    record: RecordFolder = None,
    public: PublicOnly = False,
    live_on: LiveOn = False,
    score: Annotated[
        BenchmarkScore | None,
        typer.Option(help="Worlds: also report SmartPlay's score, and keep it in certificates."),
    ] = None,
    prior: Annotated[
        GamePrior | None,
        typer.Option(
            help="Games: what bayes is told, the numbers but not their order, or (by default) none."
        ),
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Games: let its theory outlive an episode.")
    ] = False,
    noise: Annotated[
        float,
        typer.Option(min=0, max=1, help="Games: how likely an action is replaced at random."),
    ] = 0.0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Games: print its theory at each step.")
    ] = False,
    experiments: Annotated[
        ExperimentChoice | None,
        typer.Option(help="Puzzles: experiments by what they tell, at random, or none."),
    ] = None,
    revise: Annotated[
        bool, typer.Option("--revise/--no-revise", help="Puzzles: whether its first rule changes.")
    ] = True,
    trust_hints: TrustHints = False,
    mode: Annotated[
        str | None, typer.Option(help="Puzzles: play as this agent instead.", metavar="MODE")
    ] = None,
    dialect: Dialect = None,
    hints: Hints = None,
    assignments: Assignments = None,
    observation: ObservationKind = None,
    sentences: SentencesFile = None,
    model: ModelName = None,
    endpoint: Endpoint = None,
    language: LanguageFile = None,
    exchanges: ExchangesFolder = None,
    replay: ReplayFolder = None,
    options: AgentOptions = None,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Let an agent play, and sum up its results.

    These are rewards, success rates and score. Score is the geometric mean of the success rates in
    percent; complete is the share of episodes that reached everything that is neither proved
    unreachable on their map nor left to a finite chance; died is the share that ended in death.
    What is proved unreachable on a map does not count against the rate. An episode ends with the
    last achievement that its map allows, unless the agent is to live on. With --out, episodes that
    are there already are not played again; times are of those played now, and no part of the JSON.

    SmartPlay's score (--score smartplay) sums over all steps, that of its reset included, how many
    achievements are unlocked by then, so that it measures mainly how long the player lives.

    Agents are told what they declare to know: nothing (random, inductive), the true rules but no
    map (informed), rules and map (oracle), or these and the future (clairvoyant).

    Agents that a language model plays take --model and --endpoint, or settings (--language). A run
    that reaches its budget stops with status 1; with a larger one the same command goes on.

    Games are played by random, oracle and, where there is chance, bayes; reported are score, reward
    and completion as in SmartPlay, and the score on the scale on which people have 1. Puzzles are
    played by idea, told (which knows the rule), baseline (which supposes nothing), random, and by a
    language model as idea_llm, idea_llm_verified, idea_llm_planner, baseline_llm and told_llm.

    Example: mars-logic run random default all_three --episodes 20 --out runs
    """
    loaded, games = load_all(
        variant(name, dialect, hints, assignments, observation) for name in worlds
    )
    for each in loaded.values():
        require_player(agent, each)
        if record:
            require_unmarked(each)
    asking = LanguageOptions(language, model, endpoint, exchanges, replay)
    if games:
        refuse(
            {"length": length, "live-on": live_on, "score": score, "trust": trust}, "with worlds"
        )
        require_recording(public, record)
        agent = agent if mode is None else mode
        choices = {
            "experiments": experiments.value if experiments else "informative",
            "revise": revise,
            "trust_hints": trust_hints,
        }
        run_games(
            *(agent, with_sentences(games, sentences), episodes, seed),
            options=player_options(agent, choices, options or []),
            language=player_settings(agent, games.values(), asking),
            prior=prior,
            belief=belief,
            learn=learn,
            noise=noise,
            out=out,
            record=record,
            public=public,
            explain=explain,
            as_json=as_json,
        )
        return
    refuse({"prior": prior, "learn": learn, "noise": noise, "explain": explain}, "with games")
    chosen = {"experiments": experiments, "no-revise": not revise, "trust-hints": trust_hints}
    refuse(chosen | {"mode": mode}, "with puzzles")
    refuse({"sentences": sentences}, "with games of Messenger")

    from mars_logic.experiments.run_summaries import milliseconds, summary
    from mars_logic.experiments.runs import Run, certificate_name
    from mars_logic.language.chat import BudgetReachedError
    from mars_logic.play.agent import load_agent, model_player, parsed, resolved
    from mars_logic.play.privileges import given, marked

    require_recording(public, record)
    named = agent
    agent, argument = parsed(named)
    make: Any = load_agent(agent)
    rules = load_belief(belief, agent, loaded.values())
    digest = rules.digest if rules is not None else None
    stated = agent_options(agent, options or [], argument)
    made_with = resolved(agent, stated, Path(), trust=trust)
    player = model_player(agent, made_with)
    told = given(agent, made_with, digest)
    if rules is not None:
        made_with["belief"] = rules
    settings = agent_settings(agent, asking)
    for folder in filter(None, (out, record)):
        make_folder(folder)
    results: dict[str, Any] = {}
    times: dict[str, float | None] = {}
    players: dict[str, Any] = {}
    stopped: BudgetReachedError | None = None
    with progress() as shown:
        bars = {name: shown.add_task(name, total=episodes) for name in loaded}
        for name, world in loaded.items():
            if settings is not None:
                session = certificate_name(world, player, seed).removesuffix(".json")
                made_with["language"] = settings.model_copy(update={"session": session})
            about = player, partial(make, **made_with), world, name, out, record, public
            played = Run(
                *about,
                limit=length,
                belief=rules,
                live_on=live_on,
                smartplay=score is not None,
                anew=settings is not None,
            )
            players[name] = played.agent
            try:
                for i in range(episodes):
                    played.add(seed + i)
                    shown.advance(bars[name])
            except BudgetReachedError as error:
                stopped = error
            if played.results:
                results[name] = summary(played.results, world, smartplay=score is not None)
                times[name] = milliseconds(played.results)
            if stopped:
                break
    counts = _counts(players) if settings is not None else None
    if as_json:
        about_agent: dict[str, Any] = {"agent": named, "belief": digest, "given": told}
        if settings is not None and counts is not None:
            about_agent["language"] = counts.to_json(settings)
            about_agent["stopped"] = str(stopped) if stopped else None
        print_json({"schema": "mars-logic run 1", **about_agent, "worlds": results})
    else:
        print_results(results, times, marked(agent, told) if told else "")
        if settings is not None and counts is not None:
            print_counts(counts, settings)
    if stopped:
        say_wrong(str(stopped))
        raise typer.Exit(1)


def _counts(players: dict[str, Any]) -> AnswerCounts:
    """The counts of agents that a language model played, together."""
    from mars_logic.language.session import summed

    return summed([agent.counts for agent in players.values() if agent.counts is not None])


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
    heads = ("left to luck", "episodes", "rate", "expected of the tries made", "at most")
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
