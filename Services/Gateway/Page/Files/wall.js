// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Places the cards in columns of the device's width. Heights are known from the updates before a layout is loaded, so
// nothing moves when it arrives; only cards near the window are in the document.

import { fetchJSON } from "./base.js";
import { Card, headHeight, stripHeight } from "./card.js";
import { layoutWords } from "./draw.js";
import { slideTo } from "./motion.js";
import { isAbsent, note } from "./state.js";

const gap = 16;
/** The space beside cards in a window that is narrower than the device. */
const margin = 8;
/** The size of a note's text before it is measured. */
const noteCharacter = 6.2;
const noteLine = 20;
const notePadding = 8;
const defaultWidth = 359;
const defaultHeight = 110;
/** A card is at least this wide, so that its title and buttons stay within it above a tiny display. */
const smallestWidth = 200;
/** Cards this far outside of the window are drawn, too. */
const overscan = 800;
/** The header is at least this wide, whatever the device's width is. */
const smallestHeader = 734;
/** The time for making cards and for drawing layouts in one frame, in milliseconds; further ones wait for the next. */
const frameBudget = 8;
/** Nothing is loaded while the page scrolls, and this many milliseconds after it. */
const scrollRest = 80;
const maximumLayouts = 2_000;
const maximumRequests = 8;

export class Wall {
  #node;
  #settings;
  #cards = new Map();
  /** Cards whose layouts have not been asked for. */
  #unloaded = new Set();
  #isLoadPlanned = false;
  #places = [];
  #widgets = [];
  #device = null;
  /** The query that asks for the chosen text size and direction. */
  variantKey = "";
  #layouts = new Map();
  #loading = new Map();
  #waiting = [];
  #running = 0;
  #isPlanned = false;
  #isArrangingPlanned = false;
  #lastScroll = -Infinity;
  #heights = new Map();
  #scale = 1;
  /** Notes and texts without a layout wrap as the browser does, so their heights are measured. */
  #measured = new Map();
  #sizes = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      if (!target.isConnected) continue;
      const key = `${target.closest(".widget")?.dataset.widget} ${target.tagName}`;
      const height = Math.ceil(borderBoxSize[0].blockSize);
      if (this.#measured.get(key) === height) continue;
      this.#measured.set(key, height);
      this.#planArranging();
    }
  });
  /** The time of the frame in which layouts were drawn last, and the end of its budget. */
  #frame = 0;
  #sliceEnd = 0;

  constructor(node, settings, actions) {
    this.#node = node;
    this.#settings = settings;
    this.why = actions.why;
    this.showError = actions.showError;
    addEventListener("scroll", () => {
      this.#lastScroll = performance.now();
      this.#plan();
    }, { passive: true });
    addEventListener("resize", () => this.arrange());
  }

  /** Chooses the device, and the text size and direction instead of the device's own. */
  setDevice(device, variants = {}) {
    const before = `${this.#device?.name} ${this.variantKey}`;
    this.#device = device;
    this.variantKey = new URLSearchParams(variants).toString();
    // Cards that stay as they are drawn do not tell their heights again.
    if (`${device?.name} ${this.variantKey}` !== before) this.#heights.clear();
    for (const card of this.#cards.values()) card.refresh(false);
    this.arrange();
  }

  get cards() {
    return this.#cards.values();
  }

  get width() {
    return Math.max(this.#device?.width ?? defaultWidth, smallestWidth);
  }

  /** The factor by which layouts are drawn smaller, so that they fit into the window. */
  get scale() {
    return this.#scale;
  }

  measure(element) {
    this.#sizes.observe(element);
  }

  endMeasuring(element) {
    this.#sizes.unobserve(element);
  }

  modesOf(widget) {
    const { compact, expanded } = this.#device?.displays ?? {};
    const states = widget.update?.displays;
    if (!compact || !expanded || !states?.[compact] || !states[expanded]) return null;
    // A widget whose largest mode is the compact one has nothing more to show.
    if (states[expanded].height === states[compact].height && states[expanded].digest === states[compact].digest) return null;
    if (states[compact].largestMode === "compact") return null;
    return { isCompact: this.#settings.isCompact(widget.id) };
  }

  toggleMode(widget) {
    this.#settings.setCompact(widget.id, !this.#settings.isCompact(widget.id));
  }

  displayOf(widget) {
    const displays = this.#device?.displays ?? {};
    if (displays.only) return displays.only;
    const isCompact = this.#settings.isCompact(widget.id);
    return (isCompact ? displays.compact : displays.expanded) ?? displays.expanded ?? displays.compact ?? "";
  }

  surfaceHeight(widget) {
    if (isAbsent(widget) || !widget.update?.displays?.[this.displayOf(widget)]) return this.#measured.get(`${widget.id} DIV`) || defaultHeight;
    return this.#layoutHeight(widget) * this.#scale;
  }

  /** The height of what a card says below its layout. */
  #noteHeight(widget) {
    const text = isAbsent(widget) ? "" : note(widget);
    if (!text) return 0;
    const width = this.width * this.#scale - 2 * notePadding;
    return this.#measured.get(`${widget.id} P`) || Math.ceil((text.length * noteCharacter) / width) * noteLine + notePadding;
  }

  #layoutHeight(widget) {
    const display = this.displayOf(widget);
    const drawn = this.#heights.get(`${widget.id} ${display}`);
    if (this.variantKey !== "" && drawn !== undefined) return drawn;
    return widget.update?.displays?.[display]?.height ?? drawn ?? defaultHeight;
  }

  /** The layout of a widget on a display, with its digest. Requests are shared, limited in number, and remembered. */
  layout(widget, display, digest) {
    const address = `widgets/${widget.id}/${display}.json`;
    const path = this.variantKey ? `${address}?${this.variantKey}` : address;
    const key = `${path} ${digest}`;
    const known = this.#layouts.get(key);
    if (known) return Promise.resolve(known);
    const loading = this.#loading.get(key);
    if (loading) return loading;
    const promise = this.slot(async () => {
      const body = await fetchJSON(path);
      const result = { layout: body.layout, digest: this.variantKey ? digest : (body.digest ?? digest) };
      this.#remember(`${path} ${result.digest}`, result);
      return result;
    });
    this.#loading.set(key, promise);
    const done = () => this.#loading.delete(key);
    promise.then(done, done);
    return promise;
  }

  /** The words that a widget's card draws, in lower case; null if they were not read yet. */
  drawnText(widget) {
    if (isAbsent(widget) || !widget.update?.displays?.[this.displayOf(widget)]) return "";
    return widget.drawn?.key === this.#drawnKey(widget) ? widget.drawn.value : null;
  }

  #drawnKey(widget) {
    const display = this.displayOf(widget);
    return `${display} ${this.variantKey} ${widget.update.displays[display].digest}`;
  }

  /** Reads the words that a widget's card draws. Throws if the gateway cannot be asked now. */
  async read(widget) {
    const display = this.displayOf(widget);
    const key = this.#drawnKey(widget);
    let value = "";
    try {
      const { layout } = await this.layout(widget, display, widget.update.displays[display].digest);
      value = layoutWords(layout).toLocaleLowerCase();
    } catch (error) {
      if (error.status === 0 || error.status === 429) throw error;
    }
    widget.drawn = { key, value };
  }

  #remember(key, result) {
    this.#layouts.set(key, result);
    if (this.#layouts.size > maximumLayouts) this.#layouts.delete(this.#layouts.keys().next().value);
  }

  /** Does work that asks the gateway when fewer than `maximumRequests` are in flight. */
  slot(work) {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        this.#running += 1;
        work().then(resolve, reject).finally(() => {
          this.#running -= 1;
          this.#waiting.shift()?.();
        });
      });
      if (this.#running < maximumRequests) this.#waiting.shift()();
    });
  }

  /** Resolves when a frame has time left to draw a layout; at once if nobody sees the page. */
  async frameTime() {
    while (!document.hidden && performance.now() > this.#sliceEnd) {
      const frame = await new Promise(requestAnimationFrame);
      if (frame === this.#frame) continue;
      this.#frame = frame;
      this.#sliceEnd = performance.now() + frameBudget;
    }
  }

  /** A card was drawn with a height that may differ from the one that was expected. */
  placed(card, height) {
    const expected = this.#layoutHeight(card.widget);
    this.#heights.set(`${card.widget.id} ${card.display}`, height);
    if (expected !== height) this.#planArranging();
  }

  /** Shows these widgets, in this order. */
  show(widgets) {
    this.#widgets = widgets;
    this.arrange();
  }

  /** Follows an update of a widget that is shown. */
  follow(widget) {
    const card = this.#cards.get(widget.id);
    if (!card) return this.#planArranging();
    card.refresh();
    this.#planArranging();
  }

  /** Scrolls to a widget's card. */
  reveal(widget) {
    const place = this.#places.find((item) => item.widget === widget);
    if (place) scrollTo({ top: this.#node.getBoundingClientRect().top + scrollY + place.y - gap });
  }

  drop(id) {
    const card = this.#cards.get(id);
    card?.node.remove();
    this.#unloaded.delete(card);
    this.#cards.delete(id);
  }

  /** Computes the place of every card, then draws those in view. */
  arrange(isAnimated = false) {
    const room = this.#node.clientWidth;
    // A wall that is hidden has no width.
    if (room > 0) this.#scale = Math.min(1, Math.max(smallestWidth, room - (room < this.width + 2 * margin ? 2 * margin : 0)) / this.width);
    const width = Math.floor(this.width * this.#scale);
    const columns = Math.max(1, Math.floor((room + gap) / (width + gap)));
    const start = Math.max(0, (room - columns * width - (columns - 1) * gap) / 2);
    const heights = new Array(columns).fill(0);
    this.#places = this.#widgets.map((widget) => {
      let column = 0;
      for (let index = 1; index < columns; index += 1) if (heights[index] < heights[column]) column = index;
      const height = headHeight + this.surfaceHeight(widget) + this.#noteHeight(widget) + stripHeight;
      const place = { widget, x: Math.round(start + column * (width + gap)), y: heights[column], height };
      heights[column] += height + gap;
      return place;
    });
    const content = columns * width + (columns - 1) * gap;
    if (room > 0) document.documentElement.style.setProperty("--content", `${Math.max(content, Math.min(room, smallestHeader))}px`);
    this.#node.style.height = `${Math.max(0, ...heights)}px`;
    this.#draw(isAnimated);
  }

  /** Arranges before the next frame, once for all cards that changed until then. */
  #planArranging() {
    if (this.#isArrangingPlanned) return;
    this.#isArrangingPlanned = true;
    requestAnimationFrame(() => {
      this.#isArrangingPlanned = false;
      this.arrange(true);
    });
  }

  #plan() {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.#draw(false);
    });
  }

  /** Loads the layouts and verdicts of new cards while the page rests, a few in each frame. */
  #load() {
    const end = performance.now() + frameBudget;
    const rest = () => this.#lastScroll + scrollRest - performance.now();
    for (const card of this.#unloaded) {
      if (rest() > 0 || performance.now() > end) break;
      this.#unloaded.delete(card);
      card.load();
    }
    if (this.#isLoadPlanned || this.#unloaded.size === 0) return;
    this.#isLoadPlanned = true;
    setTimeout(() => requestAnimationFrame(() => {
      this.#isLoadPlanned = false;
      this.#load();
    }), Math.max(0, rest()));
  }

  #draw(isAnimated) {
    const top = -this.#node.getBoundingClientRect().top - overscan;
    const bottom = top + innerHeight + 2 * overscan;
    const shown = new Set();
    let previous = null;
    let made = 0;
    const end = performance.now() + frameBudget;
    for (const [index, place] of this.#places.entries()) {
      const { widget } = place;
      let card = this.#cards.get(widget.id);
      const isNear = place.y + place.height > top && place.y < bottom;
      const hasFocus = card?.node.contains(document.activeElement);
      if (!isNear && !hasFocus) continue;
      shown.add(widget.id);
      if (!card || card.widget !== widget) {
        if (made > 0 && performance.now() > end) {
          this.#plan();
          continue;
        }
        if (card) this.drop(widget.id);
        card = new Card(widget, this);
        if (!isAbsent(widget)) card.surface.style.height = `${this.#layoutHeight(widget)}px`;
        this.#cards.set(widget.id, card);
        this.#unloaded.add(card);
        made += 1;
      }
      const { node } = card;
      if (previous ? previous.nextSibling !== node : this.#node.firstChild !== node) {
        if (!node.contains(document.activeElement)) this.#node.insertBefore(node, previous ? previous.nextSibling : this.#node.firstChild);
      }
      node.style.width = `${Math.floor(this.width * this.#scale)}px`;
      card.fit();
      const [position, total] = [String(index + 1), String(this.#places.length)];
      if (node.ariaPosInSet !== position) node.ariaPosInSet = position;
      if (node.ariaSetSize !== total) node.ariaSetSize = total;
      slideTo(node, `translate(${place.x}px, ${place.y}px)`, isAnimated);
      previous = node;
    }
    for (const [id, card] of this.#cards) {
      if (shown.has(id)) continue;
      this.drop(id);
    }
    if (!this.#isLoadPlanned) this.#load();
  }
}
