# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The first impression of the page, at the widths of small phones, a phone and a desktop."""
import os, re, time, urllib.error, urllib.request
from endurance.system import free_ports
from .browser import Browser
from .scene import choose, expect, quiet
from .stage import DEMO, Stage, feed

WIDTHS = [320, 360, 390, 1440]
HEIGHT = 6000
WAIT_SECONDS = 40
LONG = "A title that is far too long for one line of a card, so that it is broken between two words"
# Widget, status of its source, and what the card says of it.
STATUSES = [
    ("s404", 404, r"The server says this page does not exist \(404\)\."),
    ("s410", 410, r"The server says this page is permanently gone \(410\)\."),
    ("s401", 401, r"The server requires a valid sign-in \(401\)\."),
    ("s403", 403, r"The server does not allow access to this page \(403\)\."),
    ("s500", 500, r"The server has an internal error \(500\)\."),
    ("s503", 503, r"The server is not available now \(503\)\."),
]
OTHERS = [
    ("malformed", r"The server's answer cannot be read as a feed\."),
    ("refused", r"The server cannot be reached\."),
    ("unnamed", r"No server can be found under the name nowhere\.invalid\."),
    ("tls", r"No secure connection to 127\.0\.0\.1:\d+ is possible\."),
    ("moved", r"127\.0\.0\.1:\d+, to which the source redirects, cannot be reached\."),
]
PUSHED = ["notes", "house"]
# The widget of a file that does not exist.
ABSENT = "absent"
# With the date if it is another day.
TIME = r"(?:[A-Z][a-z]+ \d+, )?[\d:]+(\s?[AP]M)?"
NEXT = rf"(Next try {TIME}\.|The next try was due {TIME}\.|No further try is planned\.)"
SENTENCES = "document.querySelector('[data-widget=\"%s\"]').innerText"


class Scene(Stage):
    """The demo, widgets that fail in many ways, and widgets that wait for a push."""

    def __init__(self, build):
        displays = "\n  phone: {family: today}\n  wall: {family: panel, width: 800, height: 480}\n"
        super().__init__(build, widgets=self.scene_widgets, displays=displays)

    def scene_widgets(self, origin):
        for name, status, _ in STATUSES:
            origin.fail(f"/{name}.xml", status)
        origin.redirect("/moved.xml", f"http://127.0.0.1:{free_ports(1)}/")
        origin.set("/malformed.xml", b"this is no feed")
        origin.set("/long.xml", feed([LONG]))
        plain = [(name, origin.url(f"/{name}.xml")) for name in [*(name for name, *_ in STATUSES), "malformed", "long"]]
        others = [
            ("refused", f"http://127.0.0.1:{free_ports(1)}/feed.xml"), ("unnamed", "http://nowhere.invalid/feed.xml"),
            ("tls", origin.url("/blog.xml").replace("http:", "https:")), ("moved", origin.url("/moved.xml")),
        ]
        lines = "".join(f"\n  {name}: {{kind: feed, source: \"{url}\"}}" for name, url in plain + others)
        return f"{self.demo_widgets()}{lines}\n  notes: {{kind: documents, source: push, name: My notes}}\n" \
            f"  house: {{kind: keyValue, source: push}}\n  {ABSENT}: {{kind: json, source: {{file: rows.json}}, items: {{title: /title}}}}\n"

    def settled(self):
        """Waits until every source was asked, and lets the blog fail."""
        names = {name for name, _ in self.failing}
        self.until(lambda widget: widget["id"] not in names or "failure" in widget, "a source does not fail")
        self.until(lambda widget: widget["id"] != ABSENT or "answered" in widget["times"], "the file is not looked for")
        self.until(lambda widget: widget["id"] not in DEMO or "contentDate" in widget, "a widget has no content")
        self.origin.fail("/blog.xml", 404)
        self.until(lambda widget: widget["id"] != "blog" or "failure" in widget, "the blog does not fail")

    def until(self, holds, why):
        end = time.monotonic() + WAIT_SECONDS
        while not all(holds(widget) for widget in self.get("/v1/widgets?limit=500")["widgets"]):
            expect(time.monotonic() < end, why)
            time.sleep(0.2)

    def push_first_content(self):
        self.tidings("push", "--kind", "documents", "notes", os.path.join(self.folder, "documents.json"))

    @property
    def failing(self):
        return [(name, cause) for name, _, cause in STATUSES] + OTHERS


def show(stage, browser, width, device="phone"):
    browser.look(width, HEIGHT, motion=False)
    browser.open(stage.address + "/")
    number = len(DEMO) + len(STATUSES) + len(OTHERS) + len(PUSHED) + len(["long", ABSENT])
    browser.until(f"document.querySelectorAll('.surface[data-digest]').length === {number}", "not all cards are drawn")
    choose(browser, "device", device)
    display = "s.dataset.display === 'wall'" if device == "wall" else "s.dataset.display !== 'wall'"
    browser.until(f"[...document.querySelectorAll('.surface')].every((s) => {display})", "the device is not shown")
    browser.rest()


def text(browser, widget):
    return browser.run(f"return {SENTENCES % widget}")


def check_failures(stage, browser):
    for name, cause in stage.failing:
        shown = text(browser, name)
        wanted = rf"({cause}) Nothing to show yet\. {NEXT}"
        expect(re.search(wanted, shown), f"the card of '{name}' says {shown!r}, not {wanted}")
    shown = text(browser, "blog")
    wanted = rf"The server says this page does not exist \(404\)\. Showing posts from {TIME}\. {NEXT}"
    expect(re.search(wanted, shown), f"the card of 'blog' says {shown!r}")
    expect("Post 7" in shown, "the content went with the failure")
    shown = text(browser, ABSENT)
    expect("The file does not exist yet. It is shown as soon as it exists." in shown, f"the card of '{ABSENT}' says {shown!r}")
    for name in PUSHED:
        shown = text(browser, name)
        expect(f"tidings push {name} FILE" in shown and f"PUT /v1/widgets/{name}/content" in shown and "Loading" not in shown
               and "at least once" not in shown, f"the card of '{name}' says {shown!r}")


def why(browser, widget):
    browser.run(f"document.querySelector('[data-widget=\"{widget}\"] .icon[aria-label^=Why]').click()")
    browser.until("[...document.querySelectorAll('#why dd')].some((dd) => dd.textContent.includes(' ('))", "there is no explanation")
    shown = browser.run("return document.getElementById('why').innerText")
    panel = browser.run("const r = document.getElementById('why').getBoundingClientRect(); return [r.left, r.right, innerWidth]")
    expect(panel[0] >= 0 and panel[1] <= panel[2], f"Why is at {panel}")
    browser.run("document.getElementById('why').close()")
    return shown


def check_why(stage, browser):
    for name in ("s404", "unnamed", "blog", "notes", ABSENT):
        shown = why(browser, name)
        printed = stage.tidings("explain", name)
        verdict = stage.get(f"/v1/widgets/{name}/explain")["verdict"]
        expect(verdict in shown and verdict in printed, f"Why of '{name}' says {shown!r}, and the command {printed!r}")
        expect(("stays" in verdict) == (name == "blog"), f"'{name}' is explained by {verdict!r}")
        expect(("Answered by the origin" in shown) == (name in ("s404", "blog")), f"the hops of '{name}' are {shown!r}")
        expect(not re.search(r"\d{4,} ms|\d\.\d{2,} s", shown + printed), f"durations are not rounded: {shown!r} {printed!r}")


def search(browser, words):
    browser.run("const s = document.getElementById('search'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", words)
    browser.until("!/read|Searching/.test(document.getElementById('found').textContent)", "the search does not end")
    browser.rest()
    return set(browser.run("return [...document.querySelectorAll('.widget:not([hidden])')].filter((w) => w.offsetParent)"
                           ".map((w) => w.dataset.widget)"))


SEARCHES = [
    ("Thunderstorm", "weather"), ("POST 3", "blog"), ("landlord", "documents"), ("fix/midnight 81", "builds"),
    ("two words", "long"), ("aristotle", "quote"), ("permanently gone", "s410"), ("my notes", "notes"),
    ("tidings push house", "house"), ("showing posts", "blog"), ("nowhere.invalid", "unnamed"),
]


def check_search(browser):
    for words, widget in SEARCHES:
        found = search(browser, words)
        expect(widget in found, f"the search for {words!r} finds {sorted(found)}, not '{widget}'")
        expect(len(found) < 4, f"the search for {words!r} finds {sorted(found)}")
    expect(not search(browser, "nothing like this"), "a search for nothing finds something")
    expect(search(browser, "404 showing") == {"blog"}, "two words of two places do not find their card")
    search(browser, "")


def copied(browser, widget):
    """Copies a card's layout with the keyboard, and pastes it."""
    browser.run("""
        getSelection().selectAllChildren(document.querySelector(`[data-widget="${arguments[0]}"] .surface`));
        document.getElementById('pasted')?.remove();
        const field = document.createElement('textarea'); field.id = 'pasted'; document.body.append(field);""", widget)
    selected = browser.run("return getSelection().toString()")
    for command, code in (("copy", "c"), ("paste", "v")):
        browser.cdp("Input.dispatchKeyEvent", type="keyDown", key=code, modifiers=2, commands=[command])
        browser.cdp("Input.dispatchKeyEvent", type="keyUp", key=code, modifiers=2)
        browser.run("document.getElementById('pasted').focus()")
    pasted = browser.until("document.getElementById('pasted').value", "nothing was copied")
    browser.run("document.getElementById('pasted').remove()")
    expect(pasted == selected, f"{pasted!r} was copied, but {selected!r} is selected")
    return selected.strip("\n")


def check_copy(browser):
    expect(copied(browser, "quote") == "Well begun is half done.\nAristotle\nPolitics", f"the quote is {copied(browser, 'quote')!r}")
    builds = "main\n80 %\nfix/midnight\n81 %\nrelease\n82 %\ndocs\n83 %"
    expect(copied(browser, "builds").replace("\u00a0", " ") == builds, f"the builds are {copied(browser, 'builds')!r}")
    weather = copied(browser, "weather")
    expect("Today\nPartly cloudy\n" in weather, f"the weather is {weather!r}")
    lines = browser.run("return document.querySelectorAll('[data-widget=long] .row .line').length")
    title = copied(browser, "long")
    expect(lines > 2, f"the long title has {lines} lines with its facts")
    expect(title.split("\n")[0].rstrip("…") in LONG, f"the long title is {title!r}")


FIT = """
const found = [];
if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
const cards = [...document.querySelectorAll('.widget')];
const boxes = cards.map((card) => card.getBoundingClientRect());
cards.forEach((card, index) => {
  for (const node of [card, ...card.querySelectorAll('.surface, .mark:not([hidden]), header, .line, .absent, button')]) {
    const { left, right, width } = node.getBoundingClientRect();
    if (width > 0 && (left < 0 || right > innerWidth)) found.push(`${card.dataset.widget} ${node.className} from ${left} to ${right}`);
  }
  boxes.forEach((box, other) => {
    const own = boxes[index];
    if (other > index && own.left < box.right && box.left < own.right && own.top < box.bottom - 1 && box.top < own.bottom - 1) {
      found.push(`${card.dataset.widget} covers ${cards[other].dataset.widget}`);
    }
  });
});
return found;
"""


def check_fit(browser):
    found = browser.run(FIT)
    expect(not found, f"at {browser.run('return innerWidth')} pixels: {found[:5]}")


def check_unknown(stage, browser):
    for path in ("/nothing/here", "/v1/nothing", "/widgets/nothing/phone.png", "/page/nothing.js"):
        browser.open(stage.address + path)
        facts = browser.run("return [document.contentType, document.querySelector('h1')?.textContent, document.querySelector('a').pathname,"
                            " getComputedStyle(document.querySelector('main')).borderRadius, document.documentElement.scrollWidth <= innerWidth]")
        expect(facts == ["text/html", "There is nothing at this address.", "/", "16px", True], f"{path} shows {facts}")
        try:
            urllib.request.urlopen(stage.address + path, timeout=20)
            raise AssertionError(f"{path} exists")
        except urllib.error.HTTPError as error:
            expect((error.code, error.headers["Content-Type"]) == (404, "application/problem+json"), f"{path}: {error.headers}")


def check_online(browser):
    """The stream is live, although the browser believes that the device is offline."""
    browser.run("Object.defineProperty(navigator, 'onLine', {configurable: true, get: () => false}); dispatchEvent(new Event('offline'))")
    browser.until("document.getElementById('connection').dataset.state === 'live' && document.getElementById('banner').hidden",
                  "the page says that it is offline beside live data")


def impression(build):
    """Failing and waiting cards say what is wrong; search, copy, narrow windows and unknown addresses work, at each width."""
    with Scene(build) as stage, Browser() as browser:
        stage.push_documents()
        stage.settled()
        for width in WIDTHS:
            show(stage, browser, width)
            check_failures(stage, browser)
            check_fit(browser)
            check_why(stage, browser)
            check_search(browser)
            check_copy(browser)
            check_online(browser)
            quiet(browser)
            show(stage, browser, width, "wall")
            check_failures(stage, browser)
            check_fit(browser)
            check_unknown(stage, browser)
        # What waited shows the content that comes.
        show(stage, browser, WIDTHS[0])
        stage.push_first_content()
        browser.until(f"({SENTENCES % 'notes'}).includes('Garden plan')", "the pushed content does not appear")
        check_fit(browser)
        return f"{len(stage.failing) + 1} failures, {len(SEARCHES)} searches, at {', '.join(map(str, WIDTHS))} pixels"
