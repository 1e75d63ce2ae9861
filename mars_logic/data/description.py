"""The description of a file of trajectories: one JSON document in the metadata of the table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mars_logic.data.trajectory import About, MayBeUnknown
from mars_logic.errors import InputError
from mars_logic.system.json_files import value_of
from mars_logic.world import names
from mars_logic.world.added_creatures import MOST_CREATURES
from mars_logic.world.added_things import AddedCreature, AddedMaterial, AddedProjectile, Coming
from mars_logic.world.adds import COLOUR, LONGEST, NAME, ROOM, Adds, vocabulary_with
from mars_logic.world.goals import MOST_GOALS, condition_of
from mars_logic.world.mistakes import mistakes
from mars_logic.world.problems import dotted

KEY: Final = "mars_logic"
"""The key of the document in the metadata."""
SCHEMA: Final = "mars-logic trajectories"
VERSION: Final = 1
_CELLS: Final = "uint8[9, 7] by x, y"


_Name = Annotated[str, Field(pattern=f"^{NAME.pattern}$", max_length=LONGEST)]
_Goal = Annotated[str, Field(pattern=f"^{NAME.pattern}$", max_length=2 * LONGEST)]
_Goals = Annotated[list[_Goal], Field(max_length=MOST_GOALS)]
_Names = Annotated[list[_Name], Field(max_length=ROOM["items"])]


class _Head(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    schema_: Annotated[str, Field(alias="schema")]
    version: int


class _AddedMaterial(BaseModel):
    """An added material and its appearance."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    name: _Name
    looks: Literal["ore", "station", "ground", "plant"]
    colour: Annotated[str, Field(pattern=f"^{COLOUR.pattern}$")]


class _Coming(BaseModel):
    """How added creatures appear and vanish."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    ground: _Name
    enough: Annotated[int, Field(ge=1, le=144)]
    day: Annotated[float, Field(ge=0, le=9)]
    night: Annotated[float, Field(ge=0, le=9)]
    fewest: Annotated[int, Field(ge=0, le=9)] | None
    chance: Annotated[float, Field(ge=0, le=1)]
    distance: Annotated[int, Field(ge=0, le=17)]
    going_chance: Annotated[float, Field(ge=0, le=1)]
    going_distance: Annotated[int, Field(ge=0, le=17)]


class _AddedCreature(BaseModel):
    """An added creature, with its appearance and what it is."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    name: _Name
    looks: Literal["animal", "person"]
    colour: Annotated[str, Field(pattern=f"^{COLOUR.pattern}$")]
    health: Annotated[int, Field(ge=1, le=30)]
    ground: _Names
    comes: _Coming | None

    def creature(self) -> AddedCreature:
        """As the vocabulary holds it."""
        about = {name: getattr(self, name) for name in ("name", "looks", "colour", "health")}
        comes = Coming(**self.comes.model_dump()) if self.comes else None
        return AddedCreature(**about, ground=tuple(self.ground), comes=comes)


class _AddedProjectile(BaseModel):
    """A kind of projectile that the world of an origin adds."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    name: _Name
    colour: Annotated[str, Field(pattern=f"^{COLOUR.pattern}$")]


_Materials = Annotated[list[_AddedMaterial], Field(max_length=ROOM["materials"])]


_LATER = (
    *("pushed", "beside", "timed", "creatures", "behaving", "hunted", "needs"),
    *("projectiles", "flying", "shot"),
)
"""What older files lack: subjects of rules about cells that change, and all about creatures."""


class _Adds(BaseModel):
    """Names that the world of an origin adds."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    materials: _Materials = []
    items: _Names = []
    placed: _Names = []
    made: _Names = []
    eaten: _Names = []
    pushed: _Names = []
    beside: _Names = []
    timed: _Names = []
    creatures: Annotated[list[_AddedCreature], Field(max_length=MOST_CREATURES)] = []
    behaving: _Names = []
    hunted: _Names = []
    needs: _Names = []
    projectiles: Annotated[list[_AddedProjectile], Field(max_length=MOST_CREATURES)] = []
    flying: _Names = []
    shot: _Names = []


class _Origin(BaseModel):
    """The metadata shared by episodes of one world and one agent."""

    model_config = ConfigDict(strict=True, frozen=True)
    world: str
    digest: str
    dynamics: Literal["crafter", "mars"]
    agent: str
    versions: dict[str, str]
    adds: _Adds = _Adds()
    own_map: bool = False
    goals: _Goals = []
    own_constants: bool = False
    unknown: Annotated[list[MayBeUnknown], Field(max_length=3)] = []


class _Episode(NamedTuple):
    """An episode: the position of its origin, seed, number, and how many transitions it has."""

    origin: Annotated[int, Field(ge=0, lt=2**31)]
    seed: Annotated[int, Field(gt=-names.SEED_LIMIT, lt=names.SEED_LIMIT)]
    episode: Annotated[int, Field(ge=1, lt=2**31)]
    transitions: Annotated[int, Field(ge=1, lt=2**31)]


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    schema_: Annotated[Literal["mars-logic trajectories"], Field(alias="schema")]
    version: Literal[1]
    privileged: bool
    origins: Annotated[list[_Origin], Field(min_length=1)]
    episodes: Annotated[list[_Episode], Field(min_length=1)]


@dataclass(frozen=True)
class Described:
    """The description of a file.

    Attributes:
        abouts: Where each episode comes from.
        lengths: Number of transitions of each.
        privileged: Whether there are privileged columns.
    """

    abouts: tuple[About, ...]
    lengths: tuple[int, ...]
    privileged: bool

    @property
    def dynamics(self) -> names.Dynamics:
        """The dialect of all episodes."""
        return self.abouts[0].dynamics

    def sources(self, path: Path) -> tuple[str, ...]:
        """A name for each episode in a file, to point at its transitions."""
        if len(self.abouts) == 1:
            return (str(path),)
        return tuple(
            f"{path} {about.world} {about.agent} seed {about.seed}"
            + (f" episode {about.episode}" if about.episode > 1 else "")
            for about in self.abouts
        )


def description(abouts: Sequence[About], lengths: Sequence[int], privileged: bool) -> str:
    """The document, as text."""
    numbers = dict[str, int]()
    origins = list[dict[str, object]]()
    episodes = []
    for about, length in zip(abouts, lengths, strict=True):
        origin: dict[str, object] = {
            "world": about.world,
            "digest": about.digest,
            "dynamics": about.dynamics,
            "agent": about.agent,
            "versions": dict(about.versions),
        }
        if about.adds:
            added = asdict(about.adds)
            unsaid = [name for name in _LATER if not added[name]]  # older files lack them
            origin["adds"] = {key: value for key, value in added.items() if key not in unsaid}
        if about.own_map:
            origin["own_map"] = True
        if about.goals:
            origin["goals"] = list(about.goals)
        if about.own_constants:
            origin["own_constants"] = True
        if about.unknown:
            origin["unknown"] = list(about.unknown)
        number = numbers.setdefault(json.dumps(origin), len(numbers))
        if number == len(origins):
            origins.append(origin)
        episodes.append((number, about.seed, about.episode, length))
    words = abouts[0].words
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "privileged": privileged,
        "cells": _CELLS,
        "materials": " ".join(words.materials),
        "objects": " ".join(words.looks),
        "inventory": " ".join(words.items),
        "origins": origins,
        "episodes": episodes,
    }
    return json.dumps(document, separators=(",", ":"))


def described(text: bytes) -> Described:
    """Read the document.

    Raises:
        InputError: It is not one of a version known here; the message lacks the file's name.
    """
    allowed = f"{SCHEMA!r} as JSON"
    value_of(text, KEY, allowed)
    try:
        found = _Document.model_validate_json(text)
    except ValidationError as error:
        raise _refusal(text, error) from None
    added = [_added(origin) for origin in found.origins]
    abouts = []
    for origin, seed, episode, _ in found.episodes:
        if origin >= len(found.origins):
            raise InputError(f"episodes: origin {origin}; allowed: 0 to {len(found.origins) - 1}")
        of = found.origins[origin]
        given = of.world, of.digest, of.dynamics, seed, episode, of.agent, of.versions
        own = of.own_map, tuple(of.goals), of.own_constants, tuple(of.unknown)
        abouts.append(About(*given, added[origin], *own))
    if len({about.dynamics for about in abouts}) > 1:
        raise InputError("dynamics: episodes of several dialects; allowed: one in a file")
    if len({about.words for about in abouts}) > 1:
        raise InputError("adds: episodes with several sets of names; allowed: one in a file")
    lengths = tuple(episode.transitions for episode in found.episodes)
    return Described(tuple(abouts), lengths, found.privileged)


def _added(origin: _Origin) -> Adds:
    """The added names of an origin.

    Raises:
        InputError: A name is in use already, or stands for nothing.
    """
    of = origin.adds
    materials = tuple(AddedMaterial(each.name, each.looks, each.colour) for each in of.materials)
    subjects = (
        "needs",
        "items",
        "placed",
        "made",
        "eaten",
        "pushed",
        "beside",
        "timed",
        "behaving",
        "hunted",
        "flying",
        "shot",
    )
    listed = {name: tuple(getattr(of, name)) for name in subjects}
    found = Adds(
        materials,
        creatures=tuple(each.creature() for each in of.creatures),
        projectiles=tuple(AddedProjectile(each.name, each.colour) for each in of.projectiles),
        **listed,
    )
    words = vocabulary_with(origin.dynamics, found)
    for kind, most in ROOM.items():
        all_of = getattr(words, kind)
        if len(set(all_of)) < len(all_of) or len(all_of) > most:
            raise InputError(
                f"adds: names of {kind} are repeated or too many; "
                f"allowed: at most {most}, each once"
            )
    if not {*of.placed} <= {*found.material_names} or not {*of.made, *of.eaten} <= {*of.items}:
        raise InputError("adds: a name is used and not added; allowed: names that are added")
    if not {*of.pushed, *of.beside, *of.timed} <= {*words.placed_on}:
        raise InputError(
            "adds: a rule is about an unknown material; allowed: materials of the world"
        )
    if len({*words.objects}) < len(words.objects) or not {*of.behaving, *of.hunted} <= {
        *words.creatures
    }:
        raise InputError("adds: creatures are repeated or unknown; allowed: each added one once")
    if len(of.creatures) + len(of.projectiles) > MOST_CREATURES or not {*of.flying, *of.shot} <= {
        *words.projectiles
    }:
        allowed = f"at most {MOST_CREATURES} with the creatures, and no others"
        raise InputError(f"adds: projectiles are repeated, unknown or too many; allowed: {allowed}")
    if not {name for each in of.creatures for name in each.ground} <= {*words.placed_on}:
        raise InputError(
            "adds: a creature stands on an unknown material; allowed: those of the world"
        )
    known = {name for name in origin.goals if name in words.achievements or condition_of(name)}
    if len(known) < len(origin.goals):
        raise InputError("goals: a goal is unknown or repeated; allowed: achievements, conditions")
    return found


def _refusal(text: bytes, error: ValidationError) -> InputError:
    """The error for a document that is invalid or not JSON."""
    try:
        head = _Head.model_validate_json(text)
    except ValidationError:
        return InputError(
            f"{KEY}: this is not the description of trajectories; allowed: {SCHEMA!r} as JSON"
        )
    if head.schema_ != SCHEMA:
        return InputError(f"schema: this is {head.schema_!r}; allowed: {SCHEMA!r}")
    if head.version != VERSION:
        newer = ", written by a newer mars-logic" if head.version > VERSION else ""
        return InputError(f"version: this is version {head.version}{newer}; allowed: {VERSION}")
    first = mistakes(error)[0]
    right = first.allowed or f"{SCHEMA!r}, version {VERSION}"
    return InputError(f"{dotted(first.place)}: {first.message}; allowed: {right}")
