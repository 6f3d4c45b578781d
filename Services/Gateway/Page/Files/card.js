// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { announce, element, post, reducesMotion, setText } from "./base.js";
import { drawLayout, fitLines, icon } from "./draw.js";
import { resize, slideRows } from "./motion.js";
import { absence, isAbsent, note } from "./state.js";
import { Strip } from "./strip.js";
import { age, dateAndTime } from "./words.js";

const kindIcons = {
  feed: "newspaper", keyValue: "info.circle", forecast: "cloud.sun", quote: "quote.opening", documents: "doc.on.doc", json: "list.bullet",
};

/** Heights of a card's parts beside the widget itself, in pixels. The style sheet has the same numbers. */
export const headHeight = 36;
export const stripHeight = 32;
const cornerRadius = 16;

function tool(symbol) {
  return element("button", { type: "button", class: "icon" }, icon(symbol, 16));
}

/** The elements of a card. Cloning them is several times faster than creating them. */
const frame = element("article", { class: "widget" },
  element("header", {}, element("span", { class: "kind" }), element("h2"), element("time", { class: "age" }),
    tool("chevron.up"), tool("arrow.clockwise"), tool("questionmark.circle")),
  element("div", { class: "surface" }), element("p", { class: "mark", hidden: true }), element("div", { class: "strip", role: "toolbar" }));

/** The card of one widget: its heading, the widget itself, and the strip of verdicts. */
export class Card {
  #wall;
  #layout = null;
  #digest = null;
  #rows = [];
  #request = 0;
  #isLoaded = false;
  /** A Boolean value that indicates whether the card shows text in place of a layout. */
  #isText = false;

  constructor(widget, wall) {
    this.widget = widget;
    this.#wall = wall;
    const name = `title-${widget.id}`;
    this.node = frame.cloneNode(true);
    this.node.setAttribute("aria-labelledby", name);
    this.node.dataset.widget = widget.id;
    const [head, surface, mark, strip] = this.node.children;
    [this.iconPlace, this.title, this.ageNode, this.modeButton, this.refreshButton, this.whyButton] = head.children;
    this.title.id = name;
    this.surface = surface;
    this.mark = mark;
    wall.measure(mark);
    this.#name(this.refreshButton, `Refresh ${widget.title}`);
    this.#name(this.whyButton, `Why does ${widget.title} show this?`);
    this.modeButton.addEventListener("click", () => this.#toggleMode());
    this.refreshButton.addEventListener("click", () => this.perform({ name: "refresh" }));
    this.whyButton.addEventListener("click", () => wall.why(this, widget.event, this.whyButton));
    this.strip = new Strip(strip, widget, (event, tick) => wall.why(this, event, tick));
    this.showHead();
  }

  get display() {
    return this.#wall.displayOf(this.widget);
  }

  /** Draws the layout as large as the window allows. */
  fit() {
    const zoom = this.#isText ? 1 : this.#wall.scale;
    if (Number(this.surface.style.zoom || 1) === zoom) return;
    this.surface.style.zoom = zoom;
    this.surface.style.borderRadius = `${cornerRadius / zoom}px`;
  }

  #name(button, label) {
    button.setAttribute("aria-label", label);
    button.title = label;
  }

  /** Loads what a card shows beside the list's data, when it comes into view. */
  async load() {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.refresh(false);
    try {
      await this.#wall.slot(() => this.widget.loadVerdicts());
    } catch {
      this.#isLoaded = false;
    }
    this.strip.update();
  }

  /** Follows the widget's latest update. */
  refresh(isAnimated = true) {
    this.showHead();
    this.strip.update();
    const { update } = this.widget;
    const { display } = this;
    const state = update?.displays?.[display];
    const key = this.#wall.variantKey;
    if (!state) {
      const sentence = update ? "This widget has no layout for the chosen device." : "The first verdict has not come yet.";
      this.#showText(`none ${display}`, element("p", {}, sentence));
    } else if (isAbsent(this.widget)) {
      this.#mark(state.digest, display, key);
      this.#showAbsence();
    } else if (`${state.digest} ${display} ${key}` !== this.#digest) {
      this.#draw(state, display, key, isAnimated);
    }
  }

  /** Shows text in place of a layout, in the card's width. `key` is of the text; the same one is shown once. */
  #showText(key, ...content) {
    if (this.#digest === key) return;
    this.#digest = key;
    this.#request += 1;
    this.#layout = null;
    this.#isText = true;
    this.surface.style.height = "";
    this.surface.style.width = "";
    this.surface.classList.remove("dark");
    this.surface.replaceChildren(element("div", { class: "absent" }, ...content));
    this.fit();
    this.#wall.measure(this.surface);
  }

  #showAbsence() {
    const content = absence(this.widget);
    this.#showText(content.map((node) => node.textContent).join(" "), ...content);
  }

  async #draw(state, display, key, isAnimated) {
    this.#request += 1;
    const request = this.#request;
    let layout;
    let digest;
    try {
      ({ layout, digest } = await this.#wall.layout(this.widget, display, state.digest));
      await this.#wall.frameTime();
    } catch (error) {
      if (request === this.#request) this.#showProblem(error);
      return;
    }
    if (request !== this.#request) return;
    const changes = state.rowChanges;
    const canSlide = isAnimated && changes && digest === state.digest && this.#layout && this.#digest === `${changes.from} ${display} ${key}`;
    const focus = this.#focusedIndex();
    const { fragment, rows } = drawLayout(layout, { perform: (command, button) => this.perform({ ...command, display }, button) });
    this.#wall.endMeasuring(this.surface);
    this.surface.replaceChildren(fragment);
    this.#mark(digest, display, key);
    this.surface.classList.toggle("dark", layout.appearance === "dark");
    resize(this.surface, layout.size.height, isAnimated);
    this.surface.style.width = `${layout.size.width}px`;
    const before = this.#rows;
    const hadLayout = this.#layout !== null;
    this.#layout = layout;
    this.#isText = false;
    this.fit();
    if (canSlide) slideRows(this.surface, before, rows, changes);
    else if (isAnimated && hadLayout) this.#fade();
    fitLines(this.surface);
    this.#restoreFocus(focus);
    this.#rows = rows;
    this.#digest = `${digest} ${display} ${key}`;
    this.#wall.placed(this, layout.size.height);
  }

  /** Names what the card shows. */
  #mark(digest, display, key) {
    Object.assign(this.surface.dataset, { digest, display, variant: key });
  }

  #fade() {
    if (reducesMotion()) return;
    this.surface.animate([{ opacity: 0.4 }, { opacity: 1 }], { duration: 200, easing: "ease-out" });
  }

  #focusedIndex() {
    return [...this.surface.querySelectorAll("a, button")].indexOf(document.activeElement);
  }

  #restoreFocus(index) {
    if (index < 0) return;
    const controls = this.surface.querySelectorAll("a, button");
    (controls[index] ?? controls[controls.length - 1])?.focus({ preventScroll: true });
  }

  #showProblem(error) {
    if (this.#layout) return;
    this.#showText("problem", element("p", {}, `The layout could not be loaded. ${error.message}`));
    this.#digest = null;
  }

  /** Shows title, age, state and the buttons. */
  showHead() {
    const { widget } = this;
    setText(this.title, widget.title);
    const symbol = kindIcons[widget.kind] ?? "list.bullet";
    if (this.iconPlace.dataset.symbol !== symbol) {
      this.iconPlace.dataset.symbol = symbol;
      this.iconPlace.replaceChildren(icon(symbol, 16));
    }
    this.showState();
    const modes = this.#wall.modesOf(widget);
    this.modeButton.hidden = !modes;
    if (modes) {
      const label = modes.isCompact ? `Show more of ${widget.title}` : `Show less of ${widget.title}`;
      if (this.modeButton.getAttribute("aria-label") !== label) {
        this.#name(this.modeButton, label);
        this.modeButton.replaceChildren(icon(modes.isCompact ? "chevron.down" : "chevron.up", 16));
      }
      this.modeButton.setAttribute("aria-expanded", String(!modes.isCompact));
    }
  }

  /** Shows what time changes: the age of the content, and what the card says of a failure. */
  showState() {
    const { update } = this.widget;
    if (isAbsent(this.widget) && update.displays?.[this.display]) this.#showAbsence();
    const said = isAbsent(this.widget) ? "" : note(this.widget);
    setText(this.mark, said);
    this.mark.hidden = said === "";
    this.mark.classList.toggle("problem", Boolean(update?.failure));
    this.mark.title = update?.failure?.message ?? "";
    const date = update?.contentDate;
    const text = date ? age(date) : "";
    setText(this.ageNode, text);
    if (date && this.ageNode.dateTime !== date) {
      this.ageNode.dateTime = date;
      this.ageNode.title = `Content of ${dateAndTime(date)}`;
    }
  }

  #toggleMode() {
    this.#wall.toggleMode(this.widget);
    this.refresh(true);
    announce(this.modeButton.getAttribute("aria-label"));
  }

  /** Sends a command. The result arrives with the event stream. */
  async perform(command, button = this.refreshButton) {
    button.setAttribute("aria-busy", "true");
    try {
      await post(`v1/widgets/${this.widget.id}/commands`, command);
    } catch (error) {
      this.#wall.showError(`${this.widget.title}: ${error.message}`, error.status);
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
}
