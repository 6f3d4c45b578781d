// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { fetchJSON } from "./base.js";
import { title } from "./words.js";

export const verdictsShown = 48;
const pageSize = 200;

/** The list of all widgets, page by page. */
export async function* listWidgets() {
  let cursor = null;
  do {
    const query = new URLSearchParams({ limit: pageSize });
    if (cursor) query.set("cursor", cursor);
    const body = await fetchJSON(`v1/widgets?${query}`);
    yield body.widgets;
    cursor = body.next ?? null;
  } while (cursor);
}

/** The state of one widget as the page knows it. */
export class Widget {
  constructor(id) {
    this.id = id;
    this.title = title(id);
    this.kind = "";
    this.isPushed = false;
    this.isFile = false;
    /** The words that the card draws, `{key, value}`; the wall reads them for the search. */
    this.drawn = null;
    /** The index in the configuration; infinite if the list has not named it yet. */
    this.position = Infinity;
    /** The latest update event. */
    this.event = null;
    /** The last updates, oldest first; null before they were asked for. */
    this.verdicts = null;
  }

  get update() {
    return this.event?.data ?? null;
  }

  get sequence() {
    return this.event?.sequence ?? "";
  }

  get isHidden() {
    return this.update?.hasContent === false;
  }

  /** Takes an update if it is newer. Sequence numbers have a fixed width, so their order is that of the texts. */
  take(event) {
    if (event.sequence <= this.sequence) return false;
    this.event = event;
    if (this.verdicts) this.verdicts = [...this.verdicts, event].slice(-verdictsShown);
    return true;
  }

  /** Loads the last verdicts. What arrives meanwhile is kept. */
  async loadVerdicts() {
    if (!this.event) return;
    const newest = BigInt(this.event.sequence);
    const from = newest > BigInt(verdictsShown) ? newest - BigInt(verdictsShown - 1) : 1n;
    const body = await fetchJSON(`v1/widgets/${this.id}/history?from=${from}`);
    const events = body.updates;
    const bySequence = new Map(events.map((event) => [event.sequence, event]));
    for (const event of this.verdicts ?? []) bySequence.set(event.sequence, event);
    // The list of widgets has less than the event of the same cycle.
    this.event = bySequence.get(this.event.sequence) ?? this.event;
    bySequence.set(this.event.sequence, this.event);
    this.verdicts = [...bySequence.values()].sort((a, b) => (a.sequence < b.sequence ? -1 : 1)).slice(-verdictsShown);
  }
}

/** All widgets, in the order of the configuration. */
export class Widgets {
  #byID = new Map();
  /** Widgets of which an event came during a load; the list may be older. */
  #touched = new Set();

  get all() {
    return [...this.#byID.values()].sort((a, b) => (a.position === b.position ? (a.id < b.id ? -1 : 1) : a.position - b.position));
  }

  get size() {
    return this.#byID.size;
  }

  get(id) {
    return this.#byID.get(id);
  }

  /** Loads the list anew. Widgets that are no longer in it are dropped. */
  async load() {
    const seen = new Set();
    this.#touched.clear();
    for await (const entries of listWidgets()) for (const entry of entries) this.#takeEntry(entry, seen);
    for (const id of [...this.#byID.keys()]) if (!seen.has(id) && !this.#touched.has(id)) this.#byID.delete(id);
  }

  #takeEntry(entry, seen) {
    const { id, kind, name, position, source, sequence, ...data } = entry;
    seen.add(id);
    let widget = this.#byID.get(id);
    if (!widget) {
      widget = new Widget(id);
      this.#byID.set(id, widget);
    }
    widget.title = name ?? title(id);
    widget.kind = kind ?? widget.kind;
    widget.isPushed = source === "push";
    widget.isFile = source?.startsWith("file:") ?? false;
    widget.position = position ?? widget.position;
    widget.take({ subject: id, first: sequence, sequence, data: { changed: [], ...data } });
  }

  /** Takes an event. Returns the widget, whether it is new to the page, and whether it was removed. */
  take(event) {
    const id = event.subject;
    let widget = this.#byID.get(id);
    this.#touched.add(id);
    if (event.data.reason === "removed") {
      this.#byID.delete(id);
      return { widget, isNew: false, isRemoved: widget !== undefined, isTaken: false };
    }
    const isNew = !widget;
    if (!widget) {
      widget = new Widget(id);
      this.#byID.set(id, widget);
    }
    return { widget, isNew, isRemoved: false, isTaken: widget.take(event) };
  }
}

/** The devices among displays: a family with modes counts once, with its two displays. */
export function devices(displays) {
  const result = new Map();
  for (const display of displays) {
    const mode = display.mode ?? /-(compact|expanded)$/.exec(display.name)?.[1];
    const name = mode ? display.name.replace(new RegExp(`-${mode}$`), "") : display.name;
    const device = result.get(name) ?? { name, displays: {}, width: display.width, family: display.family, locale: display.locale };
    device.displays[mode ?? "only"] = display.name;
    device.width ??= display.width;
    result.set(name, device);
  }
  return [...result.values()];
}
