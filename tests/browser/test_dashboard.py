"""The dashboard in a browser: three widths, two schemes, by keyboard, and nothing from anywhere."""

import pytest

from pipelines.dashboard.facts import gather
from pipelines.dashboard.page import render
from pipelines.dashboard.publish import page_of
from pipelines.resources.reader import reader
from quality.gate.policy import GatePolicy
from tests.browser.conftest import opened
from tests.unit.pipelines.dashboard.conftest import fill

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
DRAWN = "html[data-drawn]"
CONTRAST = """() => {
  const parse = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (c) => { const [r, g, b] = parse(c).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (el) => { for (let e = el; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/rgba\\(.*, 0\\)|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const worst = {};
  for (const el of document.querySelectorAll("p, th, td, dt, dd, li, a, .badge, .mode, .quiet, summary, button, label, output, .no-value")) {
    if (!el.getClientRects().length) continue;
    const [a, b] = [light(getComputedStyle(el).color), light(ground(el))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const name = el.tagName + "." + el.className;
    if (!(name in worst) || ratio < worst[name]) worst[name] = ratio;
  }
  return worst;
}"""


def drawn(page, scheme):
    page.wait_for_selector(f'html[data-drawn="{scheme}"]')


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_page_is_whole_at_every_width_in_both_schemes(browser, home, width, scheme):
    with opened(browser, (home / "dashboard.html").as_uri(), width=width, scheme=scheme) as (page, seen):
        drawn(page, scheme)
        assert seen.errors == []
        assert seen.outside() == []
        assert len(seen.requests) == 1 + sum(url.startswith("data:") for url in seen.requests)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        charts = page.locator("[data-chart]").count()
        assert charts == page.locator("[data-chart] svg.marks").count() > 10
        assert "Contract broken" in page.inner_text("#verdict h2")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, ground[4:-1].split(", "))) < 150) == (scheme == "dark")
        too_faint = {k: v for k, v in page.evaluate(CONTRAST).items() if v < 4.5}
        assert too_faint == {}


def test_charts_follow_when_the_scheme_changes(browser, home):
    with opened(browser, (home / "dashboard.html").as_uri()) as (page, seen):
        drawn(page, "light")
        axis = "[data-chart='chart-1'] .role-axis-label text"
        before = page.get_attribute(axis, "fill")
        page.emulate_media(color_scheme="dark")
        drawn(page, "dark")
        assert page.get_attribute(axis, "fill") != before
        assert seen.errors == []


def test_a_point_tells_its_numbers_under_the_policy(browser, home):
    with opened(browser, (home / "dashboard.html").as_uri()) as (page, seen):
        drawn(page, "light")
        page.locator("[data-chart='chart-1'] .mark-symbol path").last.hover()
        tip = page.locator("#vg-tooltip-element.visible")
        tip.wait_for()
        assert "broken" in tip.inner_text()
        assert seen.errors == []


def visible(page):
    return page.locator("#decisions-table tbody tr:not([hidden])")


def test_table_is_filtered_by_keyboard_alone(browser, home):
    with opened(browser, (home / "dashboard.html").as_uri()) as (page, seen):
        drawn(page, "light")
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "filter-text":
                break
        page.keyboard.type("brief-03 ingest")
        assert page.inner_text("#decisions-count") == "2 of 25 rows shown"
        page.keyboard.press("Tab")
        page.keyboard.type("ingest")  # the select of decisions takes the option that begins so
        assert page.inner_text("#decisions-count") == "1 of 25 rows shown"
        assert visible(page).locator("td").first.inner_text() == "sound"
        assert seen.errors == []


def test_table_is_sorted_by_keyboard_and_what_has_no_value_stays_last(browser, home):
    with opened(browser, (home / "dashboard.html").as_uri()) as (page, seen):
        drawn(page, "light")
        button = page.locator("#decisions-table thead button", has_text="inbound as written")
        head = page.locator("#decisions-table thead th", has_text="inbound as written")
        for direction, first in (("ascending", "0"), ("descending", "1")):
            button.focus()
            page.keyboard.press("Enter")
            assert head.get_attribute("aria-sort") == direction
            cells = visible(page).locator("td:nth-child(4)").all_inner_texts()
            assert cells[0] == first
            assert cells[-1] == "absent"
        page.locator("#decisions-table thead button", has_text="report").first.press("Space")
        assert visible(page).locator("th").first.inner_text().startswith("brief-00")
        assert page.locator("#decisions-table th[aria-sort]").count() == 1
        assert seen.errors == []


def test_focus_can_be_seen(browser, home):
    with opened(browser, (home / "dashboard.html").as_uri()) as (page, _):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_hostile_texts_stay_texts(browser, tmp_path, home):
    fill(tmp_path / "home")
    page_text, _ = page_of(tmp_path / "home", GatePolicy())
    file = tmp_path / "hostile.html"
    file.write_text(page_text, encoding="utf-8")
    dialogs = []
    with opened(browser, file.as_uri()) as (page, seen):
        page.on("dialog", lambda d: dialogs.append(d.message))
        drawn(page, "light")
        assert "<script>alert(1)</script>" in page.inner_text("#decisions")
        assert (seen.errors, seen.outside(), dialogs) == ([], [], [])


def test_policy_bites_and_these_tests_would_see_it(browser, tmp_path, home):
    text = (home / "dashboard.html").read_text("utf-8")
    bad = "<script>window.hit = 1</script><img src='http://127.0.0.1:9/x.png'><p style='color: red'>x</p>"
    file = tmp_path / "bad.html"
    file.write_text(text.replace("<main", f"{bad}<main", 1), encoding="utf-8")
    with opened(browser, file.as_uri()) as (page, seen):
        drawn(page, "light")
        assert page.evaluate("window.hit === undefined")
        assert len([e for e in seen.errors if "Content Security Policy" in e]) == 3


def test_page_can_be_read_without_scripts(browser, home):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((home / "dashboard.html").as_uri())
    assert page.locator("#decisions-table tbody tr").count() == 25
    assert page.locator(".filters").is_hidden()
    context.close()


def test_empty_home_has_a_page_without_errors(browser, tmp_path):
    from pipelines.resources.warehouse import Warehouse

    Warehouse(tmp_path / "home").publish()
    with reader(tmp_path / "home") as connection:
        facts = gather(connection, GatePolicy(), published={})
    text, _ = page_of(tmp_path / "home", GatePolicy())
    assert render(facts, library="")
    file = tmp_path / "empty.html"
    file.write_text(text, encoding="utf-8")
    with opened(browser, file.as_uri()) as (page, seen):
        drawn(page, "light")
        assert "No batch yet" in page.inner_text("#verdict")
        assert seen.errors == []
