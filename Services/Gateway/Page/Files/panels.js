// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The panels that sleep between their requests, as a table of the operations page, and the button that opens the pairing window.

import { element, fetchJSON, post } from "./base.js";
import { hasToken } from "./session.js";
import { age, count, dateAndTime, duration, timeOfDay } from "./words.js";

const states = { paired: "paired", unpaired: "no key", unconfigured: "not configured", named: "by address" };

function cell(text, attributes = {}) {
  return element("td", { title: text, ...attributes }, text);
}

function row(panel, now) {
  const name = panel.name ?? panel.id;
  const board = panel.board && element("a", { href: `boards/${encodeURIComponent(panel.board)}.png` }, panel.board);
  // The name of a picture ends with its time.
  const drawn = panel.picture && new Date(Number(panel.picture.slice(-10)) * 1_000).toISOString();
  const picture = drawn && element("a", { href: `v1/panels/${panel.id}.png`, title: `${panel.picture}, ${dateAndTime(drawn)}` }, age(drawn, now));
  const isDue = panel.nextWake && Date.parse(panel.nextWake) <= now;
  return element("tr", {},
    element("td", { class: "wrap", title: panel.id ?? "" }, name, ...panel.warnings.map((warning) => element("p", { class: "act" }, warning))),
    element("td", {}, board ?? "–"),
    element("td", { class: "number" }, picture ?? "–"),
    cell(panel.sleepUntil ? `asleep until ${dateAndTime(panel.sleepUntil)}` : states[panel.state] ?? panel.state),
    cell(panel.batteryMillivolts ? `${(panel.batteryMillivolts / 1_000).toFixed(2)} V` : "–", { class: "number" }),
    cell(panel.signal ? `${panel.signal} dBm` : "–", { class: "number extra" }),
    cell(panel.firmware ?? "–", { class: "extra" }),
    element("td", { class: "number", title: panel.lastWake ? dateAndTime(panel.lastWake) : "" }, panel.lastWake ? age(panel.lastWake, now) : "–"),
    element("td", { class: "number", title: panel.nextWake ? dateAndTime(panel.nextWake) : "" }, isDue ? "due" : panel.nextWake ? timeOfDay(panel.nextWake) : "–"),
    cell(`${count(panel.redraws)} of ${count(panel.wakes)}`, { class: "number" }),
    cell(count(panel.redrawsSaved), { class: "number extra" }),
    cell(panel.lastDelaySeconds === undefined ? "–" : duration(Math.max(1, panel.lastDelaySeconds) * 1_000), { class: "number extra" }));
}

function table(panels, now) {
  const columns = [
    ["Panel"], ["Board", "w-mid"], ["Picture", "w-small number"], ["State", "w-mid"], ["Battery", "w-small number"], ["Signal", "w-small number extra"],
    ["Firmware", "w-small extra"], ["Woke", "w-small number"], ["Next", "w-small number"], ["Redraws", "w-mid number"],
    ["Saved", "w-small number extra"], ["Delay", "w-small number extra"],
  ];
  return element("table", {},
    element("caption", { class: "hidden" }, "Panels"),
    element("thead", {}, element("tr", {}, ...columns.map(([name, style]) => element("th", { scope: "col", class: style }, name)))),
    element("tbody", {}, ...panels.map((panel) => row(panel, now))));
}

/** The section of the operations page about panels. */
export class PanelSection {
  #section;
  #list;
  #note;
  #button;

  constructor(section) {
    this.#section = section;
    this.#list = section.querySelector(".table");
    this.#note = section.querySelector("[role=status]");
    this.#button = section.querySelector("button");
    this.#button.addEventListener("click", () => this.#pair());
  }

  /** Loads the panels; the section is hidden while there are none. */
  async load() {
    try {
      this.#show(await fetchJSON("v1/panels"));
    } catch {
      this.#section.hidden = true;
    }
  }

  #show(report) {
    const now = Date.now();
    this.#section.hidden = report.panels.length === 0 && report.refused.length === 0;
    if (this.#section.hidden) return;
    const refused = report.refused.map(({ id, reason, lastSeen }) => element("p", { class: "quiet" }, `Refused: ${id} (${reason}), ${age(lastSeen, now)}`));
    if (!this.#list.contains(document.activeElement) || document.activeElement === this.#list) this.#list.replaceChildren(table(report.panels, now), ...refused);
    this.#button.hidden = !hasToken();
    const whom = report.pairing?.panel ?? "all panels of the configuration without a key";
    const text = report.pairing ? `The pairing window is open until ${timeOfDay(report.pairing.until)}, for ${whom}.` : "";
    if (this.#note.textContent !== text) this.#note.textContent = text;
  }

  async #pair() {
    this.#button.disabled = true;
    try {
      this.#show(await post("v1/panels/pairing", {}));
    } catch (error) {
      this.#note.textContent = error.message;
    } finally {
      this.#button.disabled = false;
    }
  }
}
