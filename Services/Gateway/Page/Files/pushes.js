// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// The pushes of this browser, for each widget: none, a silent refresh of open pages, or a notification.

import { fetchJSON } from "./base.js";
import { subscription } from "./push.js";
import { authorization } from "./session.js";

const key = `tidings.pushes ${new URL("./", document.baseURI).pathname}`;

export class Pushes {
  /** The id of this browser, and the choice for each widget. */
  #values;

  constructor() {
    this.#values = Pushes.#stored();
  }

  /** A Boolean value that indicates whether the browser can receive pushes for this page. */
  static get isPossible() {
    return "PushManager" in globalThis && "serviceWorker" in navigator && "Notification" in globalThis;
  }

  /** The choice for a widget: "refresh", "notify", or an empty text. */
  get(widget) {
    return this.#values.widgets[widget] ?? "";
  }

  /** Changes the choice for a widget. Throws if the browser or the gateway refuses. */
  async set(widget, choice) {
    // A browser subscribes only if it may show notifications.
    if (choice && (await Notification.requestPermission()) !== "granted") {
      throw new Error("The browser does not allow notifications of this page.");
    }
    const widgets = { ...this.#values.widgets };
    if (choice) widgets[widget] = choice;
    else delete widgets[widget];
    await this.#register(widgets);
    this.#values = { ...this.#values, widgets };
    this.#store();
  }

  /** Registers the browser again, which keeps the registration for another 60 days. */
  async renew() {
    if (Object.keys(this.#values.widgets).length > 0) await this.#register(this.#values.widgets);
  }

  async #register(widgets) {
    const worker = await navigator.serviceWorker.getRegistration();
    if (!worker) throw new Error("The browser has not installed the service worker of this page.");
    const path = `v1/devices/${this.#values.device}`;
    const names = Object.keys(widgets).sort();
    if (names.length === 0) {
      await remove(path);
      await (await worker.pushManager.getSubscription())?.unsubscribe();
      return;
    }
    const { publicKey } = await fetchJSON("v1/pushKey");
    const { endpoint, keys } = (await subscription(worker, publicKey)).toJSON();
    const notify = names.filter((name) => widgets[name] === "notify");
    const request = {
      method: "PUT",
      body: JSON.stringify({ kind: "webPush", subscription: { endpoint, keys }, widgets: names, notify }),
      headers: { "Content-Type": "application/json", ...authorization() },
    };
    try {
      await fetchJSON(path, request);
    } catch (error) {
      // Another access token has registered this id with another subscription.
      if (error.status !== 409) throw error;
      const device = crypto.randomUUID();
      await fetchJSON(`v1/devices/${device}`, request);
      this.#values = { ...this.#values, device };
      this.#store();
    }
  }

  #store() {
    try {
      localStorage.setItem(key, JSON.stringify(this.#values));
    } catch {
      // Private windows may refuse; the choice then lasts as long as the page.
    }
  }

  static #stored() {
    const initial = { device: crypto.randomUUID(), widgets: {} };
    try {
      return { ...initial, ...JSON.parse(localStorage.getItem(key)) };
    } catch {
      return initial;
    }
  }
}

async function remove(path) {
  try {
    await fetchJSON(path, { method: "DELETE", headers: authorization() });
  } catch (error) {
    // The registration has expired, or the push service has ended it; or another access token has made it, and it ends with
    // the subscription.
    if (error.status !== 404 && error.status !== 409) throw error;
  }
}
