// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The panels that sleep between their requests, as a table of the operations page, and the button that opens the pairing window.

import { element, fetchJSON, isAdmin, post, setText, table } from "./base.js";
import { age, count, dateAndTime, duration, timeOfDay, when } from "./words.js";

/** The words for states other than `paired`. */
const states = { unpaired: "no key", unconfigured: "not configured", named: "by address" };

/** The reasons for refusals, with the remedy. */
const refusals = {
  unknown: "is new: add the lines that it shows to the configuration.",
  unpaired: "has no key yet: open the pairing window, and press its button.",
  wrongKey: "has another key: run “tidings panel pair ID”, and press its button.",
};

/** The pictures that are shown, by the ids of panels: they stay while the table is made again. */
const previews = new Map();

function preview({ id, name, picture }) {
  if (!picture) return null;
  if (previews.get(id)?.title !== picture) {
    const href = `v1/panels/${id}.png?picture=${picture}`;
    const image = element("img", { src: href, alt: `Picture of ${name ?? id}`, loading: "lazy" });
    image.onerror = () => previews.delete(id);
    previews.set(id, element("a", { class: "preview", href, title: picture }, image));
  }
  return previews.get(id);
}

/** A short form of an instant, with the full one as a tooltip. */
function instant(date, text) {
  return date && element("span", { title: dateAndTime(date) }, text(date));
}

/** The columns: a class, and one or two facts below each other, each with its label, value and tooltip. */
const columns = [
  ["", ["Panel", ({ name, id }) => name ?? id, ({ id }) => id],
    ["Board", ({ board }) => board && element("a", { href: `boards/${board}.png` }, board)]],
  ["w-picture", ["Picture", preview]],
  // The name of a picture ends with its time.
  ["w-small number", ["Drawn", ({ picture }) => instant(picture && new Date(picture.slice(-10) * 1_000), age)],
    ["Delay", ({ lastDelaySeconds: delay }) => (delay < 60 ? `${Math.max(1, delay)} s` : delay && duration(delay * 1_000)),
      () => "From the last visible change to the answer that showed it"]],
  ["w-when number", ["Woke", ({ lastWake }) => instant(lastWake, age)],
    ["Next wake", ({ nextWake }) => instant(nextWake, (date) => (Date.parse(date) <= Date.now() ? "due" : when(date)))]],
  // The gateway cannot tell if a client without id draws.
  ["w-when number", ["Redraws", ({ redraws, wakes, state }) => `${state === "named" ? "–" : count(redraws)} of ${count(wakes)}`, () => "Of all wakes"],
    ["Saved", ({ redrawsSaved, state }) => state !== "named" && count(redrawsSaved)]],
  // Cut, not rounded, as in the warning.
  ["w-small number", ["Battery", ({ batteryMillivolts: battery }) => battery && `${(Math.floor(battery / 10) / 100).toFixed(2)} V`],
    ["Signal", ({ signal }) => signal && `${signal} dBm`]],
  ["w-mid", ["State", ({ sleepUntil, state }) => (sleepUntil ? `asleep until ${when(sleepUntil)}` : states[state] ?? state)],
    ["Firmware", ({ firmware }) => firmware]],
];

/** The rows of a panel: its facts, and what needs attention. */
function rows(panel) {
  const cells = columns.map(([style, ...facts]) => element("td", { class: style }, ...facts.map(([label, value, hint]) =>
    element("div", { "data-label": label, title: hint?.(panel) }, value(panel) || "–"))));
  const result = [element("tr", {}, ...cells)];
  const warnings = panel.warnings.map((warning) => element("p", {}, warning));
  if (warnings.length > 0) result.push(element("tr", { class: "more" }, element("td", { class: "act", colspan: columns.length }, ...warnings)));
  return result;
}

function panelTable(panels) {
  const warnedFirst = [...panels].sort((a, b) => !a.warnings.length - !b.warnings.length);
  const heads = columns.map(([style, ...facts]) => [facts.map(([label]) => element("div", {}, label)), style]);
  const result = table(heads, warnedFirst.flatMap(rows), "Panels");
  result.className = "panels";
  return result;
}

function refusal({ id, reason, lastSeen }, panels) {
  const name = panels.find((panel) => panel.id === id)?.name ?? id;
  const seen = age(lastSeen);
  return element("p", {}, `${name} ${(refusals[reason] ?? "was refused.").replace("ID", id)} It asked ${seen === "now" ? "just now" : `${seen} ago`}.`);
}

/** The section of the operations page about panels. */
export class PanelSection {
  #section;
  #list;
  #note;
  #button;
  #isAdmin = null;
  /** The reason why the window was not opened. */
  #problem = "";

  constructor(section) {
    this.#section = section;
    this.#list = section.querySelector(".table");
    this.#note = section.querySelector("[role=status]");
    this.#button = section.querySelector("button");
    this.#button.addEventListener("click", () => this.#pair());
  }

  /** Loads the panels; the section is hidden while there are none. While they cannot be loaded, the last ones stay. */
  async load() {
    try {
      const report = await fetchJSON("v1/panels");
      this.#isAdmin ||= await isAdmin();
      this.#show(report);
    } catch (error) {
      // The page's banner says so.
      if (error.status === 0) return;
      this.#section.hidden = false;
      this.#say(error.message, true);
    }
  }

  #show({ panels, refused, pairing }) {
    this.#section.hidden = panels.length + refused.length === 0;
    if (!this.#list.contains(document.activeElement) || document.activeElement === this.#list) {
      this.#list.replaceChildren(...(panels.length > 0 ? [panelTable(panels)] : []), ...refused.map((panel) => refusal(panel, panels)));
    }
    this.#button.hidden = !this.#isAdmin;
    if (pairing) this.#problem = "";
    const whom = pairing?.panel ?? "all panels of the configuration without a key";
    this.#say(this.#problem || (pairing ? `The pairing window is open until ${timeOfDay(pairing.until)}, for ${whom}.` : ""), this.#problem);
  }

  #say(text, isProblem) {
    this.#note.className = isProblem ? "problem" : "";
    setText(this.#note, text);
  }

  async #pair() {
    this.#button.disabled = true;
    try {
      const report = await post("v1/panels/pairing");
      this.#problem = "";
      this.#show(report);
    } catch (error) {
      // A gateway that answers again is no problem any more.
      this.#problem = error.status ? error.message : "";
      this.#say(error.message, true);
    } finally {
      this.#button.disabled = false;
    }
  }
}
