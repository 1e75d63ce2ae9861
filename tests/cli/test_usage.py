"""Mistakes on the command line are told as mistakes in files are."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

import pytest
import typer

from mars_logic.cli.main import application
from mars_logic.cli.sections import FORMER, SECTIONS, functions
from tests.cli.conftest import Run

GROUP = typer.main.get_command(application())
NAMES = sorted(GROUP.commands)  # type: ignore[attr-defined]
FORBIDDEN = ("Usage:", "Error:", "Try '", "Input should", "Value error", "python -m", "Invalid")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("chekc", "mars-logic: there is no command 'chekc', did you mean 'check'?; allowed: worl"),
        ("--versoin", "mars-logic: there is no option '--versoin', did you mean '--version'?; al"),
        ("run", "mars-logic run: AGENT is missing; allowed: mars-logic run [OPTIONS] "),
        ("run random", "mars-logic run: WORLD... is missing; allowed: mars-logic run [OPTIONS] "),
        (
            "run random default --episodes 0",
            "mars-logic run: --episodes: '0' is not possible; allowed: a whole number from 1 to "
            "1000000\n",
        ),
        (
            "run random default --episodes two",
            "mars-logic run: --episodes: 'two' is not possible; allowed: a whole number from 1 to "
            "1000000\n",
        ),
        (
            "run random default --episodes",
            "mars-logic run: --episodes: no value is given; allowed: a whole number from 1 to "
            "1000000\n",
        ),
        (
            "plan default --seed 1.5",
            f"mars-logic plan: --seed: '1.5' is not possible; allowed: a whole number from 0 to "
            f"{2**60}\n",
        ),
        (
            "show default --as song",
            "mars-logic show: --as: 'song' is not possible; allowed: words, yaml, facts, tree\n",
        ),
        ("plan default --json=3", "mars-logic plan: --json: it takes no value; allowed: --json a"),
        ("worlds more words", "mars-logic worlds: 'more words' is not expected; allowed: mars-lo"),
        ("run random default --epsiodes 2", "did you mean '--episodes'?; allowed: --episodes, "),
        (
            "validate",
            "mars-logic validate: FILE is missing; allowed: files of worlds or games, --schema\n",
        ),
    ],
)
def test_mistakes(line: str, told: str, run: Run) -> None:
    found = run(*line.split())
    assert found.status == 2 and not found.out
    assert told in found.err and found.err.count("\n") == 1
    assert not any(each in found.err for each in FORBIDDEN)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_command_tells_mistakes_otherwise(name: str, run: Run) -> None:
    command = GROUP.commands[name]  # type: ignore[attr-defined]
    words = [each.name for each in command.params if each.param_type_name == "argument"]
    tried = [[name, *words, "--nonsense"], [name, *words, "--json=3"]]
    for each in command.params:
        if each.param_type_name == "option" and each.nargs == 1 and not each.is_flag:
            tried.append([name, *words, each.opts[0]])
    for line in tried:
        found = run(*line)
        assert found.status == 2 and found.err.startswith(f"mars-logic {name}: "), found
        assert "; allowed: " in found.err and found.err.count("\n") == 1
        assert not any(word in found.err for word in FORBIDDEN)


@pytest.mark.parametrize("line", ["--help", "run --help", "--version"])
def test_help_has_the_commands_name(line: str, run: Run) -> None:
    found = run(*line.split())
    assert found.status == 0 and "mars-logic" in found.out and "python -m" not in found.out


def test_no_command_at_all_shows_all(run: Run) -> None:
    found = run()
    assert "Worlds " in found.out + found.err and "Traceback" not in found.err
    assert "python -m" not in found.out + found.err


def test_a_value_that_steers_a_terminal(run: Run) -> None:
    found = run("run", "random", "default", "--episodes", "\x1b[31m")
    assert found.status == 2 and "--episodes: '\\x1b[31m' is not possible" in found.err


def test_every_command_is_in_one_section_with_its_description_in_a_line(run: Run) -> None:
    found = run("--help").out
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == NAMES
    for name in NAMES:
        if " " in name:  # `bench --help` tells of it
            continue
        description = GROUP.commands[name].help.partition("\n")[0].removesuffix(".")  # type: ignore[attr-defined]
        line = rf"^  (\w+)? +{name} +{re.escape(description)}$"
        assert re.search(line, found, re.MULTILINE), name


def test_the_help_fits_a_screen(run: Run) -> None:
    lines = run("--help").out.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


@pytest.mark.parametrize(("former", "name"), FORMER.items())
def test_a_former_name_still_works(former: str, name: str, run: Run) -> None:
    found, same = run(former, "--help"), run(*name.split(), "--help")
    assert found.status == same.status == 0 and f"mars-logic {name} " in same.out
    assert found.out == same.out and former not in NAMES
    assert found.err == f"warning: the command '{former}' is now '{name}'\n"


@pytest.mark.parametrize("name", NAMES)
def test_help_fits_a_terminal(name: str) -> None:
    command = GROUP.commands[name]  # type: ignore[attr-defined]
    parent = GROUP.make_context("mars-logic", [], resilient_parsing=True, terminal_width=80)
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    lines = command.get_help(context).splitlines()
    assert len(lines) > 5
    assert [line for line in lines if len(line) > 80] == []


def own_options(function: Any) -> list[str]:
    """The options that a command declares in its own signature, rather than with others."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef)
    declared = [each for each in node.args.args if isinstance(each.annotation, ast.Subscript)]
    return [each.arg for each in declared if "Option(" in ast.unparse(each.annotation or each)]


def test_a_command_has_few_options_of_its_own() -> None:
    """Groups that several commands share are declared once, beside them."""
    counted = {}
    for name, found in functions():
        within = found.registered_commands if isinstance(found, typer.Typer) else ()
        counted |= {f"{name} {each.name}": len(own_options(each.callback)) for each in within}
        counted |= {name: len(own_options(found))} if inspect.isfunction(found) else {}
    assert max(counted.values()) > 9 and "conan detect" in counted, "they are counted"
    assert {name: count for name, count in counted.items() if count > 12} == {}
