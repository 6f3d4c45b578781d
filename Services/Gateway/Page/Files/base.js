// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { authorization, signInAgain } from "./session.js";

/** Returns the absolute address of a path below the page's base path. */
export function address(path) {
  return new URL(path, document.baseURI).href;
}

/** A request that the gateway refused, or that did not reach it (status 0). */
export class RequestError extends Error {
  constructor(status, title, detail) {
    super(detail ?? title);
    this.status = status;
    this.title = title;
  }
}

const timeoutMilliseconds = 15_000;

function send(path, options) {
  return fetch(address(path), {
    credentials: "same-origin",
    signal: AbortSignal.timeout(options.timeout ?? timeoutMilliseconds),
    ...options,
    headers: { Accept: "application/json", ...options.headers },
  });
}

/** Fetches JSON. Throws `RequestError` with the text of the problem document (RFC 9457) if there is one. */
export async function fetchJSON(path, options = {}) {
  let response;
  try {
    response = await send(path, options);
    // The session has ended, and the browser still has its token.
    const isRead = !options.method && !options.headers;
    if (response.status === 401 && isRead && (await signInAgain())) response = await send(path, options);
  } catch {
    throw new RequestError(0, "The gateway cannot be reached.");
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok && response.status !== 204 && response.status !== 201) {
      throw new RequestError(response.status, "The gateway answered with something that is not JSON.");
    }
  }
  if (!response.ok) {
    throw new RequestError(response.status, body?.title ?? `Status ${response.status}`, body?.detail);
  }
  return body;
}

/** Sends a JSON body with the token of this browser. */
export function post(path, body, { headers = authorization(), timeout = timeoutMilliseconds } = {}) {
  return fetchJSON(path, {
    method: "POST",
    timeout,
    body: JSON.stringify(body ?? {}),
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** Returns whether the token of this browser has the scope `admin`; false without an answer. */
export async function isAdmin() {
  try {
    return (await fetchJSON("v1/session", { headers: authorization() })).scopes.includes("admin");
  } catch {
    return false;
  }
}

export const byID = (id) => document.getElementById(id);

/** Sets a text; does nothing if it is the same, so that no screen reader repeats it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Creates an element. Attributes with the value null or false are left out; text never becomes markup. */
export function element(name, attributes = {}, ...children) {
  const result = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    result.setAttribute(key, value === true ? "" : String(value));
  }
  result.append(...children.filter((child) => child !== null && child !== undefined));
  return result;
}

/** Creates a table; each column has a name, or the nodes of its head, and a class. */
export function table(columns, rows, caption) {
  return element("table", {},
    element("caption", { class: "hidden" }, caption),
    element("thead", {}, element("tr", {}, ...columns.map(([name, style]) => element("th", { scope: "col", class: style }, ...[name].flat())))),
    element("tbody", {}, ...rows));
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** Creates an SVG element. */
export function graphic(name, attributes = {}, ...children) {
  const result = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) result.setAttribute(key, String(value));
  result.append(...children);
  return result;
}

/** A Boolean value that indicates whether the user wants less motion. */
export function reducesMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Says a sentence to users of a screen reader. */
export function announce(sentence) {
  const place = document.getElementById("announcement");
  if (place) place.textContent = sentence;
}
