# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Takes pictures of every state at three widths, light and dark: `make screenshots`."""
import os
from .browser import Browser
from .panels import PANELS, show_panels, wake_panels
from .scene import ALL_DRAWN, choose, opened, settle, sign_in
from .speed import MANY, many_widgets
from .stage import DEMO, Stage, feed

WIDTHS = [390, 820, 1440]
SCHEMES = ["light", "dark"]
# The width of the documentation's pictures in CSS pixels, and their pixels for each of them: sharp on every screen.
DOCUMENTED_WIDTH = 1080
DOCUMENTED_SCALE = 2
HEADLINES = [
    "The bees of the city hall", "Paper maps are back at the tourist office", "School kitchen gets a prize",
    "Street lights go out at one", "The ferry has a new timetable", "Choir looks for tenors",
]


def each(browser, folder, name, open_page):
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.look(width, scheme=scheme, motion=False)
            open_page()
            browser.rest()
            browser.picture(os.path.join(folder, f"{name}-{width}-{scheme}.png"))


def pictures_without_content(build, folder):
    """Widgets without content: a source that never answered, one that waits for a push, and a device too small for a row."""
    def widgets(origin):
        return f"""
  news: {{kind: feed, source: "{origin.url('/missing.xml')}"}}
  notes: {{kind: documents, source: push}}
  place: {{kind: keyValue, source: "{origin.url('/missing.json')}"}}
  quote: {{kind: quote, source: "{origin.url('/quotes.json')}"}}
  weather: {{kind: forecast, source: "{origin.url('/weather.json')}"}}
"""
    displays = "\n  phone: {family: today}\n  scrap: {family: panel, width: 64, height: 24}\n"
    with Stage(build, widgets=widgets, displays=displays) as stage, Browser() as browser:
        def without_content():
            browser.open(stage.address + "/")
            browser.until("document.querySelectorAll('.widget .surface[data-digest]').length === 5", "the widgets are not drawn")
            browser.until("[...document.querySelectorAll('.surface')].every((s) => !s.innerText.includes('Loading'))", "a widget is loading")

        def too_small():
            without_content()
            choose(browser, "device", "scrap")
            browser.until("[...document.querySelectorAll('.surface')].every((s) => s.dataset.display === 'scrap')",
                          "the device is not shown")
        each(browser, folder, "no-content", without_content)
        each(browser, folder, "too-small", too_small)


def pictures_of_many(build, folder, number=MANY):
    """Thousands of widgets."""
    with Stage(build, widgets=many_widgets) as stage, Browser() as browser:
        def many():
            browser.open(stage.address + "/")
            browser.until(f"Number(document.querySelector('.widget')?.getAttribute('aria-setsize')) === {number}", "not all widgets are known", 120)
            browser.until("[...document.querySelectorAll('.surface')].every((s) => s.dataset.digest)", "the cards in view are not drawn", 60)
        each(browser, folder, "many", many)


def pictures_of_panels(build, folder):
    """Panels that sleep: one needs a charge, one has missed wakes, and one is in no configuration."""
    with opened(build, boards=PANELS) as (stage, browser):
        sign_in(stage, browser, "read", "act", "admin")
        stage.tidings("panel", "pair")
        wake_panels(stage)
        each(browser, folder, "panels", lambda: show_panels(stage, browser))


class Documented(Stage):
    """The demo with names and headlines."""

    def __init__(self, build):
        super().__init__(build, widgets=self.named, gateway="  addWidgets: true\n")

    def named(self, origin):
        origin.set("/blog.xml", feed(HEADLINES))
        return self.demo_widgets().replace("blog: {", "blog: {name: Neighbourhood, ").replace("quote: {", "quote: {name: Quote of the day, ") \
            .replace("place: {", "place: {values: {City: /city, Country: /country}, ")


def pictures_of_documentation(build, folder):
    with Documented(build) as stage, Browser() as browser:
        def document(name, path, ready):
            browser.look(DOCUMENTED_WIDTH, motion=False)
            browser.open(stage.address + path)
            browser.until(ready, f"the page '{name}' is not complete")
            browser.until("document.getElementById('connection').dataset.state === 'live'", "the page is not live")
            browser.rest()
            browser.picture(os.path.join(folder, f"{name}.png"), DOCUMENTED_SCALE)

        settle(stage, browser)
        sign_in(stage, browser, "read", "act", "admin")
        document("today", "/", ALL_DRAWN % len(DEMO))
        document("operations", "/operations", "document.querySelectorAll('#services tbody tr, #sources tbody tr').length > 9")


def take(build, folder, documentation=None):
    """Writes the pictures to `folder`, and those that the documentation shows to `documentation`."""
    if documentation:
        pictures_of_documentation(build, documentation)
    with Stage(build, widgets=lambda origin: "") as stage, Browser() as browser:
        def empty():
            browser.open(stage.address + "/")
            browser.until("!document.getElementById('empty').hidden", "the first start is not shown")
        each(browser, folder, "empty", empty)
    pictures_without_content(build, folder)
    pictures_of_many(build, folder)
    pictures_of_panels(build, folder)
    with opened(build, gateway="  addWidgets: true\n") as (stage, browser):

        def locked():
            browser.open(stage.address + "/")
            browser.until("!document.getElementById('open-sign-in').classList.contains('concealed')", "nobody is offered to sign in")
            browser.run("document.getElementById('open-sign-in').click()")
            browser.until("!document.getElementById('locked').hidden", "nobody can sign in")

        each(browser, folder, "sign-in", locked)
        sign_in(stage, browser, "read", "act", "admin")

        def add():
            today()
            browser.until("!document.getElementById('add').classList.contains('concealed')", "an administrator cannot add widgets")
            browser.run("document.getElementById('add').click()")
            browser.run("document.getElementById('add-address').value = arguments[0]; document.querySelector('.add-form button').click()",
                        stage.origin.url("/builds.json"))
            browser.until("document.querySelector('.previews .surface')", "there is no preview")

        def large():
            browser.open(stage.address + "/")
            browser.until("document.querySelectorAll('.surface[data-digest]').length > 0", "no widget is drawn")
            choose(browser, "size", "accessibilityMedium")
            choose(browser, "direction", "rightToLeft")
            browser.until("[...document.querySelectorAll('.surface')].every((s) => s.dataset.variant?.includes('rightToLeft'))",
                          "the text size is not shown")

        def today():
            browser.open(stage.address + "/")
            browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")
            browser.until("document.getElementById('connection').dataset.state === 'live'", "the page is not live")

        def why():
            today()
            browser.run("document.querySelector('[data-widget=blog] .icon[aria-label^=Why]').click()")
            browser.until("document.getElementById('why').open", "the panel is not open")

        def operations():
            browser.open(stage.address + "/operations")
            browser.until("document.querySelectorAll('#services tbody tr').length > 4", "the services are not shown")
            browser.until("document.querySelectorAll('#sources tbody tr').length > 4", "the sources are not shown")

        def search():
            today()
            browser.run("const s = document.getElementById('search'); s.value = 'nothing like this'; s.dispatchEvent(new Event('input'))")

        each(browser, folder, "today", today)
        each(browser, folder, "why", why)
        each(browser, folder, "add", add)
        each(browser, folder, "large-rtl", large)
        browser.run("localStorage.clear()")

        def classic():
            browser.open(stage.address + "/")
            browser.until("document.querySelectorAll('.surface[data-digest]').length > 0", "no widget is drawn")
            choose(browser, "device", "phone-classic")
            browser.until("[...document.querySelectorAll('.surface')].every((s) => s.dataset.display === 'phone-classic')",
                          "the device is not shown")

        each(browser, folder, "classic", classic)
        browser.run("localStorage.clear()")
        each(browser, folder, "search", search)
        each(browser, folder, "operations", operations)
        stage.origin.fail("/blog.xml", 503)
        browser.until("true", "")
        browser.open(stage.address + "/")
        browser.until("document.querySelector('[data-widget=blog] .mark')?.hidden === false", "the failure is not shown")
        each(browser, folder, "failing", today)
        each(browser, folder, "operations-failing", operations)
        today()
        for name in ("fetcher", "bus", "gateway"):
            stage.kill(name)
            browser.until("!document.getElementById('banner').hidden", f"the dead {name} is not shown", 40)
            for width in WIDTHS:
                for scheme in SCHEMES:
                    browser.look(width, scheme=scheme, motion=False)
                    browser.rest()
                    browser.picture(os.path.join(folder, f"no-{name}-{width}-{scheme}.png"))
            if name != "gateway":
                stage.start(name)
                browser.until("document.getElementById('banner').hidden", "the page does not heal", 60)

        def offline():
            browser.open(stage.address + "/")
            browser.until(ALL_DRAWN % len(DEMO), "the last state is not shown")
            browser.until("!document.getElementById('banner').hidden", "the missing gateway is not shown", 30)

        # The gateway is still dead: the page comes from the service worker.
        each(browser, folder, "offline", offline)
    print(f"The pictures are in {folder}.")
