# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Signing in, acting, the end of a session, and a server at a second port of the same host name."""
import hashlib, hmac, http.server, threading, time
from .browser import Browser
from .scene import ALL_DRAWN, enter, expect, new_token, quiet, wait
from .stage import DEMO, Stage

HOUR, DAY = 3_600, 86_400
LOCKED = "!document.getElementById('locked').hidden"
OPEN = "document.getElementById('locked').hidden && " + ALL_DRAWN % len(DEMO)
STORED = "return Object.values(localStorage)"
# What a page of the other server tries with the visitor's cookie.
ATTEMPTS = """
const [gateway, done] = arguments;
const ask = (path, options) => fetch(gateway + path, {credentials: 'include', ...options}).then((a) => a.type, () => 'refused');
Promise.all([ask('/v1/widgets'), ask('/v1/session'),
  ask('/v1/session', {method: 'POST', mode: 'no-cors', body: '{"token": ""}'}),
  ask('/v1/widgets/place/commands', {method: 'POST', mode: 'no-cors', body: '{"name": "nextValue"}'})]).then(done);
"""


class OtherServer:
    """Somebody else's server at the same host name. It keeps what browsers send."""

    def __init__(self):
        self.received = received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                received.append(self.headers)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>Other</title>")

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def signed(token, signed_in, issued):
    """Returns a session cookie as the gateway signs it. Both times are ages in seconds."""
    key = hashlib.sha256(token.encode()).hexdigest()
    now = time.time()
    content = f"1.{key[:8]}.{int((now - signed_in) * 1_000)}.{int((now - issued) * 1_000)}"
    return f"{content}.{hmac.new(key.encode(), f'tidings-session {content}'.encode(), 'sha256').hexdigest()}"


class Cookies:
    """The session cookie that the browser has for the gateway."""

    def __init__(self, stage, browser):
        self.browser, self.url = browser, stage.address + "/"
        self.name = f"tidings-session-{stage.address.rsplit(':', 1)[1]}"

    def all(self):
        return self.browser.cdp("Network.getCookies", urls=[self.url])["cookies"]

    def value(self):
        return next((cookie["value"] for cookie in self.all() if cookie["name"] == self.name), None)

    def set(self, value):
        self.browser.cdp("Network.setCookie", name=self.name, value=value, url=self.url, httpOnly=True, sameSite="Strict")


def check_signing_in(stage, browser, cookies, token):
    """The page asks for a token, stores it at its own port, and acts with it; the cookie has nothing of it."""
    browser.open(stage.address + "/")
    browser.until(LOCKED, "nobody is asked to sign in")
    enter(browser, "not-a-token")
    browser.until("document.getElementById('refused').textContent", "a wrong token is not refused")
    expect(browser.run(STORED + ".length") == 0 and cookies.all() == [], "a wrong token is stored")
    enter(browser, token)
    browser.until(OPEN, "a valid token does not open the page")
    browser.until("document.getElementById('connection').dataset.state === 'live'", "the event stream does not start")
    [cookie] = cookies.all()
    expect(cookie["name"] == cookies.name and cookie["httpOnly"] and cookie["sameSite"] == "Strict", f"the cookie is {cookie}")
    expect(12 * HOUR - 60 < cookie["expires"] - time.time() <= 12 * HOUR, "the cookie does not end after twelve hours")
    expect(token not in str(cookie) and browser.run("return document.cookie") == "", "the token is in the cookie")
    expect(token in browser.run(STORED), "the browser does not keep the token")
    expect(browser.run("return document.getElementById('add').classList.contains('concealed')"), "a button is shown that is not allowed")
    place = "document.querySelector('[data-widget=place] .surface').innerText"
    before = browser.run(f"return {place}")
    browser.run("document.querySelector('[data-widget=place] [data-command=nextValue]').click()")
    browser.until(f"{place} !== {before!r}", "the next value does not come")


def check_expiry(stage, browser, cookies, token):
    """A used session is renewed. One that has ended is replaced if the browser has the token; else the page asks for it."""
    old = signed(token, 3 * HOUR, 2 * HOUR)
    cookies.set(old)
    browser.open(stage.address + "/")
    new = wait(lambda: cookies.value() != old and cookies.value(), "the session is not renewed")
    expect(new.split(".")[2] == old.split(".")[2], "a renewed session forgets when the user signed in")
    ended = [(13 * HOUR, 13 * HOUR), (30 * DAY + 1, HOUR), (-HOUR, -HOUR)]
    for ages in ended:
        for is_open in (False, True):
            old = signed(token, *ages)
            cookies.set(old)
            expect(stage.status("GET", "/v1/widgets", {"Cookie": f"{cookies.name}={old}"}) == 401, f"a session of {ages} is valid")
            if not is_open:
                browser.open(stage.address + "/")
            wait(lambda: cookies.value() != old, f"the page does not sign in again after {ages}")
            browser.until(OPEN, "the page asks for a token that it has")
    browser.until("document.getElementById('connection').dataset.state === 'live'", "the event stream does not start again")
    quiet(browser)
    browser.run("localStorage.clear()")
    for is_open in (True, False):
        cookies.set(signed(token, *ended[0]))
        if not is_open:
            browser.open(stage.address + "/")
        browser.until(LOCKED, "a page without session and token asks for none")
    enter(browser, token)
    browser.until(OPEN, "nobody can sign in again")


def check_second_port(stage, browser, cookies, token):
    """A server at another port of the host name gets the cookie, which reads and does nothing else; its pages get nothing."""
    with OtherServer() as other:
        browser.open(other.address + "/")
        browser.until("document.title === 'Other'", "the other server does not answer")
        cookie = other.received[0]["Cookie"]
        expect(cookie == f"{cookies.name}={cookies.value()}", f"the other server received {cookie!r}")
        expect(all(token not in str(headers) for headers in other.received), "the other server received the token")
        found = browser.run("return [document.cookie, localStorage.length, sessionStorage.length]")
        expect(found == ["", 0, 0], f"a page of the other server finds {found}")
        header = {"Cookie": cookie}
        before = stage.get("/v1/widgets/place", header)["sequence"]
        answers = browser.driver.execute_async_script(ATTEMPTS, stage.address)
        expect(answers == ["refused"] * 4, f"a page of the other server got {answers}")
        expect(stage.get("/v1/widgets/place", header)["sequence"] == before, "a page of the other server sent a command")
        expect(cookies.value() is not None, "a page of the other server signed the user out")
    for method, path, body in [
        ("POST", "/v1/widgets/place/commands", b'{"name": "nextValue"}'), ("POST", "/v1/widgets/blog/performUpdate", b""),
        ("PUT", "/v1/widgets/documents/content", b"{}"), ("GET", "/v1/configuration", None),
        ("POST", "/v1/inspect", b'{"url": "https://example.org/"}'), ("POST", "/v1/widgets", b'{"id": "a", "entry": "a: {}"}'),
    ]:
        found = stage.status(method, path, header, body)
        expect(found == 401, f"with the cookie alone, {method} {path} is answered with {found}")
    browser.open(stage.address + "/")
    browser.until(OPEN, "the page asks for a token after a visit to another server")


def check_signing_out(stage, browser, cookies, token):
    """Signing out removes cookie and token."""
    browser.open(stage.address + "/operations")
    browser.until("!document.getElementById('sign-out').hidden", "nobody can sign out")
    browser.run("document.getElementById('sign-out').click()")
    browser.until("document.getElementById('locked') && " + LOCKED, "the page does not ask for a token after signing out")
    expect(cookies.all() == [] and token not in browser.run(STORED), "something is left after signing out")
    enter(browser, token)
    browser.until(OPEN, "nobody can sign in after signing out")


def check_revoking(stage, browser, cookies, token):
    """A session ends with its token."""
    header = {"Cookie": f"{cookies.name}={cookies.value()}"}
    expect(stage.status("GET", "/v1/widgets", header) == 200, "the session does not read")
    stage.tidings("token", "revoke", hashlib.sha256(token.encode()).hexdigest()[:8])
    wait(lambda: stage.status("GET", "/v1/widgets", header) == 401, "the session outlives its token")
    browser.until(LOCKED, "the page does not ask for another token")


def session(build):
    """The cookie reads; acting needs the token, which stays at its port. Both end when they should."""
    with Stage(build, gateway="  openReads: false\n") as stage, Browser() as browser:
        stage.push_documents()
        token = new_token(stage, "read", "act")
        cookies = Cookies(stage, browser)
        checks = [check_signing_in, check_expiry, check_second_port, check_signing_out, check_revoking]
        for check in checks:
            check(stage, browser, cookies, token)
        return "signed in, acted, renewed, ended, refused at a second port, signed out, revoked"
