// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The panel that says why a widget shows what it shows: one cycle, hop by hop.

import { element, fetchJSON, graphic, table } from "./base.js";
import { failureWords, lacksFile } from "./state.js";
import { bytes, dateAndTime, duration, reasonWords, resultWords, timeOfDay, title } from "./words.js";

const digestDigits = 8;

const hopNames = [
  ["answered", "Answered by the origin"], ["committed", "Committed by the cache"],
  ["laidOut", "Laid out"], ["decided", "Decided by the notifier"],
];

function hopsOf({ times, outcome, failure }, isFileMissing) {
  // The same rule as that of `AttemptFailure.hasAnswer`.
  const isAnswered = !isFileMissing && (outcome !== "failed" || failure?.status || /^(malformed|rateLimited)$/.test(failure?.class));
  return hopNames.filter(([key]) => times?.[key]).map(([key, name]) => (
    { name: key === "answered" && !isAnswered ? "Attempt ended without an answer" : name, at: Date.parse(times[key]) }));
}

/** The hops on one axis: a dot for each, titled with its name and the time from the first. */
function axis(hops) {
  const start = hops[0].at;
  const total = Math.max(1, hops.at(-1).at - start);
  const [width, left] = [320, 8];
  const drawing = graphic("svg", { viewBox: `0 0 ${width} 24`, class: "axis", "aria-hidden": "true" });
  drawing.append(graphic("path", { d: `M${left} 12H${width - left}`, class: "axis-line" }));
  for (const hop of hops) {
    const x = left + ((hop.at - start) / total) * (width - 2 * left);
    const name = graphic("title", {}, `${hop.name}, +${duration(Math.max(0, hop.at - start))}`);
    drawing.append(graphic("circle", { cx: x.toFixed(1), cy: 12, r: 4.5, class: "axis-dot" }, name));
  }
  return drawing;
}

function hopList(hops) {
  let before = null;
  return element("ol", { class: "hops" }, ...hops.map((hop) => {
    const pause = before === null ? timeOfDay(hop.at) : `+${duration(Math.max(0, hop.at - before))}`;
    before = hop.at;
    return element("li", {}, element("span", {}, hop.name), element("span", { class: "number" }, pause));
  }));
}

function displayTable(event, previous) {
  const names = Object.keys(event.data.displays ?? {}).sort();
  if (names.length === 0) return element("p", {}, "No display shows the widget.");
  const body = names.map((name) => {
    const state = event.data.displays[name];
    const isChanged = event.data.changed.includes(name);
    const before = previous?.data.displays?.[name]?.digest;
    const now = state.digest.slice(0, digestDigits);
    const digests = isChanged && before ? `${before.slice(0, digestDigits)} → ${now}` : now;
    const rows = state.rowChanges;
    const parts = rows ? [["inserted", "new"], ["deleted", "gone"], ["moved", "moved"], ["updated", "changed"]]
      .filter(([key]) => rows[key]?.length > 0).map(([key, word]) => `${rows[key].length} ${word}`) : [];
    const difference = isChanged ? `changed${parts.length > 0 ? `: ${parts.join(", ")}` : ""}` : "unchanged";
    return element("tr", {}, element("th", { scope: "row" }, title(name)), element("td", {}, difference),
      element("td", { class: "number" }, `${state.height} pt`), element("td", { class: "digest" }, digests));
  });
  return table([["Display"], ["Difference"], ["Height"], ["Digest"]], body, "Displays");
}

/** Facts as a list of terms and values; those without a value are left out. */
function facts(entries) {
  return element("dl", {}, ...entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
}

export class WhyPanel {
  #dialog;
  #widget = null;
  #event = null;
  #opener = null;
  #pushes;
  #showError;

  /** `pushes` is null if the browser cannot receive any; `showError` takes a sentence and the status of an answer. */
  constructor(dialog, pushes, showError) {
    this.#dialog = dialog;
    this.#pushes = pushes;
    this.#showError = showError;
    dialog.addEventListener("close", () => this.#opener?.isConnected && this.#opener.focus({ preventScroll: true }));
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  async open(widget, event, opener) {
    if (!event) return;
    this.#widget = widget;
    this.#opener = opener;
    this.#show(event, null);
    if (!this.#dialog.open) this.#dialog.showModal();
    await this.#explain(event);
  }

  async #explain(event) {
    try {
      const query = new URLSearchParams({ sequence: String(BigInt(event.sequence)) });
      const explained = await fetchJSON(`v1/widgets/${this.#widget.id}/explain?${query}`);
      if (this.#event === event) this.#show(explained.update ?? event, explained);
    } catch {
      // The event alone has the verdict, the hops and the displays.
    }
  }

  #show(event, explained) {
    const isSame = this.#event?.sequence === event.sequence;
    this.#event = event;
    const { data } = event;
    const verdicts = this.#widget.verdicts ?? [];
    const index = verdicts.findIndex((item) => item.sequence === event.sequence);
    const previous = explained?.previous ?? (index > 0 ? verdicts[index - 1] : null);
    const hops = hopsOf(data, lacksFile(this.#widget, data));
    const number = (text) => (text ? String(BigInt(text)) : null);
    const size = explained?.contentBytes;
    const close = element("button", { type: "button", class: "secondary", "aria-label": "Close" }, "Close");
    close.addEventListener("click", () => this.#dialog.close());
    const wasAsked = Boolean(data.times?.answered) || data.outcome === "failed" || this.#widget.isPushed;
    const { failure } = data;
    const nextAttempt = explained ? explained.nextAttempt : failure?.nextAttempt;
    const said = failure ? failureWords(failure) : `${resultWords(data.result)}: ${reasonWords(data.reason)}.`;
    const content = element("div", { class: "panel" },
      element("div", { class: "panel-head" }, element("h2", { id: "why-title" }, this.#widget.title), close),
      element("p", { class: `verdict ${data.result}` }, `${resultWords(data.result)} · ${reasonWords(data.reason)}`),
      element("p", { class: "sentence" }, explained?.verdict ?? said),
      failure ? element("p", { class: "problem" }, `${failure.message}. ${nextAttempt ? `Next try ${timeOfDay(nextAttempt)}.` : "No further try is planned."}`) : null,
      element("h3", {}, "Hops"),
      ...(hops.length > 1 ? [axis(hops), hopList(hops),
        element("p", { class: "quiet" }, `${duration(hops.at(-1).at - hops[0].at)} in all${wasAsked ? "" : "; the origin was not asked"}`)]
        : [element("p", { class: "quiet" }, "The cycle has no recorded hops.")]),
      element("h3", {}, "Displays"), element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Displays" }, displayTable(event, previous)),
      element("h3", {}, "Cycle"),
      facts([
        ["Number", event.first === event.sequence ? number(event.sequence) : `${number(event.first)} to ${number(event.sequence)}`],
        ["When", dateAndTime(data.times?.decided ?? event.time)],
        ["Because", explained ? `${explained.because} (${data.cause})` : data.cause],
        ["Outcome", reasonWords(data.outcome)],
        ["Content of", data.contentDate ? dateAndTime(data.contentDate) : "none yet"],
        ["Content size", size ? bytes(size) : null],
        ["First text", data.summary],
        ["Last new data", data.result !== "newData" && data.previousNewData ? `cycle ${number(data.previousNewData)}` : null],
      ]),
      ...(this.#pushes ? [element("h3", {}, "Pushes to this browser"), this.#pushChoice()] : []),
      element("nav", { "aria-label": "Cycles" },
        this.#step("Previous", index > 0 ? verdicts[index - 1] : null),
        this.#step("Next", index >= 0 && index < verdicts.length - 1 ? verdicts[index + 1] : null)));
    const focused = document.activeElement?.dataset?.step;
    this.#dialog.replaceChildren(content);
    if (isSame && focused) this.#dialog.querySelector(`[data-step="${focused}"]`)?.focus();
    else if (!isSame && this.#dialog.open) (this.#dialog.querySelector(`[data-step="${focused}"]:not(:disabled)`) ?? close).focus();
  }

  #pushChoice() {
    const options = [["", "None"], ["refresh", "Refresh open pages"], ["notify", "Show a notification"]];
    const choice = element("select", { "aria-label": "Pushes to this browser" },
      ...options.map(([value, name]) => element("option", { value }, name)));
    const widget = this.#widget.id;
    choice.value = this.#pushes.get(widget);
    choice.addEventListener("change", async () => {
      choice.disabled = true;
      try {
        await this.#pushes.set(widget, choice.value);
      } catch (error) {
        choice.value = this.#pushes.get(widget);
        this.#dialog.close();
        this.#showError(error.message, error.status);
      } finally {
        choice.disabled = false;
      }
    });
    return choice;
  }

  #step(name, event) {
    const button = element("button", { type: "button", disabled: event === null, "data-step": name }, name);
    button.addEventListener("click", () => {
      this.#show(event, null);
      this.#explain(event);
    });
    return button;
  }
}
