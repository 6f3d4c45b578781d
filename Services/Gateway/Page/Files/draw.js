// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Draws a layout as elements at the frames of the layout. Nothing is measured or wrapped here.

import { element, graphic } from "./base.js";
import { lineWidth, side, symbols, unknown } from "./symbols.js";

/** Characters that the served fonts cover; other lines are fitted to the width that the layout measured. */
const covered = /^[\u0020-\u007e\u00a0-\u024f\u02bb-\u02dd\u0370-\u03ff\u0400-\u045f\u1e00-\u1ef9\u2010-\u2044\u20a0-\u20bf\u2116\u2122\u2190-\u2199\u2212]*$/;
const rightToLeft = /^[^A-Za-z\u00aa-\u02b8\u0370-\u0589\u0900-\u1fff\u2c00-\ud7ff]*[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Schemes that run code or read local data in the page's name; links with them are not followed. */
const refusedSchemes = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:", "filesystem:", "about:", "view-source:"]);

const commandNames = { refresh: "Refresh", performUpdate: "Update", nextValue: "Next value" };

/** Returns a link's address if the page may offer it, or null. */
export function safeLink(link) {
  let url;
  try {
    url = new URL(link);
  } catch {
    return null;
  }
  return refusedSchemes.has(url.protocol) ? null : url.href;
}

/** Returns an icon with the same paths as the pictures have. */
export function icon(name, size) {
  const parts = name.split(".");
  let paths = null;
  while (parts.length > 0 && !paths) {
    const known = parts.join(".");
    if (Object.hasOwn(symbols, known)) paths = symbols[known];
    parts.pop();
  }
  const [areas, lines] = paths ?? unknown;
  const result = graphic("svg", {
    viewBox: `0 0 ${side} ${side}`, width: size, height: size, "aria-hidden": "true", focusable: "false", class: "symbol",
  });
  if (areas) result.append(graphic("path", { d: areas, fill: "currentColor" }));
  if (lines) {
    result.append(graphic("path", {
      d: lines, fill: "none", stroke: "currentColor", "stroke-width": lineWidth, "stroke-linecap": "round", "stroke-linejoin": "round",
    }));
  }
  return result;
}

function place(node, frame) {
  node.style.transform = `translate(${frame.x}px, ${frame.y}px)`;
  node.style.width = `${frame.width}px`;
  node.style.height = `${frame.height}px`;
}

/** Scripts without spaces between words: a line of them may end within a word. */
const spaceless = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]";
const isWithinWord = new RegExp(`${spaceless}\n${spaceless}`, "u");

/** What stands between two lines of one text where it is copied or searched. */
function lineSeparator(line, next) {
  return isWithinWord.test(`${line.text.slice(-1)}\n${next.text.slice(0, 1)}`) ? "" : " ";
}

/** The lines of a text as one. */
function joined({ lines }) {
  return lines.map((line, index) => (index === 0 ? "" : lineSeparator(lines[index - 1], line)) + line.text).join("");
}

function drawText(text, frame) {
  return text.lines.flatMap((line, index) => {
    const node = element("span", { class: `line ${text.color} ${text.font.weight}${text.font.italic ? " italic" : ""}` });
    node.textContent = line.text;
    node.style.fontSize = `${text.font.size}px`;
    // A strut of this height ends at the baseline: its place does not depend on how the browser rounds font metrics.
    node.style.setProperty("--rise", `${text.font.size}px`);
    const y = frame.y + line.baseline - text.font.size;
    node.style.transform = `translate(${frame.x + line.x}px, ${y}px)`;
    if (rightToLeft.test(line.text)) node.dir = "rtl";
    // Pango shapes the ellipsis of a cut line by itself, so it is not kerned there.
    if (!covered.test(line.text) || line.text.endsWith("…")) node.dataset.fit = line.width;
    return index === 0 ? [node] : [lineSeparator(text.lines[index - 1], line), node];
  });
}


function texts(view) {
  const own = view.text ? [joined(view.text)] : [];
  return [...own, ...(view.views ?? []).flatMap(texts)].filter((text) => text !== "");
}

function labelOf(view) {
  const text = texts(view).join(", ");
  if (text) return text;
  const command = view.action?.command;
  if (command) return commandNames[command.name] ?? command.name;
  return view.action?.open ?? "";
}

/** Creates the element of an action: a link or a button. */
function control(view, context) {
  if (view.action.open !== undefined) {
    const link = safeLink(view.action.open);
    if (link === null) return element("div", { class: "part", title: "The address of this link is refused." });
    const isWeb = /^https?:/.test(link);
    return element("a", {
      class: "part", href: link, rel: "noopener noreferrer nofollow", target: isWeb ? "_blank" : null, draggable: "false",
    });
  }
  const button = element("button", { class: "part", type: "button" });
  const { command } = view.action;
  if (command.name === "setExpanded") button.setAttribute("aria-expanded", String(!command.expanded));
  button.dataset.command = command.name;
  button.addEventListener("click", () => context.perform(command, button));
  return button;
}

/** Draws a view and what is in it. `origin` is the place of the view's parent within `target`. */
function draw(view, origin, target, context, rows) {
  const frame = { ...view.frame, x: origin.x + view.frame.x, y: origin.y + view.frame.y };
  let inner = target;
  let start = { x: frame.x, y: frame.y };
  // A control inside of a control is no valid HTML: the inner one stands beside the outer one then.
  const isPart = view.kind === "row" || view.action;
  const followsText = target.textContent !== "";
  if (isPart) {
    const node = view.action ? control(view, context) : element("div", { class: "part" });
    if (view.kind === "row") {
      node.classList.add("row");
      rows.push(node);
    }
    place(node, frame);
    if (node.matches("a, button") && texts(view).length === 0) node.setAttribute("aria-label", labelOf(view));
    target.append(node);
    inner = node;
    start = { x: 0, y: 0 };
  }
  // Each text is on a line of its own where it is copied.
  if (view.text && inner.textContent !== "") inner.append("\n");
  if (view.text) inner.append(...drawText(view.text, { ...view.frame, ...(isPart ? { x: 0, y: 0 } : frame) }));
  if (view.image) {
    const node = icon(view.image.symbol, Math.min(view.frame.width, view.frame.height));
    node.classList.add(view.image.color);
    place(node, isPart ? { ...view.frame, x: 0, y: 0 } : frame);
    inner.append(node);
  }
  if (view.kind === "divider") {
    const node = element("div", { class: "divider" });
    place(node, frame);
    inner.append(node);
  }
  for (const child of view.views ?? []) {
    const nested = isPart && view.action && child.action;
    if (nested) draw(child, frame, target, context, rows);
    else draw(child, start, inner, context, rows);
  }
  if (isPart && followsText && inner.textContent !== "") inner.before("\n");
}

/** The words of a layout. */
export function layoutWords(layout) {
  return layout.views.flatMap(texts).join("\n");
}

/** Draws a layout. Returns the elements and the rows among them, in the order of the layout. */
export function drawLayout(layout, context) {
  const fragment = document.createDocumentFragment();
  const rows = [];
  for (const view of layout.views) draw(view, { x: 0, y: 0 }, fragment, context, rows);
  return { fragment, rows };
}

function fit(lines, zoom) {
  for (const line of lines) line.style.transform = line.style.transform.replace(/ ?scaleX\([^)]*\)/, "");
  const range = document.createRange();
  const widths = lines.map((line) => {
    range.selectNodeContents(line);
    return range.getBoundingClientRect().width / zoom;
  });
  lines.forEach((line, index) => {
    const wanted = Number(line.dataset.fit);
    if (widths[index] > 0 && Math.abs(widths[index] - wanted) > 0.5) {
      line.style.transform += ` scaleX(${wanted / widths[index]})`;
    }
  });
}

/**
 * Stretches lines in other scripts to the width that the layout measured, as the SVG does with `textLength`.
 *
 * The first line of a script starts the load of its font, so lines are fitted once more when all fonts are there.
 */
export function fitLines(root) {
  const lines = [...root.querySelectorAll("[data-fit]")];
  if (lines.length === 0) return;
  const zoom = Number(root.style.zoom) || 1;
  fit(lines, zoom);
  if (document.fonts.status === "loading") document.fonts.ready.then(() => fit(lines.filter((line) => line.isConnected), zoom));
}
