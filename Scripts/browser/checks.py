# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What the pages promise, each as a function that returns what it found or raises AssertionError."""
import json, statistics, time
import xml.etree.ElementTree as xml
from . import tools
from .browser import Browser
from .stage import DEMO, POSTS, SERVICES, Stage, feed

FIRST_DRAWING_SECONDS = 2.0
LONGEST_TASK_MILLISECONDS = 100
MANY = 2_000
SVG = "{http://www.w3.org/2000/svg}"
# Points: the layout gives widths in halves, and browsers round the baseline to whole pixels of the font's metrics.
PLACE_TOLERANCE = 0.75
WIDTH_TOLERANCE = 1.0

# Every widget of the demo is drawn, with its verdicts.
ALL_DRAWN = "document.querySelectorAll('.widget .surface[data-digest]').length === %d"


def expect(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def demo(build, **options):
    """Returns a stage whose widgets all have content."""
    stage = Stage(build, **options)
    return stage


def settle(stage, browser, widgets=DEMO):
    """Opens the page and waits until all widgets show content."""
    stage.push_documents()
    browser.open(stage.address + "/")
    browser.until(ALL_DRAWN % len(widgets), "the widgets are not drawn")
    browser.until(
        "[...document.querySelectorAll('.surface')].every((s) => !/Loading|Open .* at least once/.test(s.innerText))",
        "a widget has no content",
    )
    browser.until("document.fonts.status === 'loaded'", "the fonts are not loaded")


def quiet(browser):
    complaints = browser.complaints()
    expect(not complaints, "the console or the policies complain: " + "; ".join(complaints[:5]))


def drawing(build):
    """All demo widgets are drawn within two seconds, nothing shifts, and no policy is broken."""
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
        times = []
        for _ in range(5):
            began = time.monotonic()
            browser.open(stage.address + "/")
            browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")
            times.append(time.monotonic() - began)
        paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
        shifts = browser.run("return window.__shifts")
        expect(not shifts, f"the layout shifted: {shifts[:3]}")
        median = statistics.median(times)
        expect(median <= FIRST_DRAWING_SECONDS, f"drawn after {median:.2f} s (median of five)")
        quiet(browser)
        total = browser.run(
            "return performance.getEntriesByType('resource').filter((e) => !e.name.includes('/fonts/') && e.name.includes('/page/'))"
            ".reduce((sum, e) => sum + e.decodedBodySize, 0)"
        )
        expect(total < 150_000, f"the page has {total} bytes without fonts")
        return f"median {median * 1000:.0f} ms, first paint {paint:.0f} ms, {total / 1000:.0f} kB without fonts, CLS 0"


def updates(build):
    """A new post slides in without a reload; a verdict without new data changes no pixel of the card."""
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
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


def svg_lines(text):
    """Returns (text, left edge, baseline, width) of each line of an SVG."""
    lines = []
    for node in xml.fromstring(text).iter(f"{SVG}text"):
        lines.append((node.text, float(node.get("x")), float(node.get("y")), float(node.get("textLength"))))
    return lines


# Lines of a card: text, left edge, baseline by a probe of no height, and the width of the glyphs.
CARD_LINES = """
const surface = document.querySelector(`[data-widget="${arguments[0]}"] .surface`);
const origin = surface.getBoundingClientRect();
return [...surface.querySelectorAll('.line')].map((line) => {
  const range = document.createRange(); range.selectNodeContents(line);
  const box = range.getBoundingClientRect();
  const probe = document.createElement('span');
  probe.style.cssText = 'display:inline-block;width:0;height:0';
  line.prepend(probe);
  const baseline = probe.getBoundingClientRect().bottom - origin.top;
  probe.remove();
  return [line.textContent, box.left - origin.left, baseline, box.width];
});
"""


def compare(stage, browser, widget, query=""):
    import urllib.request
    display = browser.run("return document.querySelector(`[data-widget=\"${arguments[0]}\"] .surface`).dataset.display", widget)
    with urllib.request.urlopen(f"{stage.address}/widgets/{widget}/{display}.svg{query}", timeout=20) as answer:
        wanted = svg_lines(answer.read().decode())
    # Fonts of other scripts are loaded when their first text is drawn.
    browser.until("document.fonts.status === 'loaded'", "the fonts are not loaded")
    found = browser.run(CARD_LINES, widget)
    expect([line[0] for line in found] == [line[0] for line in wanted],
           f"{widget} on {display}: the lines are {[line[0] for line in found]}, not {[line[0] for line in wanted]}")
    for (text, x, baseline, width), (_, wanted_x, wanted_baseline, wanted_width) in zip(found, wanted):
        places = f"{widget} on {display}: '{text}' is at {x:.2f}, {baseline:.2f} with {width:.2f}, not at {wanted_x}, {wanted_baseline} with {wanted_width}"
        expect(abs(x - wanted_x) <= PLACE_TOLERANCE and abs(baseline - wanted_baseline) <= PLACE_TOLERANCE
               and abs(width - wanted_width) <= WIDTH_TOLERANCE, places)
    return len(wanted)


def choose(browser, name, value):
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", name, value)


# Text sizes and directions that the toolbar offers: as configured, and the ends of the scale.
SIZES = ["", "extraSmall", "accessibilityExtraExtraExtraLarge"]
DIRECTIONS = ["leftToRight", "rightToLeft"]


def lines(build):
    """The text lines of the page are those of the SVG, at the same places, on every device, at each text size and direction."""
    displays = """
  phone: {family: today}
  classic: {family: todayClassic}
  "320": {family: today, width: 304}
  large: {family: today, contentSizeCategory: accessibilityMedium}
  pad: {family: today, width: 414}
  rtl: {family: today, locale: ar}
"""
    with demo(build, displays=displays, interval="1h") as stage, Browser(height=2000) as browser:
        settle(stage, browser)
        count = 0
        for device in browser.run("return [...document.getElementById('device').options].map((o) => o.value)"):
            choose(browser, "device", device)
            for size in SIZES:
                for direction in DIRECTIONS:
                    choose(browser, "size", size)
                    choose(browser, "direction", direction)
                    query = "&".join(([f"textSize={size}"] if size else []) + [f"direction={direction}"])
                    # The largest text makes cards so high that some are out of view, where nothing is drawn.
                    browser.look(1440, 6000)
                    browser.until(
                        f"document.querySelectorAll('.surface').length === {len(DEMO)} && [...document.querySelectorAll('.surface')]"
                        f".every((s) => s.dataset.display?.startsWith('{device}') && s.dataset.variant === '{query}')",
                        f"{device} with {query} is not shown")
                    count += sum(compare(stage, browser, widget, f"?{query}") for widget in DEMO)
        quiet(browser)
        return f"{count} lines"


def stream(build):
    """Two tabs share one event stream."""
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
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
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
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
    """A page that is opened without a gateway shows its last state, and says so."""
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
        browser.until("navigator.serviceWorker.controller", "the service worker does not take over")
        browser.open(stage.address + "/")
        browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")
        browser.until("document.getElementById('connection').dataset.state === 'live'", "the page is not live")
        stage.kill("gateway")
        browser.open(stage.address + "/")
        browser.until(ALL_DRAWN % len(DEMO), "the last state is not shown")
        return browser.until("!document.getElementById('banner').hidden && document.getElementById('banner').textContent",
                             "the missing gateway is not shown", 30)


def keyboard(build):
    """Every action works with the keyboard alone."""
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
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
    with demo(build) as stage, Browser() as browser:
        # The gateway notices it while the page settles.
        printed = stage.tidings("token", "new", "--name", "test", "--scope", "read", "--scope", "act")
        token = next(word for word in printed.split() if len(word) > 30)
        settle(stage, browser)
        browser.run("const s = document.getElementById('device'); s.value = 'phone-classic'; s.dispatchEvent(new Event('change'))")
        blog = "document.querySelector('[data-widget=blog]')"
        more = f"{blog}.querySelector('[data-command=setExpanded]')"
        browser.until(f"{more}?.innerText === 'Show more'", "there is no 'Show more'")
        browser.run(f"{more}.click()")
        browser.until("!document.getElementById('locked').hidden", "nobody is asked to sign in")
        enter = ("document.getElementById('token').value = arguments[0];"
                 "document.querySelector('#sign-in button').click()")
        browser.run(enter, "not-a-token")
        browser.until("document.getElementById('refused').textContent", "a wrong token is not refused")
        browser.run(enter, token)
        browser.until("document.getElementById('locked').hidden", "a valid token is refused")
        expect("tidings-token" not in browser.run("return document.cookie"), "scripts can read the token")
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
    with demo(build, gateway="  addWidgets: true\n") as stage, Browser() as browser:
        settle(stage, browser)
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
        entry = browser.run("return document.getElementById('add-lines').value")
        expect("kind: feed" in entry and stage.origin.url("/new.xml") in entry, f"the lines are {entry!r}")
        browser.run("[...document.querySelectorAll('.add-result button')].find((b) => b.textContent.startsWith('Add')).click()")
        browser.until("!document.getElementById('add-panel').open", "the widget is not added")
        browser.until(f"document.querySelectorAll('.widget').length === {len(DEMO) + 1}", "the new widget has no card", 40)
        browser.until("[...document.querySelectorAll('.widget .surface')].some((s) => s.innerText.includes('Found by its address'))",
                      "the new widget has no content", 40)
        quiet(browser)
        return f"from the address to the card in {time.monotonic() - began:.1f} s"


def sign_in(stage, browser, *scopes):
    """Signs the browser in with a new token."""
    words = [word for scope in scopes for word in ("--scope", scope)]
    printed = stage.tidings("token", "new", "--name", f"test-{len(scopes)}", *words)
    token = next(word for word in printed.split() if len(word) > 30)
    body = json.dumps(json.dumps({"token": token}))
    request = f"fetch('v1/session', {{method: 'POST', headers: {{'Content-Type': 'application/json'}}, body: {body}}})"
    browser.until(f"(window.__asked ??= {request}.then((answer) => {{ window.__taken = answer.ok; }})) && window.__taken",
                  "the token is not taken")
    browser.open(stage.address + "/")
    browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")


def accessibility(build):
    """axe-core finds nothing, in any state, light and dark."""
    script = tools.axe_script()
    found, looked = [], 0
    click = "document.getElementById('%s').click()"

    def look(state):
        nonlocal looked
        looked += 1
        found.extend(f"{state} {line}" for line in browser.axe(script))

    with demo(build, gateway="  addWidgets: true\n") as stage, Browser() as browser:
        settle(stage, browser)
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
    with demo(build) as stage, Browser() as browser:
        settle(stage, browser)
        browser.until("!document.getElementById('open-sign-in').classList.contains('concealed')", "nobody is offered to sign in")
        browser.run(click % "open-sign-in")
        browser.until("!document.getElementById('locked').hidden", "nobody can sign in")
        for scheme in ("light", "dark"):
            browser.look(390, scheme=scheme, motion=False)
            look(f"{scheme} sign-in")
    with Stage(build, widgets=lambda origin: "") as stage, Browser(scheme="dark") as browser:
        browser.open(stage.address + "/")
        browser.until("!document.getElementById('empty').hidden", "the first start is not shown")
        look("empty")
    expect(not found, "\n        ".join(["axe found:", *found]))
    return f"{looked} states without a violation"


def many(build):
    """Two thousand widgets scroll without long tasks."""
    def widgets(origin):
        return "\n" + "".join(
            f'  w{n:04}: {{kind: feed, source: "{origin.url("/blog.xml")}", displays: [phone-compact, phone-expanded]}}\n' for n in range(MANY))
    with Stage(build, widgets=widgets) as stage, Browser() as browser:
        browser.open(stage.address + "/")
        browser.until(f"Number(document.querySelector('.widget')?.getAttribute('aria-setsize')) === {MANY}", "not all widgets are known", 120)
        browser.until("[...document.querySelectorAll('.surface')].every((s) => s.dataset.digest)", "the cards in view are not drawn", 60)
        browser.driver.set_script_timeout(60)
        result = browser.driver.execute_async_script("""
            const done = arguments[arguments.length - 1]; window.__long.length = 0; let frames = 0;
            const began = performance.now();
            const step = () => { window.scrollBy(0, 400); frames += 1;
              if (frames < 300) requestAnimationFrame(step);
              else done({longest: Math.max(0, ...window.__long), frames, seconds: (performance.now() - began) / 1000,
                nodes: document.querySelectorAll('.widget').length}); };
            requestAnimationFrame(step);""")
        expect(result["longest"] < LONGEST_TASK_MILLISECONDS, f"a task took {result['longest']:.0f} ms")
        expect(result["nodes"] < 200, f"{result['nodes']} cards are in the document")
        return f"longest task {result['longest']:.0f} ms, {result['frames'] / result['seconds']:.0f} frames a second, {result['nodes']} cards drawn"


# Name, check, and true if the short form includes it.
ALL = [
    ("drawing", drawing, True),
    ("updates", updates, True),
    ("lines", lines, True),
    ("acting", acting, False),
    ("adding", adding, False),
    ("stream", stream, False),
    ("offline", offline, False),
    ("keyboard", keyboard, False),
    ("accessibility", accessibility, False),
    ("faults", faults, False),
    ("many", many, False),
]
