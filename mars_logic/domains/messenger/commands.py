"""The command ``read``: the manual of a game of Messenger becomes a theory of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.findings import print_unread
from mars_logic.cli.output import Force, Json, print_json, require_free, say_written
from mars_logic.cli.proposals import Confirm, UnreadOptions, asked
from mars_logic.domains import load_game
from mars_logic.errors import InputError
from mars_logic.system.files import read_text, write_atomically
from mars_logic.world.fields import nearest

if TYPE_CHECKING:
    from mars_logic.domains.messenger.lexicon import Lexicon
    from mars_logic.domains.messenger.reader import ManualReader, ReadSentence
    from mars_logic.domains.messenger.readings import Readings
    from mars_logic.theory.rulesets import Unreadable

_MOST_BYTES = 100_000
_WHAT = "a manual: sentences, one a line"
_MOST_SENTENCES = 8


def read(
    manual: Annotated[
        Path | None, typer.Argument(help="A manual: sentences, one a line.", metavar="[MANUAL]")
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            help="The three names on the grid; by default the likeliest.", metavar="A,B,C"
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=3, help="Of the game; by default 3 from five sentences on, else 2."
        ),
    ] = None,
    lexicon: Annotated[
        Path | None, typer.Option(help="A file of terms that is added to the bundled ones.")
    ] = None,
    learn: Annotated[
        Path | None,
        typer.Option(help="Fit weights to these labelled sentences, and store them with -o."),
    ] = None,
    split: Annotated[
        str, typer.Option(help="With --learn: the split whose sentences are used, or all.")
    ] = "all",
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Write the theory here; with --learn, the lexicon."),
    ] = None,
    confirm: Confirm = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Read a manual of Messenger as a theory.

    Weights of roles and motions are told, and what speaks for them.

    All one-to-one readings of the sentences are weighed together. In level 3 five sentences are
    true and one is false, and decoys share names. A theory is a game whose fields are open: show
    prints it. A sentence counts only if each of its words is read; others are reported, with the
    words that stopped the reader and what they may mean, and the exit status is 2. With --confirm
    you say on the terminal which of these meanings is right. A lexicon is a file of terms by name,
    role and motion.

    Example: mars-logic messenger read manual.txt --names dog,mage,ship
    """
    from mars_logic.domains.messenger.lexicon import load_lexicon, usual_lexicon

    require_free(out, force)
    terms = usual_lexicon() + load_lexicon(lexicon) if lexicon else usual_lexicon()
    if learn is not None:
        if manual is not None:
            raise InputError("MANUAL, --learn: they exclude each other; allowed: one of them")
        if out is None:
            raise InputError("--out: it is missing with --learn; allowed: -o FILE.yaml")
        _learn(learn, split, terms, out, as_json)
        return
    if manual is None:
        raise InputError("MANUAL: this is missing; allowed: a file of sentences, or --learn FILE")
    options = UnreadOptions(confirm=confirm)
    options.require_possible()
    _read(manual, names, level, terms, out, options, as_json)


def _learn(path: Path, split: str, terms: Lexicon, out: Path, as_json: bool) -> None:
    from mars_logic.domains.messenger.learning import learn_weights
    from mars_logic.domains.messenger.manuals import labelled_sentences

    rows = labelled_sentences(path, split)
    learned = learn_weights(rows, terms)
    write_atomically(out, learned.to_yaml())
    counts = {part: len(found) for part, found in learned.terms.items()}
    if as_json:
        about = {"schema": "mars-logic learned lexicon 1", "sentences": len(rows)}
        print_json(about | {"terms": counts, "file": str(out)})
        return
    told = ", ".join(f"{count} for {part}" for part, count in counts.items())
    print(f"{out}: terms with weights from {len(rows)} sentences: {told}")


def _read(
    path: Path,
    names: str | None,
    level: int | None,
    terms: Lexicon,
    out: Path | None,
    options: UnreadOptions,
    as_json: bool,
) -> None:
    from mars_logic.domains.messenger.reader import ManualReader
    from mars_logic.domains.messenger.readings import theory_of_readings
    from mars_logic.domains.messenger.rules import Messenger
    from mars_logic.domains.messenger.words import numbered_sentences

    told = numbered_sentences(read_text(path, _WHAT, _MOST_BYTES))
    sentences = tuple(sentence for _, sentence in told)
    if not 1 <= len(sentences) <= _MOST_SENTENCES:
        message = f"it has {len(sentences)} sentences"
        raise InputError(f"{path}:1: file: {message}; allowed: 1 to {_MOST_SENTENCES}, one a line")
    level = level or (3 if len(sentences) > 4 else 2)
    shown = _names(names) if names is not None else _likeliest(sentences, terms)
    reader = ManualReader(terms)
    unread = [*_unread(path, told, reader, shown)]
    meant = asked(unread) if options.confirm else {}
    confirmed = {each.line: meant[each.place].sentence for each in unread if each.place in meant}
    told = [(line, confirmed.get(line, sentence)) for line, sentence in told]
    unread = [each for each in unread if each.place not in meant]
    skipped = {each.line for each in unread}
    read = tuple(sentence for line, sentence in told if line not in skipped)
    readings = reader.read(read, level, shown)
    explained = reader.explain(read, readings)
    if out is not None and read:
        game = load_game(f"MessengerL{level}")
        assert isinstance(game, Messenger)
        write_atomically(out, theory_of_readings(game, readings).to_yaml())
    if as_json:
        print_json(_document(readings, explained, unread))
    else:
        if read:
            _print(readings, explained)
            say_written(out, "a theory of roles and motions")
        print_unread(unread)
    if unread:
        raise typer.Exit(2)


def _unread(
    path: Path, told: Sequence[tuple[int, str]], reader: ManualReader, names: tuple[str, ...]
) -> Iterator[Unreadable]:
    """The sentences that are not read whole, with the words that stopped the reader."""
    from mars_logic.theory.rulesets import Unreadable

    for line, sentence in told:
        if error := reader.unread(sentence, names):
            meant = reader.proposals(sentence, names)
            yield Unreadable(str(path), line, sentence, error.problem, proposals=meant)


def _names(stated: str) -> tuple[str, ...]:
    from mars_logic.domains.messenger.rules import NAMES

    found = tuple(each.strip() for each in stated.split(","))
    for each in found:
        if each not in NAMES:
            hint = nearest(each, NAMES)
            allowed = ", ".join(NAMES)
            raise InputError(f"--names: there is no name '{each}'{hint}; allowed: {allowed}")
    if len(set(found)) != 3:
        raise InputError(
            "--names: these are not three names; allowed: three, such as dog,mage,ship"
        )
    return tuple(sorted(found, key=NAMES.index))


def _likeliest(sentences: tuple[str, ...], terms: Lexicon) -> tuple[str, ...]:
    """The three names that most is said of."""
    import numpy as np

    from mars_logic.domains.messenger.lexicon import words_of
    from mars_logic.domains.messenger.rules import NAMES

    total = np.zeros(len(NAMES))
    for sentence in sentences:
        scores = terms.scores("names", words_of(sentence))
        shares = np.exp(scores - scores.max())
        total += shares / shares.sum()
    best = np.argsort(-total, kind="stable")[:3]
    return tuple(NAMES[each] for each in sorted(best))


def _document(
    readings: Readings, explained: tuple[ReadSentence, ...], unread: Sequence[Unreadable]
) -> dict[str, Any]:
    from mars_logic.domains.messenger.rules import MOTIONS, ROLES, slots

    table = readings.role_table()
    motions = zip(slots(readings.level), readings.motion_table().tolist(), strict=True)
    best = int(readings.weights.argmax())
    return {
        "schema": "mars-logic reading 1",
        "level": readings.level,
        "names": list(readings.names),
        "roles": {
            name: dict(zip(ROLES, row, strict=True))
            for name, row in zip(readings.names, table.tolist(), strict=True)
        },
        "motions": {slot: dict(zip(MOTIONS, row, strict=True)) for slot, row in motions},
        "likeliest": {
            "weight": float(readings.weights[best]),
            "roles": {
                role: readings.names[place]
                for role, place in zip(ROLES, readings.roles[best].tolist(), strict=True)
            },
        },
        "sentences": [
            {
                "sentence": each.text,
                "name": each.name,
                "role": each.role,
                "motion": each.motion,
                "evidence": [
                    {"words": words, "means": meaning} for words, meaning in each.evidence
                ],
            }
            for each in explained
        ],
        "unreadable": [each.to_json() for each in unread],
    }


def _print(readings: Readings, explained: tuple[ReadSentence, ...]) -> None:
    from mars_logic.domains.messenger.rules import MOTIONS, ROLES, slots

    for each in explained:
        print(each.text)
        motion = f", {each.motion}" if each.motion else ""
        print(f"  about: {each.name}, {each.role}{motion}")
        print("  evidence: " + (", ".join(f"‘{w}’ → {m}" for w, m in each.evidence) or "none"))
    print()
    for names, weight in readings.role_weights().items():
        if weight >= 0.001:
            said = ", ".join(f"{n} is the {r}" for n, r in zip(names, ROLES, strict=True))
            print(f"{weight:7.1%}  {said}")
    if readings.level > 1:
        for slot, row in zip(slots(readings.level), readings.motion_table(), strict=True):
            shares = ", ".join(f"{m} {p:.1%}" for m, p in zip(MOTIONS, row, strict=True))
            print(f"  {slot.replace('_', ' ')} moves as {shares}")


group = typer.Typer(no_args_is_help=True, help="Read manuals of Messenger as theories.")
group.command("read")(read)
group.callback()(lambda: None)  # without one, a group of one command would be that command
