// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { AddPanel } from "./add.js";
import { announce, byID, element, fetchJSON, isAdmin, post, setText } from "./base.js";
import { Boards } from "./boards.js";
import { connect, keepForOffline } from "./connection.js";
import { Pushes } from "./pushes.js";
import { keepToken } from "./session.js";
import { Settings } from "./settings.js";
import { stateText } from "./state.js";
import { Status, showSummary } from "./status.js";
import { Wall } from "./wall.js";
import { WhyPanel } from "./why.js";
import { devices, Widgets } from "./widgets.js";
import { count, title } from "./words.js";

/** The content size categories, with their names in the Human Interface Guidelines. */
const textSizes = [
  ["extraSmall", "xSmall"], ["small", "Small"], ["medium", "Medium"], ["large", "Large"], ["extraLarge", "xLarge"],
  ["extraExtraLarge", "xxLarge"], ["extraExtraExtraLarge", "xxxLarge"], ["accessibilityMedium", "AX1"],
  ["accessibilityLarge", "AX2"], ["accessibilityExtraLarge", "AX3"], ["accessibilityExtraExtraLarge", "AX4"],
  ["accessibilityExtraExtraExtraLarge", "AX5"],
];
const ageMilliseconds = 10_000;
const retryMilliseconds = 1_000;
/** The number of layouts that a search reads before it shows what it found. */
const readAtOnce = 64;

const settings = new Settings();
const status = new Status();
const widgets = new Widgets();
const boards = new Boards(byID("boards"), new URLSearchParams(location.search));
const pushes = Pushes.isPossible ? new Pushes() : null;
const panel = new WhyPanel(byID("why"), pushes, (sentence, code) => showError(sentence, code));
const wall = new Wall(byID("wall"), settings, {
  why: (card, event, opener) => panel.open(card.widget, event, opener),
  showError: (sentence, code) => showError(sentence, code),
});
const addPanel = new AddPanel(byID("add-panel"), () => Object.values(chosenDevice()?.displays ?? {}));
let displays = [];
let reopen = () => {};
let isLoaded = false;
let loading = null;
let mustLoadAgain = false;
let signInScope = "read";
let errorText = null;
let errorTimer = null;

// MARK: Widgets

/** Loads displays and widgets. A call during a load has another one follow. */
function load() {
  mustLoadAgain = loading !== null;
  loading ??= loadOnce().finally(() => {
    loading = null;
    if (mustLoadAgain) setTimeout(load, retryMilliseconds);
    mustLoadAgain = false;
  });
  return loading;
}

async function loadOnce() {
  try {
    const [known] = await Promise.all([loadDisplays(), widgets.load()]);
    displays = known;
    isLoaded = true;
    boards.load();
    showAdding();
    // A person who wants to sign in for more than reading goes on.
    if (signInScope === "read") byID("locked").hidden = true;
    fillDevices();
    showWidgets();
    for (const card of wall.cards) card.refresh();
    byID("wall").setAttribute("aria-busy", "false");
    followFragment();
  } catch (error) {
    if (error.status === 401 || error.status === 403) showSignIn();
    else setTimeout(load, retryMilliseconds);
  }
}

async function loadDisplays() {
  try {
    const body = await fetchJSON("v1/displays");
    return body.displays ?? [];
  } catch (error) {
    if (error.status === 404) return [];
    throw error;
  }
}

/** The configured displays, or those that updates name if the gateway lists none. */
function knownDevices() {
  if (displays.length > 0) return devices(displays);
  // The cells of boards are no devices.
  const named = widgets.all.flatMap((widget) => Object.entries(widget.update?.displays ?? {}));
  const names = new Set(named.filter(([, state]) => !state.board).map(([name]) => name));
  return devices([...names].sort().map((name) => ({ name })));
}

/** Offers to add widgets if the token allows it, else to sign in. Both have the same place, so nothing moves. */
async function showAdding() {
  const mayAdd = await isAdmin();
  byID("add").classList.toggle("concealed", !mayAdd);
  byID("open-sign-in").classList.toggle("concealed", mayAdd);
}

byID("open-sign-in").addEventListener("click", () => showSignIn("admin"));
byID("add").addEventListener("click", () => addPanel.open(byID("add")));
byID("paste").addEventListener("click", () => {
  if (byID("add").classList.contains("concealed")) showSignIn("admin");
  else addPanel.open(byID("paste"));
});

// MARK: Search

const searchWords = () => byID("search").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
const visibleWidgets = () => widgets.all.filter((widget) => !widget.isHidden);
let isReading = false;

function matches(widget, words) {
  const text = `${stateText(widget).toLocaleLowerCase()} ${wall.drawnText(widget) ?? ""}`;
  return words.every((word) => text.includes(word));
}

function showWidgets() {
  const words = searchWords();
  const isSearching = words.length > 0;
  const visible = visibleWidgets();
  const found = isSearching ? visible.filter((widget) => matches(widget, words)) : visible;
  byID("empty").hidden = !isLoaded || widgets.size > 0;
  const place = byID("found");
  place.hidden = !isSearching;
  if (isSearching) {
    const number = visible.filter((widget) => wall.drawnText(widget) === null).length;
    const result = found.length > 0 ? `${count(found.length)} of ${count(visible.length)} widgets`
      : number > 0 ? "Searching" : "No widget has these words.";
    place.textContent = number > 0 ? `${result}; ${count(number)} are still read` : result;
  }
  byID("wall").hidden = isLoaded && found.length === 0;
  wall.show(found);
  if (isSearching) readTexts();
}

/** Reads the words that cards draw, of those that have not been in view, too, and searches in them as they come. */
async function readTexts() {
  if (isReading) return;
  isReading = true;
  try {
    while (searchWords().length > 0) {
      const unread = visibleWidgets().filter((widget) => wall.drawnText(widget) === null).slice(0, readAtOnce);
      if (unread.length === 0) break;
      const results = await Promise.allSettled(unread.map((widget) => wall.read(widget)));
      if (results.some(({ status }) => status === "rejected")) await new Promise((done) => setTimeout(done, retryMilliseconds));
      showWidgets();
    }
  } finally {
    isReading = false;
  }
}

// MARK: Toolbar

byID("size").replaceChildren(element("option", { value: "" }, "As configured"),
  ...textSizes.map(([value, name]) => element("option", { value }, name)));

function fillDevices() {
  const select = byID("device");
  const known = knownDevices();
  const names = known.map((device) => device.name);
  if (select.dataset.names !== names.join()) {
    select.dataset.names = names.join();
    select.replaceChildren(...known.map((device) => element("option", { value: device.name }, title(device.name))));
  }
  // A host with modes shows more than one without.
  const preferred = known.find((device) => device.family === "today") ?? known.find((device) => device.displays.expanded) ?? known[0];
  const chosen = known.find((device) => device.name === settings.get("device")) ?? preferred;
  if (chosen) select.value = chosen.name;
  applySettings();
}

function chosenDevice() {
  const known = knownDevices();
  return known.find((device) => device.name === byID("device").value) ?? known[0] ?? null;
}

function applySettings() {
  const chosen = chosenDevice();
  settings.showAppearance();
  byID("appearance").value = settings.get("appearance");
  const variants = {};
  for (const [name, parameter] of [["size", "textSize"], ["direction", "direction"]]) {
    const value = settings.get(name);
    byID(name).value = value;
    if (value) variants[parameter] = value;
  }
  wall.setDevice(chosen, variants);
}

for (const name of ["device", "appearance", "size", "direction"]) {
  byID(name).addEventListener("change", (event) => settings.set(name, event.target.value));
}
settings.onChange(() => {
  if (settings.get("device")) byID("device").value = settings.get("device");
  applySettings();
  if (searchWords().length > 0) showWidgets();
});
byID("search").addEventListener("input", showWidgets);
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  byID("search").focus();
});

// MARK: States

function showStatus() {
  const { summary } = status;
  showSummary({ ...summary, banner: errorText ?? summary.banner });
}

function showError(sentence, code) {
  if (code === 401 || code === 403) showSignIn("act");
  errorText = sentence;
  announce(sentence);
  clearTimeout(errorTimer);
  errorTimer = setTimeout(() => {
    errorText = null;
    showStatus();
  }, 8_000);
  showStatus();
}

/** Asks for a token; `scope` is what it must allow. */
function showSignIn(scope = "read") {
  signInScope = scope;
  byID("locked").hidden = false;
  byID("empty").hidden = true;
  byID("scope").textContent = scope;
  const command = `tidings token new --name browser --scope read${scope === "read" ? "" : ` --scope ${scope}`}`;
  // Lines break between options only.
  byID("command").replaceChildren(...command.split(/(?<= )(?=--)/).map((part) => element("span", {}, part)));
  if (scope !== "read") byID("token").focus();
}

byID("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byID("token");
  const token = field.value.trim();
  try {
    await post("v1/session", { token }, { headers: {} });
    keepToken(token);
    field.value = "";
    byID("refused").textContent = "";
    byID("locked").hidden = true;
    signInScope = "read";
    reopen();
    await load();
  } catch (error) {
    byID("refused").textContent = error.status === 401 || error.status === 403 ? "The token is not valid, or it may not read." : error.message;
  }
});

byID("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(`${byID("lines").textContent.trimEnd()}\n`);
    byID("copied").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(byID("lines"));
    byID("copied").textContent = "Press Ctrl+C to copy";
  }
});

const isNarrow = matchMedia("(max-width: 640px)");

function showDate() {
  const form = isNarrow.matches ? "short" : "long";
  const text = new Intl.DateTimeFormat(undefined, { weekday: form, day: "numeric", month: form }).format(new Date());
  setText(byID("date"), text);
}

// MARK: Live

function take(message) {
  if (message.type === "start") {
    // Whatever was missed is in the list; updates that come meanwhile are newer and win. A list that is being loaded may
    // be older than the stream, and is loaded again.
    if (isLoaded || loading) load();
  } else if (message.type === "update") {
    const { widget, isNew, isRemoved, isTaken } = widgets.take(message.event);
    if (!isLoaded) return;
    boards.take(message.event);
    if (isRemoved) wall.drop(message.event.subject);
    if (isNew) load();
    const wasShown = widget && isTaken && !isNew;
    if (isRemoved || (wasShown && widget.isHidden)) showWidgets();
    else if (wasShown) {
      wall.follow(widget);
      if (searchWords().length > 0) showWidgets();
    }
  } else {
    const wasLocked = !byID("locked").hidden;
    status.take(message);
    // It signs in again if the session has ended, and asks for a token if there is none.
    if (status.needsToken && !wasLocked) load();
    showStatus();
  }
}

/** Opens the panel that an address names: `#why=WIDGET`. */
function followFragment() {
  const id = new URLSearchParams(location.hash.slice(1)).get("why");
  const widget = id ? widgets.get(id) : null;
  if (!widget) return;
  history.replaceState(null, "", location.pathname + location.search);
  wall.reveal(widget);
  panel.open(widget, widget.event, null);
}

addEventListener("hashchange", followFragment);
// In a task of its own: a new browser takes tens of milliseconds for the first date.
setTimeout(showDate);
isNarrow.addEventListener("change", showDate);
setInterval(() => {
  showDate();
  showStatus();
  for (const card of wall.cards) card.showState();
}, ageMilliseconds);
for (const name of ["online", "offline"]) addEventListener(name, showStatus);
applySettings();
load();
// A push comes even while the stream is interrupted.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.push && isLoaded) load();
});
reopen = await connect(take);
await keepForOffline();
pushes?.renew().catch((error) => console.info("The pushes of this browser were not renewed.", error.message));
