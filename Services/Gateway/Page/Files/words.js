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
const short = lazy(() => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }));
const dated = lazy(() => new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }));
const full = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }));

/** The time of day in the user's form. */
export function timeOfDay(date) {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? "" : clock(parsed);
}

/** The time of day without seconds, with the date if that is not today. */
export function when(date) {
  const parsed = new Date(date);
  if (Number.isNaN(parsed.getTime())) return "";
  return parsed.toDateString() === new Date().toDateString() ? short(parsed) : dated(parsed);
}

/** Date and time in the user's form. */
export function dateAndTime(date) {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? "" : full(parsed);
}

/** A duration as short text, rounded, "1.2 s". Each limit is what rounds up to the next unit, as in `roundedText`. */
export function duration(milliseconds) {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9.95 * second) return `${(milliseconds / second).toFixed(1)} s`;
  if (milliseconds < 59.5 * second) return `${Math.round(milliseconds / second)} s`;
  if (milliseconds < 59.5 * minute) return `${Math.round(milliseconds / minute)} min`;
  if (milliseconds < 23.5 * hour) return `${Math.round(milliseconds / hour)} h`;
  return `${Math.round(milliseconds / day)} d`;
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

const reasons = {
  firstContent: "first content", visibleChange: "visible change", removed: "removed", notModified: "not modified",
  sameBytes: "same bytes", sameContent: "same content", sameRows: "same rows", fresh: "still fresh",
  blocked: "host blocked",
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
