// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Push messages for the service worker. A message names a widget and a cycle; pages fetch the content themselves.

/** Tells open pages that a widget has changed, and shows a notification if the message wants one. */
export async function receivePush(scope, data) {
  const message = read(data);
  if (!message) return;
  for (const page of await scope.clients.matchAll({ type: "window" })) page.postMessage({ push: message.subject });
  if (message.action !== "notify") return;
  // A notification replaces the previous one with the same tag.
  await scope.registration.showNotification(message.title ?? "Tidings", {
    body: message.text ?? "",
    tag: message.subject,
    icon: new URL("page/icon.svg", scope.registration.scope).href,
    data: message.subject,
  });
}

/** Opens the page after a click on a notification, or shows it if it is open. */
export async function openPage(scope, notification) {
  notification.close();
  const [page] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  await (page ? page.focus() : scope.clients.openWindow(scope.registration.scope));
}

/** The subscription of this browser for a key (base64url). A subscription with another key is replaced. */
export async function subscription(registration, publicKey) {
  const key = bytes(publicKey);
  const current = await registration.pushManager.getSubscription();
  if (current && sameBytes(new Uint8Array(current.options.applicationServerKey ?? []), key)) return current;
  await current?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function read(data) {
  try {
    const message = data?.json();
    return typeof message?.subject === "string" ? message : undefined;
  } catch (error) {
    console.info("A push message cannot be read.", error.message);
    return undefined;
  }
}

function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

function sameBytes(left, right) {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
