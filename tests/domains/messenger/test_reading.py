"""Manuals are read: own templates, and sentences of people where they are at hand."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
import yaml

from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.learning import learn_weights
from mars_logic.domains.messenger.lexicon import (
    PARTS,
    Lexicon,
    load_lexicon,
    usual_lexicon,
    words_of,
)
from mars_logic.domains.messenger.manuals import (
    SentenceFile,
    labelled_sentences,
    manual_labels,
    one_of,
    templates,
)
from mars_logic.domains.messenger.reader import ManualReader
from mars_logic.domains.messenger.rules import (
    MOTIONS,
    NAMES,
    ROLES,
    Setup,
    assignments,
    motion_combinations,
)
from mars_logic.errors import InputError
from tests.paths import REPOSITORY, SHARED

PEOPLE = SHARED / "reference" / "systems" / "messenger_text" / "sentences.json"
needs_sentences = pytest.mark.skipif(not PEOPLE.exists(), reason="the sentences are not at hand")


def drawn(source, level, split, seed):
    """A manual: its names, its sentences."""
    chance = Seeded(seed, "test")
    games, motions = assignments(split), motion_combinations(level)
    setup = Setup(
        games[int(chance.uniform("") * len(games))],
        motions[int(chance.uniform("") * len(motions))],
        (),
        (0, 0),
    )
    return setup, [source.draw(each, chance) for each in manual_labels(level, setup, chance)]


def share_read(reader, source, level, split, count):
    """The share of manuals of which all roles are read; in level 3 the enemy's name is known."""
    right = 0
    for seed in range(count):
        setup, sentences = drawn(source, level, split, seed)
        names = tuple(sorted(setup.names, key=NAMES.index))
        readings = reader(sentences, level, names)
        if level == 3:  # it is the only one on the grid with its name
            known = readings.roles[:, 0] == names.index(setup.names[0])
            readings = readings.weighted(readings.weights * known)
        right += next(iter(readings.role_weights())) == setup.names
    return right / count


class WrittenSentences:
    """The sentences of a writer, in a file of names and sentences by role and motion."""

    def __init__(self, writer):
        path = REPOSITORY / "tests" / "data" / "messenger" / f"{writer}.yaml"
        held = yaml.safe_load(path.read_text(encoding="utf-8"))
        self._names, self._sentences = held["names"], held["sentences"]
        assert len(self._sentences) == 30

    def draw(self, labels, chance):
        name, *meaning = labels
        frames = [text for *about, text in self._sentences if about == meaning]
        return one_of(frames, chance).format(name=one_of(self._names[name], chance))


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(("writer", "least"), [("terse", 0.98), ("chatty", 0.98), ("notes", 0.94)])
def test_sentences_of_three_writers_are_read(writer, least, level):
    share = share_read(ManualReader().read, WrittenSentences(writer), level, "all", 100)
    assert share >= least


def test_everything_can_be_said_in_ten_ways():
    parts = templates().parts
    for part in ("names", "roles", "motions"):
        assert set(parts[part]) == set(PARTS[part])
        assert all(len(set(ways)) >= 10 for ways in parts[part].values())
    assert all(len(set(frames)) >= 10 for frames in parts["frames"].values())


@pytest.mark.parametrize("level", [1, 2, 3])
def test_own_templates_are_read(level):
    assert share_read(ManualReader().read, templates(), level, "all", 60) >= 0.97


def test_what_a_manual_says():
    setup = Setup(("dog", "fish", "ball"), (0, 1, 2, 2, 0), (), (0, 0))
    for seed in range(40):
        labels = manual_labels(3, setup, Seeded(seed))
        assert len(labels) == 6
        assert {("fish", "message", "fleeing"), ("ball", "enemy", "chaser")} <= set(labels)
        (false,) = [each for each in labels if each[0] == "dog" and each[1] != "enemy"]
        assert false[2] != "chaser"
    setup = Setup(("dog", "fish", "ball"), (0, 1, 2), (), (0, 0))
    motions = [m for seed in range(300) for _, _, m in manual_labels(2, setup, Seeded(seed))]
    assert 0.1 < motions.count("unknown") / len(motions) < 0.2


def test_terms():
    lexicon = Lexicon(
        {
            "motions": {
                ("moving",): {"chaser": 1.0},
                ("not", "mov*"): {"immovable": 2.0},
                ("mov*",): {"fleeing": 0.5},
            }
        }
    )
    (match,) = lexicon.matches("motions", words_of("It's NOT moving."))
    assert match.words == ("not", "moving") and match.meaning == "immovable"
    (match,) = lexicon.matches("motions", words_of("moving"))
    assert match.weights == {"chaser": 1.0, "fleeing": 0.5}
    assert (lexicon + lexicon).scores("motions", ("moving",)).tolist() == [2.0, 1.0, 0.0]
    assert words_of("The dog’s ball isn't here") == ("the", "dog", "ball", "isnt", "here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colours: {}", "1: colours: there is no part 'colours'"),
        ("roles: {enemi: [foe]}", "1: roles.enemi: unknown meaning 'enemi', did you mean 'enemy'"),
        ("roles: {enemy: foe}", "1: roles.enemy: 'foe' is no list"),
        ("roles:\n  enemy:\n    - foe: big", "3: roles.enemy[0]: a mapping is no term"),
        ("ignored: 3", "1: ignored: this is no list of words"),
    ],
)
def test_a_wrong_lexicon(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_lexicon(path)
    assert message in str(caught.value) and "; allowed: " in str(caught.value)


def test_a_lexicon_of_ones_own(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("names: {dog: [{barker: 5}, hairy beast]}\n", encoding="utf-8")
    sentence = "the barker is the foe"
    before = ManualReader().likelihoods(sentence, ("dog", "ship", "fish"))
    both = usual_lexicon() + load_lexicon(path)
    after = ManualReader(both).likelihoods(sentence, ("dog", "ship", "fish"))
    assert before.sum((1, 2))[0] == pytest.approx(1 / 3) and after.sum((1, 2))[0] > 0.9
    again = tmp_path / "again.yaml"
    again.write_text(both.to_yaml(), encoding="utf-8")
    assert load_lexicon(again).terms == both.terms


def test_weights_are_learned():
    chance = random.Random(1)
    made_up = {"enemy": "grum", "message": "plonk", "goal": "wizzle"}
    rows = [
        (name, role, "unknown", f"the {name} is a {made_up[role]} so to speak")
        for name, role in ((chance.choice(NAMES), chance.choice(ROLES)) for _ in range(120))
    ]
    learned = learn_weights(rows, usual_lexicon())
    both = usual_lexicon() + learned
    for role, word in made_up.items():
        assert ROLES[int(np.argmax(both.scores("roles", (word,))))] == role
    assert not learned.terms["motions"]
    with pytest.raises(InputError, match="there is no sentence"):
        learn_weights([], usual_lexicon())


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([], "columns: these are missing"),
        ({"columns": ["a"]}, "columns: these are missing"),
        (
            {"columns": ["entity", "role", "motion", "sentence"], "val": [["cat", "a", "b", "c"]]},
            r"val\[0\].entity: unknown entity 'cat'",
        ),
        (
            {"columns": ["entity", "role", "motion", "sentence"], "train": []},
            "there are no sentences of the split 'val'; allowed: train",
        ),
    ],
)
def test_a_wrong_file_of_sentences(tmp_path, held, message):
    path = tmp_path / "sentences.json"
    path.write_text(json.dumps(held), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        labelled_sentences(path, "val")


class NaiveBayes:
    """A reader that counts words by name and by role, as if they were independent."""

    def __init__(self, rows):
        self.words = sorted({word for row in rows for word in words_of(row[3])})
        self.index = {word: place for place, word in enumerate(self.words)}
        self.tables = []
        for column, labels in enumerate((NAMES, ROLES)):
            counts = np.ones((len(labels), len(self.words)))
            for row in rows:
                for word in words_of(row[3]):
                    counts[labels.index(row[column]), self.index[word]] += 1
            self.tables.append(np.log(counts / counts.sum(1, keepdims=True)))

    def read(self, sentences, level, names):
        places = [
            [self.index[word] for word in words_of(each) if word in self.index]
            for each in sentences
        ]
        log = np.array(
            [
                [
                    [
                        self.tables[0][NAMES.index(name), at].sum() + self.tables[1][role, at].sum()
                        for role in range(3)
                    ]
                    for name in names
                ]
                for at in places
            ]
        )
        from mars_logic.domains.messenger.reader import _matched
        from mars_logic.domains.messenger.readings import Readings

        readings = Readings.all(level, names)
        likely = np.exp(log - log.max((1, 2), keepdims=True))[..., None].repeat(3, -1) + 1e-300
        slots = np.stack([np.stack([readings.roles, readings.roles * 0 + range(3)], -1)], 0)[0]
        slots = np.concatenate([slots, slots[..., :1] * 0], -1)
        return readings.weighted(_matched(likely, slots))


@needs_sentences
def test_the_trap_of_names_that_go_with_roles():
    """In train some names never have a role that they always have in val."""
    source = SentenceFile(str(PEOPLE), "val")
    naive = NaiveBayes(labelled_sentences(PEOPLE, "train"))
    assert share_read(naive.read, source, 2, "val", 100) < 0.3
    assert share_read(ManualReader().read, source, 2, "val", 200) >= 0.985


@needs_sentences
@pytest.mark.parametrize(("level", "least"), [(1, 0.985), (3, 0.85)])
def test_sentences_of_people_are_read(level, least):
    source = SentenceFile(str(PEOPLE), "val")
    assert share_read(ManualReader().read, source, level, "val", 100) >= least


def test_motions_are_told_apart():
    reader = ManualReader()
    for motion, text in (
        ("chaser", "the hound is drawing near you"),
        ("fleeing", "the hound is running away from you"),
        ("immovable", "the hound won't budge"),
    ):
        table = reader.likelihoods(text, ("dog", "ship", "fish")).sum((0, 1))
        assert MOTIONS[int(np.argmax(table))] == motion and table.max() > 0.8
