"""Files of rules with what is known of them, as commands read and write them."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from mars_logic.cli.output import print_json, require_ending, say, write_answer
from mars_logic.errors import InputError
from mars_logic.world.load import load_theory

if TYPE_CHECKING:
    from mars_logic.theory.rulesets import RuleFinding, Rules
    from mars_logic.world.theory import Theory

_ENDINGS = (".json", ".yaml", ".yml")
RulesOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Write the rules with what is known of them to this file (.json or .yaml).",
    ),
]


LearnedOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Write the learned theory to this file; to one that ends in .json, its rules with "
        "what is known of them.",
    ),
]
NoiseRate = Annotated[
    str | None,
    typer.Option(
        "--noise",
        help="The rate of wrong labels or observations, at most 0.4; or fit, to estimate it.",
        metavar="RATE|fit",
    ),
]


def noise_rate(stated: str | None) -> float | Literal["fit"] | None:
    """The rate of noise that is told.

    Raises:
        InputError: It is none.
    """
    if stated is None or stated == "fit":
        return cast('Literal["fit"] | None', stated)
    from mars_logic.theory.rulesets.noise import HIGHEST

    try:
        rate = float(stated)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= HIGHEST:
        allowed = f"a number above 0 and at most {HIGHEST}, or fit"
        raise InputError(f"--noise: '{stated}' is not possible; allowed: {allowed}")
    return rate


def require_rules_ending(out: Path | None) -> None:
    """Refuse a name for rules that does not say how they are written.

    Raises:
        InputError: The name ends otherwise.
    """
    if out is not None:
        require_ending(out, _ENDINGS)


def asks_for_rules(out: Path | None) -> bool:
    """Whether a file that may hold a theory or rules is to hold rules: a theory is YAML."""
    return out is not None and out.suffix == ".json"


def signed(rules: Rules, command: str, source: str) -> Rules:
    """Rules with the command that wrote them, and where they are from."""
    made_by = f"mars-logic {command} {version('mars-logic')}"
    return rules.model_copy(update={"made_by": made_by, "rules_from": source})


def write_rules(out: Path, rules: Rules) -> None:
    """Write rules, whole or not at all.

    Raises:
        InputError: It cannot be written.
    """
    from mars_logic.theory.rulesets.artefact import rules_text

    write_answer(out, rules_text(rules, out))


def is_rule_file(source: str) -> bool:
    """Whether a file says of itself that it holds rules as a command writes them."""
    if not source.endswith(_ENDINGS):
        return False

    from mars_logic.theory.rulesets.artefact import is_rules

    return is_rules(source)


def load_rule_file(source: str) -> Rules:
    """The rules of such a file.

    Raises:
        InputError: It is wrong.
    """
    from mars_logic.theory.rulesets.artefact import load_rules

    return load_rules(source)


def entries_of(source: str) -> tuple[RuleFinding, ...]:
    """The rules of a file that a command wrote; none of any other file.

    Raises:
        InputError: It says of itself that it is such a file, and is none.
    """
    return load_rule_file(source).rules if is_rule_file(source) else ()


def load_believed(source: str) -> Theory:
    """A world or theory, bundled or a file, or what rules say that nothing contradicts.

    Raises:
        InputError: The file is wrong, or its rules say nothing of a world.
        WorldError: There is no such world, or its file is wrong.
    """
    if not is_rule_file(source):
        return load_theory(source)

    from mars_logic.theory.rulesets.artefact import theory_of_rules

    return theory_of_rules(load_rule_file(source), source)


def diff_rules(names: tuple[str, str], as_json: bool) -> None:
    """Print the rules in which two such files differ: text, verdict, or what speaks against.

    Raises:
        InputError: One is none.
    """
    from mars_logic.theory.rulesets.artefact import differences, identity, load_rules

    before, after = map(load_rules, names)
    found = differences(before, after)
    if as_json:
        rows = [{"rule": pair.id, "before": pair.before, "after": pair.after} for pair in found]
        print_json({"schema": "mars-logic rules diff 1", "files": [*names], "rules": rows})
        return
    for pair in found:
        print(f"{pair.id}\n  - {pair.before or '(not stated)'}\n  + {pair.after or '(not stated)'}")
    stated = {identity(each) for each in (*before.rules, *after.rules)}
    say(f"{len(found)} of {len(stated)} rules differ")
