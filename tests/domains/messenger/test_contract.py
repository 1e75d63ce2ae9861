"""Every word of a manual's sentence is read, or the sentence is unread."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.lexicon import PARTS, Lexicon, usual_lexicon, words_of
from mars_logic.domains.messenger.manuals import UNKNOWN_MOTION, labelled_sentences, templates
from mars_logic.domains.messenger.reader import TOLD, ManualReader
from mars_logic.domains.messenger.rules import MOTIONS, NAMES, ROLES
from tests.domains.messenger.test_reading import PEOPLE, needs_sentences

READER = ManualReader()
LABELS = [(n, r, m) for n in NAMES for r in ROLES for m in (*MOTIONS, UNKNOWN_MOTION)]
DRAWN = [(each, templates().draw(each, Seeded(7, str(each)))) for each in LABELS]
READ = [(labels, text) for labels, text in DRAWN if not READER.unread(text, NAMES)]
INSERTED = (
    *("only if it is longer than three", "nobody knows whether", "maybe", "I think", "unless"),
    *("if", "when", "it is false that", "sometimes", "might", "no longer", "less"),
)
NEGATIONS = ("not", "never", "cannot", "isn't", "hardly", "no", "non")


def meaning(text: str, lexicon: Lexicon | None = None) -> tuple[str | None, ...] | None:
    """Name, role and motion of a sentence that is read; None of one that is not."""
    if READER.unread(text, NAMES):
        return None
    scores = [(lexicon or usual_lexicon()).scores(part, words_of(text)) for part in PARTS]
    best = (int(each.argmax()) for each in scores)
    return tuple(
        PARTS[part][place] if score[place] >= TOLD else None
        for part, score, place in zip(PARTS, scores, best, strict=True)
    )


def with_words(text: str, place: int, words: str) -> str:
    found = text.split(" ")
    place %= len(found) + 1
    return " ".join((*found[:place], words, *found[place:]))


def test_sentences_of_the_templates_are_read_as_they_are_meant() -> None:
    assert len(READ) >= 0.6 * len(DRAWN)
    wrong = [
        text
        for labels, text in READ
        if meaning(text) != tuple(None if each == UNKNOWN_MOTION else each for each in labels)
    ]
    assert wrong == []


@settings(max_examples=300)
@given(st.sampled_from(READ), st.sampled_from(INSERTED), st.integers(0, 100))
def test_a_hedge_anywhere_makes_a_sentence_unread(
    told: tuple[object, str], words: str, place: int
) -> None:
    assert READER.unread(with_words(told[1], place, words), NAMES)


@settings(max_examples=300)
@example((("scientist", "enemy", "chaser"), "The physicist is fatal to touch."), "not", 5)
@given(st.sampled_from(READ), st.sampled_from(NEGATIONS), st.integers(0, 100))
def test_a_negation_never_leaves_a_sentence_read_as_before(
    told: tuple[object, str], words: str, place: int
) -> None:
    denied = with_words(told[1], place, words)
    assert meaning(denied) != meaning(told[1]), denied


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("the hound is the enemy, perhaps", 'cannot read "perhaps"'),
        ("is the hound the enemy?", r'cannot read "\?"'),
        ("the hound is the enemy and the goal", 'cannot read "goal"'),
        ("the hound and the ferry are the enemy", 'cannot read "ferry"'),
        ("the hound comes closer and runs away from the goal", 'cannot read "'),
        ("the hound comes closer", "tells no role"),
        ("the enemy comes closer", "tells no name"),
    ],
)
def test_what_stopped_the_reader_is_told(text: str, problem: str) -> None:
    error = READER.unread(text, NAMES)
    assert error is not None and error.sentence == text
    with pytest.raises(type(error), match=problem):
        raise error


@pytest.mark.parametrize("text", [text for _, text in DRAWN[::9]])
def test_what_is_proposed_is_read_and_the_meaning_of_a_hedged_sentence_is_in_it(text: str) -> None:
    labels = next(each for each, drawn in DRAWN if drawn == text)
    names = (labels[0], *(each for each in NAMES[:3] if each != labels[0]))[:3]
    proposed = READER.proposals(f"{text} perhaps", names)
    wanted = tuple(None if each == UNKNOWN_MOTION else each for each in labels)
    assert wanted in [meaning(each) for each in proposed]
    assert len(set(proposed)) == 3 and not any(READER.unread(each, names) for each in proposed)


def test_a_name_that_is_not_on_the_grid_stops_the_reader() -> None:
    error = READER.unread("the queen is the enemy", ("dog", "mage", "ship"))
    assert error is not None and error.unread == "queen"
    assert READER.unread("the queen is the enemy", ("dog", "mage", "queen")) is None


def test_the_terms_of_a_sentence_that_stops_the_reader_are_weak_evidence() -> None:
    names = ("dog", "ship", "fish")
    read = READER.likelihoods("the hound is the foe", names).sum(2)
    denied = READER.likelihoods("the hound is not the foe", names).sum(2)
    assert read[0, 0] > 0.8 and denied[0, 0] < 0.7


@needs_sentences
def test_sentences_of_people_are_read_right_or_not_at_all() -> None:
    rows = labelled_sentences(PEOPLE, "val")
    found = [(row, meaning(row[3])) for row in rows]
    read = [(row, each) for row, each in found if each]
    right = [row for row, each in read if each[:2] == row[:2]]
    assert len(read) >= 0.85 * len(rows) and len(right) >= 0.995 * len(read)
