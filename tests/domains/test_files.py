"""Games in files: what is bundled, what is wrong with others, and theories."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.domains import bundled_games, domain_of, load_game, load_game_theory, load_rules
from mars_logic.domains.game import Game
from mars_logic.experiments.spec import read as read_spec
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.domains.texts import parse_game_theory
from tests.paths import REPOSITORY

BANDIT = "domain: bandits\nlength: 50\n"
HANOI = "domain: hanoi\nlength: 30\n"
RPS = "domain: rock_paper_scissors\nlength: 50\n"

WRONG = [
    ("", "1: file: the file is empty"),
    ("name: x\n", "1: domain: this key is missing"),
    ("domain: bandit\n", "1: domain: unknown domain 'bandit', did you mean 'bandits'?"),
    (BANDIT, "1: arms: this field is missing"),
    (BANDIT + "arms: [{probability: 0.5}]\n", "3: arms: a list of 1"),
    (BANDIT + "arms: unknown\n", "3: arms: 'unknown' is not a list"),
    (BANDIT + "arms: [1, {probability: 1}]\n", "3: arms[0]: 1 is not a mapping"),
    (
        BANDIT + "arms:\n  - {probability: 0.5}\n  - {probability: 1.5}\n",
        "5: arms[1].probability: 1.5 is out of range; allowed: a number from 0 to 1",
    ),
    (
        BANDIT + "arms:\n  - {probability: 0.5}\n  - {probability: often}\n",
        "5: arms[1].probability: 'often' is not a number",
    ),
    (
        BANDIT + "arms:\n  - {probability: 0.5}\n  - {probability: 0.5, wins: 1}\n",
        "5: arms[1].wins: unknown field 'wins', did you mean 'win'?; allowed: probability, win,",
    ),
    (
        BANDIT + "arms: [{probability: 1}, {probability: {one_of: [{value: 3}]}}]\n",
        "3: arms[1].probability: 3 is out of range",
    ),
    (
        BANDIT + "arms: [{probability: 1}, {probability: 1}]\norder: random\n",
        "4: order: unknown order 'random'; allowed: shuffled, fixed",
    ),
    (
        RPS + "moves: [{probability: 0.5}, {probability: 0.5}, {probability: 0.1}]\n",
        "3: moves: the probabilities cannot sum to 1",
    ),
    (
        RPS + "moves: [{probability: 0.5}, {probability: 0.6}, {probability: unknown}]\n",
        "3: moves: the probabilities cannot sum to 1",
    ),
    (HANOI + "disks: 9\n", "3: disks: 9 is out of range; allowed: a whole number from 1 to 8"),
    (HANOI + "disks: true\n", "3: disks: true is not a whole number"),
    (HANOI + "disks: 3\ngoal: D\n", "4: goal: unknown rod 'D'; allowed: A, B, C"),
    (HANOI + "disks: 3\ngoal: A\n", "4: goal: the tower is on its goal from the start"),
    (HANOI + "disks: 3\nstart: C\n", "1: goal: the tower is on its goal from the start"),
    ("domain: hanoi\ndisks: 3\nlength: 0\n", "3: length: 0 is out of range"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_mistake_is_told_with_its_place(text, message):
    with pytest.raises(WorldError) as caught:
        parse_game_theory(text, "mine.yaml")
    assert str(caught.value).startswith(f"mine.yaml:{message}")
    assert "; allowed: " in str(caught.value) and "\n" not in str(caught.value)


def test_several_mistakes_are_told_at_once():
    text = HANOI + "disks: many\ngoal: 7\n"
    with pytest.raises(WorldError) as caught:
        parse_game_theory(text, "mine.yaml")
    assert [problem.line for problem in caught.value.problems] == [3, 4]


def test_what_is_bundled():
    assert [name for name in bundled_games() if name.startswith("Bandit")] == [
        "BanditTwoArmedDeterministicFixed",
        "BanditTwoArmedHighHighFixed",
        "BanditTwoArmedHighLowFixed",
        "BanditTwoArmedLowLowFixed",
    ]
    assert {name for name in bundled_games() if not name.startswith("Bandit")} == {
        "BiomeNavigation",
        "Hanoi3Disk",
        "Hanoi4Disk",
        "Hanoi5Disk",
        "MessengerL1",
        "MessengerL2",
        "MessengerL3",
        "RockPaperScissorBasic",
        "RockPaperScissorDifferentScore",
    }


@pytest.mark.parametrize("name", bundled_games())
def test_a_bundled_game_is_whole_and_can_be_told(name):
    game = load_game(name)
    assert game.name == name and game.title and not game.uncertain
    domain = domain_of(game)
    assert all(re.fullmatch(r"[A-Z].*\.", sentence) for sentence in domain.rules(game))
    assert "unknown" not in " ".join(domain.rules(game))
    again = parse_game_theory(game.to_yaml(), "again.yaml")
    assert again == game and again.digest == game.digest


def test_names_do_not_count_and_fields_do():
    game = load_game("BanditTwoArmedHighLowFixed")
    text = game.to_yaml()
    renamed = parse_game_theory(text.replace(game.name, "other"), "t.yaml")
    assert renamed.digest == game.digest and not renamed.differences(game)
    changed = parse_game_theory(text.replace("0.2", "0.3"), "t.yaml")
    assert changed.digest != game.digest
    assert changed.differences(game) == [("arms[1].probability", 0.3, 0.2)]


def test_no_such_game():
    with pytest.raises(WorldError, match="no such game, did you mean 'Hanoi3Disk'") as caught:
        load_game("Hanoi3Disc")
    assert str(caught.value).startswith("Hanoi3Disc:1: game: ")
    with pytest.raises(WorldError, match="there is no such file"):
        load_game("nowhere/mine.yaml")


def test_a_theory_is_no_game(tmp_path):
    path = tmp_path / "mine.yaml"
    text = BANDIT + "arms:\n  - {probability: 0.5}\n  - {probability: unknown}\n"
    path.write_text(text, encoding="utf-8")
    theory = load_game_theory(path)
    assert theory.name == "mine" and theory.uncertain == ("arms[1].probability",)
    with pytest.raises(WorldError) as caught:
        load_game(path)
    assert str(caught.value).startswith(f"{path}:5: arms[1].probability: a game must be fully")
    with pytest.raises(ValueError, match="a game that is played must be fully known"):
        domain_of(theory).simulator(theory)


def test_a_file_is_a_world_or_a_game_by_its_domain(tmp_path):
    files = {
        "game": (HANOI + "disks: 3\n", Game),
        "world": ("base: default\n", World),
        "crafter": ("domain: crafter\nbase: default\n", World),
    }
    for name, (text, kind) in files.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        assert isinstance(load_rules(path), kind) and load_rules(path) == load_rules(str(path))
    assert isinstance(load_rules("Hanoi3Disk"), Game) and isinstance(load_rules("default"), World)
    assert load_rules("rulearn/re_r1_06@hints=none").name == "rulearn/re_r1_06@hints=none"


def test_what_is_neither_a_world_nor_a_game(tmp_path):
    path = tmp_path / "wrong.yaml"
    for text, told in (
        ("domain: hanoy\n", ":1: domain: unknown domain 'hanoy', did you mean 'hanoi'?; allowed: "),
        ("[", ":2: file: not YAML: "),
        (HANOI + "disks: unknown\n", ":3: disks: "),
        ("dynamics: mars\nbase: unknown\n", " a world must be fully known; allowed: "),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(WorldError, match=re.escape(told)):
            load_rules(path)
    with pytest.raises(WorldError, match="did you mean 'Hanoi3Disk'"):
        load_rules("Hanoi3Disc")
    with pytest.raises(WorldError, match="there is no such file"):
        load_rules(tmp_path / "none")
    with pytest.raises(WorldError, match="this is no file name"):
        load_rules("a\0b")


@pytest.mark.slow
def test_the_page_about_games(capsys, tmp_path):
    page = (REPOSITORY / "docs" / "games.md").read_text(encoding="utf-8")
    stated, spec = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    same = load_game("BanditTwoArmedHighLowFixed")
    assert parse_game_theory(stated, "page.yaml").digest == same.digest
    (tmp_path / "theory.yaml").write_text(stated, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(spec, encoding="utf-8")
    labels = [setting.label for setting in read_spec(tmp_path / "spec.yaml").agents]
    assert labels == ["random", "told", "given", "learner"]
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(compile(code, "page", "exec"), {})
    *found, told, numbers = capsys.readouterr().out.splitlines()
    assert len([line for line in found if line.isdigit()]) == 20
    assert told.startswith("The numbers are the same in every episode")
    assert numbers.startswith("If so, one arm pays with 0.")


words = st.sampled_from(
    [*BANDIT.split(), *["arms", "moves", "order", "disks", "goal", "unknown", "one_of", "A"]]
)
values = st.recursive(
    st.one_of(words, st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "name",
    "title",
    "length",
    "arms",
    "moves",
    "order",
    "disks",
    "start",
    "goal",
    "illegal",
    "solved",
    "other",
]


@given(
    st.sampled_from(["bandits", "rock_paper_scissors", "hanoi"]),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=6),
)
def test_anything_is_read_or_refused_in_one_line_a_mistake(name, stated):
    text = yaml.safe_dump({"domain": name, **stated})
    try:
        theory = parse_game_theory(text, "t.yaml")
    except WorldError as error:
        assert all(
            re.fullmatch(r"t\.yaml:\d+: .*; allowed: .+", line) for line in str(error).splitlines()
        )
    else:
        assert parse_game_theory(theory.to_yaml(), "t.yaml") == theory


numbers = st.floats(0, 1).map(lambda number: round(number, 6))
fields = st.one_of(
    numbers,
    st.just("unknown"),
    st.dictionaries(numbers, st.integers(1, 9), min_size=1, max_size=3).map(
        lambda found: {"one_of": [{"value": v, "weight": w} for v, w in found.items()]}
    ),
)


@given(fields, fields, st.sampled_from(["shuffled", "fixed", "unknown"]), st.integers(1, 100))
def test_any_theory_is_written_and_read_again(first, second, order, length):
    stated = {
        "domain": "bandits",
        "length": length,
        "order": order,
        "arms": [{"probability": first, "win": 2}, {"probability": second}],
    }
    theory = parse_game_theory(yaml.safe_dump(stated), "t.yaml")
    assert parse_game_theory(theory.to_yaml(), "t.yaml") == theory
    for arm, field in zip(theory.arms, (first, second), strict=True):
        assert (arm.probability is UNKNOWN) == (field == "unknown")
        many = isinstance(field, dict) and len(field["one_of"]) > 1
        assert isinstance(arm.probability, Alternatives) == many
    assert domain_of(theory).rules(theory) and domain_of(theory).facts(theory)
