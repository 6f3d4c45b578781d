// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// One script for both kinds of worker: the shared worker owns the event stream of all tabs; the service worker keeps the
// page and its last state for times without the gateway.

import { openPage, receivePush } from "./page/push.js";
import { Stream } from "./page/stream.js";

const cacheName = "tidings-1";
const keepDelayMilliseconds = 500;
/** The last answer to each address that is not kept yet. */
const waiting = new Map();
/** The entity tags of answers that this worker has kept or found kept. */
const keptTags = new Map();

if ("onconnect" in self) {
  const ports = new Set();
  const stream = new Stream(self.location.href, (message) => {
    for (const port of ports) port.postMessage(message);
  });
  let isStarted = false;
  self.addEventListener("connect", (event) => {
    const [port] = event.ports;
    ports.add(port);
    port.addEventListener("message", ({ data }) => {
      if (data === "leave") ports.delete(port);
      if (data === "reopen") stream.reopen();
    });
    port.start();
    for (const message of stream.current) port.postMessage(message);
    if (!isStarted) stream.start();
    isStarted = true;
  });
} else {
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(activate()));
  self.addEventListener("fetch", (event) => {
    if (isKept(event.request)) event.respondWith(answer(event));
  });
  self.addEventListener("message", (event) => event.waitUntil(Promise.all(event.data.map(keepLoaded))));
  self.addEventListener("push", (event) => event.waitUntil(receivePush(self, event.data)));
  self.addEventListener("notificationclick", (event) => event.waitUntil(openPage(self, event.notification)));
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("tidings-") && name !== cacheName) await caches.delete(name);
  }
  // The page is asked for while this worker starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A Boolean value that indicates whether an answer is kept: pages, their files, the list of widgets and layouts. */
function isKept(request) {
  if (request.method !== "GET") return false;
  const base = new URL("./", self.location.href);
  const url = new URL(request.url);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return false;
  const path = url.pathname.slice(base.pathname.length);
  return path === "" || path === "operations" || path === "worker.js" || path.startsWith("page/") || path === "v1/widgets" || path === "v1/displays"
    || (path.startsWith("widgets/") && path.endsWith(".json"));
}

/** The network's answer, or the last one if the gateway cannot be reached. Fonts never change under their names. */
async function answer(event) {
  const { request } = event;
  if (request.destination === "font") {
    const kept = await lastAnswer(request);
    if (kept) return kept;
  }
  try {
    const response = (await event.preloadResponse) ?? (await fetch(request));
    if (isNew(request, response)) event.waitUntil(keep(request, response.clone()));
    return response;
  } catch (error) {
    const kept = await lastAnswer(request);
    if (kept) return kept;
    throw error;
  }
}

/** A Boolean value that indicates whether an answer is complete, and not the one that is kept already. */
function isNew({ url }, { status, headers }) {
  if (status !== 200) return false;
  const tag = headers.get("ETag");
  const last = waiting.has(url) ? waiting.get(url).headers.get("ETag") : keptTags.get(url);
  return !tag || tag !== last;
}

async function lastAnswer(request) {
  const response = waiting.get(request.url);
  if (response) return response.clone();
  const cache = await caches.open(cacheName);
  return cache.match(request, { ignoreVary: true });
}

/** Keeps an answer that a page got before this worker controlled it. The browser's cache usually still has it. */
async function keepLoaded(url) {
  const request = new Request(url);
  if (!isKept(request)) return;
  try {
    const response = await fetch(request);
    if (isNew(request, response)) await keep(request, response);
  } catch (error) {
    console.info(`${url} is not kept for offline use.`, error.message);
  }
}

/** Keeps the last complete answer to a request, unless the same one is kept already. The page is drawn first. */
async function keep(request, received) {
  const { status, statusText, headers } = received;
  waiting.set(request.url, new Response(await received.arrayBuffer(), { status, statusText, headers }));
  await new Promise((resolve) => setTimeout(resolve, keepDelayMilliseconds));
  const response = waiting.get(request.url);
  if (!response) return;
  const tag = response.headers.get("ETag");
  try {
    const cache = await caches.open(cacheName);
    const kept = tag && (await cache.match(request, { ignoreVary: true }));
    if (!kept || kept.headers.get("ETag") !== tag) await cache.put(request, response.clone());
    if (tag) keptTags.set(request.url, tag);
  } finally {
    if (waiting.get(request.url) === response) waiting.delete(request.url);
  }
}
