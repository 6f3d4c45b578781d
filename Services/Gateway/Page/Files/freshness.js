// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { count, duration, timeOfDay } from "./words.js";

/** A source that should have been asked this long ago has a problem, whatever its interval is. */
const graceMilliseconds = 30_000;

/**
 * Answers "Is every widget fresh, and if not, why?".
 *
 * @returns `{answer, causes}`; each cause has a text, whether somebody must act, and the widgets
 */
export function freshness(sources, widgets, stopped, now) {
  const causes = stopped.map(({ service, since }) => ({
    text: `The service ${service} has not been heard for ${duration(Math.max(1_000, now - since))}. Start it again; its log says why it ended.`,
    mustAct: true, widgets: [],
  }));
  const stale = new Set();
  const add = (source, text, mustAct) => {
    for (const widget of source.widgets) stale.add(widget);
    causes.push({ text, mustAct, widgets: source.widgets });
  };
  for (const source of sources) {
    const late = source.dueSince ? now - Date.parse(source.dueSince) : 0;
    if (source.failure) {
      const { failure } = source;
      const next = failure.nextAttempt ? ` Next attempt: ${timeOfDay(failure.nextAttempt)}.` : "";
      const mustAct = failure.class === "permanent" || failure.class === "malformed";
      add(source, `${failure.message}${/[.!?]$/.test(failure.message) ? "" : "."}${next}`, mustAct);
    } else if (late > graceMilliseconds + (source.intervalSeconds ?? 0) * 1_000) {
      add(source, `${source.address} should have been asked ${duration(late)} ago.`, true);
    }
  }
  const missing = widgets.filter((widget) => widget.reason === "missing" && !stale.has(widget.id));
  if (missing.length > 0) {
    causes.push({ text: "No content has arrived yet.", mustAct: false, widgets: missing.map(({ id }) => id) });
    for (const { id } of missing) stale.add(id);
  }
  if (widgets.length === 0) return { answer: "There are no widgets yet.", causes };
  if (stopped.length > 0) return { answer: "Widgets may be out of date: a service is stopped.", causes };
  if (stale.size === 0) return { answer: widgets.length === 1 ? "The widget is fresh." : `All ${count(widgets.length)} widgets are fresh.`, causes };
  return { answer: `${count(widgets.length - stale.size)} of ${count(widgets.length)} widgets are fresh.`, causes };
}
