// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { duration } from "./words.js";

const names = {
  bus: "The bus", fetcher: "The fetcher", cache: "The cache", layout: "The layout service", notifier: "The notifier",
  delivery: "The delivery service",
};

const effects = {
  bus: "Nothing new arrives until it is back.",
  fetcher: "No source is asked until it is back.",
  cache: "No widget changes until it is back.",
  layout: "No widget changes until it is back.",
  notifier: "No verdict arrives until it is back.",
};

/** Instances of a health document, whichever way it groups them. */
export function instancesOf(body) {
  const list = Array.isArray(body?.instances) ? body.instances : Array.isArray(body?.services) ? body.services : [];
  return list.map((entry) => {
    const health = entry.health ?? entry.data ?? entry;
    const [service, instance] = (entry.subject ?? "").split("/");
    return { ...health, service: entry.service ?? service, instance: entry.instance ?? instance };
  });
}

/** Connection state and health of the services as one sentence, and whether it is worth a banner. */
export class Status {
  #stream = "connecting";
  #health = null;
  #lostSince = null;
  #downSince = new Map();

  take(message) {
    if (message.type === "state") {
      this.#stream = message.state;
      this.#lostSince = message.state === "lost" ? (this.#lostSince ?? Date.now()) : null;
    }
    if (message.type === "health") {
      this.#health = message;
      if (message.status === 0) this.#lostSince ??= message.at;
      else if (this.#stream === "live") this.#lostSince = null;
    }
  }

  get needsToken() {
    return this.#health?.status === 401 || this.#health?.status === 403;
  }

  /** The stopped services, with the time since when. */
  #stopped() {
    const body = this.#health?.body;
    const now = Date.now();
    const states = new Map();
    for (const { service, state, lastHeard, since } of instancesOf(body)) {
      if (!service) continue;
      const isUp = state !== "gone" && state !== "stopping" && state !== "stopped";
      const entry = states.get(service) ?? { isUp: false, since: null };
      entry.isUp ||= isUp;
      entry.since ??= since ?? lastHeard ?? null;
      states.set(service, entry);
    }
    for (const service of body?.missing ?? []) states.set(service, { isUp: false, since: null });
    if (body?.bus === false || body?.bus?.state === "lost" || body?.isConnected === false) states.set("bus", { isUp: false, since: body.bus?.since ?? null });
    const result = [];
    for (const [service, entry] of states) {
      if (entry.isUp) {
        this.#downSince.delete(service);
        continue;
      }
      const since = entry.since ? Date.parse(entry.since) : (this.#downSince.get(service) ?? now);
      this.#downSince.set(service, since);
      result.push({ service, since });
    }
    return result;
  }

  /** `{state, text, banner}`; the banner is null if everything is well. */
  get summary() {
    if (!navigator.onLine) {
      return { state: "offline", text: "Offline", banner: "This device is offline. The page shows the last state." };
    }
    if (this.#health?.status === 0 || (this.#stream === "lost" && !this.#health)) {
      const since = this.#lostSince ? ` for ${duration(Math.max(1_000, Date.now() - this.#lostSince))}` : "";
      return {
        state: "lost", text: "Not connected",
        banner: `The gateway has not answered${since}. The widgets show their last state; the page connects again by itself.`,
      };
    }
    const stopped = this.#stopped();
    if (stopped.length > 0) {
      // Without the bus the other services cannot be heard, so their silence says nothing.
      const shown = stopped.find((entry) => entry.service === "bus") ? stopped.filter((entry) => entry.service === "bus") : stopped;
      const sentences = shown.map(({ service, since }) => {
        const name = names[service] ?? `The service ${service}`;
        return `${name} has not been heard for ${duration(Math.max(1_000, Date.now() - since))}. ${effects[service] ?? ""}`.trim();
      });
      return { state: "degraded", text: "Degraded", banner: sentences.join(" ") };
    }
    if (this.#stream === "lost") return { state: "lost", text: "Connecting again", banner: null };
    if (this.#stream === "connecting") return { state: "connecting", text: "Connecting", banner: null };
    return { state: "live", text: "Live", banner: null };
  }
}
