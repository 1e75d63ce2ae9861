"""Programs of strangers: what they may include, and that nothing they do reaches this process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.logic import sandbox
from mars_logic.logic.sandbox import in_child, run_program
from mars_logic.logic.source import Source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside.lp").write_text("secret(1).\n", encoding="utf-8")
    inside = tmp_path / "programs"
    (inside / "sub").mkdir(parents=True)
    os.mkfifo(inside / "pipe")
    (inside / "link.lp").symlink_to(tmp_path / "outside.lp")
    (inside / "sub" / "more.lp").write_text('more(1).\n#include "deeper.lp".\n', encoding="utf-8")
    (inside / "sub" / "deeper.lp").write_text(
        "more(2).\n\nwrong(X) :- nothing(X).\n", encoding="utf-8"
    )
    (inside / "sub" / "bad.lp").write_text("a.\n\nb :- c(.\n", encoding="utf-8")
    return inside


def program(folder: Path, text: str) -> Path:
    path = folder / "program.lp"
    path.write_text(text, encoding="utf-8")
    return path


def test_files_below_the_program_are_included_once(folder: Path) -> None:
    text = 'a. #include "sub/more.lp". b.\n#include "program.lp".\n#include "sub/more.lp".\n'
    source = Source.read(program(folder, f"{text}#show more/1. #show b/0. #show wrong/1.\n"))
    found = run_program(source, "")
    assert found.models == (("b", "more(1)", "more(2)"),)
    (asked,) = (each for each in found.underived if each.atom.startswith("nothing"))
    assert (asked.file, asked.line) == (str(folder / "sub" / "deeper.lp"), 3)


def test_a_mistake_is_told_with_the_file_it_is_in(folder: Path) -> None:
    source = Source.read(program(folder, 'a.\n#include "sub/bad.lp".\n'))
    with pytest.raises(InputError) as caught:
        run_program(source, "")
    assert str(caught.value).startswith(f"{folder / 'sub' / 'bad.lp'}:3: program: syntax error")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('\n#include "../outside.lp".', 2, "'../outside.lp' is not below the program"),
        ('#include "sub/../sub/more.lp".', 1, "is not below the program"),
        ('#include "/etc/passwd".', 1, "'/etc/passwd' is not below the program"),
        ('#include "link.lp".', 1, "'link.lp' is not below the program"),
        ('a.\n\n#include "pipe".', 3, "'pipe' is no regular file"),
        ('#include "sub".', 1, "'sub' is no regular file"),
        ('#include "none.lp".', 1, "'none.lp' is no regular file"),
        ("#include <incmode>.", 1, "this is no file to include"),
        ('#include%* x *%"pipe".', 1, "this is no file to include"),
        ('%* %* *% a. *%\n#include "pipe".', 2, "'pipe' is no regular file"),
        ('a("%").\n#include "pipe".', 2, "'pipe' is no regular file"),
        ("#script (python)\nimport os\n#end.", 1, "a script is not allowed"),
        ("a.\n#script(lua) #end.", 2, "a script is not allowed"),
        ('a("é"). % é\né(1).', 2, "'é' stands outside of texts and comments"),
        ("%* é *%\na :- b\x01.", 2, "stands outside of texts and comments"),
    ],
)
def test_what_may_not_be_included(folder: Path, text: str, line: int, message: str) -> None:
    path = program(folder, text)
    with pytest.raises(InputError) as caught:
        Source.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: program: ")
    assert message in str(caught.value) and "; allowed: " in str(caught.value)


def test_comments_and_texts_include_nothing(folder: Path) -> None:
    text = '% #include "pipe".\n%* #script *%\na("#include \\"pipe\\".").\n#show a/1.\n'
    (model,) = run_program(Source.read(program(folder, text)), "").models
    assert model == ('a("#include \\"pipe\\".")',)


def test_what_the_reader_misses_is_opened_by_nobody(folder: Path) -> None:
    """A program that was not looked through can open no file, and run no script."""
    outside = folder.parent / "outside.lp"
    unchecked = Source(f'#include "{outside}".\n#show secret/1.', ((1, "mine.lp"),))
    with pytest.raises(InputError, match=r"^mine\.lp:1: program: file could not be opened"):
        run_program(unchecked, "")
    for language in ("python", "lua"):
        script = Source(f"a.\n#script ({language})\n#end.\n", ((1, "mine.lp"),))
        with pytest.raises(InputError, match=r"^mine\.lp:2: program: a script is not allowed"):
            run_program(script, "")


DEEP = [
    f"p({'f(' * 100_000}a{')' * 100_000}).",
    f"p({'-' * 200_000}1).",
    f"p(X) :- X = {'+'.join(['1'] * 100_000)}.",
]


@pytest.mark.parametrize("text", DEEP)
def test_a_program_that_crashes_clingo_is_told_as_nested_too_deeply(text: str) -> None:
    with pytest.raises(InputError, match=r"^mine\.lp:1: program: it is nested too deeply") as told:
        run_program(text, "", name="mine.lp")
    assert len(str(told.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "#external a. b :- a. #show b/0.",
        "#const n = 3. #show c(n).",
        "#theory t { x { - : 1, unary }; &foo/0 : x, any }. &foo { 1 }.",
        "b(@f(1)). #show b/1.",
    ],
)
def test_the_rest_of_the_language_is_harmless(text: str) -> None:
    assert len(run_program(text, "").models) == 1


def fails() -> None:
    raise KeyError("inside")


def test_an_error_in_the_child_is_one_here() -> None:
    with pytest.raises(KeyError, match="inside"):
        in_child(fails, name="mine.lp")
    assert sandbox.MEGABYTES < 1024
