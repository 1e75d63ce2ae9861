"""The command ``prove``: a verdict for each achievement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, console, print_json
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.logic.proof import Probability, Proof, Verdict
    from mars_logic.logic.upkeep import Upkeep


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("prove")(prove)


def prove(
    worlds: Annotated[
        list[str] | None,
        typer.Argument(
            help="Bundled worlds or world files; by default all bundled worlds.",
            metavar="[WORLD...]",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ] = None,
    map_seed: Annotated[
        int | None,
        typer.Option("--map", min=0, max=2**60, help="Prove it for the map of this seed."),
    ] = None,
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="Show how each achievement is reached.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Prove each achievement reachable, with a witness, or unreachable, with an explanation.

    Without --map a verdict is about ordinary maps, which hold enough of each material that the
    generator can make. It says what the rules allow to a player who stays alive meanwhile.
    Exit status 1 unless everything is reachable.

    Example: mars-logic prove default all_three
    """
    from mars_logic.proving import prove as prove_world

    loaded = {name: load_world(name) for name in worlds or bundled_worlds()}
    proofs = {name: prove_world(world, map_seed) for name, world in loaded.items()}
    if as_json:
        about = {"schema": "mars-logic proof 1"}
        print_json([about | proof.to_json() | {"world": name} for name, proof in proofs.items()])
    elif len(proofs) == 1 or witnesses:
        for name, proof in proofs.items():
            _print_verdicts(name, proof, witnesses)
    else:
        _print_overview(proofs)
    if not all(proof.all_reachable for proof in proofs.values()):
        raise typer.Exit(1)


def _print_overview(proofs: dict[str, Proof]) -> None:
    """One line a world, and what is in doubt there."""
    from rich.table import Table

    table = Table("world", "reachable", "by a finite chance only", "not proved reachable", box=None)
    for name, proof in proofs.items():
        chance = [a for a, v in proof.achievements.items() if v.certainty == "finite_chance"]
        lost = [f"{a} ({v.verdict})" for a, v in proof.achievements.items() if _is_lost(v)]
        table.add_row(name, _count(proof), ", ".join(chance), ", ".join(lost))
    console().print(table)


def _is_lost(verdict: Verdict) -> bool:
    return verdict.verdict != "reachable"


def _count(proof: Proof) -> str:
    verdicts = proof.achievements.values()
    return f"{sum(not _is_lost(verdict) for verdict in verdicts)} of {len(verdicts)}"


def _print_verdicts(name: str, proof: Proof, witnesses: bool) -> None:
    """Every verdict, with its witness if wanted, and its explanation."""
    place = "" if proof.map_seed is None else f" on the map of seed {proof.map_seed}"
    print(f"{name}: {_count(proof)} achievements reachable{place}")
    for achievement, verdict in proof.achievements.items():
        print(f"  {achievement:<20} {_told(verdict)}")
        for step in verdict.witness if witnesses else ():
            times = f"{step.times} x " if step.times > 1 else ""
            gain = f", until it gives {step.gain}" if step.gain else ""
            print(f"      {times}{step.rule}{gain}")
        for sentence in verdict.words:
            print(f"      {sentence}")
    _print_upkeep(proof.upkeep, in_full=witnesses)


def _print_upkeep(upkeep: Upkeep, *, in_full: bool) -> None:
    """Whether the player can live on, and what on."""
    parts: list[str] = [upkeep.verdict]
    if upkeep.for_an_episode and upkeep.verdict != "sustainable":
        parts.append("but for an episode")
    if upkeep.lacking:
        parts.append(f"short of {' and '.join(upkeep.lacking)}")
    elif upkeep.times:
        doings = [f"{times} x {rule}" for rule, times in upkeep.times.items()]
        parts.append(f"by {', '.join(doings)} in 1,000 steps")
    print(f"  {'living on':<20} {', '.join(parts)}")
    for vital in upkeep.needed if in_full else ():
        gains = {rule: of[vital] for rule, of in upkeep.brought.items() if vital in of}
        gains = {"living and sleeping": upkeep.rest.get(vital, 0), **gains}
        told = [f"{points:+g} {rule}" for rule, points in gains.items() if points]
        total = f"= {upkeep.balance(vital):+g}"
        print(f"      {vital:<7} {-upkeep.needed[vital]:+d} needs, {', '.join([*told, total])}")


def _told(verdict: Verdict) -> str:
    parts: list[str] = [verdict.verdict]
    if verdict.certainty:
        parts.append(verdict.certainty.replace("_", " "))
    if verdict.probability:
        parts.append(f"probability {_range(verdict.probability)} ({verdict.probability.method})")
    if verdict.witness:
        parts.append(f"{verdict.interactions} interaction{'s' * (verdict.interactions != 1)}")
    if verdict.reason:
        parts.append(verdict.reason)
    return ", ".join(parts)


def _range(found: Probability) -> str:
    low, high = f"{found.low:.3g}", f"{found.high:.3g}"
    return low if low == high else f"{low} to {high}"
