// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
//
// Follows the updates over server-sent events, in Node and in browsers, without packages. Prints each update once, in the
// order of each widget, and reconnects if the gateway restarts.
//
// usage: node events.mjs [URL [COUNT]]

/** Calls `show` with each update; ends when it returns false. */
export async function follow(url, show) {
    const last = new Map(); // widget -> sequence; all have 20 digits, so text order is number order
    let lastEventID = "";
    for (let pause = 1000; ; pause = Math.min(pause * 2, 30000)) {
        try {
            const headers = lastEventID ? { "Last-Event-ID": lastEventID } : {};
            const response = await fetch(url, { headers });
            if (!response.ok) throw new Error(`status ${response.status}`);
            pause = 1000;
            for await (const event of events(response.body)) {
                if (event.id) lastEventID = event.id;
                if (event.event !== "update") continue;
                const update = JSON.parse(event.data);
                // After a reconnect, an update may arrive again.
                if (update.sequence <= (last.get(update.subject) ?? "")) continue;
                last.set(update.subject, update.sequence);
                if (show(update) === false) return;
            }
        } catch (error) {
            console.error(`${error.message}; connecting again`);
        }
        // Full jitter, so that many readers do not reconnect at the same time.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pause));
    }
}

/** Yields the events of a stream (WHATWG HTML 9.2), each with its fields. */
async function* events(body) {
    let text = "";
    for await (const bytes of body.pipeThrough(new TextDecoderStream())) {
        text += bytes;
        for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
            const event = {};
            for (const line of text.slice(0, end).split("\n")) {
                const colon = line.indexOf(":");
                if (colon <= 0) continue; // a comment
                const name = line.slice(0, colon);
                const value = line.slice(colon + 1).replace(/^ /, "");
                event[name] = name === "data" && event.data !== undefined ? `${event.data}\n${value}` : value;
            }
            yield event;
        }
    }
}

if (typeof process !== "undefined" && process.argv[1]?.endsWith("events.mjs")) {
    const url = process.argv[2] ?? "http://127.0.0.1:8080/v1/events?snapshot=1";
    let left = Number(process.argv[3] ?? Infinity);
    await follow(url, (update) => {
        console.log(`${update.subject} ${update.sequence} ${update.data.result} ${update.data.summary}`);
        left -= 1;
        return left > 0;
    });
    process.exit(0);
}
