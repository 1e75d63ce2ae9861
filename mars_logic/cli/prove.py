"""The command ``prove``: a verdict for each achievement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, make_folder, print_json, print_table, progress, say
from mars_logic.domains.library import names_a_game
from mars_logic.errors import InputError, unsupported
from mars_logic.logic.proof import counted, proof_lines
from mars_logic.world.load import all_bundled_worlds, bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.logic.proof import Proof, Verdict
    from mars_logic.play.execute import Execution
    from mars_logic.play.replay import WitnessReplay
    from mars_logic.world.theory import World

    Executions = Mapping[str, Execution]
    Replays = Mapping[str, WitnessReplay]

_MOST_STEPS = 24
"""Plans of level 2 and 3 that are longer are not looked for: the search grows with their length."""
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0.001,
        max=1e6,
        help="Give up all searches after so many seconds; what is not proved by then is unknown.",
        metavar="SECONDS",
    ),
]


def prove(
    worlds: Annotated[
        list[str] | None,
        typer.Argument(
            help="Bundled worlds or world files; by default all bundled worlds.",
            metavar="[WORLD...]",
            autocompletion=lambda: list(all_bundled_worlds()),
        ),
    ] = None,
    map_seed: Annotated[
        int | None,
        typer.Option("--map", min=0, max=2**60, help="Prove it for the map of this seed."),
    ] = None,
    maps: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            help="Estimate finite chances from N maps, those of seeds 0 to N - 1.",
        ),
    ] = 0,
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="Show how each achievement is reached.")
    ] = False,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="Let the simulator apply each witness, step by step, with all it needs at hand.",
        ),
    ] = False,
    execute: Annotated[
        bool,
        typer.Option(
            "--execute",
            help="With --map: play the witnesses. With --maps: count how often it works.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="With --map and --execute: keep what was played, as certificates."
        ),
    ] = None,
    time_limit: TimeLimit = None,
    as_json: Json = False,
) -> None:
    """Prove each achievement reachable or unreachable.

    What is reachable has a witness; what is unreachable has an explanation. Without --map a verdict
    is about ordinary maps, which hold enough of each material that the generator can make. It says
    what the rules allow to a player who stays alive meanwhile. The time limit holds for the proof
    of each world, not for playing. Exit status 1 unless everything is reachable, and replayed if
    that is asked for.

    Of games of Messenger, --map and --maps name starts, and a plan is looked for that wins whatever
    the movers draw.

    Example: mars-logic prove default all_three
    """
    if any(names_a_game(name) for name in worlds or ()):
        from mars_logic.cli.output import refuse
        from mars_logic.domains.together import load_all

        worlds_alone = {"execute": execute, "replay": replay, "witnesses": witnesses, "out": out}
        refuse(worlds_alone, "with worlds")
        seeds = [*range(maps)] if maps else [map_seed or 0]
        if not _prove_games(load_all(worlds or ())[1], seeds, as_json):
            raise typer.Exit(1)
        return
    _check_options(map_seed, maps, execute, out)
    loaded = {name: load_world(name) for name in worlds or bundled_worlds()}
    proofs = _proofs(loaded, map_seed, maps, execute, time_limit)
    for name, world in loaded.items():
        if map_seed is None and world.map.is_drawn:
            say(f"{name}: {_on_drawing(world)}")
    played: dict[str, Executions] = {name: {} for name in proofs}
    if execute and map_seed is not None:
        if out:
            make_folder(out)
        for name, proof in proofs.items():
            played[name] = _play(name, loaded[name], proof)
            if out:
                _keep(played[name], loaded[name], map_seed, out)
    replayed = _replayed(loaded, proofs) if replay else {name: {} for name in proofs}
    if as_json:
        documents = (_document(n, each, played[n], replayed[n]) for n, each in proofs.items())
        print_json([*documents])
    elif len(proofs) == 1 or witnesses or maps or execute:
        for name, proof in proofs.items():
            print_verdicts(name, proof, witnesses, played[name], replayed[name])
    else:
        print_overview(proofs, replayed)
    failed = any(each.reason for some in replayed.values() for each in some.values())
    if failed or not all(proof.all_reachable for proof in proofs.values()):
        raise typer.Exit(1)


def _on_drawing(world: World) -> str:
    """What a proof is about where maps are drawn."""
    drawn = len(world.map.drawings)
    if drawn == 1:
        return "its map is drawn, and the proof is about that map"
    return f"the proof is about the first of its {drawn} drawings; --map 1 is about the second"


def _check_options(map_seed: int | None, maps: int, execute: bool, out: Path | None) -> None:
    if map_seed is not None and maps:
        raise InputError("--map, --maps: they exclude each other; allowed: one of them")
    if execute and map_seed is None and not maps:
        raise InputError("--execute: a witness is played on a map; allowed: with --map or --maps")
    if out and not (execute and map_seed is not None):
        raise InputError("--out: nothing is played; allowed: with --map and --execute")


def _proofs(
    loaded: Mapping[str, World],
    map_seed: int | None,
    maps: int,
    played: bool,
    time_limit: float | None,
) -> dict[str, Proof]:
    from mars_logic.experiments.proving import prove as prove_world

    proofs: dict[str, Proof] = {}
    with progress() as shown:
        for name, world in loaded.items():
            bar = shown.add_task(f"{name}, maps", total=maps, visible=maps > 0)
            proofs[name] = prove_world(
                world,
                map_seed,
                maps=maps,
                played=played and maps > 0,
                time_limit=time_limit,
                progress=lambda bar=bar: shown.advance(bar),  # type: ignore[misc]
            )
    return proofs


def _play(name: str, world: World, proof: Proof) -> Executions:
    from mars_logic.experiments.proving import execute

    total = sum(bool(verdict.witness) for verdict in proof.achievements.values())
    with progress() as shown:
        bar = shown.add_task(f"{name}, witnesses", total=total)
        return execute(world, proof, name=name, progress=lambda: shown.advance(bar))


def _replayed(loaded: Mapping[str, World], proofs: Mapping[str, Proof]) -> dict[str, Replays]:
    """What came of applying the witnesses of each proof in the simulator."""
    from mars_logic.experiments.proving import replay

    with progress() as shown:
        bar = shown.add_task("replays", total=len(proofs))
        found: dict[str, Replays] = {}
        for name, proof in proofs.items():
            found[name] = replay(loaded[name], proof)
            shown.advance(bar)
    return found


def _keep(played: Executions, world: World, seed: int, folder: Path) -> None:
    """Write the certificates, replacing none that says anything else."""
    from mars_logic.play import certificate

    name = re.sub(r"\W+", "_", world.name)
    for achievement, execution in played.items():
        if execution.certificate is None:
            continue
        path = folder / f"{name}__{achievement}__s{seed}.json"
        if not path.exists():
            certificate.save(execution.certificate, path)
        elif certificate.load(path) != execution.certificate:
            raise InputError(
                f"{path}:1: file: this is another episode than the one to be written here; "
                "allowed: to name another folder, or to remove the file"
            )


def _document(name: str, proof: Proof, played: Executions, replayed: Replays) -> dict[str, Any]:
    document = {"schema": "mars-logic proof 1"} | proof.to_json() | {"world": name}
    if played:
        document["executions"] = {
            achievement: {"steps": execution.steps, "reason": execution.reason}
            for achievement, execution in played.items()
        }
    if replayed:
        document["replays"] = {name: asdict(each) for name, each in replayed.items()}
    return document


def _prove_games(games: Mapping[str, Game], seeds: Sequence[int], as_json: bool) -> bool:
    """Print a verdict for each start; return whether all are sure wins.

    Args:
        games: By the names they were given by.
        seeds: Of the starts.
        as_json: Whether it is printed for programs.

    Raises:
        InputError: A game is none of Messenger.
    """
    from mars_logic.domains.messenger.rules import Messenger

    rows: list[dict[str, Any]] = []
    with progress() as shown:
        for name, game in games.items():
            if not isinstance(game, Messenger):
                raise unsupported(name, "`prove`", ("worlds", "messenger"), game.domain)
            bar = shown.add_task(name, total=len(seeds))
            for seed in seeds:
                rows.append({"game": name, "seed": seed, **_verdict(game, seed)})
                shown.advance(bar)
    if as_json:
        print_json({"schema": "mars-logic game proofs 1", "starts": rows})
    else:
        for row in rows:
            print(f"{row['game']}, seed {row['seed']}: {row['told']}")
    return all(row["verdict"] == "sure win" for row in rows)


def _verdict(game: Game, seed: int) -> dict[str, Any]:
    from mars_logic.domains import domain_of
    from mars_logic.domains.chance import Seeded
    from mars_logic.domains.messenger.proofs import sure_win
    from mars_logic.domains.messenger.rules import ACTIONS, Messenger

    assert isinstance(game, Messenger)
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(seed))
    most = min(game.length, _MOST_STEPS)
    try:
        found = sure_win(game.level, simulator.snapshot().numbers, most)
    except InputError as error:
        reason = str(error).partition(";")[0].removeprefix("prove: ")
        return {"verdict": "not proved", "told": f"not proved: {reason}", "steps": None, "plan": []}
    plan = [ACTIONS[each] for each in found.plan]
    return {"verdict": found.verdict, "told": str(found), "steps": found.steps, "plan": plan}


def print_overview(proofs: Mapping[str, Proof], replayed: Mapping[str, Replays]) -> None:
    """One line a world, and what is in doubt there."""
    some = any(replayed.values())
    rows = []
    for name, proof in proofs.items():
        chance = [a for a, v in proof.achievements.items() if v.certainty == "finite_chance"]
        lost = [f"{a} ({v.verdict})" for a, v in proof.achievements.items() if _is_lost(v)]
        scarce = [source.material for source in proof.scarce]
        told = [_applied(replayed[name])] if some else []
        rows.append((name, counted(proof), *told, *map(", ".join, (chance, scarce, lost))))
    heads = ["by a finite chance only", "scarce on maps", "not proved reachable"]
    heads = ["world", "reachable", *(["witnesses replayed"] if some else []), *heads]
    print_table(heads, rows)
    for name, proof in proofs.items():
        _print_doubts(name, proof, replayed[name])


def print_verdicts(
    name: str, proof: Proof, witnesses: bool, executions: Executions, replays: Replays
) -> None:
    """Every verdict, with its witness if wanted, its explanation, and what came of playing it."""
    sums: list[str] = []
    remarks: defaultdict[str, list[str]] = defaultdict(list)
    if executions:
        done = sum(execution.steps is not None for execution in executions.values())
        sums.append(f"{done} of {len(executions)} witnesses executed")
    if replays:
        sums.append(f"{_applied(replays)} witnesses replayed")
    for each, found in replays.items():
        remarks[each] += [f"not replayed: {found.reason}"] if found.reason else []
    for each, execution in executions.items():
        remarks[each].append(_done(execution))
    told = {each: "\n".join(some) for each, some in remarks.items()}
    lines = proof_lines(proof, name, witnesses=witnesses, sums=sums, remarks=told)
    for line in lines:
        print(line)


def _applied(replays: Replays) -> str:
    return f"{sum(each.reason is None for each in replays.values())} of {len(replays)}"


def _print_doubts(name: str, proof: Proof, replays: Replays) -> None:
    """The reasons of verdicts, each once."""
    reasons: dict[str, list[str]] = {}
    for achievement, verdict in proof.achievements.items():
        if verdict.reason and not _is_lost(verdict):
            reasons.setdefault(verdict.reason, []).append(achievement)
    for achievement, found in replays.items():
        if found.reason:
            reasons.setdefault(f"not replayed: {found.reason}", []).append(achievement)
    told = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    if told:
        print("\n".join((name, *(f"  {line}" for line in told))))


def _is_lost(verdict: Verdict) -> bool:
    return verdict.verdict != "reachable"


def _done(execution: Execution) -> str:
    if execution.steps is None:
        return f"not executed: {execution.reason}"
    return f"executed in {execution.steps} steps"
