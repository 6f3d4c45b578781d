// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { address } from "./base.js";

/** The only addresses that may become a worker's script. */
const workerAddress = address("worker.js");
const policy = globalThis.trustedTypes?.createPolicy("tidings", {
  createScriptURL(url) {
    if (url !== workerAddress) throw new TypeError(`${url} is not the worker of this page.`);
    return url;
  },
});
const workerURL = policy ? policy.createScriptURL(workerAddress) : workerAddress;

/** Calls `listener` with the messages of the browser's one event stream. Returns a function that reopens it. */
export async function connect(listener) {
  if ("SharedWorker" in globalThis) {
    const worker = new SharedWorker(workerURL, { type: "module", name: "tidings" });
    worker.port.addEventListener("message", ({ data }) => listener(data));
    worker.port.start();
    addEventListener("pagehide", (event) => {
      if (!event.persisted) worker.port.postMessage("leave");
    });
    return () => worker.port.postMessage("reopen");
  }
  const { Stream } = await import("./stream.js");
  const stream = new Stream(document.baseURI, listener);
  stream.start();
  return () => stream.reopen();
}

/** Keeps the page for times without the gateway. Browsers allow it over HTTPS and on localhost. */
export async function keepForOffline() {
  const container = navigator.serviceWorker;
  if (!container) return;
  // At the first visit, all was loaded before the worker controls the page.
  if (!container.controller) container.addEventListener("controllerchange", handOver, { once: true });
  try {
    await container.register(workerURL, { type: "module" });
  } catch (error) {
    console.info("The page is not kept for offline use.", error.message);
  }
}

/** Posts the addresses of resources that were loaded without the worker, including later ones. */
function handOver() {
  const { controller } = navigator.serviceWorker;
  const observer = new PerformanceObserver((list) => {
    const loaded = list.getEntries().filter((entry) => entry.workerStart === 0);
    controller.postMessage(loaded.map((entry) => entry.name));
  });
  observer.observe({ type: "resource", buffered: true });
  // The shared worker has loaded the stream, which is none of the page's resources.
  controller.postMessage([location.href, workerAddress, address("page/stream.js")]);
}
