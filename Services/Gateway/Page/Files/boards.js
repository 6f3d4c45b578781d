// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Shows the pictures of boards pixel by pixel, and one of them alone with `?kiosk&board=NAME`.

import { element, fetchJSON } from "./base.js";
import { title, when } from "./words.js";

/** The pause after an update of a board before its state is requested, so that updates of several cells share a request. */
const pauseMilliseconds = 200;
const retryMilliseconds = 5_000;

export class Boards {
  #section;
  #list;
  #note;
  #figures = new Map();
  /** The widgets of the boards that are shown. */
  #widgets = new Set();
  #timer = null;
  /** The only board that is shown; null for all. */
  #only;

  constructor(section, parameters) {
    this.#section = section;
    this.#list = section.querySelector(".figures");
    this.#note = section.querySelector("p");
    this.#only = parameters.get("board");
    if (parameters.has("kiosk")) document.documentElement.dataset.kiosk = this.#only ? "board" : "widgets";
    this.#followResolution();
  }

  /** Sizes the pictures again whenever the window gets another resolution. */
  #followResolution() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
      this.#followResolution();
      this.load();
    }, { once: true });
  }

  /** Loads the list of boards, and the pictures that have changed. */
  async load() {
    clearTimeout(this.#timer);
    this.#timer = null;
    try {
      const { boards } = await fetchJSON("v1/boards");
      const shown = boards.filter(({ id }) => (this.#only ?? id) === id);
      const names = boards.map(({ id }) => id).join(", ");
      this.#note.textContent = this.#only && !shown.length ? `There is no board “${this.#only}”; there are ${names || "none"}.` : "";
      this.#show(shown);
    } catch (error) {
      // A gateway of an earlier version has no boards; without access, the page asks for a token.
      if (error.status === 0 || error.status >= 500) this.#plan();
    }
  }

  /** Follows an update of a widget. */
  take(event) {
    const displays = Object.values(event.data?.displays ?? {});
    // After its board was removed from the configuration, a widget's update mentions no board.
    if (displays.some(({ board }) => board) || this.#widgets.has(event.subject)) this.#plan(pauseMilliseconds);
  }

  #plan(pause = retryMilliseconds) {
    this.#timer ??= setTimeout(() => this.load(), pause);
  }

  #show(boards) {
    for (const [id, figure] of this.#figures) {
      if (boards.some((board) => board.id === id)) continue;
      figure.remove();
      this.#figures.delete(id);
    }
    this.#widgets = new Set(boards.flatMap(({ cells }) => cells.map(({ widget }) => widget)));
    for (const board of boards) this.#showBoard(board);
    this.#section.hidden = !boards.length && !this.#note.textContent;
  }

  #showBoard(board) {
    let figure = this.#figures.get(board.id);
    if (!figure) {
      const picture = element("img", { alt: `Board ${title(board.id)}`, decoding: "async" });
      const link = element("a", { href: `?kiosk&board=${board.id}` }, title(board.id));
      figure = element("figure", {}, picture, element("figcaption", {}, link, element("span", {})));
      this.#figures.set(board.id, figure);
      this.#list.append(figure);
    }
    const picture = figure.querySelector("img");
    // One pixel of the picture is one pixel of the screen.
    picture.width = Math.round(board.width / devicePixelRatio);
    picture.height = Math.round(board.height / devicePixelRatio);
    const digest = board.digest ?? board.revision;
    if (picture.dataset.digest !== digest) this.#draw(board.id, picture, digest);
    figure.querySelector("span").textContent = board.lastChange ? `changed ${when(board.lastChange)}` : "";
  }

  /** Loads a picture, and again later if it is not that of its document: the gateway sends the last one if it cannot be drawn. */
  async #draw(id, picture, digest) {
    const { dataset } = picture;
    dataset.digest = digest;
    let png;
    try {
      png = await fetch(`boards/${id}.png`, { signal: AbortSignal.timeout(45_000) });
      const blob = await png.blob();
      // The picture of a later digest is on its way.
      if ((dataset.digest ?? digest) !== digest) return;
      picture.hidden = !png.ok;
      if (png.ok) {
        URL.revokeObjectURL(picture.src);
        picture.src = URL.createObjectURL(blob);
        const json = await fetchJSON(`boards/${id}.json`);
        if (png.headers.get("ETag") === json.etag && (json.isCurrent || json.digest === digest)) return;
      }
    } catch {
      // The gateway cannot be reached.
    }
    delete dataset.digest;
    // The board may have been removed from the configuration.
    if (png?.status !== 404) this.#plan();
  }
}
