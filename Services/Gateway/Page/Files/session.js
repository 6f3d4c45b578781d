// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The token of this browser. Reads are allowed by the session cookie, which servers at other ports of the same host name
// receive, too. Everything else needs the token in a header; this storage belongs to one host name and one port.

const base = new URL("./", document.baseURI);
const key = `tidings.token ${base.pathname}`;
const timeoutMilliseconds = 15_000;
/** The token if the browser refuses to store it, as in some private windows. */
let unstored = "";
let attempt = null;

function token() {
  try {
    return localStorage.getItem(key) ?? unstored;
  } catch {
    return unstored;
  }
}

/** A Boolean value that indicates whether this browser has a token. */
export function hasToken() {
  return token() !== "";
}

/** Keeps the token of a user who signed in; an empty one removes it. */
export function keepToken(value) {
  unstored = "";
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    unstored = value;
  }
}

/** The header of requests that need more than reading. */
export function authorization() {
  return hasToken() ? { Authorization: `Bearer ${token()}` } : {};
}

/**
 * Has the gateway set a new session cookie, once for all requests that wait for it. Returns false if there is no valid token,
 * and throws if the gateway cannot tell.
 */
export function signInAgain() {
  attempt ??= exchange().finally(() => {
    attempt = null;
  });
  return attempt;
}

async function exchange() {
  if (!hasToken()) return false;
  const response = await fetch(new URL("v1/session", base), {
    method: "POST",
    credentials: "same-origin",
    signal: AbortSignal.timeout(timeoutMilliseconds),
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: token() }),
  });
  if (response.status === 401 || response.status === 403) return false;
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return true;
}
