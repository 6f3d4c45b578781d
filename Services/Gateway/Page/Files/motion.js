// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Slides rows from one layout to the next. Positions are transforms, so nothing else is laid out again.

import { reducesMotion } from "./base.js";

export const milliseconds = 250;
const timing = { duration: milliseconds, easing: "cubic-bezier(0.2, 0, 0, 1)", fill: "none" };

/** For each row of the new layout its index in the old one, or -1 for an inserted row. */
export function oldIndices(changes, oldCount, newCount) {
  const inserted = new Set(changes.inserted ?? []);
  const deleted = new Set(changes.deleted ?? []);
  const result = new Array(newCount).fill(-1);
  const movedFrom = new Set();
  for (const move of changes.moved ?? []) {
    result[move.to] = move.from;
    movedFrom.add(move.from);
  }
  const movedTo = new Set((changes.moved ?? []).map((move) => move.to));
  const staying = [];
  for (let index = 0; index < oldCount; index += 1) {
    if (!deleted.has(index) && !movedFrom.has(index)) staying.push(index);
  }
  let next = 0;
  for (let index = 0; index < newCount; index += 1) {
    if (inserted.has(index) || movedTo.has(index)) continue;
    if (next < staying.length) result[index] = staying[next];
    next += 1;
  }
  return result;
}

/**
 * Animates from the old rows to the new ones.
 *
 * @param surface the element that holds the new rows
 * @param before the old rows, still with their styles but outside of the document
 * @param after the new rows
 * @param changes the row changes of the update
 */
export function slideRows(surface, before, after, changes) {
  if (reducesMotion()) return;
  const origins = oldIndices(changes, before.length, after.length);
  after.forEach((row, index) => {
    const place = row.style.transform;
    const old = origins[index] >= 0 ? before[origins[index]] : null;
    if (old) {
      if (old.style.transform !== place) row.animate([{ transform: old.style.transform }, { transform: place }], timing);
    } else {
      row.animate([{ opacity: 0, transform: `${place} translateY(-16px)` }, { opacity: 1, transform: place }], timing);
    }
  });
  for (const index of changes.deleted ?? []) {
    const row = before[index];
    if (!row) continue;
    row.inert = true;
    row.setAttribute("aria-hidden", "true");
    row.classList.add("leaving");
    surface.append(row);
    const place = row.style.transform;
    row.animate([{ opacity: 1, transform: place }, { opacity: 0, transform: `${place} translateY(16px)` }], timing)
      .finished.then(() => row.remove(), () => row.remove());
  }
}

/** Moves an element to a place, sliding there if it is visible. */
export function slideTo(node, transform, isAnimated) {
  const before = node.style.transform;
  if (before === transform) return;
  node.style.transform = transform;
  if (isAnimated && before && !reducesMotion()) node.animate([{ transform: before }, { transform }], timing);
}

/** Lets an element's height follow its content. */
export function resize(node, height, isAnimated) {
  const before = node.style.height;
  const after = `${height}px`;
  if (before === after) return;
  node.style.height = after;
  if (isAnimated && before && !reducesMotion()) node.animate([{ height: before }, { height: after }], timing);
}
