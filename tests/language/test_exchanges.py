"""Exchanges are kept, replayed and mended; budgets stop a run and let it go on."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mars_logic.errors import InputError
from mars_logic.language.chat import (
    BudgetReachedError,
    ChatMessage,
    LanguageModelError,
    Reply,
    Schema,
    TokenUsage,
)
from mars_logic.language.exchanges import RecordedModel, read_exchanges, session_file
from mars_logic.language.scripted import ScriptedModel, script_of
from mars_logic.language.settings import Budget, LanguageSettings, read_settings
from mars_logic.language.spending import slot


class Parrot:
    """Repeats what it was told last, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:  # noqa: ARG002
        self.asked += 1
        return Reply(f"{self.asked}: {messages[-1].text}", TokenUsage(100, 10))


def ask(text: str) -> list[ChatMessage]:
    return [ChatMessage("system", "Be brief."), ChatMessage("user", text)]


def recorded(parrot: Parrot | None = None, **settings: Any) -> RecordedModel:
    def make(_: object) -> Parrot:
        assert parrot is not None, "nothing may be asked"
        return parrot

    return RecordedModel(LanguageSettings(**{"model": "m"} | settings), make)


def test_exchanges_are_replayed_without_a_model(tmp_path: Path) -> None:
    model = recorded(Parrot(), exchanges="kept")
    given = [model.reply(ask(text), {"a": 1}) for text in ("one", "two", "one")]
    assert [each.text for each in given] == ["1: one", "2: two", "3: one"]
    again = recorded(replay="kept")
    assert [again.reply(ask(text), {"a": 1}) for text in ("one", "two", "one")] == given
    kept = read_exchanges(tmp_path / "kept" / session_file(LanguageSettings(model="m")))
    assert [each.reply for each in kept] == given
    assert kept[0].key == kept[2].key != kept[1].key


@pytest.mark.parametrize(
    ("messages", "schema", "told"),
    [
        (ask("twi"), None, "message 2 differs from character 2: 'i', recorded 'o'"),
        ([*ask("two"), *ask("more")], None, "it has 4 messages, the recorded one 2"),
        (ask("two"), {"b": 1}, "the schema of the answer differs"),
    ],
)
def test_the_first_request_that_differs_is_told(
    messages: list[ChatMessage], schema: Schema | None, told: str
) -> None:
    model = recorded(Parrot(), exchanges="kept")
    for text in ("one", "two"):
        model.reply(ask(text))
    again = recorded(replay="kept")
    again.reply(ask("one"))
    with pytest.raises(LanguageModelError) as failed:
        again.reply(messages, schema)
    assert told in str(failed.value)
    assert "request 2" in str(failed.value) and str(failed.value).startswith("--replay: kept/")


def test_a_replay_ends_where_the_recording_ends() -> None:
    recorded(Parrot(), exchanges="kept").reply(ask("one"))
    again = recorded(replay="kept")
    again.reply(ask("one"))
    with pytest.raises(LanguageModelError, match="ends after 1 requests"):
        again.reply(ask("two"))


def test_a_replay_of_nothing_tells_what_there_is() -> None:
    with pytest.raises(InputError, match="a folder of exchanges; void holds none"):
        recorded(replay="void")
    recorded(Parrot(), exchanges="kept").reply(ask("one"))
    with pytest.raises(InputError, match=r"no such session.*allowed: session__\w{8}\.jsonl"):
        recorded(replay="kept", temperature=0.1)


def test_a_run_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    first = recorded(Parrot(), exchanges="kept")
    given = [first.reply(ask(text)).text for text in ("one", "two")]
    (file,) = (tmp_path / "kept").glob("*__*.jsonl")
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"key": "cut o')
    parrot = Parrot()
    parrot.asked = 2
    again = recorded(parrot, exchanges="kept")
    given += [again.reply(ask(text)).text for text in ("one", "two", "three")]
    assert given == ["1: one", "2: two", "1: one", "2: two", "3: three"]
    assert file.read_bytes().startswith(whole) and len(read_exchanges(file)) == 3


def test_what_is_no_exchange_is_told_with_its_line(tmp_path: Path) -> None:
    recorded(Parrot(), exchanges="kept").reply(ask("one"))
    (file,) = (tmp_path / "kept").glob("*__*.jsonl")
    file.write_bytes(file.read_bytes() + b"[]\n")
    with pytest.raises(
        InputError, match=r"jsonl:2: line: a list is not a mapping; allowed: a mapping"
    ):
        recorded(replay="kept")


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ({"requests": 2}, r"budget\.requests: 2 of 2 are spent"),
        ({"tokens": 200}, r"budget\.tokens: 220 of 200 are spent"),
        ({"money": 0.0003}, r"budget\.money: 0\.00032 of 0\.0003 are spent"),
    ],
)
def test_a_budget_stops_and_a_larger_one_goes_on(budget: dict[str, Any], told: str) -> None:
    about = {"exchanges": "kept", "prices": {"prompt": 1.0, "completion": 6.0}}
    parrot = Parrot()
    model = recorded(parrot, budget=budget, **about)
    model.reply(ask("one"))
    model.reply(ask("two"))
    with pytest.raises(BudgetReachedError, match=told):
        model.reply(ask("three"))
    larger = {name: amount * 10 for name, amount in budget.items()}
    again = recorded(parrot, budget=larger, **about)
    for text in ("one", "two", "three"):
        again.reply(ask(text))
    assert parrot.asked == 3, "what was answered is not asked again"


def test_a_budget_is_that_of_all_sessions_of_a_folder() -> None:
    parrot = Parrot()
    one, other = (
        recorded(parrot, exchanges="kept", budget={"requests": 3}, session=name) for name in "ab"
    )
    one.reply(ask("one"))
    other.reply(ask("one"))
    one.reply(ask("two"))
    with pytest.raises(BudgetReachedError):
        other.reply(ask("two"))


def test_no_more_requests_at_once_than_there_are_slots(tmp_path: Path) -> None:
    now, most, lock = 0, 0, threading.Lock()
    begun = threading.Barrier(5)

    def work() -> None:
        nonlocal now, most
        begun.wait(10)
        with slot(tmp_path, 2):
            with lock:
                now += 1
                most = max(most, now)
            threading.Event().wait(0.05)
            with lock:
                now -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most == 2


def test_a_script_answers_in_turn_and_goes_on_after_the_past(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("answers:\n- {when: tree, say: [a, b]}\n- say: [c]\n", encoding="utf-8")
    model = ScriptedModel(path)
    asked = [ask(text) for text in ("tree", "water", "a tree", "tree")]
    assert [model.reply(each).text for each in asked] == ["a", "c", "b", "a"]
    assert ScriptedModel(path, asked[:1]).reply(asked[0]).text == "b"
    path.write_text("answers:\n- {when: tree, say: [a]}\n", encoding="utf-8")
    with pytest.raises(LanguageModelError, match="no line of the script fits"):
        ScriptedModel(path).reply(ask("water"))
    assert script_of("scripted:x.yaml") == Path("x.yaml") and script_of("gpt") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("answers: []\n", "script.yaml:1: answers"),
        ("answers:\n- {say: []}\n", "script.yaml:2: answers[0].say"),
        ("answers:\n- {says: [a]}\n", "script.yaml:2: answers[0].say"),
        ("- a\n", "script.yaml:1"),
    ],
)
def test_a_wrong_script_is_told(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as failed:
        ScriptedModel(path)
    assert told in str(failed.value) and "allowed: " in str(failed.value)


def test_settings_are_read_and_mistakes_told(tmp_path: Path) -> None:
    path = tmp_path / "language.yaml"
    path.write_text(
        "model: m\nendpoint: http://127.0.0.1:1/v1\nbudget: {tokens: 5, money: 0.5}\n"
        "prices: {prompt: 1, completion: 2.5}\n",
        encoding="utf-8",
    )
    found = read_settings(path)
    assert found.budget.tokens == 5 and found.prices and found.prices.completion == 2.5
    path.write_text("modle: m\ntemperature: hot\nbudget: {token: 5}\n", encoding="utf-8")
    with pytest.raises(InputError) as failed:
        read_settings(path)
    lines = str(failed.value).splitlines()
    assert [line.partition("; allowed")[0].removeprefix(str(path)) for line in lines] == [
        ":1: modle: unknown field 'modle', did you mean 'model'?",
        ":2: temperature: 'hot' is not a number",
        ":3: budget.token: unknown field 'token', did you mean 'tokens'?",
    ]
    path.write_text("model: m\nbudget: {money: 5}\n", encoding="utf-8")
    with pytest.raises(InputError, match="a budget of money needs prices; allowed: prices"):
        read_settings(path)


@pytest.mark.parametrize(
    "url", ["ftp://x", "http://", "http://user:key@host/v1", "no url", "http://[x"]
)
def test_endpoints_are_addresses_without_keys(url: str) -> None:
    with pytest.raises(ValueError, match="this is no address of an endpoint"):
        LanguageSettings(endpoint=url)


def test_no_key_is_in_a_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARS_LOGIC_API_KEY", "sk-very-secret")
    recorded(Parrot(), exchanges="kept").reply(ask("one"))
    for file in (tmp_path / "kept").iterdir():
        assert b"sk-very-secret" not in file.read_bytes()
    plain = json.loads(next((tmp_path / "kept").glob("*__*")).read_text(encoding="utf-8"))
    assert set(plain) >= {"key", "messages", "text", "usage", "latency", "agent", "world", "seed"}


def test_a_request_under_way_counts_for_the_others() -> None:
    """Two sessions ask at once: a limit is not passed by one request each."""
    settings: dict[str, Any] = {"exchanges": "kept", "budget": {"requests": 1}}

    class Asking(Parrot):
        def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
            with pytest.raises(BudgetReachedError):
                recorded(session="other", **settings).reply(ask("b"))
            return super().reply(messages, schema)

    recorded(Asking(), session="one", **settings).reply(ask("a"))
    assert (Path("kept") / "spent.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_a_request_that_failed_is_not_spent() -> None:
    class Failing(Parrot):
        def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:  # noqa: ARG002
            raise LanguageModelError("no answer")

    settings: dict[str, Any] = {"exchanges": "kept", "budget": {"requests": 1}}
    with pytest.raises(LanguageModelError, match="no answer"):
        recorded(Failing(), **settings).reply(ask("a"))
    assert recorded(Parrot(), **settings).reply(ask("a")).text


def test_another_process_does_not_write_to_the_same_session() -> None:
    model = recorded(Parrot())
    model.reply(ask("a"))
    child = os.fork()
    if child == 0:  # pragma: no cover - the other process
        try:
            recorded()
        except InputError as error:
            os._exit(7 if "another process is writing to this session" in str(error) else 1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    assert model.reply(ask("b")).text


# --- Damaged files -----------------------------------------------------------------------------


def test_a_ledger_that_was_cut_off_goes_on() -> None:
    model = recorded(Parrot(), exchanges="kept", budget=Budget(requests=3))
    model.reply(ask("one"))
    ledger = Path("kept") / "spent.jsonl"
    whole = ledger.read_bytes()
    ledger.write_bytes(whole + b'{"prompt": 1')
    more = recorded(Parrot(), exchanges="kept", budget=Budget(requests=3), session="other")
    more.reply(ask("two"))
    assert ledger.read_bytes().startswith(whole + b'{"')
    more.reply(ask("three"))
    with pytest.raises(BudgetReachedError, match="3 of 3"):
        more.reply(ask("four"))


WRONG_ENTRIES = (
    *("[]", "{", "7", '"x"', "null", "{}", '{"prompt": 1}', "[" * 200_000),
    *('{"prompt": null, "completion": 1}', '{"prompt": 1.5, "completion": 1}'),
    *('{"prompt": true, "completion": 1}', '{"prompt": 1, "completion": 1, "other": 1}'),
    *('{"prompt": 1, "prompt": 2, "completion": 1}', '{"prompt": NaN, "completion": 1}'),
    '{"prompt": 1%s, "completion": 1}' % ("0" * 30),
)


@pytest.mark.parametrize("entry", WRONG_ENTRIES, ids=lambda entry: entry[:30])
def test_a_damaged_line_of_a_ledger_is_told(entry: str) -> None:
    Path("kept").mkdir()
    good = '{"prompt": 1, "completion": 1}\n'
    (Path("kept") / "spent.jsonl").write_text(f"{good}{entry}\n{good}", encoding="utf-8")
    model = recorded(Parrot(), exchanges="kept", budget=Budget(requests=9))
    with pytest.raises(InputError, match=r"^kept/spent\.jsonl:2: "):
        model.reply(ask("one"))


@pytest.mark.parametrize("name", ["spent.jsonl", ".spent.lock", ".slot0"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_in_a_folder_of_exchanges_is_refused(name: str, kind: str) -> None:
    Path("kept").mkdir()
    path = Path("kept") / name
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    model = recorded(Parrot(), exchanges="kept", budget=Budget(requests=9))
    with pytest.raises(InputError, match=r"kept/.*: file: this is "):
        model.reply(ask("one"))


WRONG_VALUES = (None, 7, True, 1.5, "x", [], {}, [[]], {"a": 1}, -1, 10**30, [None])


def test_a_wrong_value_of_an_exchange_is_one_message(tmp_path: Path) -> None:
    """Every field, and those of its parts, with every kind of value."""
    recorded(Parrot(), exchanges="kept").reply(ask("one"), {"a": 1})
    (file,) = (tmp_path / "kept").glob("*__*.jsonl")
    line = json.loads(file.read_text(encoding="utf-8"))
    tried = 0
    for path in paths_of(line):
        for value in WRONG_VALUES:
            file.write_text(json.dumps(replaced(line, path, value)) + "\n", encoding="utf-8")
            tried += 1
            try:
                kept = read_exchanges(file)
            except InputError as error:
                assert str(error).startswith(f"{file}:1: ") and "\n" not in str(error)
            else:
                assert isinstance(kept[0].reply.text, str)
                assert json.loads(kept[0].to_line()) == json.loads(file.read_bytes())
    assert tried > 200


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, each in inner:
        found += [(*path, key), *paths_of(each, (*path, key))]
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = value.copy()
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed
