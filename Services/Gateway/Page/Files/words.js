// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The age of an instant as short text, "2 min". */
export function age(date, now = Date.now()) {
  const milliseconds = Math.max(0, now - Date.parse(date));
  if (!Number.isFinite(milliseconds)) return "";
  if (milliseconds < minute) return "now";
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}

/** Formats are made at their first use: loading the data of a language takes tens of milliseconds in a new browser. */
function lazy(make) {
  let format;
  return (value) => (format ??= make()).format(value);
}

const clock = lazy(() => new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit", second: "2-digit" }));
const full = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }));

/** The time of day in the user's form. */
export function timeOfDay(date) {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? "" : clock(parsed);
}

/** Date and time in the user's form. */
export function dateAndTime(date) {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? "" : full(parsed);
}

/** A duration as short text, "1.2 s". */
export function duration(milliseconds) {
  if (milliseconds < second) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < minute) return `${(milliseconds / second).toFixed(milliseconds < 10 * second ? 1 : 0)} s`;
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}

const counter = lazy(() => new Intl.NumberFormat());

export function count(number) {
  return counter(number);
}

export function bytes(number) {
  if (number < 1024) return `${number} B`;
  if (number < 1024 * 1024) return `${(number / 1024).toFixed(1)} KiB`;
  return `${(number / 1024 / 1024).toFixed(1)} MiB`;
}

/** A display's name as a title: "phone-classic" is "Phone classic". */
export function title(name) {
  const words = name.replace(/[-_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const causes = {
  start: "the widget was new, or its service had started",
  refresh: "its source was due, or somebody asked for an update",
  interaction: "somebody pressed a button of the widget",
  push: "content was pushed",
  clock: "an instant came at which its display may change",
  configuration: "its displays or its definition changed",
  removed: "the widget was removed from the configuration",
};

/** The reason for a cycle, as a clause. */
export function causeWords(cause) {
  return causes[cause] ?? cause;
}

function list(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The number of changed rows as a clause, or null if the update names none. */
function rowWords(changes) {
  if (!changes) return null;
  const parts = [
    [changes.inserted?.length ?? 0, "new"],
    [changes.deleted?.length ?? 0, "gone"],
    [changes.moved?.length ?? 0, "moved"],
    [changes.updated?.length ?? 0, "changed"],
  ].filter(([number]) => number > 0);
  if (parts.length === 0) return null;
  return list(parts.map(([number, word], index) => `${number} ${index === 0 ? (number === 1 ? "row is " : "rows are ") : ""}${word}`));
}

/** One plain sentence that says why the verdict is what it is. */
export function sentence(update, display = null) {
  const shown = display === null ? null : update.displays?.[display];
  switch (update.reason) {
    case "firstContent": return "This is the first content of the widget, so all of it is new.";
    case "visibleChange": {
      const rows = rowWords(shown?.rowChanges);
      if (rows && update.changed.includes(display)) return `This display changed visibly: ${rows}.`;
      const { length } = update.changed;
      if (length === Object.keys(update.displays).length && length > 1) return "Every display changed visibly.";
      return `Displays that changed visibly: ${list(update.changed)}.`;
    }
    case "removed": return "The widget was removed from the configuration, so its displays show nothing any more.";
    case "notModified": return "The origin answered 304, so nothing can have changed.";
    case "sameBytes": return "The origin sent the same bytes as before, so nothing can have changed.";
    case "sameContent": return "The bytes changed, but not the content that the widget keeps.";
    case "sameRows":
      return update.outcome === "changed"
        ? "The content changed, but none of the visible rows did."
        : "Nothing that a display shows changed.";
    case "fresh": return "The content was fresh enough, so the origin was not asked.";
    case "missing": return "There is no content yet, so there is nothing to show.";
    case "transient": return "The attempt failed, and the failure may pass. The last content stays.";
    case "rateLimited": return "The host asked for fewer requests. The last content stays.";
    case "permanent": return "The attempt failed, and it will fail until somebody changes something. The last content stays.";
    case "malformed": return "The answer could not be understood. The last content stays.";
    default: return update.reason;
  }
}

const reasons = {
  firstContent: "first content", visibleChange: "visible change", removed: "removed", notModified: "not modified",
  sameBytes: "same bytes", sameContent: "same content", sameRows: "same rows", fresh: "still fresh",
  missing: "no content yet", transient: "temporary failure", rateLimited: "rate limited", permanent: "permanent failure",
  malformed: "malformed answer",
};

/** The reason in two words. */
export function reasonWords(reason) {
  return reasons[reason] ?? reason;
}

const results = { newData: "New data", noData: "No data", failed: "Failed" };

export function resultWords(result) {
  return results[result] ?? result;
}
