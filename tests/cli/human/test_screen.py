from __future__ import annotations

import io

import numpy as np
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.text import Text

from mars_logic import load_world
from mars_logic.cli.human import HumanGame, PlaySession, ScreenStyle, draw
from mars_logic.cli.human.player import look_of
from mars_logic.cli.human.tiles import Colours, tiles
from mars_logic.views import terminal
from mars_logic.world import names

WORLD = load_world("default")
PLAIN = ScreenStyle("none", pixels=False)


def a_game(keys: str = "", **options: bool) -> HumanGame:
    game = HumanGame(PlaySession(WORLD, 3, WORLD.achievements), **options)
    for key in keys.split():
        game.press(key)
    return game


def text(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize("size", [(80, 24), (40, 14), (79, 30), (120, 40), (200, 60), (30, 5)])
@pytest.mark.parametrize("keys", ["", "w w space p", "h", "m y", "w q", "m"])
@pytest.mark.parametrize("look", [ScreenStyle(), ScreenStyle("few"), PLAIN])
def test_a_screen_fits(size: tuple[int, int], keys: str, look: ScreenStyle) -> None:
    lines = draw(a_game(keys, pictures=True), *size, look)
    assert len(lines) <= size[1]
    assert max(line.cell_len for line in lines) <= size[0]


def test_the_whole_screen() -> None:
    shown = text(draw(a_game("w w space p w"), 80, 24, PLAIN))
    assert len(shown.splitlines()) == 24
    assert "default, seed 3   step 5 of 1000   reward 2.0" in shown
    assert "health ################## 9" in shown
    words = " ".join(shown.split())
    assert "* collect_sapling 3" in words and "* place_plant 4" in words
    assert "before you: plant on grass" in shown
    assert all(name in shown for name in WORLD.achievements)
    assert all(name.replace("_", " ") in shown for name in names.HOLDABLE)
    assert "h keys  m manual  u undo  q quit" in shown
    assert "pl" in shown and "@^" in shown


def test_questions_fit_into_the_last_line() -> None:
    for keys in ("m", "w u", "w q"):
        game = a_game(keys)
        assert game.asked
        assert draw(game, 80, 24)[-1].plain == game.asked


def test_a_small_screen_says_the_same() -> None:
    shown = text(draw(a_game("w w space"), 50, 16, PLAIN))
    assert "sapling 1" in shown and "collect_sapling 3" in shown and "health #########" in shown


def test_a_narrow_title_keeps_its_numbers() -> None:
    title = draw(a_game("w w space"), 40, 14, PLAIN)[0].plain
    assert title.startswith("default") and title.endswith("step 3 of 1000   reward 1.0")


def test_aids_are_marked() -> None:
    assert "practice" in text(draw(a_game("w u y"), 80, 24))
    assert "manual read" in text(draw(a_game("m y q"), 80, 24))


def test_what_is_low_is_said() -> None:
    game = a_game()
    game.session.seen.inventory[0, :4] = [3, 9, 4, 0]
    shown = text(draw(game, 80, 24, PLAIN))
    assert shown.count(" low") == 2


def test_the_manual_is_paged() -> None:
    game = a_game("m y")
    pages = []
    while not pages or pages[-1] != text(draw(game, 80, 24)[:22]):
        pages.append(text(draw(game, 80, 24)[:22]))
        game.press("page down", 22)
    for line in game.manual:
        assert any(line.lstrip("# ")[:80] in page for page in pages)


def test_letters_are_those_of_views() -> None:
    seen = a_game("w w space p w").session.seen
    plain = terminal.to_ansi(seen, colour=False).splitlines()[:7]
    assert [line.plain for line in tiles(seen, 1, "none")] == plain


def test_without_colours_there_are_none() -> None:
    for line in draw(a_game("w w space p", pictures=True), 160, 60, PLAIN):
        for span in line.spans:
            assert not any(word in str(span.style) for word in ("rgb", "#")), span


def test_pictures_are_those_of_views() -> None:
    from mars_logic.views import image

    seen = a_game("w w space p").session.seen
    drawn = image.render(seen, (72, 72))[0, :56]
    lines = tiles(seen, 4, "many", pictures=True)
    console = Console(color_system="truecolor", force_terminal=True, width=100, file=io.StringIO())
    found = []
    for line in lines:
        styles = [s.style for s in console.render(line) if s.style and s.text != "\n"]
        cells = [s for s in console.render(line) if s.text.strip("\n")]
        widths = [len(s.text) for s in cells]
        both = [
            [style.color.get_truecolor(), style.bgcolor.get_truecolor()]  # type: ignore[union-attr]
            for style, width in zip(styles, widths, strict=True)
            for _ in range(width)
        ]
        found += [list(row) for row in zip(*both, strict=True)]
    assert np.array_equal(np.array(found), drawn)


@pytest.mark.parametrize("daylight", [1.0, 0.0])
@pytest.mark.parametrize("sleeping", [False, True])
def test_letters_stand_out_by_day_by_night_and_asleep(daylight: float, sleeping: bool) -> None:
    """Contrast of 3 to 1 and more for what stands on a cell, as WCAG asks of large letters."""
    seen = a_game().session.seen
    for code in range(1, len(names.LOOKS)):
        for material in range(len(names.MATERIALS)):
            seen.objects[0, 0, 0], seen.materials[0, 0, 0] = code, material
            seen.daylight[0], seen.sleeping[0] = daylight, sleeping
            span = tiles(seen, 1, "many")[0].spans[0].style
            ink, ground = (c.get_truecolor() for c in (span.color, span.bgcolor))  # type: ignore[union-attr]
            brighter, darker = sorted((_luminance(ink), _luminance(ground)), reverse=True)
            assert (brighter + 0.05) / (darker + 0.05) >= 3, (code, material)


def _luminance(colour: tuple[int, int, int]) -> float:
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_console_says_what_it_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(**options: str) -> ScreenStyle:
        file = io.TextIOWrapper(io.BytesIO(), options.pop("encoding", "utf-8"))
        return look_of(Console(file=file, force_terminal=True, **options))  # type: ignore[arg-type]

    assert look(color_system="truecolor") == look(color_system="256") == ScreenStyle("many", True)
    assert look(color_system="standard") == ScreenStyle("few", False)
    assert look(color_system="truecolor", encoding="ascii") == ScreenStyle("many", False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(color_system="truecolor") == ScreenStyle("none", False)


@pytest.mark.parametrize(
    ("colours", "system"), [("few", ColorSystem.STANDARD), ("many", ColorSystem.EIGHT_BIT)]
)
def test_letters_are_seen_where_colours_are_few(colours: Colours, system: ColorSystem) -> None:
    seen = a_game().session.seen
    for light in (1.0, 0.5, 0.0):
        seen.daylight[0] = light
        for code, material in enumerate(names.MATERIALS):
            seen.materials[:] = code
            for line in tiles(seen, 1, colours):
                for span in line.spans:
                    style = Style.parse(str(span.style))
                    both = [c.downgrade(system).number for c in (style.color, style.bgcolor) if c]
                    assert len(set(both)) == 2, material
