// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { announce, element, post, reducesMotion } from "./base.js";
import { drawLayout, fitLines, icon } from "./draw.js";
import { resize, slideRows } from "./motion.js";
import { Strip } from "./strip.js";
import { age, dateAndTime, timeOfDay } from "./words.js";

const kindIcons = {
  feed: "newspaper", keyValue: "info.circle", forecast: "cloud.sun", quote: "quote.opening", documents: "doc.on.doc", json: "list.bullet",
};

/** Heights of a card's parts beside the widget itself, in pixels. The style sheet has the same numbers. */
export const headHeight = 36;
export const stripHeight = 32;
/** A retry that is late by this much has a cause: the banner says which service stopped. */
const lateMilliseconds = 10_000;

function tool(symbol) {
  return element("button", { type: "button", class: "icon" }, icon(symbol, 16));
}

/** The elements of a card. Cloning them is several times faster than creating them. */
const frame = element("article", { class: "widget" },
  element("header", {}, element("span", { class: "kind" }), element("h2"), element("time", { class: "age" }),
    element("span", { class: "mark", hidden: true }), tool("chevron.up"), tool("arrow.clockwise"), tool("questionmark.circle")),
  element("div", { class: "surface" }), element("div", { class: "strip", role: "toolbar" }));

/** The card of one widget: its heading, the widget itself, and the strip of verdicts. */
export class Card {
  #wall;
  #layout = null;
  #digest = null;
  #rows = [];
  #request = 0;
  #isLoaded = false;

  constructor(widget, wall) {
    this.widget = widget;
    this.#wall = wall;
    const name = `title-${widget.id}`;
    this.node = frame.cloneNode(true);
    this.node.setAttribute("aria-labelledby", name);
    this.node.dataset.widget = widget.id;
    const [head, surface, strip] = this.node.children;
    [this.iconPlace, this.title, this.ageNode, this.mark, this.modeButton, this.refreshButton, this.whyButton] = head.children;
    this.title.id = name;
    this.surface = surface;
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

  /** The height of the whole card. */
  get height() {
    return headHeight + this.#wall.surfaceHeight(this.widget) + stripHeight;
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
      this.#showAbsent(display);
    } else if (`${state.digest} ${display} ${key}` !== this.#digest) {
      this.#draw(state, display, key, isAnimated);
    }
  }

  #showAbsent(display) {
    if (this.#digest === `none ${display}`) return;
    this.#digest = `none ${display}`;
    this.#layout = null;
    const sentence = this.widget.update ? "This widget has no layout for the chosen device." : "The first verdict has not come yet.";
    this.surface.replaceChildren(element("p", { class: "absent" }, sentence));
    resize(this.surface, this.#wall.surfaceHeight(this.widget), false);
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
    const before = this.#rows;
    const focus = this.#focusedIndex();
    const { fragment, rows } = drawLayout(layout, { perform: (command, button) => this.perform(command, button) });
    this.surface.replaceChildren(fragment);
    this.surface.setAttribute("data-digest", digest);
    this.surface.setAttribute("data-display", display);
    this.surface.setAttribute("data-variant", key);
    this.surface.classList.toggle("dark", layout.appearance === "dark");
    resize(this.surface, layout.size.height, isAnimated);
    this.surface.style.width = `${layout.size.width}px`;
    if (canSlide) slideRows(this.surface, before, rows, changes);
    else if (isAnimated && this.#layout) this.#fade();
    fitLines(this.surface);
    this.#restoreFocus(focus);
    this.#rows = rows;
    this.#layout = layout;
    this.#digest = `${digest} ${display} ${key}`;
    this.#wall.placed(this, layout.size.height);
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
    this.surface.replaceChildren(element("p", { class: "absent" }, `The layout could not be loaded. ${error.message}`));
    resize(this.surface, this.#wall.surfaceHeight(this.widget), false);
    this.#digest = null;
  }

  /** Shows title, age, state and the buttons. */
  showHead() {
    const { widget } = this;
    if (this.title.textContent !== widget.title) this.title.textContent = widget.title;
    const symbol = kindIcons[widget.kind] ?? "list.bullet";
    if (this.iconPlace.dataset.symbol !== symbol) {
      this.iconPlace.dataset.symbol = symbol;
      this.iconPlace.replaceChildren(icon(symbol, 16));
    }
    this.showAge();
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

  /** Shows what time changes: the age of the content, and the next attempt after a failure. */
  showAge() {
    const { update } = this.widget;
    const failure = update?.failure;
    this.mark.hidden = !failure;
    if (failure) {
      const { nextAttempt } = failure;
      const isLate = Date.parse(nextAttempt) < Date.now() - lateMilliseconds;
      const next = nextAttempt ? `${isLate ? "Due" : "Retries"} ${timeOfDay(nextAttempt)}` : "Failed";
      if (this.mark.textContent !== next) this.mark.textContent = next;
      this.mark.title = `${failure.message}; ${nextAttempt ? `next attempt ${timeOfDay(nextAttempt)}` : "no further attempt planned"}`;
    }
    const date = update?.contentDate;
    const text = date ? age(date) : "";
    if (this.ageNode.textContent !== text) this.ageNode.textContent = text;
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
      // What a button changes, it changes on its own display, and not on everybody's.
      const display = ["setExpanded", "nextValue"].includes(command.name) ? this.display || undefined : undefined;
      await post(`v1/widgets/${encodeURIComponent(this.widget.id)}/commands`, { ...command, display });
    } catch (error) {
      this.#wall.showError(`${this.widget.title}: ${error.message}`, error.status);
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
}
