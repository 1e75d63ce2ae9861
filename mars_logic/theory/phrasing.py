"""Signatures in words: the player's action and the observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch

from mars_logic.theory.cell_signatures import Act, CellChange, PushTry
from mars_logic.theory.shot_signatures import Flight, Shooter, Struck
from mars_logic.theory.signatures import (
    Collecting,
    Eating,
    Harm,
    Health,
    Held,
    Hitting,
    Hunting,
    Making,
    Motion,
    Moved,
    NeedChange,
    Passage,
    Placing,
    ShootTry,
    Shot,
    Signature,
    Standing,
    Start,
    Tread,
    Unharmed,
)
from mars_logic.world import names
from mars_logic.world.words.kinds import spaced, with_article

_WAYS = ("left", "right", "up", "down", "nowhere")


@singledispatch
def told(signature: Signature) -> tuple[str, str]:
    """The player's action and the observation, in words.

    Example:
        >>> told(Passage("sand", False))
        ('moving onto sand', 'the player stayed')
    """
    raise TypeError(f"no signature: {signature!r}")


@told.register
def _(signature: Start) -> tuple[str, str]:
    return "beginning", f"the player stood among {spaced(signature.material)}"


@told.register
def _(signature: Passage) -> tuple[str, str]:
    seen = "the player moved" if signature.moved else "the player stayed"
    return f"moving onto {signature.material}", seen


@told.register
def _(signature: Tread) -> tuple[str, str]:
    return f"moving on {signature.ground}{_dangers(signature.health)}", _health(signature.health)


@told.register
def _(signature: Standing) -> tuple[str, str]:
    return f"standing{_dangers(signature.health)}", _health(signature.health)


@told.register
def _(signature: Collecting) -> tuple[str, str]:
    seen = [*_changes(signature.held, signature.held_after)]
    for vital in ("drink", "food"):
        least, most = getattr(signature, vital)
        if least > 0 or most < 0:
            seen.append(_signed(least if least == most or least > 0 else most, vital))
    if signature.health and signature.health.before != signature.health.after:
        seen.append(_health(signature.health))
    if signature.left != signature.material:
        seen.append(f"{signature.left} in its place")
    if signature.appeared:
        seen.append(f"a {signature.appeared} appeared")
    return f"collecting from {signature.material} {_holding(signature.held)}", _all(seen)


@told.register
def _(signature: Placing) -> tuple[str, str]:
    seen = [*_changes(signature.held, signature.held_after)]
    if signature.left != signature.material:
        seen.append(f"{signature.left} in its place")
    if signature.planted:
        seen.append("a plant there")
    what = f"placing {with_article(signature.thing)} on {signature.material}"
    return f"{what} {_holding(signature.held)}", _all(seen)


@told.register
def _(signature: Making) -> tuple[str, str]:
    ground = (names.MATERIALS[0], *names.NATURAL)
    near = ", ".join(spaced(m) for m in signature.nearby if m not in ground) or "nothing built"
    what = f"making {with_article(spaced(signature.tool))} near {near}"
    seen = _all([*_changes(signature.held, signature.held_after)])
    return f"{what} {_holding(signature.held)}", seen


@told.register
def _(signature: Eating) -> tuple[str, str]:
    seen = [*_changes(signature.held, signature.held_after), *_of_vitals(signature)]
    return f"eating {with_article(spaced(signature.item))}", _all(seen)


@told.register
def _(signature: Hitting) -> tuple[str, str]:
    fate = {True: "killing", False: "hitting", None: "hitting (perhaps killing)"}
    did = "eating a ripe plant" if signature.being == "plant" else None
    seen = [*_of_vitals(signature)]
    return did or f"{fate[signature.killed]} a {signature.being}", _all(seen)


def _of_vitals(signature: Eating | Hitting) -> Iterator[str]:
    for vital in ("food", "drink"):
        least, most = getattr(signature, vital)
        if least > 0 or most < 0:
            yield _signed(least if least == most or least > 0 else most, vital)
    if signature.health.before != signature.health.after:
        yield _health(signature.health)


@told.register
def _(signature: Shot) -> tuple[str, str]:
    beings = " or ".join(f"a {being}" for being in signature.beings)
    return f"beside {beings}", "an arrow appeared"


@told.register
def _(signature: Moved) -> tuple[str, str]:
    return f"watching a {signature.being}", "it changed its place"


@told.register
def _(signature: Motion) -> tuple[str, str]:
    did = f"watching a {signature.being} on {signature.ground}"
    return did, f"it went {_WAYS[signature.went]}"


@told.register
def _(signature: Unharmed) -> tuple[str, str]:
    return f"standing beside a {signature.being} for six steps", "it had no effect on health"


@told.register
def _(signature: Harm) -> tuple[str, str]:
    did = "standing"
    if signature.ground:
        did = f"moving on {signature.ground}"
    if signature.touched:
        did += f" against {with_article(spaced(signature.touched))}"
    empty = [f"with no {spaced(need)}" for need in signature.needs]
    return " ".join((did + _dangers(signature.health, signature.others), *empty)), _health(
        signature.health
    )


@told.register
def _(signature: NeedChange) -> tuple[str, str]:
    near = [spaced(name) for name in signature.near if name not in names.NATURAL]
    around = f" near {', '.join(near)}" if near else ""
    ate = f", eating {with_article(spaced(signature.eaten))}" if signature.eaten else ""
    time = "at night" if signature.night else "by day"
    before, after = signature.points
    went = f"stayed at {after}" if before == after else f"went from {before} to {after}"
    seen = [f"{spaced(signature.need)} {went}"]
    if signature.health:
        seen.append(_health(signature.health))
    did = f"step {signature.step} {time}, on {spaced(signature.ground)}{around}{ate}"
    held = ", ".join(map(spaced, signature.in_hand)) or "nothing"
    return f"{did}, holding {held}", _all(seen)


@told.register
def _(signature: Hunting) -> tuple[str, str]:
    fate = {True: "killing", False: "hitting", None: "hitting (perhaps killing)"}[signature.killed]
    seen = _all(_changes(signature.held, signature.held_after))
    who = with_article(spaced(signature.being))
    return f"{fate} {who} {_holding(signature.held)}", seen


@told.register
def _(signature: CellChange) -> tuple[str, str]:
    beside = f" beside {', '.join(map(spaced, signature.beside))}" if signature.beside else ""
    least, most = signature.age
    stayed = signature.after == signature.material
    age = f"{least}" if least == most and not stayed else f"at least {least}"
    time = "at night" if signature.night else "by day"
    seen = "it stayed" if stayed else f"it became {spaced(signature.after)}"
    return f"watching {spaced(signature.material)}{beside}, {age} steps old, {time}", seen


@told.register
def _(signature: PushTry) -> tuple[str, str]:
    behind = f"{spaced(signature.ground)}{' with something on it' if signature.taken else ''}"
    seen = " or ".join(f"{spaced(a)} before {spaced(b)}" for a, b in signature.outcomes)
    return f"moving against {spaced(signature.material)} before {behind}", f"then {seen}"


@told.register
def _(signature: Act) -> tuple[str, str]:
    time = "at night" if signature.night else "by day"
    held = ", ".join(map(spaced, signature.in_hand)) or "nothing"
    far = sum(map(abs, signature.way))
    did = f"watching {with_article(spaced(signature.being))} {far} steps from the player, {time}"
    return f"{did}, which held {held}", f"it went {_WAYS[signature.went]}"


@told.register
def _(signature: Flight) -> tuple[str, str]:
    least, most = signature.flown
    flown = f"{least}" if least == most else f"{least} or more"
    cells = [
        "the player" if cell.player else spaced(cell.material) for cell in signature.way if cell
    ]
    did = f"watching {with_article(spaced(signature.projectile))} {flown} cells after its start"
    seen = [f"it was {signature.went} cells on" if signature.went else "it was gone"]
    seen += [
        f"{spaced(cell.material)} became {spaced(cell.left)}"
        for cell in signature.way
        if cell and cell.left not in ("", cell.material)
    ]
    return f"{did}, before {' and '.join(cells)}", _all(seen)


@told.register
def _(signature: Shooter) -> tuple[str, str]:
    did = f"watching {with_article(spaced(signature.being))}"
    return did, f"it shot {with_article(spaced(signature.projectile))}"


@told.register
def _(signature: Struck) -> tuple[str, str]:
    shot, being = spaced(signature.projectile), spaced(signature.being)
    before = signature.hits - (not signature.died)
    did = f"hitting {with_article(being)} with {with_article(shot)} after {before} such hits"
    return did, "it died" if signature.died else "it lived"


@told.register
def _(signature: ShootTry) -> tuple[str, str]:
    shot = with_article(spaced(signature.projectile))
    did = f"shooting {shot} onto {spaced(signature.material)} {_holding(signature.held)}"
    seen = ["it flew"] if signature.shot else []
    return did, _all([*seen, *_changes(signature.held, signature.held_after)])


def _holding(held: Held) -> str:
    amounts = {item: n for item, n in held.named() if n}
    return f"holding {_list(amounts)}" if amounts else "holding nothing"


def _list(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {spaced(item)}" for item, n in amounts.items())


def _changes(before: Held, after: Held) -> list[str]:
    return [
        _signed(new - old, spaced(item))
        for item, old, new in zip(before.items, before, after, strict=True)
        if old != new
    ]


def _signed(points: int, what: str) -> str:
    return f"{points:+d} {what}".replace("-", "−")


def _health(health: Health) -> str:
    needs = {
        -1: ", although lack of food, drink or rest cost 1",
        0: "",
        1: ", of which recovery gave 1" if health.after > health.before else ", with recovery",
    }[health.recovery]
    if health.before == health.after:
        return f"health stayed at {health.after}{needs}"
    return f"health went from {health.before} to {health.after}{needs}"


def _dangers(health: Health, others: Iterable[tuple[str, int]] = ()) -> str:
    near = (*zip(names.BEINGS, health.near, strict=True), *others)
    beings = [f"{n} {spaced(being)}{'s' if n > 1 else ''}" for being, n in near if n]
    if health.arrows:
        beings.append(f"{health.arrows} arrow{'s' if health.arrows > 1 else ''}")
    return f" near {' and '.join(beings)}" if beings else ""


def _all(seen: Sequence[str]) -> str:
    return ", ".join(seen) if seen else "nothing happened"


def told_tries(
    material: str,
    tries: Sequence[tuple[Collecting, int]],
    needed: Mapping[str, int] | None = None,
    held: Sequence[bool] = (),
) -> tuple[str, str]:
    """All tries of collecting from a material, and how often each thing came of them.

    Args:
        material: What the player faced.
        tries: What was seen, with how often.
        needed: Items; tries with and without them are told apart.
        held: For each try, whether they were held.
    """
    did = f"collecting from {spaced(material)} {_times(sum(count for _, count in tries))}"
    if not needed:
        return did, _all([f"{what} {_times(count)}" for what, count in _came(tries)])
    parts = []
    for word, kept in (("holding", True), ("without", False)):
        part = [each for each, has in zip(tries, held, strict=True) if has == kept]
        seen = _all([f"{what} {_times(count)}" for what, count in _came(part)])
        parts.append(f"{word} {_list(needed)}: {seen}")
    return did, "; ".join(parts)


def _came(tries: Iterable[tuple[Collecting, int]]) -> list[tuple[str, int]]:
    """The outcomes of tries, the most frequent first."""
    came: Counter[str] = Counter()
    for signature, count in tries:
        seen = [*_changes(signature.held, signature.held_after)]
        seen += ["drink collected"] if signature.got_drink else []
        seen += [f"a {signature.appeared} appeared"] if signature.appeared else []
        came[_all(seen)] += count
    return came.most_common()


def told_motions(being: str, went: int, of: int) -> tuple[str, str]:
    """How often a creature with room to go was watched, and how often it went somewhere."""
    did = f"watching {with_article(being)} with room to go"
    return did, f"it went somewhere {went} times out of {of}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
