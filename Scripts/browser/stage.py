# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""All services with a gateway and a scripted origin, for tests of the page in a browser."""
import datetime, json, os, shutil, signal, subprocess, sys, tempfile, threading, urllib.error, urllib.request
from origin import Documents, rss

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVICES = ["bus", "cache", "layout", "notifier", "fetcher", "gateway"]
START_SECONDS = 30
STOP_SECONDS = 10


def feed(titles):
    """An RSS feed with a post for each title, the newest first."""
    return rss("Blog", [
        (title, title, f"<link>https://example.org/{number}</link><author>Ada</author>"
                       f"<pubDate>Sat, {21 - number % 20:02} Nov 2026 10:00:00 GMT</pubDate>")
        for number, title in enumerate(titles)
    ])


def forecast():
    today = datetime.date.today()
    days = [str(today + datetime.timedelta(days=n)) for n in range(8)]
    return {
        "daily": {
            "time": days, "weather_code": [2, 0, 95, 71, 45, 61, 3, 0],
            "temperature_2m_max": [19, 15, 22, 18, 14, 12, 16, 20], "temperature_2m_min": [12, 7, 9, 4, 8, 6, 9, 11],
        }
    }


POSTS = [f"Post {number} about a rather ordinary day" for number in range(7, 0, -1)]
DOCUMENTS = {"documents": [
    {"title": title, "link": f"demoapp://open/{number}", "openedAt": "2026-11-22T09:00:00Z"}
    for number, title in enumerate(["Garden plan", "Letter to the landlord", "Budget 2027"])
]}
DEMO = ["blog", "builds", "documents", "place", "quote", "weather"]


class Stage:
    """Started by `with`: the origin, then each service in turn. Names of killed services start again with `start`."""

    def __init__(self, build, widgets=None, displays=None, interval="1h", gateway="", boards=""):
        self.build, self.interval = os.path.join(ROOT, build), interval
        self.origin, self.children, self.address = Documents(), {}, None
        self.widgets, self.displays, self.gateway, self.boards = widgets, displays, gateway, boards
        self._bus, self._gateway_port = None, 0

    def demo_widgets(self):
        source = self.origin.url
        return f"""
  blog: {{kind: feed, source: "{source('/blog.xml')}", interval: 1s, minimumInterval: 0s}}
  builds:
    kind: json
    source: "{source('/builds.json')}"
    items: {{list: /builds, id: /number, title: /branch, subtitle: /coverage, link: /url}}
  documents:
    kind: documents
    source: push
    actions:
      - {{title: New, icon: square.and.pencil, url: "demoapp://new"}}
      - {{title: Scan, icon: doc.viewfinder, url: "demoapp://scan"}}
      - {{title: Search, icon: magnifyingglass, url: "demoapp://search"}}
  place: {{kind: keyValue, source: "{source('/place.json')}", minimumInterval: 0s}}
  quote: {{kind: quote, source: "{source('/quotes.json')}"}}
  weather: {{kind: forecast, source: "{source('/weather.json')}"}}
"""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="tidings-page-")
        origin = self.origin
        origin.set("/blog.xml", feed(POSTS))
        origin.set("/builds.json", {"builds": [
            {"number": n, "branch": branch, "coverage": f"{80 + n} %", "url": f"https://example.org/b/{n}"}
            for n, branch in enumerate(["main", "fix/midnight", "release", "docs"])
        ]})
        origin.set("/place.json", {"city": "Lisbon", "country": "Portugal", "ip": "192.0.2.17"})
        origin.set("/quotes.json", {"quotes": [{"text": "Well begun is half done.", "author": "Aristotle", "source": "Politics"}]})
        origin.set("/weather.json", forecast())
        self.configuration = os.path.join(self.folder, "tidings.yml")
        self.write(self.demo_widgets() if self.widgets is None else self.widgets(origin))
        for name in SERVICES:
            self.start(name)
        return self

    def write(self, widgets):
        displays = self.displays or "\n  phone-classic: {family: todayClassic}\n  phone: {family: today}\n"
        body = f"widgets: {widgets}" if widgets.strip() else "widgets: {}\n"
        with open(self.configuration + ".new", "w", encoding="utf-8") as file:
            file.write(
                f"store: ./store\ngateway:\n  linkSchemes: [demoapp]\n{self.gateway}"
                f"fetching:\n  interval: {self.interval}\n  allowPrivateNetworks: true\n"
                f"  hostConcurrency: 64\n  hostSpacing: 0s\n  leaseDuration: 6s\n  fileDirectory: .\n"
                f"displays: {displays}\n{self.boards}{body}"
            )
        os.replace(self.configuration + ".new", self.configuration)

    def environment(self, **more):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TIDINGS_")}
        # Panels miss wakes within seconds.
        return kept | {"TIDINGS_BUS": self._bus or "tcp://127.0.0.1:0", "TIDINGS_SHORTEST_PANEL_SLEEP": "5"} | more

    def start(self, name):
        """Starts a service and waits for its readiness line."""
        environment = self.environment(
            TIDINGS_INSTANCE=name, TIDINGS_STOP_WITH_INPUT="1", TIDINGS_GATEWAY=f"127.0.0.1:{self._gateway_port}",
            TIDINGS_FILES=self.folder,
        )
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            child = subprocess.Popen(
                [os.path.join(self.build, name), "--config", self.configuration], env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )
        self.children[name] = child
        timer = threading.Timer(START_SECONDS, child.kill)
        timer.start()
        try:
            line = next((line for line in child.stdout if line.startswith(b"ready ")), b"").decode()
        finally:
            timer.cancel()
        if not line:
            raise TimeoutError(f"{name} was not ready after {START_SECONDS} s; see {self.folder}/{name}.log")
        facts = dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)
        if name == "bus" and self._bus is None:
            self._bus = ",".join(facts[key] for key in ("publish", "subscribe", "request"))
        if name == "gateway":
            self.address = facts["address"].rstrip("/")
            self._gateway_port = int(self.address.rsplit(":", 1)[1])
        # Later lines are read, so that the pipe never fills.
        threading.Thread(target=lambda: [None for _ in child.stdout], daemon=True).start()

    def kill(self, name):
        child = self.children.pop(name)
        child.kill()
        child.wait()

    def freeze(self, name, frozen=True):
        self.children[name].send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def tidings(self, *words):
        """Runs the command `tidings`; returns what it printed."""
        return subprocess.run(
            [os.path.join(self.build, "tidings"), *words], env=self.environment(TIDINGS_CONFIG=self.configuration),
            cwd=self.folder, check=True, capture_output=True, text=True, timeout=60,
        ).stdout

    def push_documents(self):
        path = os.path.join(self.folder, "documents.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(DOCUMENTS, file)
        self.tidings("push", "--kind", "documents", "documents", path)

    def get(self, path, headers={}):
        with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=headers), timeout=20) as answer:
            return json.load(answer)

    def status(self, method, path, headers, body=None):
        """Sends a request; returns the status of the answer."""
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def __exit__(self, kind, *_):
        for name in reversed(SERVICES):
            child = self.children.pop(name, None)
            if child is None:
                continue
            child.send_signal(signal.SIGCONT)
            child.terminate()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.origin.close()
        if kind:
            print(f"the services' logs are kept in {self.folder}", file=sys.stderr)
        else:
            shutil.rmtree(self.folder)
