"""Files of hypothesised rules: theories in YAML, programs for clingo, and sentences.

A file holds one of them, by its ending; or it is a document of rules that a command wrote. A
Markdown file may hold all three: list items are sentences, fenced blocks of ``yaml`` and of ``lp``
are theories and programs.

A sentence tells parts of rules: what it does not mention is open. The sentences of
a file that says so, as a player's manual does, tell whole rules: see :data:`WHOLE_RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.theory.rulesets.artefact import (
    declares_rules,
    is_rules,
    load_rules,
    rules_in,
    sources_of,
)
from mars_logic.theory.rulesets.constraints import RuleProgram, read_program
from mars_logic.theory.rulesets.rule_report import Unreadable
from mars_logic.theory.rulesets.stated import Stated, Statement
from mars_logic.world.load import bundled_worlds, load_theory, parse_theory
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import WHOLE_RULES, Fact, ParseError, parse, parse_facts
from mars_logic.world.words.facts import Exactly, rule_of
from mars_logic.world.words.nouns import CRAFTER

MAX_BYTES: Final = 1_000_000
MOST_SENTENCES: Final = 1_000
"""Sentences of a file."""
MOST_LETTERS: Final = 2_000
"""Letters of a sentence."""
_HINTS: Final = 10
"""Unreadable lines of a file for which the nearest form is sought."""
_MESSAGE: Final = re.compile(r"(.*?):(\d+): ([^:]+): (.*)")
_YAML: Final = (".yaml", ".yml")
_TEXT: Final = (".txt",)
_MARKDOWN: Final = (".md", ".markdown")
_PROGRAMS: Final = (".lp",)
_ENDINGS: Final = (*_YAML, *_PROGRAMS, *_TEXT, *_MARKDOWN)
_ALLOWED: Final = f"a bundled world, a folder, or a file that ends in {', '.join(_ENDINGS)}, .json"
_ITEM: Final = re.compile(r"\s*(?:[-*+\u2022]|[0-9]+[.)])\s+(.*)")
_WHOLE: Final = re.compile(rf"[^\w#]*{WHOLE_RULES.partition(':')[0]}\b", re.IGNORECASE)
_FENCE: Final = re.compile(r"\s*(?:```|~~~)\s*(\w*)")


RuleSource = Stated | RuleProgram | tuple[Statement, ...] | Unreadable
"""Rules in one of three forms, of which sentences of a file belong together; or a line that is none
of them."""
_Read = Callable[..., Iterable[RuleSource]]
"""Reads the rules in a file, or in a text that is from a file."""


def read_rules(paths: Iterable[str | Path], words: Vocabulary = CRAFTER) -> list[RuleSource]:
    """Read hypothesised rules.

    A sentence that cannot be read is among what is found, and does not keep others from being read;
    neither does a wrong theory or program in a file or a folder of several.

    Args:
        paths: Bundled worlds, files, and folders of files.
        words: The names that sentences may use.

    Raises:
        InputError: Something is missing, or what is alone in its file is wrong.
    """
    files = [file for path in paths for file in _files(path)]
    if len(files) == 1:
        return [*_read(files[0], words)]
    return [found for file in files for found in _read_or_tell(_read, file, file, words)]


def read_rules_in(text: str, file: str, words: Vocabulary = CRAFTER) -> list[RuleSource]:
    """As :func:`read_rules`, with the text of a file at hand.

    Args:
        text: The text.
        file: The file's name, whose ending tells what the text is.
        words: The names that sentences may use.

    Raises:
        InputError: The text is wrong, or the ending is that of no file of rules.
    """
    return [*_read_text(text, file, words)]


def read_sentences(sentences: Sequence[str], source: str) -> list[RuleSource]:
    """Read sentences that are from no file; each may tell a part of a rule.

    Args:
        sentences: The sentences.
        source: What stands for a file's name where they are told.
    """
    lines = [*enumerate(sentences, 1)]
    return (
        [*_sentences(lines, source, CRAFTER, whole=False)] if any(map(_sentence, sentences)) else []
    )


def unreadables_of(error: Exception, file: str) -> Iterator[Unreadable]:
    """The findings in an error's message, one for each line."""
    for message in str(error).splitlines():
        if match := _MESSAGE.fullmatch(message):
            place, line, what, problem = match.groups()
            yield Unreadable(place, int(line), "", problem, what=what)
        else:
            yield Unreadable(file, 1, "", message, what="rules")


def _read_or_tell(read: _Read, file: str, *arguments: Any) -> Iterator[RuleSource]:
    """The rules before the first error, followed by that error."""
    try:
        yield from read(*arguments)
    except InputError as error:
        yield from unreadables_of(error, file)


def _files(path: str | Path) -> list[str]:
    folder = Path(path)
    if str(path) in bundled_worlds() or not folder.is_dir():
        return [str(path)]
    found = sorted(
        str(each) for each in folder.iterdir() if each.suffix in _ENDINGS or is_rules(each)
    )
    if not found:
        raise InputError(
            f"{path}:1: folder: there are no rules; allowed: files in it that end in "
            f"{', '.join(_ENDINGS)}"
        )
    return found


def _read(file: str, words: Vocabulary) -> Iterator[RuleSource]:
    ending = Path(file).suffix
    if is_rules(file):
        yield from sources_of(load_rules(file), file)
    elif file in bundled_worlds() or ending in _YAML or ending not in _ENDINGS:
        yield Stated(_theory_or_refusal(file, ending), file)
    else:
        yield from _read_text(_text(file), file, words)


def _read_text(text: str, file: str, words: Vocabulary) -> Iterator[RuleSource]:
    ending = Path(file).suffix
    if declares_rules(text, file):
        yield from sources_of(rules_in(text, file), file)
    elif ending in _TEXT:
        lines = text.splitlines()
        yield from _sentences(enumerate(lines, 1), file, words, whole=_tells_whole_rules(lines))
    elif ending in _MARKDOWN:
        yield from _parts(text, file, words)
    elif ending in _PROGRAMS:
        yield from _program(text, file, words)
    elif ending in _YAML:
        yield from _theory(text, file, words)
    else:
        raise InputError(f"{file}:1: file: this is no file of rules; allowed: {_ALLOWED}")


def _theory_or_refusal(file: str, ending: str) -> Theory:
    if file not in bundled_worlds() and ending not in _YAML and Path(file).exists():
        raise InputError(f"{file}:1: file: this is no file of rules; allowed: {_ALLOWED}")
    return load_theory(file)


def _text(file: str) -> str:
    return read_text(Path(file), _ALLOWED, MAX_BYTES)


def _tells_whole_rules(lines: Iterable[str]) -> bool:
    return any(_WHOLE.match(line) for line in lines)


def _sentences(
    lines: Iterable[tuple[int, str]], file: str, words: Vocabulary, *, whole: bool
) -> Iterator[tuple[Statement, ...] | Unreadable]:
    """The sentences on some lines; empty ones, and those that begin with ``#``, say nothing."""
    read = _whole if whole else parse_facts
    told = [(number, text) for number, line in lines if (text := _sentence(line))]
    if not told:
        raise InputError(f"{file}:1: file: there is no sentence; allowed: one a line")
    if len(told) > MOST_SENTENCES:
        found = f"there are {len(told):,} sentences"
        raise InputError(f"{file}:1: file: {found}; allowed: at most {MOST_SENTENCES:,}")
    statements: list[Statement] = []
    unreadable: list[Unreadable] = []
    for number, text in told:
        if len(text) > MOST_LETTERS:
            long = f"it is too long, with {len(text):,} letters; allowed: at most {MOST_LETTERS:,}"
            unreadable.append(Unreadable(file, number, text[:MOST_LETTERS], long))
            continue
        try:
            facts = read(text, words)
        except ParseError as error:
            nearest = error.nearest if len(unreadable) < _HINTS else ""
            unreadable.append(Unreadable(file, number, text, error.problem, nearest))
        else:
            statements += statements_of(text, f"{file}:{number}", facts, words)
    if statements:
        yield tuple(statements)
    yield from unreadable


def statements_of(
    text: str, source: str, facts: Iterable[Fact], words: Vocabulary = CRAFTER
) -> Iterator[Statement]:
    """The facts of a sentence, those on each rule together."""
    by_rule: dict[str, list[Fact]] = {}
    for fact in facts:
        by_rule.setdefault(fact.rule, []).append(fact)
    for some in by_rule.values():
        yield Statement(text, source, rule_of(some, words), tuple(some))


def _whole(text: str, words: Vocabulary) -> tuple[Fact, ...]:
    """The facts of a sentence that tells a whole rule: the whole value of every field."""
    rule = parse(text, words)
    return tuple(Fact(rule.id, n, Exactly(getattr(rule, n))) for n in rule.field_names())


def _sentence(line: str) -> str:
    """The sentence on a line, or in an item of a list; empty if there is none."""
    text = line.strip()
    if not text or text.startswith("#") or _WHOLE.match(text):
        return ""
    item = _ITEM.match(text)
    return item[1] if item else text


def _parts(text: str, file: str, words: Vocabulary) -> Iterator[RuleSource]:
    items: list[tuple[int, str]] = []
    blocks: list[tuple[_Read, str]] = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := _FENCE.match(line):
            begin = number
            while number < len(lines) and not _FENCE.match(lines[number]):
                number += 1
            if read := _BLOCKS.get(fence[1].lower()):
                # Empty lines in front of it keep the numbers of lines.
                block = "\n" * begin + "\n".join(lines[begin:number])
                blocks.append((read, block))
            number += 1
        elif item := _ITEM.match(line):
            begin = number
            while number < len(lines) and _continues(lines[number]):
                number += 1
            more = (each.strip() for each in lines[begin:number])
            items.append((begin, " ".join((item[1], *more))))
    if items:
        yield from _sentences(items, file, words, whole=_tells_whole_rules(lines))
    for read, block in blocks:
        if len(blocks) == 1 and not items:
            yield from read(block, file, words)
        else:
            yield from _read_or_tell(read, file, block, file, words)
    if not items and not blocks:
        allowed = "list items with sentences, and blocks of yaml or lp"
        raise InputError(f"{file}:1: file: there are no rules; allowed: {allowed}")


def _continues(line: str) -> bool:
    """Whether a line belongs to the list item before it."""
    return (
        line.startswith("  ")
        and bool(line.strip())
        and not (_ITEM.match(line) or _FENCE.match(line))
    )


def _theory(text: str, file: str, words: Vocabulary) -> Iterator[Stated]:  # noqa: ARG001
    yield Stated(parse_theory(text, file), file)


def _program(text: str, file: str, words: Vocabulary) -> Iterator[RuleProgram]:
    yield read_program(text, file, words)


_BLOCKS: Final[dict[str, _Read]] = {
    **dict.fromkeys(("yaml", "yml"), _theory),
    **dict.fromkeys(("lp", "asp", "clingo", "prolog"), _program),
}
