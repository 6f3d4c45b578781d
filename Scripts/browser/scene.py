# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Helper functions of the checks."""
import contextlib, time
from .browser import Browser
from .stage import DEMO, Stage

# Every widget of the demo is drawn, with its verdicts.
ALL_DRAWN = "document.querySelectorAll('.widget .surface[data-digest]').length === %d"


def expect(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


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


@contextlib.contextmanager
def opened(build, **options):
    """A stage, and a browser that shows all its widgets."""
    with Stage(build, **options) as stage, Browser() as browser:
        settle(stage, browser)
        yield stage, browser


def quiet(browser):
    complaints = browser.complaints()
    expect(not complaints, "the console or the policies complain: " + "; ".join(complaints[:5]))


def choose(browser, name, value):
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", name, value)


def wait(condition, why, seconds=20):
    """Waits until a function returns a true value; returns the value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        expect(time.monotonic() < end, why)
        time.sleep(0.05)
    return value


def new_token(stage, *scopes):
    """Creates a token, and waits until the gateway knows it."""
    words = [word for scope in scopes for word in ("--scope", scope)]
    printed = stage.tidings("token", "new", "--name", f"test-{len(scopes)}", *words)
    token = next(word for word in printed.split() if len(word) > 30)
    header = {"Authorization": f"Bearer {token}"}
    wait(lambda: stage.status("GET", "/v1/session", header) == 200, "the gateway does not know the new token")
    return token


def enter(browser, token):
    """Enters a token where the page asks for one."""
    browser.run("document.getElementById('token').value = arguments[0]; document.querySelector('#sign-in button').click()", token)


def sign_in(stage, browser, *scopes):
    """Signs the browser in with a new token, as a user does."""
    token = new_token(stage, *scopes)
    browser.until("!document.getElementById('open-sign-in').classList.contains('concealed')", "nobody is offered to sign in")
    browser.run("document.getElementById('open-sign-in').click()")
    enter(browser, token)
    browser.until("document.getElementById('locked').hidden", "the token is not taken")
    browser.open(stage.address + "/")
    browser.until(ALL_DRAWN % len(DEMO), "the widgets are not drawn")
