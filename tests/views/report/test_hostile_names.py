"""Names that try to be scripts, elements or links are shown as they are, and do nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mars_logic.experiments.page import page as in_markdown
from mars_logic.experiments.summary import summary
from mars_logic.experiments.tables import fenced, plain
from mars_logic.language.chat import ChatMessage, Reply, TokenUsage
from mars_logic.language.exchanges import Exchange, RequestPlace
from mars_logic.play.certificate import Certificate
from mars_logic.theory.rulesets import Counterexample, RuleFinding, Rules
from mars_logic.views.report import page
from mars_logic.views.report.report_data import LearnedUnit, Material, RevisionEntry, Thought
from mars_logic.views.report.training_curves import TrainedRun
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.views.report.opened import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = {
    "script": "</script><script>document.title='hacked'</script>",
    "closed": "--></style></title></textarea></svg>]]><script>document.title='hacked'</script>",
    "attribute": "\"'` autofocus tabindex=0 onfocus=document.title='hacked' x=\"",
    "element": "<img src=x onerror=\"document.title='hacked'\">",
    "drawing": "<svg onload=\"document.title='hacked'\"><a xlink:href='javascript:1'>x</a></svg>",
    "link": "javascript:document.title='hacked'",
    "marked link": "[x](javascript:document.title='hacked') <a href=javascript:1>x</a>",
    "frame": "<iframe srcdoc=\"<script>parent.document.title='hacked'</script>\"></iframe>",
    "lines": "a\u2028document.title='hacked'\u2029b\r\nc\td",
    "template": "{{ 7 * 7 }}{% for x in y %}${document.title='hacked'}#{7}",
    "escapes": "\\u003cscript\\u003e\\x3cimg\\x3e &lt;b&gt; &#60;script&#62; %3Cscript%3E",
    "style": "</style><style>*{display:none}</style> url(http://example.org/x) @import 'y'",
    "directions": "a\u202egnp.exe\u2066b\u200b\ufeff\x00\x1b[31m\x7f",
    "prototype": "__proto__",
    "constructor": "constructor",
    "half a letter": "\udcff\ud800",
    "long": "x" * 3000,
}
OURS = re.compile(r"(?m)^<details markdown=\"1\">\n<summary>[\w' .]*</summary>$")
MARKUP = ("script", "img", "iframe", "style", "a", "svg", "b")


def richer(material: Material, text: str = "word") -> Material:
    """Material with all that a page can be about besides, told with a text."""
    counterexample = Counterexample(
        trajectory=f"{material.kept[0].path.stem}.parquet",
        step=2,
        predicted=text,
        did=text,
        saw=text,
        count=1,
    )
    rule = RuleFinding(
        id=text,
        text=text,
        by=text,
        when="episode 1, step 1",
        verdict="contradicted",
        counterexamples=(counterexample,),
        decide=text,
    )
    place = RequestPlace(f"agent{text}", f"role {text}", f"world{text}__s0", 0, 1, 1)
    messages = (ChatMessage("system", text), ChatMessage("user", text * 2))
    reply = Reply(text, TokenUsage(1, 1), "length")
    exchange = Exchange("0" * 64, {"model": text}, messages, None, reply, 0, place)
    columns = dict.fromkeys(("reward", "trained", "score", "unlocked", "length"), (1.0, 2.0))
    trained = TrainedRun(text, f"world{text}", {"laws": text}, (1, 2), columns)
    own = parse_theory("base: default\n", "own.yaml")
    assert isinstance(own, World)
    return replace(
        material,
        trained=(trained, replace(trained, name=f"{text} 2", settings={"laws": f"{text} 2"})),
        sessions={text: (exchange, exchange)},
        rules={f"world{text}__s0.rules.json": Rules(made_by=place.agent, rules=(rule,))},
        own={text: replace(own, name=text)},
    )


def spoilt(material: Material, evil: str) -> Material:
    """A report's material with the same hostile text in every field that takes one."""

    def row(found: Any) -> Any:
        names = ("unit", "agent", "world_name", "agent_name", "certificate")
        changed = {name: f"{getattr(found, name)}{evil}" for name in names}
        options = {"options": '{"prior": "nobody\'s <b>rules</b>"}'}
        return replace(found, **changed | options)

    def revision(found: RevisionEntry) -> RevisionEntry:
        words, because = (evil, f"{evil}."), tuple(evil for _ in range(2))
        return found.model_copy(update={"words": words, "because": because})

    def more(found: RevisionEntry) -> RevisionEntry:
        return revision(found).model_copy(update={"rule": evil})

    kept = []
    for each in material.kept:
        certificate = each.certificate.model_copy(
            update={"agent": evil, "versions": {evil: evil}, "belief": evil}
        )
        kept.append(
            replace(
                each,
                row=row(each.row),
                thoughts=(
                    Thought(step=1, layer=evil, what=evil),
                    Thought(step=4, layer="", what=""),
                ),
                load=partial(_same, certificate),
            )
        )
    learned = {
        f"{unit}{evil}": LearnedUnit(
            found.theory,
            (*map(revision, found.revisions), more(found.revisions[0])),
        )
        for unit, found in material.learned.items()
    }
    return replace(
        material,
        title=evil,
        spec=f"name: {evil}",
        left_out=(evil,),
        missing=(1, 2),
        rows=tuple(map(row, material.rows)),
        kept=tuple(kept),
        learned=learned,
    )


def _same(certificate: Certificate) -> Certificate:
    return certificate


EACH = [pytest.param(kind, marks=pytest.mark.long) for kind in HOSTILE]


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["all", "prototype", *(each for each in EACH if each.values != ("prototype",))]
)
def test_hostile_names_stay_inert_in_a_browser(
    browser: Browser, material: Material, tmp_path: Path, kind: str
) -> None:
    evil = HOSTILE.get(kind, " ".join(HOSTILE.values()))
    usual = page.report(richer(material), 60)
    html = page.report(richer(spoilt(material, evil), evil), 60)
    for element in MARKUP:  # the same elements, whatever the names
        pattern = rf"<{element}[\s>]"
        assert len(re.findall(pattern, html)) <= len(re.findall(pattern, usual)) + 1, element
    (path := tmp_path / "report.html").write_text(html, encoding="utf-8")
    found = Opened(browser.new_page())
    found.watch(path.as_uri())
    found.page.on("dialog", lambda dialog: found.wrong.append(f"dialog: {dialog.message}"))
    found.page.goto(path.as_uri())
    found.page.wait_for_selector("#player[data-ready]")
    title = found.page.title()
    found.page.locator("details.film canvas").first.wait_for()
    for episode in range(len(material.kept)):
        found.show(episode)
        found.focus_player()
        found.press("End", "ArrowLeft", "[", "]", "Home", "ArrowRight")
    links = found.page.locator("a").evaluate_all("all => all.map(each => each.href)")
    assert all(link.partition("#")[0] == path.as_uri() for link in links)
    handlers = found.page.evaluate(
        "[...document.querySelectorAll('*')].flatMap(each => each.getAttributeNames())"
        ".filter(name => name.startsWith('on'))"
    )
    assert handlers == [], "no element has a script of its own"
    assert found.page.title() == title != "hacked"
    about = found.page.inner_text("#about")
    replaced = evil.encode("utf-8", "replace").decode()  # as some browsers show half a letter
    assert any(each.split()[0] in about for each in (evil, replaced))
    assert found.wrong == []
    found.page.close()


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_names_stay_inert_in_markdown(material: Material, kind: str) -> None:
    """Raw elements, links and code that ends too soon are what a reader of Markdown would obey."""
    evil = HOSTILE[kind]
    rows = spoilt(material, evil).rows
    text = in_markdown(summary(rows, ["agent", "world"]), [f"summarise {evil}"], {}, f"n: {evil}")
    text.encode()
    outside = re.sub(r"(?ms)^(`{3,})\w*\n.*?^\1$", "", text)
    assert outside.count("</details>") == len(OURS.findall(outside)) > 0, "none ends too soon"
    outside = OURS.sub("", outside).replace("\n</details>\n", "\n")
    assert not re.search(r"<[A-Za-z/!]", outside) and not re.search(r"(?<!\\)\]\(", outside)
    for line in outside.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    assert plain(evil) in outside or kind == "lines"


@pytest.mark.parametrize("text", ["```", "a\n```\n<script>", "````\n`````", "~~~"])
def test_no_line_ends_a_block_of_code(text: str) -> None:
    first, *inside, last, _ = fenced(text, "yaml").split("\n")
    assert first == f"{last}yaml" and inside == text.split("\n")
    assert all(not line.startswith(last) for line in inside)
