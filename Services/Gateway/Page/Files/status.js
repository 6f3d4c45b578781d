// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { byID, setText } from "./base.js";
import { timeOfDay } from "./words.js";

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
  delivery: "No message reaches a destination until it is back.",
};

/** Shows a summary in the head of a page. */
export function showSummary({ state, text, banner }) {
  byID("connection").dataset.state = state;
  setText(byID("connection-text"), text);
  byID("banner").hidden = !banner;
  if (banner) setText(byID("banner"), banner);
}

/** The bus publishes each instance's health every two seconds; silence for longer than this has a cause. */
const silenceMilliseconds = 8_000;

/** The instances of a health report, with the age of what was last heard of each. */
export function instancesOf(report) {
  return (report?.body?.instances ?? []).map(({ name, at, health }) => {
    const [service, instance] = name.split("/");
    return { service, instance, at, age: Math.max(0, report.at - Date.parse(at)), ...health };
  });
}

/** Connection state and health of the services as one sentence, and whether it is worth a banner. */
export class Status {
  #stream = "connecting";
  #health = null;
  #lostSince = null;

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
  get stopped() {
    const instances = instancesOf(this.#health);
    if (instances.length === 0) return [];
    const newest = Math.min(...instances.map(({ age }) => age));
    if (newest > silenceMilliseconds) return [{ service: "bus", since: this.#health.at - newest }];
    const services = new Map();
    for (const { service, state, age, at } of instances) {
      const isUp = state !== "gone" && state !== "stopping" && age <= silenceMilliseconds;
      const entry = services.get(service) ?? { service, isUp: false, since: 0 };
      entry.isUp ||= isUp;
      entry.since = Math.max(entry.since, Date.parse(at));
      services.set(service, entry);
    }
    return [...services.values()].filter(({ isUp }) => !isUp);
  }

  /** `{state, text, banner}`; the banner is null if everything is well. */
  get summary() {
    if (this.#health?.status === 0 || (this.#stream === "lost" && !this.#health)) {
      const since = this.#lostSince ? ` since ${timeOfDay(this.#lostSince)}` : "";
      const banner = `The gateway has not answered${since}. The widgets show their last state; the page connects again by itself.`;
      // A device with only a loopback network counts as offline, too, so this alone is no reason for a banner.
      if (!navigator.onLine) return { state: "offline", text: "Offline", banner: `This device is offline. ${banner}` };
      return { state: "lost", text: "Not connected", banner };
    }
    const { stopped } = this;
    if (stopped.length > 0) {
      const sentences = stopped.map(({ service, since }) => {
        const name = names[service] ?? `The service ${service}`;
        return `${name} has not been heard since ${timeOfDay(since)}. ${effects[service] ?? ""}`.trim();
      });
      return { state: "degraded", text: "Degraded", banner: sentences.join(" ") };
    }
    if (this.#stream === "lost") return { state: "lost", text: "Connecting again", banner: null };
    if (this.#stream === "connecting") return { state: "connecting", text: "Connecting", banner: null };
    return { state: "live", text: "Live", banner: null };
  }
}
