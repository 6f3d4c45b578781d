# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What the pages promise, each as a function that returns what it found or raises AssertionError."""
import time
from . import axe
from .browser import Browser
from .impression import impression
from .panels import PANELS, panels, show_panels, wake_panels
from .places import lines
from .scene import ALL_DRAWN, enter, expect, new_token, opened, quiet, settle, sign_in
from .session import session
from .speed import IS_KEPT, drawing, many, paint
from .stage import DEMO, POSTS, SERVICES, Stage, feed


def updates(build):
    """A new post slides in without a reload; a verdict without new data changes no pixel of the card."""
    with opened(build) as (stage, browser):
        blog = "document.querySelector('[data-widget=blog]')"
        browser.run(f"""
            window.__slides = 0; window.__loads = performance.timeOrigin;
            const original = Element.prototype.animate;
            Element.prototype.animate = function (...a) {{
              if (this.classList.contains('row')) window.__slides += 1;
              return original.apply(this, a);
            }};""")
        ticks = browser.run(f"return {blog}.querySelectorAll('.tick').length")
        box = browser.run(f"const r = {blog}.querySelector('.surface').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]")
        clip = dict(zip(("x", "y", "width", "height"), box), scale=1)
        before = browser.cdp("Page.captureScreenshot", clip=clip)["data"]
        browser.until(f"{blog}.querySelectorAll('.tick.noData').length > 1 && {blog}.querySelectorAll('.tick').length > {min(ticks, 40)}",
                      "no verdict without new data came")
        after = browser.cdp("Page.captureScreenshot", clip=clip)["data"]
        expect(before == after, "a verdict without new data changed pixels of the card")
        stage.origin.set("/blog.xml", feed(["A new post", *POSTS]))
        browser.until(f"{blog}.innerText.includes('A new post')", "the new post does not appear")
        expect(browser.run("return window.__slides") >= 6, "the rows did not slide")
        expect(browser.run("return performance.timeOrigin === window.__loads"), "the page was loaded again")
        browser.until(f"{blog}.querySelectorAll('.leaving').length === 0", "rows that left stay")
        shifts = browser.run("return window.__shifts")
        expect(not shifts, f"the layout shifted: {shifts[:3]}")
        stage.origin.fail("/blog.xml", 503)
        browser.until(f"!{blog}.querySelector('.mark').hidden", "the failure is not shown")
        expect("A new post" in browser.run(f"return {blog}.innerText"), "the content went with the failure")
        stage.origin.fail("/blog.xml", None)
        browser.until(f"{blog}.querySelector('.mark').hidden", "the failure stays shown")
        quiet(browser)
        return f"{browser.run('return window.__slides')} rows moved"


def stream(build):
    """Two tabs share one event stream."""
    with opened(build) as (stage, browser):
        browser.driver.switch_to.new_window("tab")
        browser.open(stage.address + "/")
        browser.until(ALL_DRAWN % len(DEMO), "the second tab shows no widgets")
        browser.until("document.getElementById('connection').dataset.state === 'live'", "the second tab is not live")
        readers = stage.get("/v1/operations")["gauges"]["gateway.eventReaders"]
        expect(readers == 1, f"two tabs have {readers} streams")
        stage.origin.set("/blog.xml", feed(["For both tabs", *POSTS]))
        for handle in browser.driver.window_handles:
            browser.driver.switch_to.window(handle)
            browser.until("document.querySelector('[data-widget=blog]').innerText.includes('For both tabs')", "a tab missed the post")
        return "one stream, both tabs live"


def faults(build):
    """A dead gateway and a dead bus are shown and heal; a stopped service is named; each service may restart."""
    with opened(build) as (stage, browser):
        shown = "!document.getElementById('banner').hidden && document.getElementById('banner').textContent"
        live = "document.getElementById('banner').hidden && document.getElementById('connection').dataset.state === 'live'"
        browser.until(live, "the page is not live")
        found = []
        for name in ("gateway", "bus", "fetcher"):
            stage.kill(name)
            found.append(browser.until(shown, f"the dead {name} is not shown", 40))
            expect(browser.run("return document.querySelectorAll('.surface[data-digest]').length") == len(DEMO),
                   f"widgets went with the {name}")
            stage.start(name)
            browser.until(live, f"the page does not heal after the {name}", 60)
        expect("gateway" in found[0] and "bus" in found[1] and "fetcher" in found[2], f"the banners were {found}")
        for name in SERVICES:
            stage.kill(name)
            stage.start(name)
        browser.until(live, "the page does not heal after the restarts", 60)
        stage.origin.set("/blog.xml", feed(["After the restarts", *POSTS]))
        browser.until("document.querySelector('[data-widget=blog]').innerText.includes('After the restarts')",
                      "nothing new arrives after the restarts", 60)
        quiet(browser)
        return " / ".join(found)


def offline(build):
    """A page that was open once and is then opened without a gateway shows its last state, and says so."""
    with opened(build) as (stage, browser):
        browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")
        browser.until("document.getElementById('connection').dataset.state === 'live'", "the page is not live")
        browser.until("navigator.serviceWorker.controller", "the service worker does not take over")
        browser.driver.execute_async_script(IS_KEPT)
        stage.kill("gateway")
        browser.open(stage.address + "/")
        browser.until(ALL_DRAWN % len(DEMO), "the last state is not shown")
        return browser.until("!document.getElementById('banner').hidden && document.getElementById('banner').textContent",
                             "the missing gateway is not shown", 30)


def keyboard(build):
    """Every action works with the keyboard alone."""
    with opened(build) as (stage, browser):
        browser.key("/")
        expect(browser.run("return document.activeElement.id") == "search", "'/' does not go to the search field")
        for letter in "quote":
            browser.key(letter, text=letter)
        browser.until("document.querySelectorAll('.widget').length === 1", "the search does not filter")
        browser.run("document.activeElement.value = ''; document.activeElement.dispatchEvent(new Event('input')); document.activeElement.blur()")
        browser.until(ALL_DRAWN % len(DEMO), "the widgets do not come back")
        reached = set()
        for _ in range(250):
            browser.key("Tab")
            name = browser.run(
                "const a = document.activeElement; return a === document.body ? null : "
                "(a.closest('.widget')?.dataset.widget ?? '') + '|' + (a.id || a.className || a.tagName)")
            if name:
                reached.add(name)
        expect(all(any(name.startswith(f"{widget}|") for name in reached) for widget in DEMO), f"not every card is reached: {sorted(reached)}")
        for part in ("part row", "icon", "tick"):
            expect(any(part in name for name in reached), f"no '{part}' is reached: {sorted(reached)}")
        browser.run("document.querySelector('[data-widget=blog] .tick[tabindex=\"0\"]').focus()")
        browser.until("!document.getElementById('tip').hidden", "the tick has no tooltip")
        browser.until("document.querySelectorAll('[data-widget=blog] .tick').length > 2", "there are no verdicts")
        browser.key("ArrowLeft")
        expect(browser.run("return document.activeElement.classList.contains('tick') && document.activeElement.nextElementSibling !== null"),
               "the arrow key does not move within the strip")
        browser.key("Enter")
        browser.until("document.getElementById('why').open", "Enter does not open the panel")
        expect(browser.run("return document.querySelector('.why .sentence').textContent.length") > 10, "the panel has no sentence")
        browser.key("Escape")
        browser.until("!document.getElementById('why').open", "Escape does not close the panel")
        expect(browser.run("return document.activeElement.classList.contains('tick')"), "the focus does not return")
        quiet(browser)
        return f"{len(reached)} places reached"


def acting(build):
    """A user without a token is asked to sign in; with a token, "Show more" and the next value work."""
    with Stage(build) as stage, Browser() as browser:
        token = new_token(stage, "read", "act")
        settle(stage, browser)
        browser.run("const s = document.getElementById('device'); s.value = 'phone-classic'; s.dispatchEvent(new Event('change'))")
        blog = "document.querySelector('[data-widget=blog]')"
        more = f"{blog}.querySelector('[data-command=setExpanded]')"
        browser.until(f"{more}?.innerText === 'Show more'", "there is no 'Show more'")
        browser.run(f"{more}.click()")
        browser.until("!document.getElementById('locked').hidden", "nobody is asked to sign in")
        enter(browser, "not-a-token")
        browser.until("document.getElementById('refused').textContent", "a wrong token is not refused")
        enter(browser, token)
        browser.until("document.getElementById('locked').hidden", "a valid token is refused")
        browser.run(f"{more}.click()")
        browser.until(f"{more}?.innerText === 'Show less'", "'Show more' does not expand")
        expect(browser.run(f"return {blog}.querySelectorAll('.row').length") == 6, "the expanded widget has other than six rows")
        place = "document.querySelector('[data-widget=place] .surface').innerText"
        before = browser.run(f"return {place}")
        browser.run("document.querySelector('[data-widget=place] [data-command=nextValue]').click()")
        browser.until(f"{place} !== {before!r}", "the next value does not come")
        quiet(browser)
        return "signed in, expanded, next value"


def adding(build):
    """An administrator pastes an address, sees a preview on the chosen device, and adds the widget; it appears by itself."""
    with opened(build, gateway="  addWidgets: true\n") as (stage, browser):
        expect(browser.run("return document.getElementById('add').classList.contains('concealed')"), "everybody is offered to add widgets")
        sign_in(stage, browser, "read", "act", "admin")
        browser.until("!document.getElementById('add').classList.contains('concealed')", "an administrator cannot add widgets")
        browser.run("document.getElementById('add').click()")
        look = "document.getElementById('add-address').value = arguments[0]; document.querySelector('.add-form button').click()"
        browser.run(look, stage.origin.url("/nothing.xml"))
        browser.until("document.querySelector('.add-form ~ .problem').textContent.includes('404')", "the missing document is not told")
        stage.origin.set("/new.xml", feed(["Found by its address", *POSTS]))
        began = time.monotonic()
        browser.run(look, stage.origin.url("/new.xml"))
        browser.until("document.querySelector('.previews .surface')?.innerText.includes('Found by its address')", "there is no preview")
        displays = browser.run("return document.querySelectorAll('.previews .surface').length")
        expect(displays == 2, f"the preview has {displays} displays, not the two of the chosen device")
        found = browser.run("return document.querySelector('.add-result .sentence').textContent")
        expect(found.startswith("“Blog”: Feed with 8 posts at http"), f"the panel says {found!r}")
        names = browser.run("return [...document.querySelectorAll('.preview')].map((p) => p.firstChild.textContent)")
        expect(names == ["Phone compact", "Phone expanded"], f"the previews are called {names}")
        entry = browser.run("return document.getElementById('add-lines').value")
        expect("kind: feed" in entry and stage.origin.url("/new.xml") in entry, f"the lines are {entry!r}")
        browser.run("[...document.querySelectorAll('.add-result button')].find((b) => b.textContent.startsWith('Add')).click()")
        browser.until("!document.getElementById('add-panel').open", "the widget is not added")
        browser.until(f"document.querySelectorAll('.widget').length === {len(DEMO) + 1}", "the new widget has no card", 40)
        browser.until("[...document.querySelectorAll('.widget .surface')].some((s) => s.innerText.includes('Found by its address'))",
                      "the new widget has no content", 40)
        quiet(browser)
        return f"from the address to the card in {time.monotonic() - began:.1f} s"


def first(build):
    """From an empty configuration to a visible card takes less than a minute, with the steps of docs/page.md."""
    with Stage(build, widgets=lambda origin: "", gateway="  addWidgets: true\n") as stage, Browser() as browser:
        began = time.monotonic()
        browser.open(stage.address + "/")
        browser.until("!document.getElementById('empty').hidden", "the first start is not shown")
        browser.run("document.getElementById('paste').click()")
        browser.until("!document.getElementById('locked').hidden", "nobody is asked to sign in")
        # The page says which command makes the token.
        words = browser.run("return document.getElementById('command').textContent").split()
        printed = stage.tidings(*words[1:])
        token = next(word for word in printed.split() if len(word) > 30)
        enter(browser, token)
        browser.until("!document.getElementById('empty').hidden && !document.getElementById('add').classList.contains('concealed')",
                      "an administrator cannot add widgets")
        browser.run("document.getElementById('paste').click()")
        browser.run("document.getElementById('add-address').value = arguments[0]; document.querySelector('.add-form button').click()",
                    stage.origin.url("/blog.xml"))
        browser.until("document.querySelector('.previews .surface')?.innerText.includes('Post 7')", "there is no preview")
        browser.run("[...document.querySelectorAll('.add-result button')].find((b) => b.textContent.startsWith('Add')).click()")
        browser.until("document.querySelector('.widget .surface')?.innerText.includes('Post 7')", "the widget has no card", 40)
        seconds = time.monotonic() - began
        expect(seconds < 60, f"it took {seconds:.0f} s")
        quiet(browser)
        return f"{seconds:.1f} s, without the time that a person reads and types"


def accessibility(build):
    """axe-core finds nothing, in any state, light and dark."""
    script = axe.axe_script()
    found, looked = [], 0
    click = "document.getElementById('%s').click()"

    def look(state):
        nonlocal looked
        looked += 1
        found.extend(f"{state} {line}" for line in browser.axe(script))

    with opened(build, gateway="  addWidgets: true\n") as (stage, browser):
        sign_in(stage, browser, "read", "act", "admin")
        for scheme in ("light", "dark"):
            for width in (390, 1440):
                name = f"{scheme} {width}"
                browser.look(width, scheme=scheme, motion=False)
                settle(stage, browser)
                look(f"{name} today")
                browser.run("document.querySelector('.icon[aria-label^=Why]').click()")
                browser.until("document.getElementById('why').open", "the panel is not open")
                look(f"{name} why")
                browser.run("document.getElementById('why').close()")
                browser.until("!document.getElementById('add').classList.contains('concealed')", "an administrator cannot add widgets")
                browser.run(click % "add")
                browser.run("document.getElementById('add-address').value = arguments[0]; document.querySelector('.add-form button').click()",
                            stage.origin.url("/blog.xml"))
                browser.until("document.querySelector('.previews .surface')", "there is no preview")
                look(f"{name} add")
                browser.run("document.getElementById('add-panel').close(); const s = document.getElementById('search');"
                            "s.value = 'nothing like this'; s.dispatchEvent(new Event('input'))")
                browser.until("!document.getElementById('found').hidden", "the search says nothing")
                look(f"{name} search")
                browser.open(stage.address + "/operations")
                browser.until("document.querySelectorAll('#services tbody tr').length > 4", "the services are not shown")
                look(f"{name} operations")
        stage.origin.fail("/blog.xml", 503)
        for scheme in ("light", "dark"):
            browser.look(1440, scheme=scheme, motion=False)
            browser.open(stage.address + "/")
            browser.until("document.querySelector('[data-widget=blog] .mark')?.hidden === false", "the failure is not shown")
            look(f"{scheme} failing")
        stage.kill("fetcher")
        browser.until("!document.getElementById('banner').hidden", "the dead fetcher is not shown", 40)
        for scheme in ("light", "dark"):
            browser.look(1440, scheme=scheme, motion=False)
            look(f"{scheme} banner")
    with opened(build) as (stage, browser):
        browser.until("!document.getElementById('open-sign-in').classList.contains('concealed')", "nobody is offered to sign in")
        browser.run(click % "open-sign-in")
        browser.until("!document.getElementById('locked').hidden", "nobody can sign in")
        for refused in (False, True):
            if refused:
                enter(browser, "not-a-token")
                browser.until("document.getElementById('refused').textContent", "a wrong token is not refused")
            for scheme in ("light", "dark"):
                for width in (390, 1440):
                    browser.look(width, scheme=scheme, motion=False)
                    look(f"{scheme} {width} sign-in{', refused' if refused else ''}")
        browser.run("document.getElementById('token').value = ''; document.getElementById('locked').hidden = true")
        for name in ("bus", "gateway"):
            stage.kill(name)
            browser.until(f"document.getElementById('banner').textContent.includes('{name}')", f"the dead {name} is not shown", 60)
            for scheme in ("light", "dark"):
                for width in (390, 1440):
                    browser.look(width, scheme=scheme, motion=False)
                    look(f"{scheme} {width} no {name}")
            stage.start(name)
    with opened(build, boards=PANELS) as (stage, browser):
        sign_in(stage, browser, "read", "act", "admin")
        stage.tidings("panel", "pair")
        wake_panels(stage)
        for scheme in ("light", "dark"):
            for width in (390, 1440):
                browser.look(width, scheme=scheme, motion=False)
                show_panels(stage, browser)
                look(f"{scheme} {width} panels")
    with Stage(build, widgets=lambda origin: "") as stage, Browser(scheme="dark") as browser:
        browser.open(stage.address + "/")
        browser.until("!document.getElementById('empty').hidden", "the first start is not shown")
        look("empty")
    expect(not found, "\n        ".join(["axe found:", *found]))
    return f"{looked} states without a violation"


BOARD = """boards:
  kitchen:
    width: 400
    height: 300
    palette: mono
    layout: halves
    cells: [{widget: place}, {widget: quote}]
"""


def boards(build):
    """A board has one pixel for each pixel of the screen; a kiosk shows it alone, and names the boards if there is none."""
    with opened(build, boards=BOARD) as (stage, browser):
        picture = "document.querySelector('.figures img')"
        shown = f"{picture}?.naturalWidth === 400 && {picture}.width * devicePixelRatio === 400"
        for ratio in (1, 2):
            browser.cdp("Emulation.setDeviceMetricsOverride", width=1440, height=1000, deviceScaleFactor=ratio, mobile=False)
            # Without a window, Chromium tells no page of another ratio.
            browser.open(stage.address + "/")
            browser.until(shown, f"the board is not shown pixel by pixel at {ratio} pixels per point")
        browser.look(1440)
        browser.open(stage.address + "/?kiosk&board=kitchen")
        browser.until(shown, "the kiosk does not show the board")
        styles = browser.run(
            "return [getComputedStyle(document.querySelector('.top')).display,"
            "getComputedStyle(document.documentElement).overflowY, getComputedStyle(document.body, '::before').backgroundImage]")
        expect(styles == ["none", "auto", "none"], f"bar, scroll bar and ground of the kiosk are {styles}")
        browser.open(stage.address + "/?kiosk&board=kitchn")
        browser.until("document.getElementById('boards').innerText.includes('there are kitchen')", "an unknown board has no message")
        browser.open(stage.address + "/")
        browser.until(shown, "the board is not shown")
        stage.boards = ""
        stage.write(stage.demo_widgets())
        browser.until("document.querySelectorAll('.figures figure').length === 0", "a board that was removed stays", 40)
        quiet(browser)
        return "pixel by pixel, alone, unknown, removed"


# Name, check, and true if the short form includes it.
ALL = [
    ("drawing", drawing, True),
    ("paint", paint, False),
    ("updates", updates, True),
    ("lines", lines, True),
    ("boards", boards, True),
    ("panels", panels, False),
    ("acting", acting, False),
    ("session", session, False),
    ("adding", adding, False),
    ("first", first, False),
    ("stream", stream, False),
    ("offline", offline, False),
    ("impression", impression, False),
    ("keyboard", keyboard, False),
    ("accessibility", accessibility, False),
    ("faults", faults, False),
    ("many", many, False),
]
