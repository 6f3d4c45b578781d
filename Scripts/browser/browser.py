# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""A headless Chromium, and helper functions for tests."""
import base64, json, os, shutil, sys
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.service import Service

os.environ.setdefault("SE_OFFLINE", "true")
WAIT_SECONDS = 20
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--hide-scrollbars",
    "--font-render-hinting=none", "--lang=en-US",
]
# Counts events that must not happen. Runs before any script of the page.
WATCH = """
window.__violations = []; window.__shifts = []; window.__long = [];
document.addEventListener('securitypolicyviolation', (e) => window.__violations.push(e.violatedDirective + ' ' + e.blockedURI));
new PerformanceObserver((list) => { for (const e of list.getEntries()) window.__shifts.push({value: e.value,
  nodes: e.sources.map((s) => (s.node?.className ?? '') + ' ' + JSON.stringify(s.previousRect) + JSON.stringify(s.currentRect))}); })
  .observe({type: 'layout-shift', buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries()) window.__long.push(e.duration); })
  .observe({type: 'longtask', buffered: true});
"""
UNTIL = """
const done = arguments[arguments.length - 1];
const condition = new Function('return (' + arguments[0] + ')');
const look = () => { let value; try { value = condition(); } catch (error) { value = false; }
  if (value) done(value); else setTimeout(look, 16); };
look();
"""


def programs():
    """Returns the paths of Chromium and its driver; exits with a message if one is missing."""
    found = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(found):
        sys.exit("error: chromium or chromedriver is missing; install both: Scripts/install-dependencies.sh browser")
    return found


class Browser:
    def __init__(self, width=1440, height=1000, scheme="light"):
        chromium, driver = programs()
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(WAIT_SECONDS)
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.look(width, height, scheme)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def look(self, width, height=1000, scheme="light", motion=True):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"},
        ])

    def open(self, address):
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition, why, seconds=WAIT_SECONDS):
        """Waits for a condition in JavaScript; returns its value."""
        self.driver.set_script_timeout(seconds)
        try:
            return self.driver.execute_async_script(UNTIL, condition)
        except TimeoutException:
            banner = self.run("return document.body.innerText.slice(0, 400)")
            raise AssertionError(f"{why}: not within {seconds} s. The page says: {banner}") from None

    def rest(self):
        """Waits until the fonts are loaded and two frames are drawn."""
        self.until("document.fonts.status === 'loaded'", "the fonts are not loaded")
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));")

    def key(self, name, text=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "/": 191}
        text = text or {"Enter": "\r", "/": "/"}.get(name)
        event = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, 0), "modifiers": modifiers}
        self.cdp("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.cdp("Input.dispatchKeyEvent", type="keyUp", **event)

    def picture(self, path, scale=1):
        """Writes a PNG of the window to a file."""
        width, height = self.run("return [innerWidth, innerHeight]")
        clip = {"x": 0, "y": self.run("return scrollY"), "width": width, "height": height, "scale": scale}
        data = base64.b64decode(self.cdp("Page.captureScreenshot", clip=clip)["data"])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    def complaints(self):
        """Returns errors from the console, and events that must not happen."""
        # What the browser says of requests to a gateway that a check has killed, the service worker's update among them.
        unreachable = ("Failed to load resource", "ERR_CONNECTION", "unknown error occurred when fetching the script")
        lines = [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")
                 if entry["level"] == "SEVERE" and not any(words in entry["message"] for words in unreachable)]
        return lines + self.run("return window.__violations ?? []")

    def axe(self, script):
        """Returns the violations that axe-core finds, as lines."""
        # In an isolated world, the page's policies do not apply to the test's script.
        frame = self.cdp("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.cdp("Page.createIsolatedWorld", frameId=frame, worldName="axe")["executionContextId"]
        run = script + ";axe.run({resultTypes: ['violations']}).then((r) => JSON.stringify(r.violations.map((v) => " \
            "v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' ' + n.any.map((a) => a.message).join(' ')).join(' | '))))"
        answer = self.cdp("Runtime.evaluate", expression=run, contextId=world, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise WebDriverException(json.dumps(answer["exceptionDetails"])[:400])
        return json.loads(answer["result"]["value"])
