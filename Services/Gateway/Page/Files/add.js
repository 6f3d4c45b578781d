// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The panel that adds a widget: an address, what it has, how it looks, and the lines for the configuration.

import { announce, element, post } from "./base.js";
import { drawLayout, fitLines } from "./draw.js";
import { title } from "./words.js";

const timeout = 60_000;

const kindNames = {
  feed: ["Feed", "posts"], keyValue: ["Facts", "facts"], forecast: ["Forecast", "days"], quote: ["Quotes", "quotes"],
  documents: ["Documents", "documents"], json: ["List", "rows"],
};

/** The kind of a reading and its size, "Feed with 7 posts". */
function describe({ kind, count }) {
  const [name, things] = kindNames[kind] ?? [kind, "entries"];
  return `${name} with ${count} ${things}`;
}

/** The panel of one page. `displays` returns the names of the chosen device's displays. */
export class AddPanel {
  #dialog;
  #displays;
  #report = null;
  #opener = null;

  constructor(dialog, displays) {
    this.#dialog = dialog;
    this.#displays = displays;
    dialog.addEventListener("close", () => this.#opener?.focus());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  open(opener) {
    this.#opener = opener;
    this.#report = null;
    const close = element("button", { type: "button", class: "secondary" }, "Close");
    close.addEventListener("click", () => this.#dialog.close());
    this.address = element("input", {
      id: "add-address", type: "url", required: true, autocomplete: "off", spellcheck: "false", placeholder: "https://example.org/",
    });
    this.lookButton = element("button", { class: "primary", type: "submit" }, "Look");
    const form = element("form", { class: "add-form" },
      element("label", { for: "add-address" }, "Address of a feed, a web page or JSON"),
      element("div", { class: "add-line" }, this.address, this.lookButton));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#look();
    });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.result = element("div", { class: "add-result" });
    this.#dialog.replaceChildren(element("div", { class: "panel" },
      element("div", { class: "panel-head" }, element("h2", { id: "add-title" }, "Add a widget"), close), form, this.problem, this.result));
    if (!this.#dialog.open) this.#dialog.showModal();
    this.address.focus();
  }

  async #look() {
    this.problem.textContent = "";
    this.result.replaceChildren();
    this.lookButton.setAttribute("aria-busy", "true");
    this.lookButton.disabled = true;
    try {
      const url = /^[a-z][a-z0-9+.-]*:/i.test(this.address.value) ? this.address.value : `https://${this.address.value}`;
      this.#report = await post("v1/inspect", { url, displays: this.#displays() }, { timeout });
      this.#showReport();
    } catch (error) {
      this.problem.textContent = error.message;
    } finally {
      this.lookButton.removeAttribute("aria-busy");
      this.lookButton.disabled = false;
    }
  }

  #showReport() {
    const { readings, mayAdd, url } = this.#report;
    const choices = readings.map((reading, index) => {
      const input = element("input", { type: "radio", name: "reading", value: index, checked: index === 0 });
      input.addEventListener("change", () => this.#show(readings[index]));
      return element("label", { class: "choice" }, input, ` ${describe(reading)}`);
    });
    const [best] = readings;
    const found = `${best.title ? `“${best.title}”: ` : ""}${describe(best)} at ${url}`;
    this.preview = element("div", { class: "previews" });
    this.lines = element("textarea", { id: "add-lines", rows: 8, spellcheck: "false", wrap: "off" });
    this.note = element("p", { class: "quiet", role: "status" });
    const copy = element("button", { class: mayAdd ? "secondary" : "primary", type: "button" }, "Copy");
    copy.addEventListener("click", () => this.#copy());
    const add = element("button", { class: "primary", type: "button", hidden: !mayAdd }, "Add to the configuration");
    add.addEventListener("click", () => this.#add(add));
    this.result.replaceChildren(
      element("p", { class: "sentence" }, found),
      element("fieldset", { class: "choices", hidden: readings.length < 2 }, element("legend", {}, "Show it as"), ...choices),
      element("h3", {}, "Preview"), this.preview,
      element("h3", {}, element("label", { for: "add-lines" }, "Lines for tidings.yml, below “widgets:”")), this.lines,
      element("div", { class: "add-line" }, add, copy), this.note);
    this.#show(readings[0]);
    announce(found);
  }

  #show(reading) {
    this.lines.value = reading.entry;
    this.note.textContent = this.#report.mayAdd ? "" : "The gateway may not write the configuration (gateway.addWidgets). Copy the lines.";
    const style = getComputedStyle(this.preview);
    const room = this.preview.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    this.preview.replaceChildren(...reading.layouts.map((entry) => {
      const surface = element("div", { class: `surface ${entry.layout.appearance ?? ""}`, "data-digest": entry.digest });
      const { fragment } = drawLayout(entry.layout, { perform: () => {} });
      surface.append(fragment);
      // A phone's window has less room than the phone's widget and the panel's margins.
      surface.style.zoom = Math.min(1, room / entry.layout.size.width);
      surface.style.width = `${entry.layout.size.width}px`;
      surface.style.height = `${entry.layout.size.height}px`;
      return element("div", { class: "preview", inert: true }, title(entry.display), surface);
    }));
    if (reading.layouts.length === 0) this.preview.textContent = "The preview cannot be drawn now.";
    fitLines(this.preview);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.lines.value);
      this.note.textContent = "Copied";
    } catch {
      this.lines.select();
      this.note.textContent = "Press Ctrl+C to copy";
    }
  }

  async #add(button) {
    this.problem.textContent = "";
    button.disabled = true;
    const id = /^\s*"?([^":\s]+)"?\s*:/.exec(this.lines.value)?.[1] ?? "";
    try {
      await post("v1/widgets", { id, entry: this.lines.value });
      announce(`${id} was added.`);
      this.#dialog.close();
    } catch (error) {
      this.problem.textContent = error.message;
      this.problem.scrollIntoView({ block: "nearest" });
    } finally {
      button.disabled = false;
    }
  }
}
