"""Reports on screens of any size, light and dark, and without a mouse."""

from __future__ import annotations

import re

import pytest

from tests.views.report.opened import Open


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_screen_has_to_be_scrolled_sideways(opened: Open, width: int, scheme: str) -> None:
    """But for regions that say so, by a shade at the edge, and that take the keyboard's focus."""
    page = opened(width=width, height=740, color_scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#play").is_visible() and page.locator("#map").is_visible()
    silent = page.evaluate(
        """[...document.querySelectorAll('main *')]
            .filter(each => each.scrollWidth > each.clientWidth + 1
                && /auto|scroll/.test(getComputedStyle(each).overflowX))
            .filter(each => each.tabIndex !== 0
                || !getComputedStyle(each).backgroundImage.includes('gradient'))
            .map(each => each.outerHTML.slice(0, 200))"""
    )
    assert silent == []


def test_a_phone_shows_the_achievements_of_all_agents_at_once(opened: Open) -> None:
    page = opened(width=360, height=740).page
    table = page.locator("#achievements table").first
    box = table.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
    first = table.locator("tbody tr").first
    named = """row => [...row.querySelectorAll('td')]
        .map(cell => getComputedStyle(cell, '::before').content.replaceAll('"', ''))"""
    assert first.evaluate(named) == ["random", "learner (prior: Crafter's rules)"]
    for cell in first.locator("td").all():
        inside = cell.bounding_box()
        assert inside and inside["x"] + inside["width"] <= 360 and "%" in cell.inner_text()


def test_light_and_dark(opened: Open) -> None:
    page = opened(color_scheme="dark").page
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    assert sum(map(int, re.findall(r"\d+", dark))) < 150
    page.click("#theme")
    light = page.evaluate(ground)
    assert sum(map(int, re.findall(r"\d+", light))) > 600
    assert page.inner_text("#theme") == "Colours: light"
    page.reload()
    assert page.evaluate(ground) == light


def test_everything_has_a_name_and_focus_is_seen(opened: Open) -> None:
    page = opened().page
    nameless = page.evaluate(
        """[...document.querySelectorAll('button, select, input, canvas:not([aria-hidden])')]
            .filter(each => !(each.ariaLabel || each.innerText || each.labels?.length))
            .map(each => each.outerHTML)"""
    )
    assert nameless == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_tab_leads_to_everything_and_the_focus_is_seen(opened: Open, width: int) -> None:
    page = opened(width=width, reduced_motion="reduce").page
    page.evaluate("document.activeElement.blur()")
    wanted = page.evaluate(
        """[...document.querySelectorAll('a[href], button, select, input, summary, [tabindex]')]
            .filter(each => each.tabIndex === 0 && each.checkVisibility())
            .map((each, number) => each.dataset.number = String(number))"""
    )
    assert len(wanted) > 40
    focused = """(() => {
        const each = document.activeElement, box = each.getBoundingClientRect();
        const seen = document.elementFromPoint(
            Math.min(innerWidth - 1, Math.max(0, box.x + Math.min(box.width, innerWidth) / 2)),
            Math.min(innerHeight - 1, Math.max(0, box.y + Math.min(box.height, innerHeight) / 2)));
        const style = getComputedStyle(each);
        return [each.dataset.number, style.outlineStyle !== 'none' && style.outlineWidth !== '0px',
            each.contains(seen) || each.labels?.[0]?.contains(seen) || seen?.contains(each)];
    })()"""
    reached = []
    for _ in wanted:
        page.keyboard.press("Tab")
        number, outlined, shown = page.evaluate(focused)
        reached.append(number)
        assert outlined and shown, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    assert reached == wanted


@pytest.mark.slow
def test_on_a_phone_the_controls_cover_no_selector(opened: Open) -> None:
    page = opened(width=360, height=740).page
    top = page.evaluate("document.querySelector('#episode').getBoundingClientRect().top + scrollY")
    for below in range(20, 740, 60):  # where the selector is on the screen
        page.evaluate(f"scrollTo(0, {top - below})")
        selector = page.locator("#episode").bounding_box()
        controls = page.locator(".deck").bounding_box()
        assert selector and controls
        assert selector["y"] + selector["height"] <= controls["y"]
