"""Units of work: an agent's setting, a world and a seed, with all that their results depend on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from mars_logic.domains.game import Game
from mars_logic.domains.library import names_a_game
from mars_logic.domains.registry import family_of
from mars_logic.errors import InputError
from mars_logic.experiments.spec import AgentSetting, HowMany, Spec
from mars_logic.experiments.worlds import ExperimentWorld, Given
from mars_logic.play.agent import resolved, takes
from mars_logic.play.learning import far_seed
from mars_logic.system.json_files import value_of
from mars_logic.world.fields import shown
from mars_logic.world.theory import Theory, World

_UP: Final = "../../../"
"""From a unit's certificates to the experiment's folder."""
_LIMITS: Final = ("budget", "concurrency", "prices", "retries", "stream", "timeout")
"""Settings of a language model that change no answer."""


@dataclass(frozen=True)
class Unit:
    """A unit of work: the smallest job of one process.

    Attributes:
        label: Of the agent's setting.
        agent: As it is registered.
        options: What its class takes, as JSON.
        world: Where it plays: a world, or a game.
        world_label: What the world is called in names.
        world_path: How it can be loaded: a bundled name, or a path from the experiment's folder.
        seed: The environment's.
        learn: Episodes to learn in; None if the agent does not learn.
        evaluate: Episodes on far seeds.
        length: Steps after which an episode ends, if before the world's own length.
        certificates: Whether episodes are kept as certificates.
        thoughts: Whether what the agent had in mind is kept.
        belief: The rules that it is given to play by, or to start from; None if it is given none.
        live_on: Whether episodes go on after the last goal.
        trust: Whether the agent may read files that could run code; its results are the same.
        exchanges: The folder for exchanges with a language model; empty if it asks none.
    """

    label: str
    agent: str
    options: str
    world: World | Game
    world_label: str
    world_path: str
    seed: int
    learn: int | None
    evaluate: int | None
    length: int | None
    certificates: bool
    thoughts: bool
    belief: Theory | Game | None = None
    live_on: bool = False
    trust: bool = False
    exchanges: str = ""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.world_label}__{self.label}__s{self.seed}"

    @property
    def cell(self) -> tuple[str, str]:
        """The cell of the table that it belongs to: the agent's label and the world's."""
        return self.label, self.world_label

    @property
    def dynamics(self) -> str:
        """The dialect of a world, the domain of a game."""
        return str(family_of(self.world).label(self.world))

    @property
    def played(self) -> list[tuple[int, int]]:
        """Seed and episode of what an agent plays that does not learn."""
        if self.evaluate is None:
            return [(self.seed, 1)]
        return [(far_seed(self.seed, i), 1) for i in range(self.evaluate)]

    @property
    def stated_options(self) -> dict[str, Any]:
        """The options of the agent; exchanges with a language model are kept by unit."""
        options: dict[str, Any] = value_of(self.options, "options", "a mapping")
        if "language" in options:
            options["language"] = {**options["language"], "session": self.name}
            if self.exchanges:
                options["language"]["exchanges"] = self.exchanges
        return options

    @property
    def made_with(self) -> dict[str, Any]:
        """The arguments of the agent's class."""
        options = self.stated_options
        if self.trust:
            options["trust"] = True
        return options if self.belief is None else options | {"belief": self.belief}

    @property
    def name_in_certificates(self) -> str:
        """How the world is found from one of the unit's certificates."""
        bundled = "/" not in self.world_path or names_a_game(self.world_path)
        return self.world_path if bundled else _UP + self.world_path

    def identity(self) -> dict[str, Any]:
        """All that its results depend on, as plain data."""
        return {
            "agent": self.agent,
            "options": without_limits(value_of(self.options, "options", "a mapping")),
            "belief": self.belief.digest if self.belief is not None else None,
            "world": self.world.digest,
            "seed": self.seed,
            "learn": self.learn,
            "evaluate": self.evaluate,
            "length": self.length,
            "keep": {"certificates": self.certificates, "thoughts": self.thoughts},
        } | ({"live_on": True} if self.live_on else {})


def without_limits(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of an agent but for what only limits or prices a language model's work."""
    asked = options.get("language")
    if not isinstance(asked, Mapping):
        return dict(options)
    kept = {name: value for name, value in asked.items() if name not in _LIMITS}
    return {**options, "language": kept}


def units_of(
    spec: Spec,
    places: Sequence[ExperimentWorld],
    beliefs: Mapping[str, Given] = MappingProxyType({}),
    beside: Path = Path(),
    *,
    trust: bool = False,
    out: Path | None = None,
    exchanges: Path | None = None,
) -> tuple[Unit, ...]:
    """All units: seed by seed, so that what is done at any moment is a table with few gaps.

    Args:
        spec: What is asked for.
        places: The worlds.
        beliefs: The beliefs of agents, by label.
        beside: The folder that relative paths in options start from.
        trust: Whether agents may read files that could run code.
        out: The folder of results, in which exchanges with language models are kept.
        exchanges: Another folder for them, which the user named.

    Raises:
        InputError: An agent's model is missing, or is not trusted; or the spec names a folder for
            exchanges that lies elsewhere.
    """
    trusted = {each.label: trust and _reads_models(each, places) for each in spec.agents}
    options = {
        each.label: _options(each, places, beside, trusted[each.label]) for each in spec.agents
    }
    most = max(len(spec.seeds_of(setting)) for setting in spec.agents)
    return tuple(
        Unit(
            label=setting.label,
            agent=setting.name,
            options=options[setting.label],
            world=place.world,
            world_label=place.label,
            world_path=place.path,
            seed=seed,
            learn=setting.learn,
            evaluate=setting.evaluate,
            length=spec.length,
            certificates=_kept(spec.keep.certificates, number),
            thoughts=_kept(spec.keep.thoughts, number),
            belief=beliefs[setting.label].theory if setting.label in beliefs else None,
            live_on=spec.live_on,
            trust=trusted[setting.label],
            exchanges=str(exchanges or _exchanges(setting, out) or ""),
        )
        for number in range(most)
        for place in places
        for setting in spec.agents
        for seed in spec.seeds_of(setting)[number : number + 1]
    )


def _exchanges(setting: AgentSetting, out: Path | None) -> Path | None:
    """Where an agent's exchanges with a language model are kept: inside the folder of results."""
    language = setting.options.get("language")
    if out is None or not isinstance(language, Mapping):
        return None
    stated = str(language.get("exchanges", "exchanges"))
    folder = out / stated
    if not folder.resolve().is_relative_to(out.resolve()):
        raise InputError(
            f"agents: {setting.label}: options: language: exchanges: {shown(stated)} lies outside "
            "the folder of results; allowed: a folder inside it, or --exchanges"
        )
    return folder


def _reads_models(setting: AgentSetting, places: Sequence[ExperimentWorld]) -> bool:
    return _in_worlds(places) and takes(setting.name, "trust")


def _in_worlds(places: Sequence[ExperimentWorld]) -> bool:
    return any(family_of(place.world).agents for place in places)


def _options(
    setting: AgentSetting, places: Sequence[ExperimentWorld], beside: Path, trust: bool
) -> str:
    """The options of an agent's class as JSON; those of players of games as stated."""
    stated = setting.options
    if _in_worlds(places):
        stated = resolved(setting.name, stated, beside, trust=trust)
    return json.dumps({key: stated[key] for key in stated if key != "trust"}, sort_keys=True)


def _kept(how_many: HowMany, number: int) -> bool:
    """Whether what belongs to the seed with this number (from 0) is kept."""
    if isinstance(how_many, str):
        return how_many == "all"
    return number < how_many
