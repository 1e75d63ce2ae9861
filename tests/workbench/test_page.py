"""The page in Chromium, as a person uses it: by keys, and with the mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mars_logic.theory.rulesets.artefact import rules_text, untested
from mars_logic.theory.rulesets.documents import read_rules_in
from mars_logic.world.load import load_world
from tests.workbench.conftest import Open, Served

pytestmark = pytest.mark.slow

COPPER = (Path(__file__).parents[2] / "worlds" / "gallery" / "copper.yaml").read_text("utf-8")
COPPER_RULE = "collect: {copper: {requires: {}, yields: {copper: 1}, leaves: grass}}"
SILVER_AGE = """name: silver_age
base: default
collect:
  diamond: {yields: {coal: 1}}  # none
"""


def test_mistakes_and_completion_by_keys_alone(opened: Open) -> None:
    bench = opened()
    page, keys = bench.page, bench.page.keyboard
    bench.reach(page.locator(".cm-content"))
    keys.type("name: game\nba")
    bench.wait(".wb-offer", "base")
    keys.press("Alt+Enter")
    bench.wait(".cm-line", "base: ")
    keys.type("terr_")
    bench.wait(".wb-offers", "Alt-Enter writes terr_surv")
    keys.press("ArrowLeft")  # offers are for the place of the last change
    page.wait_for_selector(".wb-offer", state="detached")
    keys.press("ArrowRight")
    keys.press("Backspace")
    bench.wait(".wb-offer[aria-selected=true]", "terrain")
    keys.press("Alt+ArrowDown")
    bench.wait(".wb-offer[aria-selected=true]", "terr_surv")
    keys.press("Alt+Enter")
    bench.wait(".cm-line", "base: terr_surv")
    for _ in "terr_surv":
        keys.press("Backspace")
    keys.type("defalt")
    bench.wait(".wb-error", "2: base: there is no world")
    page.wait_for_selector(".cm-line.wb-mistake[data-told*='did you mean']")
    assert page.locator(".cm-line.wb-mistake").inner_text().startswith("base: defalt")
    keys.press("Backspace")
    keys.press("Backspace")
    keys.type("ult")
    bench.valid("game")
    assert bench.text == "name: game\nbase: default"
    assert page.locator(".wb-error").count() == 0
    keys.press("Control+s")
    bench.wait(".q-notification", "Saved as game.yaml.")
    keys.press("Escape")
    keys.press("Tab")
    assert not page.evaluate("document.activeElement.classList.contains('cm-content')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_that_is_typed_is_lost(opened: Open) -> None:
    """Whatever the page shows meanwhile, the text is what was typed."""
    bench = opened()
    bench.page.click(".cm-content")
    text = "name: game\nbase: default\nlenght: 300 # steps of an episode"
    bench.page.keyboard.type(text, delay=170)  # a moment longer than until the text is read
    bench.wait(".wb-error", "3: lenght")
    assert bench.text == text


def test_what_follows_from_a_world(opened: Open) -> None:
    bench = opened()
    page = bench.page
    bench.write(COPPER)
    bench.valid("copper")
    first = page.get_attribute(".wb-map img", "src")
    page.get_by_label("Seed").fill("3")
    page.wait_for_selector(".wb-map img[alt*='seed 3']")
    assert page.get_attribute(".wb-map img", "src") != first
    bench.tab("Manual")
    bench.wait(".wb-manual mark", "Copper lies in 2 % of the stone.")
    assert "Iron" not in " ".join(page.locator(".wb-manual mark").all_inner_texts())
    bench.tab("Tech tree")
    bench.wait(".wb-tree svg", "copper")
    bench.tab("Proofs")
    bench.wait(".wb-proof.reachable", "collect copper")
    bench.tab("Film")
    film = page.frame_locator("iframe[title='The oracle plays this map']")
    film.locator("#player[data-ready]").wait_for()
    film.locator("#forward").click()
    assert "step 1 of" in film.locator("#position").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_play_by_keys(opened: Open) -> None:
    bench = opened()
    bench.write(COPPER)
    bench.valid("copper")
    bench.tab("Play")
    bench.wait(".wb-status", "step 0 of 1000")
    bench.page.focus(".wb-play")
    for number, key in enumerate(("ArrowLeft", "ArrowDown", " ", "w"), 1):
        bench.page.keyboard.press(key)
        bench.wait(".wb-status", f"step {number} of 1000")
    bench.wait(".wb-news", "move_up")
    bench.page.keyboard.press("u")
    bench.wait(".wb-status", "step 3 of 1000")


def test_a_repair_changes_the_text(opened: Open) -> None:
    bench = opened()
    bench.write(SILVER_AGE)
    bench.valid("silver_age")
    bench.tab("Proofs")
    bench.wait(".wb-proof.unreachable .wb-why", "no diamond is ever obtained")
    bench.page.locator(".wb-repair").first.click()
    bench.wait(".cm-line", "diamond: {yields: {coal: 1, diamond: 1}}  # none")
    bench.wait(".wb-about", "22 of 22 achievements reachable")
    bench.page.click(".cm-content")
    bench.page.keyboard.press("Control+z")
    bench.wait(".cm-line", "diamond: {yields: {coal: 1}}  # none")


def test_rules_of_an_agent(opened: Open) -> None:
    bench = opened()
    page = bench.page
    bench.write(COPPER)
    bench.valid("copper")
    bench.tab("Rules of an agent")
    bench.wait(".wb-about", "sentences.txt: ")
    rules = "You get copper with the stone pickaxe\nCollecting from a tree yields 2 wood."
    page.fill(".wb-rules textarea", rules)
    bench.wait(".wb-unread", "You get copper with the stone pickaxe")
    page.locator(".wb-proposal").first.click()
    frame = page.frame_locator("iframe[title='Rules with verdicts']")
    frame.locator("th:has-text('collect.copper')").wait_for()
    assert page.locator(".wb-proposal").count() == 0
    frame.locator("tr.contradicted a.jump").first.click()
    frame.locator("#player:not([data-step='0'])").wait_for()


def test_an_own_game_from_an_empty_page(opened: Open, file: Path) -> None:
    """Copper on a drawn island, proved and shared, as a new user would."""
    bench = opened()
    page, keys = bench.page, bench.page.keyboard
    bench.button("Begin with the rules of default").click()
    bench.valid("game")
    for what in ("material", "item"):
        bench.button("Add").click()
        dialog = page.locator(".q-dialog")
        if what == "item":
            dialog.get_by_label("What").click()
            page.get_by_role("option", name="item").click()
        dialog.get_by_label("Name").fill("copper")
        dialog.get_by_role("button", name="Add", exact=True).click()
        dialog.wait_for(state="detached")
    bench.wait(".cm-line", "items: [copper]")
    bench.tab("Draw")
    bench.button("Draw a map").click()
    bench.wait(".cm-line", "......@.....")
    page.wait_for_selector(".wb-canvas img")
    box = page.locator(".wb-canvas img").first.bounding_box()
    assert box is not None
    cell = box["width"] / 12
    page.mouse.move(box["x"] + cell / 2, box["y"] + cell / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 11.5 * cell, box["y"] + cell / 2, steps=24)
    page.mouse.up()
    bench.wait(".cm-line", "~~~~~~~~~~~~")
    page.get_by_role("radio", name="copper").click()
    page.focus(".wb-canvas")
    keys.press("ArrowDown")
    keys.press("Enter")
    bench.wait(".cm-line", "o: copper")
    page.click(".cm-content")
    keys.press("Control+End")
    keys.insert_text(f"\n{COPPER_RULE}\ngoals: [collect_copper]\n")
    bench.tab("Proofs")
    bench.wait(".wb-about", "1 of 1 achievements reachable on map 0")
    keys.press("Control+s")
    with page.expect_download() as download:
        bench.button("Share").click()
    shared = file.with_name("shared.html")
    download.value.save_as(shared)
    bench.button("Save").click()
    bench.wait(".q-notification", "Saved as game.yaml.")
    assert "collect_copper" in load_world(file).achievements
    bench.button("Copy as test").click()
    bench.wait(".wb-test", "collect_copper")
    assert '"collect_copper": "reachable"' in page.evaluate("navigator.clipboard.readText()")
    alone = page.context.browser.new_page()  # type: ignore[union-attr]
    alone.goto(shared.as_uri())
    alone.wait_for_selector("#player[data-ready]")
    assert alone.locator("h2").all_inner_texts() == ["Map", "Rules", "Tech tree", "Replay"]
    alone.close()


def test_an_own_game_by_keys_alone(opened: Open, file: Path) -> None:
    """Names are added, a map is drawn, the game is played, saved, shared, and taken back."""
    bench = opened()
    page, keys = bench.page, bench.page.keyboard
    bench.press(bench.button("Begin with the rules of default"))
    bench.valid("game")
    bench.press(bench.button("Add"))
    dialog = page.locator(".q-dialog")
    bench.reach(dialog.get_by_label("Name"))
    keys.type("copper")
    keys.press("Enter")
    bench.wait(".cm-line", "copper: {looks: ore")
    bench.tab_by_keys("Draw")
    bench.press(bench.button("Draw a map"))
    bench.wait(".cm-line", "......@.....")
    bench.press(page.get_by_role("radio", name="copper"))
    page.wait_for_selector(".wb-palette .chosen[aria-label=copper]")
    bench.reach(page.locator(".wb-canvas"))
    for key in ("ArrowRight", "ArrowDown", "Space"):
        keys.press(key)
    bench.wait(".cm-line", ".o..........")
    bench.press(bench.button("Add a drawing"))
    bench.wait(".wb-draw", "2: seed 1")
    bench.press(page.locator(".wb-canvas"), "ArrowLeft")
    keys.press("Space")
    bench.wait(".cm-line", "o...........")
    bench.press(bench.button("Remove it"))
    page.wait_for_selector(".cm-line:has-text('o...........')", state="detached")
    bench.tab_by_keys("Play")
    bench.wait(".wb-status", "step 0 of")
    bench.press(page.locator(".wb-play"), "ArrowLeft")
    bench.wait(".wb-status", "step 1 of")
    bench.press(bench.button("Save as"))
    bench.reach(page.get_by_label("Name of the file"))
    keys.press("Control+a")
    keys.type("mine.yaml")
    keys.press("Enter")
    bench.wait(".q-notification", "Saved as mine.yaml.")
    saved = file.with_name("mine.yaml")
    assert ".o.........." in saved.read_text("utf-8")
    bench.reach(bench.button("Share"), "Shift+Tab")
    with page.expect_download() as download:
        keys.press("Enter")
    assert download.value.suggested_filename == "mine.html"
    bench.press(bench.button("Copy as test"))
    bench.wait(".wb-test", "mine.yaml")
    keys.press("Escape")
    page.locator(".wb-test").wait_for(state="detached")
    bench.reach(page.locator(".cm-content"))
    while "drawn" in bench.text:
        text = bench.text
        keys.press("Control+z")
        bench.wait_until_other(text)
    bench.valid("game")


def test_repair_and_rules_by_keys_alone(opened: Open) -> None:
    bench = opened()
    page, keys = bench.page, bench.page.keyboard
    bench.reach(page.locator(".cm-content"))
    keys.insert_text(SILVER_AGE)
    bench.valid("silver_age")
    bench.tab_by_keys("Proofs")
    bench.press(page.locator(".wb-repair").first)
    bench.wait(".wb-about", "22 of 22 achievements reachable")
    bench.reach(page.locator(".cm-content"), "Shift+Tab")
    keys.press("Control+z")
    bench.wait(".cm-line", "diamond: {yields: {coal: 1}}  # none")
    bench.tab_by_keys("Rules of an agent")
    bench.reach(page.locator(".wb-rules textarea"))
    keys.press("Control+a")
    keys.insert_text("You get coal with the stone pickaxe\nCollecting from a tree yields 2 wood.")
    bench.press(page.locator(".wb-proposal").first)
    frame = page.frame_locator("iframe[title='Rules with verdicts']")
    frame.locator("th:has-text('collect.coal')").wait_for()
    bench.reach(page.locator("iframe[title='Rules with verdicts']"))
    moment = frame.locator("tr.contradicted a.jump").first
    for _ in range(40):
        if moment.evaluate("it => it === document.activeElement"):
            break
        keys.press("Tab")
    keys.press("Enter")
    frame.locator("#player:not([data-step='0'])").wait_for()


def test_a_document_of_rules_is_read(opened: Open, tmp_path: Path) -> None:
    """Rules as `check` writes them are tested again; sentences take their place."""
    bench = opened()
    page = bench.page
    bench.write(COPPER)
    bench.valid("copper")
    bench.tab("Rules of an agent")
    bench.wait(".wb-about", "sentences.txt: ")
    words = load_world("default").vocabulary
    sources = read_rules_in("Collecting from a tree yields 2 wood.", "said.txt", words)
    document = tmp_path / "rules.json"
    document.write_text(rules_text(untested(sources, load_world("default")), document), "utf-8")
    page.locator(".wb-upload input[type=file]").set_input_files(document)
    bench.wait(".wb-about", "rules.json: 1 contradicted")
    bench.button("Write sentences").click()
    bench.wait(".wb-about", "sentences.txt: ")


def test_nothing_is_lost_when_the_server_dies(opened: Open, file: Path) -> None:
    bench = opened()
    bench.write("name: game\nbase: default\n# not saved\n")
    bench.valid("game")
    bench.served.kill()
    bench.page.context.close()
    bench.wrong.clear()
    assert not file.exists()
    again = opened()
    again.wait(".cm-line", "# not saved")
    again.button("Save as").click()
    again.page.get_by_label("Name of the file").fill("other.yaml")
    again.button("OK").click()
    again.wait(".q-notification", "Saved as other.yaml.")
    assert sorted(path.name for path in file.parent.iterdir()) == ["other.yaml"]


def test_a_text_that_cannot_be_kept_is_told(opened: Open, file: Path) -> None:
    file.with_name(".game.yaml.unsaved").mkdir()
    bench = opened()
    bench.write("name: game\nbase: default\n")
    bench.wait(".q-notification", "The text is not saved yet: ")
    bench.valid("game")
    bench.button("Save").click()
    bench.wait(".q-notification", "Saved as game.yaml.")
    assert file.exists()


def test_saving_asks_before_it_replaces_what_others_wrote(opened: Open, file: Path) -> None:
    file.write_text("name: a\nbase: default\n", encoding="utf-8")
    bench = opened()
    bench.valid("a")
    file.write_text("name: b\nbase: default\n", encoding="utf-8")
    bench.write("name: c\nbase: default\n")
    bench.valid("c")
    bench.button("Save").click()
    bench.wait(".q-dialog", "game.yaml was changed elsewhere. Replace it?")
    bench.button("Cancel").click()
    assert file.read_text(encoding="utf-8") == "name: b\nbase: default\n"
    bench.page.wait_for_selector(".q-dialog", state="detached")
    bench.button("Save").click()
    bench.button("Replace").click()
    bench.wait(".q-notification", "Saved as game.yaml.")
    assert file.read_text(encoding="utf-8") == "name: c\nbase: default\n"


def test_slow_work_is_ended_when_the_text_changes(opened: Open) -> None:
    bench = opened()
    bench.write(SILVER_AGE)
    bench.valid("silver_age")
    bench.tab("Proofs")
    bench.page.get_by_text("On this map alone").click()
    bench.wait(".wb-progress", "…")
    bench.write(SILVER_AGE.replace("silver_age", "golden_age") + "walk: {lava: 3}")
    bench.wait(".wb-error", "walk.lava: 3 is not a mapping")
    bench.write(SILVER_AGE.replace("silver_age", "golden_age"))
    bench.valid("golden_age")
    bench.wait(".wb-about", "21 of 22 achievements reachable on map 0")


@pytest.mark.long
@pytest.mark.parametrize("width", [1280])
def test_memory_stays_flat(opened: Open) -> None:
    """500 edits, each read and followed by a new map, as a person types; measured: 2 MB more."""
    status = Path("/proc")
    if not status.exists():
        pytest.skip("this system does not tell how much memory a process has")
    bench = opened()
    bench.write(f"{COPPER}# ")
    bench.page.wait_for_selector(".wb-map img")
    used = []
    for number in range(1, 501):
        bench.page.keyboard.type("x" if number % 2 else "\n# ")
        bench.page.wait_for_timeout(420)
        if number in (100, 500):
            about = (status / str(bench.served.process.pid) / "status").read_text("utf-8")
            found = re.search(r"VmRSS:\s+(\d+) kB", about)
            assert found is not None
            used.append(int(found[1]) / 1024)
    assert used[1] - used[0] < 10, used


def test_the_server_answers_nobody_else(file: Path) -> None:
    import http.client
    from urllib.parse import urlsplit

    pytest.importorskip("nicegui")
    served = Served(file)
    try:
        place = urlsplit(served.address)
        assert place.hostname == "127.0.0.1" and re.fullmatch(r"/[\w-]{32}/", place.path)

        def status(path: str, **headers: str) -> int:
            connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
            connection.request("GET", path, headers=headers)
            try:
                return connection.getresponse().status
            finally:
                connection.close()

        assert status(place.path) == 200
        assert status("/") == status("/docs") == status("/_nicegui_ws/socket.io/") == 403
        assert status(place.path, Host=f"evil.example:{place.port}") == 403
        assert status(place.path, Origin="http://evil.example") == 403
        assert status(f"{place.path}frame/film") == 404
    finally:
        served.end()
