"""Transcripts: what of a session with a language model a page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.language.chat import ChatMessage, Reply, TokenUsage
from mars_logic.language.exchanges import Exchange, RequestPlace, is_exchanges, key_of
from mars_logic.language.settings import Prices
from mars_logic.theory.rulesets import RuleFinding, Rules
from mars_logic.views.report import page, source
from mars_logic.views.report.transcripts import MOST_CHARACTERS, Transcript, sessions, transcripts

SYSTEM = ChatMessage("system", "You play.")


def exchange(step: int, role: str = "control", text: str = "", agent: str = "react") -> Exchange:
    messages = (SYSTEM, ChatMessage("user", text or f"after {step} steps"))
    parameters = {"model": "m"}
    reply = Reply(f"answer {step}", TokenUsage(1000, 10), "length" if step == 2 else "stop")
    place = RequestPlace(agent, role, f"default__{agent}__s0", 0, 1, step)
    key = key_of(parameters, messages, None)
    return Exchange(key, parameters, messages, None, reply, 0.1, place)


def told(session: list[Exchange], rules: Rules | None = None, most: int = 99) -> Transcript:
    library = {"default__react__s0.rules.json": rules} if rules else {}
    (found,) = transcripts({"a": session}, [], library, Prices(prompt=1, completion=4), most)[
        "transcripts"
    ]
    assert isinstance(found, Transcript)
    return found


def test_a_message_is_shown_once() -> None:
    first, second, again = told([exchange(0), exchange(1), exchange(0)]).requests
    assert [(each.text, each.shown_in) for each in first.messages] == [
        ("You play.", None),
        ("after 0 steps", None),
    ]
    assert [(each.text, each.shown_in) for each in second.messages] == [
        ("", 1),
        ("after 1 steps", None),
    ]
    assert again.length == 0


def test_tokens_and_cost_of_all_requests_count() -> None:
    found = told([exchange(0), exchange(1, "induce_rules"), exchange(2)], most=1)
    assert found.about == "m · 3 requests · 3,000 tokens read, 30 written · cost 0.00312"
    assert found.roles == (
        ("control", 2, 2000, 20, 0.00208),
        ("induce rules", 1, 1000, 10, 0.00104),
    )
    assert (len(found.requests), found.left) == (1, 2)
    assert ">3k<" not in found.curve and "tokens: 3030" in found.curve


def test_rules_stand_where_they_were_proposed() -> None:
    rules = Rules(
        made_by="react",
        rules=(
            RuleFinding(id="a", text="A.", when="episode 1, step 1", decide="walking"),
            RuleFinding(id="b", text="B.", when="episode 1, step 9"),
        ),
    )
    session = [exchange(1, "induce_rules"), exchange(1), exchange(2)]
    found = told(session, rules).requests
    assert [[rule.text for rule in each.proposed] for each in found] == [["A."], [], []]
    assert found[0].proposed[0].reason == "would decide: walking"
    others = rules.model_copy(update={"made_by": "another"})
    assert not any(each.proposed for each in told(session, others).requests)


def test_long_messages_and_many_requests_are_cut() -> None:
    (only,) = told([exchange(0, text="x" * (MOST_CHARACTERS + 7))]).requests
    assert (only.messages[1].more, len(only.messages[1].text)) == (7, MOST_CHARACTERS)
    assert [each.cut for each in told([exchange(1), exchange(2)]).requests] == [False, True]
    kept = {"a": [exchange(n) for n in range(10)], "b": [exchange(0)], "c": [exchange(0)] * 3}
    found = transcripts(kept, [], {}, None, 6)["transcripts"]
    assert [(len(each.requests), each.left) for each in found] == [(3, 7), (1, 0), (2, 1)]


def test_a_folder_of_exchanges_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "spent.jsonl").write_text('{"prompt": 1, "completion": 1}\n', encoding="utf-8")
    file = tmp_path / "default__react__s0__0.jsonl"
    file.write_bytes(b"".join(exchange(n).to_line() for n in range(3)))
    assert is_exchanges(file) and not is_exchanges(tmp_path / "spent.jsonl")
    assert list(sessions([tmp_path])) == list(sessions([file])) == ["default__react__s0__0"]
    html = page.report(source.read(tmp_path), 9)
    assert "answer 2" in html and "Prices are not known" in html and 'id="results"' not in html
    html = page.report(source.read(file), 9, requests=1, prices=Prices(prompt=1, completion=1))
    assert "answer 2" not in html and "2 more requests are left out" in html


def test_a_damaged_line_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a__b.jsonl"
    file.write_bytes(exchange(0).to_line() + b"{}\n")
    with pytest.raises(InputError, match=r"a__b.jsonl:2: key: .*"):
        source.read(tmp_path)
    other = tmp_path / "notes.jsonl"
    other.write_bytes(b"\xff\n")
    with pytest.raises(InputError, match="nothing to report"):
        source.read(other)
