// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The one event stream of a browser, and the check of the gateway's health. Runs in the shared worker, or in the page
// if the browser has no shared workers.

const healthMilliseconds = 5_000;
const healthTimeout = 4_000;
/** The gateway renews the session cookie when it is an hour old. */
const renewalMilliseconds = 3_600_000;
const firstPause = 1_000;
const longestPause = 30_000;

/** Sends `{type: "update"|"start"|"state"|"health"}` to a listener. */
export class Stream {
  #base;
  #send;
  #source = null;
  #lastID = "";
  #pause = firstPause;
  #timer = null;
  #health = null;
  #state = "connecting";
  #isChecking = false;
  #failures = 0;

  constructor(base, send) {
    this.#base = base;
    this.#send = send;
  }

  start() {
    this.#open();
    this.#check();
    setInterval(() => this.#check(), healthMilliseconds);
    this.#renew();
    setInterval(() => this.#renew(), renewalMilliseconds);
  }

  /** What a new page must know. */
  get current() {
    return [{ type: "state", state: this.#state }, ...(this.#health ? [this.#health] : [])];
  }

  /** Opens the stream again at once, after a sign-in or when the network is back. */
  reopen() {
    this.#pause = firstPause;
    this.#open();
    this.#check();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#source?.close();
    const url = new URL("v1/events", this.#base);
    // The browser gives the id by itself when it reconnects; a stream that it gave up needs it in the address.
    if (this.#lastID) url.searchParams.set("since", this.#lastID);
    const source = new EventSource(url);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#pause = firstPause;
      this.#setState("live");
    });
    source.addEventListener("start", (event) => this.#send({ type: "start", start: parsed(event.data) }));
    source.addEventListener("update", (event) => {
      if (event.lastEventId) this.#lastID = event.lastEventId;
      const update = parsed(event.data);
      if (update) this.#send({ type: "update", event: update });
    });
    source.addEventListener("error", () => {
      this.#setState("lost");
      if (source.readyState !== EventSource.CLOSED) return;
      // The server refused (starting, draining, no access): browsers do not try again then. Full jitter.
      this.#timer = setTimeout(() => this.#open(), firstPause / 2 + Math.random() * this.#pause);
      this.#pause = Math.min(this.#pause * 2, longestPause);
    });
  }

  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.#send({ type: "state", state });
  }

  /** Has the gateway renew the session cookie, so that a page that stays open stays signed in. */
  async #renew() {
    try {
      await fetch(new URL("v1/session", this.#base), {
        credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(healthTimeout),
      });
    } catch {
      // The next one comes long before the session ends.
    }
  }

  async #check() {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const response = await fetch(new URL("v1/health", this.#base), {
        credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(healthTimeout),
      });
      let body = null;
      try {
        body = await response.json();
      } catch {
        // A proxy in between answered for the gateway.
      }
      // The server's clock, so that ages do not depend on this device's.
      const at = Date.parse(response.headers.get("Date")) || Date.now();
      this.#health = { type: "health", at, status: response.status, body };
      // A gateway that is back is worth a try before the pause ends.
      if (response.ok && this.#source?.readyState === EventSource.CLOSED) this.#open();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      // One late answer while events still come is no fault worth a banner.
      if (this.#failures < 2 && this.#state === "live") return;
      this.#health = { type: "health", at: Date.now(), status: 0, body: null, reason: error.name };
    } finally {
      this.#isChecking = false;
    }
    this.#send(this.#health);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
