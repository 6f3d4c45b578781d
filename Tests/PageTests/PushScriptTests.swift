// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

/// Tests of push messages in the service worker, in Node with the interfaces of a browser.
@Suite struct PushScriptTests {
    @Test func pushMessagesRefreshPagesAndShowNotifications() async throws {
        try await PageScript.run { modules in
            """
            import assert from "node:assert/strict";
            import { openPage, receivePush, subscription } from "\(modules)push.js";
            const posted = [], shown = [], opened = [];
            const page = { postMessage: (message) => posted.push(message), focus: async () => opened.push("focus") };
            let pages = [page];
            const scope = {
              clients: { matchAll: async () => pages, openWindow: async (address) => opened.push(address) },
              registration: {
                scope: "https://example.org/tidings/",
                showNotification: async (title, options) => shown.push({ title, ...options }),
              },
            };
            const push = (value) => receivePush(scope, value && { json: () => JSON.parse(value) });

            // A refresh is silent.
            await push('{"action":"refresh","subject":"widget/news"}');
            assert.deepEqual(posted, [{ push: "widget/news" }]);
            assert.equal(shown.length, 0);
            // A notification has the widget as its tag, so a newer one replaces it.
            await push('{"action":"notify","subject":"widget/news","title":"News","text":"One headline"}');
            assert.deepEqual(shown, [{
              title: "News", body: "One headline", tag: "widget/news",
              icon: "https://example.org/tidings/page/icon.svg", data: "widget/news",
            }]);
            // Data that is no message has no effect.
            for (const value of [undefined, "x", "{}", '{"subject":7}', "null"]) await push(value);
            assert.equal(posted.length, 2);
            assert.equal(shown.length, 1);

            let closed = 0;
            const notification = { close: () => { closed += 1; } };
            await openPage(scope, notification);
            pages = [];
            await openPage(scope, notification);
            assert.deepEqual(opened, ["focus", "https://example.org/tidings/"]);
            assert.equal(closed, 2);

            // A subscription with another key is of no use.
            let ended = 0;
            const made = [];
            const pushManager = {
              current: null,
              getSubscription: async () => pushManager.current,
              subscribe: async (options) => {
                made.push(options);
                pushManager.current = {
                  options: { applicationServerKey: options.applicationServerKey.buffer },
                  unsubscribe: async () => { ended += 1; },
                };
                return pushManager.current;
              },
            };
            const first = await subscription({ pushManager }, "BA_-");
            assert.deepEqual([...made[0].applicationServerKey], [4, 15, 254]);
            assert.equal(made[0].userVisibleOnly, true);
            assert.equal(await subscription({ pushManager }, "BA_-"), first);
            await subscription({ pushManager }, "BA_9");
            assert.equal(made.length, 2);
            assert.equal(ended, 1);
            """
        }
    }

    @Test func aBrowserRegistersForTheWidgetsThatItsUserChose() async throws {
        try await PageScript.run { modules in
            """
            import assert from "node:assert/strict";
            const stored = new Map(), sent = [];
            let permission = "granted", status = 200, subscribed = null, conflicts = 0;
            const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
            // Node 18 has no global for it.
            define("crypto", (await import("node:crypto")).webcrypto);
            define("document", { baseURI: "https://example.org/tidings/" });
            define("localStorage", { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) });
            define("Notification", { requestPermission: async () => permission });
            define("PushManager", class {});
            const pushManager = {
              getSubscription: async () => subscribed,
              subscribe: async (options) => (subscribed = {
                options: { applicationServerKey: options.applicationServerKey.buffer },
                unsubscribe: async () => { subscribed = null; },
                toJSON: () => ({ endpoint: "https://push.example/1", expirationTime: null, keys: { p256dh: "p", auth: "a" } }),
              }),
            };
            define("navigator", { serviceWorker: { getRegistration: async () => ({ pushManager }) } });
            define("fetch", async (url, { method = "GET", body, headers }) => {
              sent.push([method, new URL(url).pathname, body && JSON.parse(body), headers.Authorization]);
              if (method === "PUT" && conflicts > 0) {
                conflicts -= 1;
                return { ok: false, status: 409, json: async () => ({ title: "Conflict" }) };
              }
              const answer = url.endsWith("pushKey") ? { publicKey: "BA_-" } : status === 200 ? {} : { title: "Gone" };
              return { ok: status === 200 || method === "GET", status: method === "GET" ? 200 : status, json: async () => answer };
            });
            stored.set("tidings.token /tidings/", "td_1");
            const { Pushes } = await import("\(modules)pushes.js");
            assert.ok(Pushes.isPossible);

            const pushes = new Pushes();
            await pushes.renew();
            assert.equal(sent.length, 0, "nothing was chosen");
            await pushes.set("news", "notify");
            await pushes.set("blog", "refresh");
            const [method, path, body, token] = sent.at(-1);
            assert.deepEqual(body, {
              kind: "webPush", subscription: { endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } },
              widgets: ["blog", "news"], notify: ["news"],
            });
            assert.equal(method, "PUT");
            assert.equal(token, "Bearer td_1");
            assert.match(path, /^\\/tidings\\/v1\\/devices\\/[0-9a-f-]{36}$/);
            // Another page of the browser knows the choice and is the same device.
            const later = new Pushes();
            assert.equal(later.get("news"), "notify");
            await later.renew();
            assert.equal(sent.at(-1)[1], path);
            // An id that another access token has registered is replaced, once.
            conflicts = 1;
            await later.renew();
            const renewed = sent.at(-1)[1];
            assert.notEqual(renewed, path);
            await later.renew();
            assert.equal(sent.at(-1)[1], renewed);
            conflicts = 2;
            await assert.rejects(later.renew(), { status: 409 });
            // A choice that the gateway or the browser refuses is not kept.
            status = 503;
            await assert.rejects(later.set("third", "notify"));
            status = 200;
            permission = "denied";
            await assert.rejects(later.set("third", "notify"), /does not allow/);
            assert.equal(later.get("third"), "");
            // Without widgets, the device and its subscription end, even if the gateway does not know it any more.
            await later.set("news", "");
            status = 404;
            await later.set("blog", "");
            assert.equal(sent.at(-1)[0], "DELETE");
            assert.equal(subscribed, null);
            """
        }
    }
}
