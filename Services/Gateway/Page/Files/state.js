// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// What a card says beside its layout: why an attempt failed, and which content has not come yet.

import { address, element } from "./base.js";
import { age, reasonWords, resultWords, timeOfDay, when } from "./words.js";

const shownThings = {
  feed: "posts", keyValue: "facts", forecast: "the forecast", quote: "quotes", documents: "documents", json: "rows",
};
/** A retry or a first answer that is late by this much deserves a sentence. */
const lateMilliseconds = 10_000;
/** The next try is shown with its seconds if it is this near. */
const nearMilliseconds = 120_000;

function nextTry({ nextAttempt }, now) {
  if (!nextAttempt) return "No further try is planned.";
  const wait = Date.parse(nextAttempt) - now;
  const time = Math.abs(wait) < nearMilliseconds ? timeOfDay(nextAttempt) : when(nextAttempt);
  return wait < -lateMilliseconds ? `The next try was due ${time}.` : `Next try ${time}.`;
}

/** The failure as a sentence. Earlier fetchers send only the message. */
export function failureWords({ explanation, message }) {
  return explanation ?? `${message}${/[.!?]$/.test(message) ? "" : "."}`;
}

/** A Boolean value that indicates whether a text replaces the placeholder of a widget without content. */
export function isAbsent({ update, isPushed }) {
  return Boolean(update) && !update.contentDate && (Boolean(update.failure) || (isPushed && update.reason === "missing"));
}

/** A Boolean value that indicates whether the widget waits for a file that a fetcher did not find. */
export function lacksFile({ isFile }, update) {
  return isFile && update?.reason === "missing" && update.cause !== "start";
}

/** Cause, consequence and next attempt of a failure, or what is awaited; empty if all is well. */
export function note(widget, now = Date.now()) {
  const { update, kind } = widget;
  const { failure, contentDate, times } = update ?? {};
  if (failure) {
    const shown = contentDate ? `Showing ${shownThings[kind] ?? "content"} from ${when(contentDate)}.` : "Nothing to show yet.";
    return `${failureWords(failure)} ${shown} ${nextTry(failure, now)}`;
  }
  if (lacksFile(widget, update)) return "The file does not exist yet. It is shown as soon as it exists.";
  const isWaiting = update?.reason === "missing" && now - Date.parse(times?.decided) > lateMilliseconds;
  return isWaiting ? "Waiting for the first answer of the source." : "";
}

/** What a card shows in place of the placeholder. */
export function absence(widget) {
  if (widget.update.failure) return [element("p", { class: "problem" }, note(widget))];
  const { pathname } = new URL(address(`v1/widgets/${widget.id}/content`));
  return [
    element("p", {}, "No content was pushed yet. Push a file:"), element("code", {}, `tidings push ${widget.id} FILE`),
    element("p", {}, "Or send it with a token of the scope push:"), element("code", {}, `PUT ${pathname}`),
  ];
}

/** The words of a card beside those of its layout, for the search. */
export function stateText(widget) {
  const { update } = widget;
  // The summary is that of a placeholder if there is no content.
  const said = isAbsent(widget) ? absence(widget).map((node) => node.textContent) : [note(widget), update?.summary ?? ""];
  const verdict = update ? [resultWords(update.result), reasonWords(update.reason)] : [];
  return [widget.id, widget.title, widget.kind, update?.contentDate ? age(update.contentDate) : "", ...verdict, ...said].join(" ");
}
