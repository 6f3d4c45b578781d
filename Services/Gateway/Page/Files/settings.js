// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

const key = "tidings.settings";

/** The choices of this browser: device, text size, appearance, direction, and the mode of each widget. */
export class Settings {
  #values;
  #listeners = new Set();

  constructor() {
    this.#values = Settings.#stored();
    addEventListener("storage", (event) => {
      if (event.key !== key) return;
      this.#values = Settings.#stored();
      this.#notify();
    });
  }

  get(name) {
    return this.#values[name] ?? "";
  }

  set(name, value) {
    if (this.get(name) === value) return;
    this.#values[name] = value;
    this.#store();
    this.#notify();
  }

  /** A Boolean value that indicates whether a widget shows its compact form. */
  isCompact(widget) {
    return this.#values.compact?.[widget] === true;
  }

  setCompact(widget, isCompact) {
    const compact = { ...this.#values.compact };
    if (isCompact) compact[widget] = true;
    else delete compact[widget];
    this.#values.compact = compact;
    this.#store();
  }

  /** Applies the chosen appearance to the page. */
  showAppearance() {
    const appearance = this.get("appearance");
    if (appearance) document.documentElement.dataset.appearance = appearance;
    else delete document.documentElement.dataset.appearance;
  }

  onChange(listener) {
    this.#listeners.add(listener);
  }

  #notify() {
    for (const listener of this.#listeners) listener(this);
  }

  #store() {
    try {
      localStorage.setItem(key, JSON.stringify(this.#values));
    } catch {
      // Private windows may refuse; the choice then lasts as long as the page.
    }
  }

  static #stored() {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  }
}
