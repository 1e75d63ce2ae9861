"""The command ``run``: agents play episodes in worlds or games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

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
    end_at_budget,
    player_settings,
    print_counts,
    summed_counts,
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
    make_folder,
    print_json,
    progress,
    refuse,
    require_recording,
)
from mars_logic.cli.run_results import (
    explained,
    print_explained,
    print_game_results,
    print_results,
)
from mars_logic.domains import domain_of, load_game_theory
from mars_logic.domains.registry import player_names
from mars_logic.domains.together import load_all
from mars_logic.errors import InputError
from mars_logic.play.agent import plays_games, require_player
from mars_logic.world.known_names import require_unmarked

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.domains.runs import GameRun
    from mars_logic.experiments.runs import Run
    from mars_logic.language.chat import BudgetReachedError
    from mars_logic.language.settings import LanguageSettings

_R = TypeVar("_R")


class BenchmarkScore(StrEnum):
    """Scores of other benchmarks that worlds can have beside their own."""

    smartplay = "smartplay"


def _agents() -> list[str]:
    from mars_logic.play.agent import agent_names

    return [*dict.fromkeys((*agent_names(), *player_names()))]


def run(
    agent: Annotated[
        str, typer.Argument(help="The agent that plays.", metavar="AGENT", autocompletion=_agents)
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
            help="Games: what bayes knows: the numbers without their order, or (by default) none."
        ),
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Games: keep its theory from one episode to the next.")
    ] = False,
    noise: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Games: probability that a random action replaces the chosen one."
        ),
    ] = 0.0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Games: print its theory at each step.")
    ] = False,
    experiments: Annotated[
        ExperimentChoice | None,
        typer.Option(help="Puzzles: experiments by expected information, at random, or none."),
    ] = None,
    revise: Annotated[
        bool,
        typer.Option("--revise/--no-revise", help="Puzzles: whether it revises its first rule."),
    ] = True,
    trust_hints: TrustHints = False,
    mode: Annotated[
        str | None,
        typer.Option(help="Puzzles: the player, in place of AGENT's own.", metavar="MODE"),
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
    played by idea, told (which knows the rule), baseline (which keeps no hypotheses), random, and
    by a language model as idea_llm, idea_llm_verified, idea_llm_planner, baseline_llm, told_llm.

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
        _run_games(
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
    runs: dict[str, Run] = {}

    def begun() -> Iterator[tuple[str, Run]]:
        for name, world in loaded.items():
            if settings is not None:
                session = certificate_name(world, player, seed).removesuffix(".json")
                made_with["language"] = settings.model_copy(update={"session": session})
            about = player, partial(make, **made_with), world, name, out, record, public
            runs[name] = Run(
                *about,
                limit=length,
                belief=rules,
                live_on=live_on,
                smartplay=score is not None,
                anew=settings is not None,
            )
            yield name, runs[name]

    stopped = _played(
        loaded, begun(), range(seed, seed + episodes), lambda _, run, each: run.add(each)
    )
    done = {name: run for name, run in runs.items() if run.results}
    results = {
        name: summary(run.results, loaded[name], smartplay=score is not None)
        for name, run in done.items()
    }
    counts = summed_counts(run.agent for run in runs.values()) if settings is not None else None
    if as_json:
        about_agent: dict[str, Any] = {"agent": named, "belief": digest, "given": told}
        if settings is not None and counts is not None:
            about_agent["language"] = counts.to_json(settings)
            about_agent["stopped"] = str(stopped) if stopped else None
        print_json({"schema": "mars-logic run 1", **about_agent, "worlds": results})
    else:
        times = {name: milliseconds(run.results) for name, run in done.items()}
        print_results(results, times, marked(agent, told) if told else "")
        if settings is not None and counts is not None:
            print_counts(counts, settings)
    end_at_budget(stopped)


def _run_games(
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
    from mars_logic.experiments.solved import by_family, hypotheses_by_family

    if belief is not None and prior is not None:
        raise InputError("--prior, --belief: they exclude each other; allowed: one of them")
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

    def add(name: str, run: GameRun, each: int) -> None:
        episode = run.add(each)
        if record is not None:
            record_game(record, games[name], episode.certificate, public=public)

    stopped = _played(games, runs.items(), range(seed, seed + episodes), add)
    counts = summed_counts(runs.values()) if language else None
    runs = {name: run for name, run in runs.items() if run.episodes}
    played = {name: [each.certificate for each in run.episodes] for name, run in runs.items()}
    results = {name: game_summary(games[name], some) for name, some in played.items()}
    families = by_family(games, played)
    hypotheses = hypotheses_by_family(games, played) if language and families else {}
    if as_json:
        steps = {name: [explained(e) for e in run.episodes] for name, run in runs.items()}
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
        print_json(document | ({"explained": steps} if explain else {}))
        end_at_budget(stopped)
        return
    if explain:
        for name, run in runs.items():
            for episode in run.episodes:
                print_explained(name, episode, games[name])
    print_game_results(agent, results, families, hypotheses)
    if language and counts:
        print_counts(counts, language)
    end_at_budget(stopped)


def _played(
    names: Iterable[str],
    runs: Iterable[tuple[str, _R]],
    seeds: range,
    add: Callable[[str, _R, int], object],
) -> BudgetReachedError | None:
    """Play all episodes of all runs, with bars, until a budget is reached, which is given back."""
    from mars_logic.language.chat import BudgetReachedError

    with progress() as shown:
        bars = {name: shown.add_task(name, total=len(seeds)) for name in names}
        try:
            for name, run in runs:
                for seed in seeds:
                    add(name, run, seed)
                    shown.advance(bars[name])
        except BudgetReachedError as error:
            return error
    return None
