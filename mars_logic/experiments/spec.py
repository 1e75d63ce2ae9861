"""The specification of an experiment: a validated YAML file, with one message per mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from mars_logic.domains.game import Game
from mars_logic.domains.library import bundled_games, game_sets, games_of, names_a_game
from mars_logic.domains.load import load_game
from mars_logic.errors import InputError
from mars_logic.experiments.games import check_player, named_games, shortened
from mars_logic.experiments.settings import Mistake, check_agent
from mars_logic.logic.sampling.modifications import CHANGES, MODIFICATIONS
from mars_logic.play.agent import parsed
from mars_logic.system.file_names import path_named
from mars_logic.system.files import read_text
from mars_logic.world.fields import invalid, nearest, shown
from mars_logic.world.load import bundled_worlds
from mars_logic.world.mistakes import OURS, mistakes
from mars_logic.world.problems import Document, Problem
from mars_logic.world.problems import Path as Place
from mars_logic.world.source import parse

MAX_BYTES: Final = 200_000
_MOST: Final = 1_000_000
"""Seeds of an experiment, worlds of a sample: at most so many."""
_LABEL: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.+-]|_(?!_))*")
_LABELS: Final = "letters, digits and . + - _ (not two _ together), the first a letter or a digit"
_SEEDS: Final = "a range such as 0..9, or a list such as [0, 1, 5], each seed once and not below 0"
_RANGE: Final = re.compile(r"(\d{1,10})(?:\.\.(\d{1,10}))?")

ALLOWED: Final = {
    "agents": "names of agents, or mappings with name, label, options, belief, learn, evaluate, "
    "seeds",
    "agents.name": "the name of an installed agent",
    "agents.options": "a mapping of what the agent's class takes",
    "agents.belief": "a world, a game or a theory, bundled or a file: rules to play by or to start "
    "from",
    "agents.learn": "a whole number from 1",
    "agents.evaluate": "a whole number from 0",
    "worlds": "a list of worlds, games or sets of games: bundled ones, files, or sample: "
    "{count: ...}",
    "worlds.world": "a bundled world or game, a file, or sample: {count: ...}",
    "worlds.sample": "a mapping with count, seed, changes, difficulty, certainty, must, forbid, "
    "livable",
    "worlds.sample.count": "a whole number from 1",
    "worlds.sample.seed": "a whole number from 0",
    "worlds.sample.certainty": "sure, almost_sure, finite_chance",
    "worlds.sample.livable": "true or false",
    "length": "a whole number from 1: steps after which an episode ends",
    "live_on": "true or false",
    "keep": "a mapping with certificates, thoughts",
}
"""What may stand in a field, for messages that do not know better."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _seeds(stated: Any) -> tuple[int, ...]:
    if isinstance(stated, tuple):
        return stated
    if isinstance(stated, str) and (found := _RANGE.fullmatch(stated.strip())):
        low, high = int(found[1]), int(found[2] or found[1])
        if low <= high < low + _MOST:
            return tuple(range(low, high + 1))
    single = [stated] if isinstance(stated, int) else stated
    if isinstance(single, list) and single:
        whole = all(type(seed) is int and seed >= 0 for seed in single)
        if whole and len(set(single)) == len(single):
            return tuple(single)
    raise invalid(f"{shown(stated)} are no seeds", _SEEDS)


def _own_seeds(stated: Any) -> tuple[int, ...] | None:
    return None if stated is None else _seeds(stated)


def _label(text: str) -> str:
    if not _LABEL.fullmatch(text):
        raise invalid(f"{shown(text)} is no label", _LABELS)
    return text


def _with_argument(stated: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The default label of a setting, and the setting with what follows a colon as an option."""
    try:
        name, argument = parsed(stated["name"])
    except InputError:  # told with its line
        return stated["name"], stated
    options = stated.get("options", {})
    if not argument or not isinstance(options, dict):
        return stated["name"], stated
    label = re.sub(r"[^A-Za-z0-9.+-]+", "_", stated["name"]).strip("_")
    return label, stated | {"name": name, "options": argument | options}


class AgentSetting(_Part):
    """An agent with its options.

    Attributes:
        name: As the agent is registered.
        label: What the setting is called in results and in the names of files.
        options: What the agent's class takes.
        belief: A world, a game or a theory of one, bundled or a file: the rules that the agent is
            given to play by, or to start learning from.
        learn: Episodes to learn in, for an agent that learns.
        evaluate: Episodes on seeds far from these, without learning. An agent that does not learn
            plays these same episodes, if a number is given, instead of the seed's own.
        seeds: If they are to be others than the experiment's.
    """

    name: str
    label: Annotated[str, AfterValidator(_label)] = ""
    options: dict[str, Any] = {}
    belief: str | None = None
    learn: Annotated[int, Field(ge=1)] | None = None
    evaluate: Annotated[int, Field(ge=0)] | None = None
    seeds: Annotated[tuple[int, ...] | None, BeforeValidator(_own_seeds)] = None

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, stated: Any) -> Any:
        if isinstance(stated, str):
            stated = {"name": stated}
        if isinstance(stated, dict) and isinstance(stated.get("name"), str):
            label, stated = _with_argument(stated)
            return {"label": label} | stated
        return stated


def _difficulty(stated: Any) -> tuple[int, int] | None:
    if stated is None or isinstance(stated, tuple):
        return stated
    found = None if isinstance(stated, bool) else _RANGE.fullmatch(str(stated).strip())
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if low > high:
        raise invalid(f"{shown(stated)} is no number of rules", "a number, or a range such as 5..9")
    return low, high


def _changes(stated: Any) -> tuple[str, ...]:
    known = [*CHANGES, *MODIFICATIONS]
    names = stated if isinstance(stated, list | tuple) else [stated]
    for name in names:
        if not isinstance(name, str) or name not in known:
            hint = nearest(name, known) if isinstance(name, str) else ""
            raise invalid(f"unknown change {shown(name)}{hint}", ", ".join(known))
    return tuple(names)


def _texts(stated: Any) -> tuple[str, ...]:
    names = stated if isinstance(stated, list | tuple) else [stated]
    if not all(isinstance(name, str) for name in names):
        raise invalid(f"{shown(stated)} is no list of rules", "rules in words")
    return tuple(names)


class Sampled(_Part):
    """Worlds to sample, as ``mars-logic sample`` does."""

    count: Annotated[int, Field(ge=1, le=_MOST)]
    seed: Annotated[int, Field(ge=0)] = 0
    changes: Annotated[tuple[str, ...], BeforeValidator(_changes)] = CHANGES
    difficulty: Annotated[tuple[int, int] | None, BeforeValidator(_difficulty)] = None
    certainty: Literal["sure", "almost_sure", "finite_chance"] = "finite_chance"
    must: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    forbid: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    livable: bool = True


class WorldSpec(_Part):
    """One world, or several sampled ones; exactly one of the two is given."""

    world: str | None = None
    sample: Sampled | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, stated: Any) -> Any:
        if isinstance(stated, str):
            return {"world": stated}
        if not isinstance(stated, dict) or len({"world", "sample"} & stated.keys()) != 1:
            raise invalid(f"{shown(stated)} is no world", ALLOWED["worlds.world"])
        return stated


def _how_many(stated: Any) -> Any:
    whole = isinstance(stated, int) and not isinstance(stated, bool) and stated >= 0
    if not (whole or stated in ("all", "none")):
        allowed = "all, none, or a number: of the first so many seeds"
        raise invalid(f"{shown(stated)} is no number of seeds", allowed)
    return stated


HowMany = Annotated[int | Literal["all", "none"], BeforeValidator(_how_many)]


class Keep(_Part):
    """Which episodes are kept, beside their rows: those of the first so many seeds."""

    certificates: HowMany = "all"
    thoughts: HowMany = 1


class Spec(_Part):
    """An experiment: every agent in every world with every seed.

    Attributes:
        name: What it is called.
        agents: Who plays.
        worlds: Where: worlds and games.
        seeds: Of the environments, for agents that have none of their own.
        length: Steps after which an episode ends; by default as the world has it.
        live_on: Whether episodes in worlds go on after the last goal, to death or their length.
        keep: What is kept of episodes.
    """

    name: str | None = None
    agents: Annotated[tuple[AgentSetting, ...], Field(min_length=1)]
    worlds: Annotated[tuple[WorldSpec, ...], Field(min_length=1)]
    seeds: Annotated[tuple[int, ...], BeforeValidator(_seeds)]
    length: Annotated[int, Field(ge=1)] | None = None
    live_on: bool = False
    keep: Keep = Keep()

    def seeds_of(self, setting: AgentSetting) -> tuple[int, ...]:
        """With which seeds an agent plays."""
        return self.seeds if setting.seeds is None else setting.seeds

    def to_yaml(self) -> str:
        """The spec as a file that reads as an equal one."""
        plain = self.model_dump(mode="json", exclude_none=True)
        plain["worlds"] = [each.get("world", each) for each in plain["worlds"]]
        for each in plain["worlds"]:
            if isinstance(each, dict) and "difficulty" in each["sample"]:
                low, high = each["sample"]["difficulty"]
                each["sample"]["difficulty"] = f"{low}..{high}"
        for each in (plain, *plain["agents"]):
            if "seeds" in each:
                each["seeds"] = _as_stated(each["seeds"])
        return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def _as_stated(seeds: list[int]) -> str | list[int]:
    low, high = seeds[0], seeds[-1]
    return f"{low}..{high}" if seeds == [*range(low, high + 1)] else seeds


def read(path: Path) -> Spec:
    """Read and validate a spec; its files of worlds are looked for beside it.

    Raises:
        InputError: It is missing or no YAML, or something in it is wrong; a line for each mistake.
    """
    allowed = "a spec of an experiment in YAML; see docs/experiments.md"
    document = parse(read_text(path, allowed, MAX_BYTES), str(path), allowed)
    try:
        spec = Spec.model_validate(_lists_as_tuples(document.data))
    except ValidationError as error:
        raise _refusal(_problems(document, error)) from None
    problems = [*_labels(document, spec), *_no_files(document, spec, path.parent)]
    named = [each for where in spec.worlds for each in _games(where, spec.length, path.parent)]
    for number, setting in enumerate(spec.agents):
        for within, message, right in _mistakes(setting, named, path.parent):
            problems.append(document.problem(("agents", number, *within), message, right))
    if problems:
        raise _refusal(problems)
    return spec


def _games(where: WorldSpec, length: int | None, beside: Path) -> list[Game | None]:
    """The games as they are played; None for worlds."""
    try:
        found = named_games(where.world, beside) if where.world else []
    except InputError:
        if where.world and names_a_game(where.world):
            return []  # told with its line in the spec
        raise
    return [shortened(game, length) for game in found] or [None]


def _mistakes(
    setting: AgentSetting, worlds: Iterable[Game | None], beside: Path
) -> Iterable[Mistake]:
    """What is wrong with a setting in these games, and in worlds, for which None stands."""
    found: dict[Mistake, None] = {}
    for game in dict.fromkeys(worlds):
        check = check_agent if game is None else partial(check_player, game, beside=beside)
        mistakes = check(setting.name, setting.options, learn=setting.learn, belief=setting.belief)
        found |= dict.fromkeys(mistakes)
    return found


def _refusal(problems: list[Problem]) -> InputError:
    return InputError("\n".join(map(str, sorted(problems, key=lambda problem: problem.line))))


def _lists_as_tuples(data: dict[str, Any]) -> dict[str, Any]:
    """Strict models take no list for a tuple."""
    return data | {
        key: tuple(data[key]) for key in ("agents", "worlds") if isinstance(data.get(key), list)
    }


def _labels(document: Document, spec: Spec) -> list[Problem]:
    """Labels that are used twice, and samples of the same seed: their names would be the same."""
    found, seen = [], set[str]()
    for number, setting in enumerate(spec.agents):
        if setting.label in seen:
            message = f"two agents are called '{setting.label}'"
            place = ("agents", number, "label")
            found.append(document.problem(place, message, "a label of its own for each"))
        seen.add(setting.label)
    drawn = set[int]()
    for number, where in enumerate(spec.worlds):
        if where.sample and where.sample.seed in drawn:
            message = f"two samples have the seed {where.sample.seed}"
            allowed, of = "a seed of its own for each sample", ("worlds", number, "sample", "seed")
            found.append(document.problem(of, message, allowed))
        drawn |= {where.sample.seed} if where.sample else set()
    return found


def _no_files(document: Document, spec: Spec, beside: Path) -> Iterator[Problem]:
    """Names of worlds and beliefs that are neither bundled nor files."""
    bundled = (*bundled_worlds(), *bundled_games(), *game_sets())
    worlds = [(("worlds", number), where.world) for number, where in enumerate(spec.worlds)]
    beliefs = [
        (("agents", number, "belief"), setting.belief) for number, setting in enumerate(spec.agents)
    ]
    for place, name in (*worlds, *beliefs):
        if name is None or name in bundled:
            continue
        if names_a_game(name):
            yield from _no_games(document, place, name)
        elif not path_named(beside / name).is_file():
            message = f"there is no bundled world and no file {shown(name)}{nearest(name, bundled)}"
            allowed = f"{', '.join(bundled)}, or a file beside this one"
            yield document.problem(place, message, allowed)


def _no_games(document: Document, place: Place, name: str) -> Iterator[Problem]:
    try:
        for each in games_of(name):
            load_game(each)
    except InputError as error:
        message, _, allowed = str(error).partition("; allowed: ")
        yield document.problem(place, message, allowed)


def _problems(document: Document, error: ValidationError) -> list[Problem]:
    """One problem for each mistake that pydantic found."""
    found: dict[Place, Problem] = {}
    for each in mistakes(error):
        place, message = each.place, each.message
        names = [part for part in place if isinstance(part, str)]
        field = ".".join(names)
        allowed = each.allowed or "see docs/experiments.md"
        if each.kind != OURS:
            allowed = ALLOWED.get(field, allowed)
        if each.kind == "extra_forbidden":
            within = _fields(".".join(names[:-1]))
            message = f"unknown field '{place[-1]}'{nearest(str(place[-1]), within)}"
            allowed = ", ".join(within)
        found.setdefault(place, document.problem(place, message, allowed))
    return list(found.values())


def _fields(within: str) -> tuple[str, ...]:
    kinds: dict[str, type[_Part]] = {
        "": Spec,
        "agents": AgentSetting,
        "worlds": WorldSpec,
        "worlds.sample": Sampled,
        "keep": Keep,
    }
    return tuple(kinds[within].model_fields)
