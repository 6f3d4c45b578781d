// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

/// Tests of the pictures of boards on the page, in Node with the interfaces of a browser.
@Suite struct BoardScriptTests {
    /// Returns a script that loads a kiosk, from a gateway that `body` changes.
    private static func kiosk(_ modules: String, _ body: String) -> String {
        """
        import assert from "node:assert/strict";
        const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
        class Place {
          dataset = {};
          children = [];
          setAttribute() {}
          addEventListener(name, listener) { this[name] = listener; }
          append(...places) { this.children.push(...places); }
          querySelector(name) { return this.children.find((child) => child.name === name); }
        }
        const create = (name) => Object.assign(new Place(), { name, src: "" });
        const list = create("div"), note = create("p"), planned = [], waiting = [];
        define("document", { baseURI: "https://example.org/", documentElement: create("html"), createElement: create });
        define("devicePixelRatio", 1);
        define("matchMedia", () => create("media"));
        define("localStorage", { getItem: () => null });
        define("setTimeout", (body) => planned.push(body));
        define("clearTimeout", () => {});
        URL.createObjectURL = (blob) => blob;
        URL.revokeObjectURL = () => {};

        // The digests of the updates, of the picture and of its document.
        const gateway = { updates: "a", png: "a", json: "a", status: 200, isSlow: false };
        const answer = (body, digest, status = 200) => ({
          ok: status === 200, status, headers: new Headers({ ETag: `"${digest}"` }), json: async () => body, blob: async () => body,
        });
        define("fetch", async (url, options) => {
          assert.ok(options?.signal, "each request has a timeout");
          const { updates, png, json, status, isSlow } = gateway;
          if (String(url).endsWith("v1/boards")) {
            return answer({ boards: [{ id: "kitchen", width: 800, height: 480, digest: updates, cells: [] }] });
          }
          if (String(url).endsWith(".json")) return answer({ etag: `"${json}"`, digest: json, isCurrent: json === updates }, json);
          if (isSlow) await new Promise((resolve) => waiting.push(resolve));
          return answer(png, png, status);
        });
        const { Boards } = await import("\(modules)boards.js");
        const section = { querySelector: (name) => (name === "p" ? note : list) };
        const boards = new Boards(section, new URLSearchParams("kiosk&board=kitchen"));
        const load = async (changes) => {
          Object.assign(gateway, changes);
          await boards.load();
          for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        };
        \(body)
        """
    }

    @Test func aKioskRequestsAnEarlierPictureAgainAndShowsNoneAfterALaterOne() async throws {
        try await PageScript.run { modules in
            Self.kiosk(
                modules,
                """
                await load({});
                const picture = list.children[0].querySelector("img");
                await load({});
                assert.equal(planned.length, 0);

                // The gateway cannot draw the second picture, and can when its document is requested.
                await load({ updates: "b", json: "b" });
                assert.equal(planned.length, 1, "an earlier picture is requested again");
                await load({ png: "b" });
                assert.equal(planned.length, 1);
                assert.equal(picture.src, "b");

                // An answer that comes after that of a later request is dropped.
                await load({ updates: "c", isSlow: true });
                await load({ updates: "d", png: "d", json: "d", isSlow: false });
                waiting.pop()();
                await load({});
                assert.equal(picture.src, "d");
                assert.equal(planned.length, 1);
                """
            )
        }
    }

    @Test func aKioskRequestsAPictureAgainUnlessThereIsNoSuchBoard() async throws {
        try await PageScript.run { modules in
            Self.kiosk(
                modules,
                """
                await load({ status: 503 });
                const picture = list.children[0].querySelector("img");
                assert.equal(picture.hidden, true);
                assert.equal(planned.length, 1, "a picture that is not there yet is requested again");
                await load({ status: 404 });
                assert.equal(planned.length, 1, "a board that was removed is not");
                await load({ status: 200 });
                assert.equal(picture.hidden, false);
                assert.equal(planned.length, 1);
                """
            )
        }
    }
}
