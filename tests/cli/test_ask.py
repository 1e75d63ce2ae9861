from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "question.lp"
    path.write_text(
        "#show lucky(A) : unlock(almost_sure, A), not unlock(sure, A).\n", encoding="utf-8"
    )
    return path


def test_a_question(run: Run, program: Path) -> None:
    found = run("ask", "default", program)
    assert found.status == 0 and "lucky(collect_sapling)" in found.out
    assert run("ask", "default", program, "--map", 3).status == 0


def test_json(run: Run, program: Path) -> None:
    found = run("ask", "default", program, "--models", 0, "--json").json
    assert found["schema"] == "mars-logic answer 1" and found["complete"] is True
    assert "lucky(kill_cow)" in found["models"][0]


def test_the_best_model_is_told_and_not_the_first(run: Run, program: Path) -> None:
    program.write_text("1 { p(1..9) } 1. #show p/1. #maximize { X : p(X) }.\n", encoding="utf-8")
    for models in (0, 1, 3):
        assert run("ask", "default", program, "--models", models).out == "p(9)\n"


def test_no_more_models_than_asked_for(run: Run, program: Path) -> None:
    program.write_text("1 { p(1..9) } 1. #show p/1.\n", encoding="utf-8")
    for models, complete in ((3, False), (0, True)):
        found = run("ask", "default", program, "--models", models, "--json").json
        assert (len(found["models"]), found["complete"]) == (models or 9, complete)


MISSPELT = """luck(A) :- unlok(almost_sure, A), mine(A).
mine(A) :- unlock(A).
#show lukc/1.
#defined theirs/1.
ours :- theirs(X), not luck(X).
"""


def test_misspelt_predicates_are_warned_of(run: Run, program: Path) -> None:
    assert run("ask", "default", program).err == ""
    program.write_text(MISSPELT, encoding="utf-8")
    found, told = run("ask", "default", program), run("ask", "default", program, "--json")
    assert found.status == told.status == 0
    warnings = [
        f"{program}:1: program: nothing derives unlok(almost_sure,A), did you mean 'unlock'?",
        f"{program}:2: program: nothing derives unlock(A), did you mean unlock/2?",
        f"{program}:3: program: nothing derives lukc/1, did you mean 'luck'?",
    ]
    assert told.json["warnings"] == warnings
    assert found.err == told.err == "".join(f"warning: {each}\n" for each in warnings)


def test_no_model(run: Run, program: Path) -> None:
    program.write_text(":- unlock(sure, collect_wood).\n", encoding="utf-8")
    found = run("ask", "default", program)
    assert found.status == 1 and found.out == "there is no model\n"


def test_wrong_programs(run: Run, program: Path, tmp_path: Path) -> None:
    program.write_text("a.\na :- b(\n", encoding="utf-8")
    found = run("ask", "default", program)
    assert found.status == 2 and "Traceback" not in found.err
    assert found.err.startswith(f"{program}:") and "program: syntax error" in found.err
    assert run("ask", "default", tmp_path / "none.lp").status == 2
    assert run("ask", "default", tmp_path).status == 2
    program.write_bytes(b"\xff\xfe\x00")
    assert "not text" in run("ask", "default", program).err


def test_an_exploding_program(run: Run, program: Path) -> None:
    program.write_text("p(1..100000). q(X, Y) :- p(X), p(Y).\n", encoding="utf-8")
    found = run("ask", "default", program, "--memory", 64)
    assert found.status == 2 and found.err.count("\n") == 1
    assert "more than 64 MB of memory" in found.err


def test_a_program_includes_files_of_its_folder_alone(
    run: Run, program: Path, tmp_path: Path
) -> None:
    (tmp_path / "more.lp").write_text("\na(1) :- unlok(1).\na(2).\n", encoding="utf-8")
    program.write_text('#include "more.lp".\n#show a/1.\n', encoding="utf-8")
    found = run("ask", "default", program)
    assert (found.status, found.out) == (0, "a(2)\n")
    assert f"{tmp_path / 'more.lp'}:2: program: nothing derives unlok(1)" in found.err
    program.write_text('#include "/dev/zero".\n', encoding="utf-8")
    found = run("ask", "default", program)
    assert found.status == 2
    assert found.err.startswith(f"{program}:1: program: '/dev/zero' is not below the program")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("bar(X,_)", "bar(X,_), did you mean"),
        ('bar(X,"a,(b",f(Y,Z))', "nothing derives bar("),
        ("-bar(X)", "nothing derives (-bar(X))"),
        ("unlock(X)", "did you mean unlock/2?"),
        ("bar(X,(1,2))", "nothing derives bar(X,(1,2))"),
    ],
)
def test_whatever_an_unknown_predicate_holds_is_told(
    run: Run, program: Path, body: str, told: str
) -> None:
    program.write_text(f"foo(X) :- {body}, X = 1. #show foo/1.\n", encoding="utf-8")
    found = run("ask", "default", program)
    assert found.status == 0 and told in found.err and "Traceback" not in found.err
