# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Panels that sleep, on the operations page: their facts, what needs attention, and the pairing window."""
from .scene import expect, opened, quiet, sign_in, wait

PANELS = """boards:
  kitchen: {model: trmnl-og, layout: halves, cells: [{widget: weather}, {widget: blog}]}
panels:
  attic: {id: "AA:BB:CC:DD:EE:01", board: kitchen}
  garage: {id: "AA:BB:CC:DD:EE:02", board: kitchen}
  cellar: {id: "AA:BB:CC:DD:EE:03", board: kitchen, interval: 5s, minimumSleep: 5s}
"""
SECTION = "document.getElementById('panels-board')"
# The facts of each panel by their labels, and below them its warnings.
FACTS = """
const facts = (row) => [...row.querySelectorAll('[data-label]')].map((f) => [f.dataset.label, f.textContent]);
return [...document.querySelectorAll('.panels tbody tr:not(.more)')].map((row) => [row.querySelector('div').textContent,
  {...Object.fromEntries(facts(row)), warnings: row.nextElementSibling?.matches('.more') ? row.nextElementSibling.textContent : ''}]);
"""
# The texts of the panels that are cut, and the columns of all tables whose head is.
CUT = """
return [...document.querySelectorAll('#panels-board :not(.hidden), th')].filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.textContent);
"""


class Panel:
    """A panel that asks the gateway as TRMNL's firmware does."""

    def __init__(self, stage, number, volts="4.02"):
        self.stage, self.key = stage, ""
        self.headers = {
            "ID": f"AA:BB:CC:DD:EE:{number:02}", "Battery-Voltage": volts, "RSSI": "-61", "FW-Version": "1.8.15",
            "Model": "og", "Width": "800", "Height": "480",
        }

    def ask(self, path):
        return self.stage.get(path, self.headers | {"Access-Token": self.key})

    def wake(self):
        self.key = self.key or self.ask("/api/setup")["api_key"]
        picture = self.ask("/api/display")["image_url"].removeprefix(self.stage.address)
        expect(self.stage.status("GET", picture, {}) == 200, "a panel does not get its picture")


def wake_panels(stage):
    """Has the panels ask in an open pairing window, and one that is in no configuration; returns those that get keys."""
    wait(lambda: stage.get("/boards/kitchen.json").get("isCurrent"), "the board is not drawn")
    panels = [Panel(stage, 1), Panel(stage, 2, "3.2"), Panel(stage, 3)]
    for panel in [*panels, Panel(stage, 77)]:
        panel.wake()
    return panels


def facts_of_panels(browser):
    """Returns the facts of all panels by their names, in the order of the page."""
    return dict(browser.run(FACTS))


def show_panels(stage, browser):
    """Opens the operations page, and waits until it warns of a battery and of missed wakes."""
    browser.open(stage.address + "/operations")
    browser.until(f"{SECTION}.querySelectorAll('.act').length === 2", "a warning is missing", 60)
    browser.until(f"[...{SECTION}.querySelectorAll('img')].every((i) => i.naturalWidth === 800)", "a picture is missing")
    # The tables above and below are complete, so that nothing moves any more.
    browser.until("document.querySelectorAll('#services tbody tr').length > 4", "the services are not shown")
    browser.rest()
    browser.run(f"{SECTION}.scrollIntoView()")


def panels(build):
    """Each panel has its facts and warnings, at every width; an administrator opens the pairing window."""
    with opened(build, boards=PANELS) as (stage, browser):
        button, note = f"{SECTION}.querySelector('button')", f"{SECTION}.querySelector('[role=status]').textContent"
        rows = f"{SECTION}.querySelectorAll('tbody tr').length === 3"
        for scopes in [("read", "act"), ("read", "act", "admin")]:
            browser.run("localStorage.clear()")
            browser.open(stage.address + "/")
            sign_in(stage, browser, *scopes)
            browser.open(stage.address + "/operations")
            browser.until(rows, "the panels are not shown")
            expect(browser.run(f"return {button}.hidden") == ("admin" not in scopes), f"the button is wrong for {scopes}")
        expect(facts_of_panels(browser)["attic"]["State"] == "no key", "a panel without a key is not named so")
        browser.run(f"{button}.click()")
        browser.until(f"{note}.startsWith('The pairing window is open until ')", "the window is not opened")
        _, _, cellar = wake_panels(stage)
        wait(lambda: facts_of_panels(browser)["cellar"]["Next wake"] == "due", "the panel's next wake does not come")
        cellar.wake()
        show_panels(stage, browser)
        facts = facts_of_panels(browser)
        expect(list(facts) == ["garage", "cellar", "attic"], f"the panels that need attention are not the first ones: {list(facts)}")
        attic = facts["attic"]
        known = {"Board": "kitchen", "Picture": "", "Redraws": "1 of 1", "Saved": "0", "Battery": "4.02 V", "Signal": "-61 dBm",
                 "State": "paired", "Firmware": "1.8.15", "warnings": ""}
        expect(attic | known == attic, f"the facts are {attic}")
        expect(not {"", "–"} & {attic[name] for name in ("Drawn", "Delay", "Woke", "Next wake")}, f"a time is missing: {attic}")
        expect((facts["cellar"]["Redraws"], facts["cellar"]["Saved"]) == ("1 of 2", "1"), f"the saved redraw is missing: {facts['cellar']}")
        expect(facts["garage"]["warnings"] == "Its battery has 3.20 V; charge it.", f"garage: {facts['garage']}")
        expect(facts["cellar"]["warnings"] == "It has missed at least 2 wakes.", f"cellar: {facts['cellar']}")
        expect("AA:BB:CC:DD:EE:77 is new" in browser.run(f"return {SECTION}.innerText"), "the unknown panel is not shown")
        for width in (320, 390, 660, 820, 1280):
            browser.look(width)
            browser.rest()
            expect(not browser.run(CUT), f"at {width} pixels, these are cut: {browser.run(CUT)}")
        quiet(browser)
        return "facts, warnings, pictures, pairing"
