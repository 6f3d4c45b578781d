// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { element, graphic } from "./base.js";

const height = 48;
const [fewestMinutes, mostMinutes] = [10, 60];
const minuteMilliseconds = 60_000;

/** One entry for each minute since `start`, at most an hour, the newest last; null if nothing happened. */
export function lastMinutes(minutes, start, now) {
  const end = Math.floor(now / minuteMilliseconds);
  const shownMinutes = Math.min(Math.max(end - Math.floor(start / minuteMilliseconds) + 1, fewestMinutes), mostMinutes);
  const first = end - shownMinutes + 1;
  const byMinute = new Map(minutes.map((minute) => [Math.floor(Date.parse(minute.at) / minuteMilliseconds), minute]));
  return Array.from({ length: shownMinutes }, (_, index) => byMinute.get(first + index) ?? null);
}

function figure(title, value, explanation, drawing) {
  return element("figure", { class: "plot" },
    element("figcaption", {}, element("span", {}, title), element("span", { class: "number quiet" }, value)),
    drawing, element("p", { class: "quiet" }, explanation));
}

function canvas(width, label) {
  return graphic("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
}

/** Stacked bars of the verdicts of each minute. */
export function verdictPlot(minutes, title, value, explanation) {
  const keys = ["failed", "newData", "noData"];
  const highest = Math.max(1, ...minutes.map((minute) => (minute ? keys.reduce((sum, key) => sum + minute[key], 0) : 0)));
  const drawing = canvas(minutes.length, `${title}: ${value}`);
  minutes.forEach((minute, index) => {
    let y = height;
    for (const key of keys) {
      const part = minute ? (minute[key] / highest) * (height - 2) : 0;
      if (part === 0) continue;
      y -= part;
      drawing.append(graphic("rect", { x: index + 0.1, y: y.toFixed(2), width: 0.8, height: part.toFixed(2), class: `area-${key}` }));
    }
  });
  drawing.append(graphic("path", { d: `M0 ${height}H${minutes.length}`, class: "base" }));
  return figure(title, value, explanation, drawing);
}

/** Median and 95th percentile of a hop, by the minute. */
export function latencyPlot(minutes, hop, title, value, explanation) {
  const of = (key) => minutes.map((minute) => minute?.hops?.[hop]?.[key] ?? null);
  const high = of("percentile95");
  const highest = Math.max(1, ...high.filter((number) => number !== null));
  const line = (values) => {
    let path = "";
    values.forEach((number, index) => {
      if (number === null) return;
      const isFirst = index === 0 || values[index - 1] === null;
      const y = (height - 1 - (number / highest) * (height - 4)).toFixed(2);
      path += `${isFirst ? "M" : "L"}${index + 0.5} ${y}${isFirst ? "h0" : ""}`;
    });
    return path;
  };
  const drawing = canvas(minutes.length, `${title}: ${value}`);
  drawing.append(graphic("path", { d: line(high), class: "line-high" }), graphic("path", { d: line(of("median")), class: "line-median" }));
  drawing.append(graphic("path", { d: `M0 ${height}H${minutes.length}`, class: "base" }));
  return figure(title, value, explanation, drawing);
}
