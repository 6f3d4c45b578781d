// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { element } from "./base.js";
import { reasonWords, resultWords, timeOfDay } from "./words.js";
import { verdictsShown } from "./widgets.js";

/** Pixels; the style sheet has the same number. */
const tickWidth = 7;

const tip = document.getElementById("tip");

function showTip(tick) {
  tip.textContent = tick.getAttribute("aria-label");
  tip.hidden = false;
  const place = tick.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const x = Math.min(Math.max(place.left + place.width / 2 - width / 2, 8), document.documentElement.clientWidth - width - 8);
  const y = place.top - height - 6 > 0 ? place.top - height - 6 : place.bottom + 6;
  tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}

export function hideTip() {
  tip.hidden = true;
}

/** The last verdicts of a widget as ticks, the newest at the end. One tab stop; arrow keys move within. */
export class Strip {
  constructor(node, widget, open) {
    this.node = node;
    this.widget = widget;
    this.open = open;
    node.setAttribute("aria-label", `Last verdicts of ${widget.title}`);
    this.node.addEventListener("click", (event) => this.#choose(event.target.closest("button")));
    this.node.addEventListener("keydown", (event) => this.#move(event));
    this.node.addEventListener("pointerover", (event) => {
      const tick = event.target.closest("button");
      if (tick) showTip(tick);
    });
    this.node.addEventListener("focusin", (event) => showTip(event.target));
    this.node.addEventListener("pointerleave", hideTip);
    this.node.addEventListener("focusout", hideTip);
  }

  /** Shows the verdicts that the widget has now. Ticks that are there stay the same elements. */
  update() {
    const verdicts = this.widget.verdicts ?? (this.widget.event ? [this.widget.event] : []);
    const known = new Map([...this.node.children].map((tick) => [tick.dataset.sequence, tick]));
    const ticks = verdicts.slice(-verdictsShown).map((event) => known.get(event.sequence) ?? this.#tick(event));
    const hadFocus = this.node.contains(document.activeElement) ? document.activeElement : null;
    const wanted = new Set(ticks);
    for (const tick of [...this.node.children]) if (!wanted.has(tick)) tick.remove();
    ticks.forEach((tick, index) => {
      if (this.node.children[index] !== tick) this.node.insertBefore(tick, this.node.children[index] ?? null);
    });
    // By a transform, so that a new tick lays nothing out again.
    ticks.forEach((tick, index) => {
      tick.style.transform = `translateX(${(index + 1 - ticks.length) * tickWidth}px)`;
    });
    const stop = ticks.find((tick) => tick.tabIndex === 0) ?? ticks.at(-1);
    for (const tick of ticks) tick.tabIndex = tick === stop ? 0 : -1;
    if (hadFocus && !hadFocus.isConnected) stop?.focus();
  }

  #tick(event) {
    const { result, reason } = event.data;
    const label = `${resultWords(result)}: ${reasonWords(reason)}, ${timeOfDay(event.data.times?.decided ?? event.time)}`;
    return element("button", {
      type: "button", class: `tick ${result}`, "data-sequence": event.sequence, "aria-label": label, tabindex: "-1",
    });
  }

  #choose(tick) {
    if (!tick) return;
    const event = (this.widget.verdicts ?? [this.widget.event]).find((item) => item.sequence === tick.dataset.sequence);
    if (event) this.open(event, tick);
  }

  #move(event) {
    const ticks = [...this.node.children];
    const index = ticks.indexOf(document.activeElement);
    const forward = getComputedStyle(this.node).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backward = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const next = { [backward]: index - 1, [forward]: index + 1, Home: 0, End: ticks.length - 1 }[event.key];
    if (next === undefined || !ticks[next]) return;
    event.preventDefault();
    for (const tick of ticks) tick.tabIndex = -1;
    ticks[next].tabIndex = 0;
    ticks[next].focus();
  }
}
