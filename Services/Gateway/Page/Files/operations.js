// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import { byID, element, fetchJSON, post, setText, table } from "./base.js";
import { connect, keepForOffline } from "./connection.js";
import { freshness } from "./freshness.js";
import { lastMinutes, latencyPlot, verdictPlot } from "./plot.js";
import { PanelSection } from "./panels.js";
import { hasToken, keepToken } from "./session.js";
import { Settings } from "./settings.js";
import { Status, instancesOf, showSummary } from "./status.js";
import { listWidgets } from "./widgets.js";
import { age, count, dateAndTime, duration, reasonWords, timeOfDay } from "./words.js";

const refreshMilliseconds = 5_000;
const shownSources = 200;

const status = new Status();
const settings = new Settings();
const panels = new PanelSection(byID("panels-board"));
let health = null;
let last = null;
let timer = null;
let isLoading = false;
let reopen = () => {};

/** What the counters and gauges of instances mean. A name ends in `.` if it stands for all names that begin so. */
const meanings = [
  ["widgets", "Widgets that the service knows."],
  ["cycles", "Cycles that the cache committed: one for each attempt, interaction, push and midnight."],
  ["fetches", "Requests to origins that this fetcher made."],
  ["leases", "Pieces of work that the cache gave to fetchers."],
  ["outcomes", "Outcomes of fetches that the cache took."],
  ["commands", "Commands of users and scripts."],
  ["pushes", "Contents that were pushed."],
  ["updates.", "Verdicts that the notifier decided, by result."],
  ["stream.gaps", "Times that messages were missing and were asked for again. Nothing is lost by it."],
  ["stream.duplicates", "Messages that came twice and were dropped."],
  ["stream.open", "Widgets whose missing messages are asked for now."],
  ["stream.denied", "Cycles that the cache did not make: a wrong message, or cycles that a failover lost."],
  ["layout.drawn", "Layouts that were drawn."],
  ["layout.pictures", "Pictures that were drawn."],
  ["delivery.delivered", "Messages that destinations accepted."],
  ["delivery.failedAttempts", "Attempts that failed; they are repeated."],
  ["delivery.unknownOutcomes", "Attempts without an answer; they are repeated with the same id."],
  ["delivery.rejected", "Messages that destinations rejected; they were dropped."],
  ["delivery.gone", "Destinations that answered that they no longer exist."],
  ["delivery.goneDevices", "Devices that were removed because their push service no longer accepts them."],
  ["delivery.devices", "Registered phones and browsers."],
  ["delivery.disconnected", "Destinations whose MQTT broker cannot be reached."],
  ["delivery.savedByNoData", "Messages that were not sent because nothing visible changed."],
  ["delivery.savedByMerging", "Changes that were told with a later one."],
  ["delivery.budgetSpent", "Messages of the last 24 hours that budgets count."],
  ["delivery.budgetLeft", "Messages that budgets allow now."],
  ["delivery.waiting", "Widgets and boards of destinations for which something waits."],
  ["delivery.openServers", "Servers that failed repeatedly, and are left alone for a while."],
  ["gateway.eventReaders", "Event streams that are open."],
  ["gateway.eventsSent", "Events that were sent to all readers together."],
  ["gateway.eventsMerged", "Updates that were merged for slow readers."],
  ["gateway.gaps", "Times that the gateway missed updates and asked for them again."],
  ["gateway.updates", "Updates that the gateway took."],
  ["gateway.pictureCacheBytes", "Memory of cached pictures and layouts."],
  ["gateway.missedUpdateBytes", "Memory of updates for readers that connect again."],
  ["gateway.connections", "Open HTTP connections."],
  ["gateway.panel", "The panels that sleep between their requests."],
  ["gateway.requests.", "Answers by status."],
  ["gateway.refused.", "Requests that were refused, by reason."],
  ["store.bytes", "The size of the service's store on its disk, with its write-ahead log."],
  ["store.", "The service's store."],
  ["hostBlocks", "Times that a host asked to be left alone; all of its sources wait until then."],
  ["history.", "Old cycles and contents that were removed as `history` in the configuration says."],
  ["limit.", "Times that this limit was reached. The configuration or the sender needs a look."],
  ["malformed.", "Messages that could not be read."],
  ["replay.", "Requests to send missing messages again."],
];

function meaning(name) {
  return meanings.find(([known]) => name === known || (known.endsWith(".") && name.startsWith(known)))?.[1] ?? "";
}

function cell(text, attributes = {}) {
  return element("td", { title: text, ...attributes }, text);
}

function whyLink(widget) {
  return element("a", { href: `./#why=${widget}` }, widget);
}

function links(widgets) {
  const shown = widgets.slice(0, 3).flatMap((widget, index) => (index === 0 ? [whyLink(widget)] : [", ", whyLink(widget)]));
  return widgets.length > 3 ? [...shown, ` and ${count(widgets.length - 3)} more`] : shown;
}

/** Replaces a section's content unless somebody uses it now. */
function fill(id, ...nodes) {
  const place = byID(id);
  const open = new Set([...place.querySelectorAll("details[open]")].map((node) => node.dataset.key));
  const focused = place.contains(document.activeElement) ? document.activeElement.closest("details")?.dataset.key : null;
  if (!focused && place !== document.activeElement && place.contains(document.activeElement)) return;
  place.replaceChildren(...nodes);
  for (const node of place.querySelectorAll("details")) node.open = open.has(node.dataset.key);
  if (focused) place.querySelector(`details[data-key="${CSS.escape(focused)}"] summary`)?.focus({ preventScroll: true });
}

function showAnswer(sources, widgets, now) {
  const { answer, causes } = freshness(sources, widgets, status.stopped, now);
  setText(byID("answer"), answer);
  fill("causes", ...causes.slice(0, 20).map(({ text, mustAct, widgets: names }) => element("li", { class: mustAct ? "act" : null },
    text, names.length > 0 ? " " : null, ...links(names))));
}

const hops = [
  ["commit", "Answer to commit", "Parsing, comparing and writing to the cache's disk."],
  ["layout", "Commit to layout", "Laying out the widget on all of its displays."],
  ["verdict", "Layout to verdict", "Comparing digests and writing to the notifier's disk."],
  ["gateway", "Verdict to gateway", "The way over the bus; from here it goes to browsers."],
];

function latest(minutes, hop) {
  const known = minutes.findLast((minute) => minute?.hops?.[hop]);
  return known ? `${duration(known.hops[hop].median)}, 95 %: ${duration(known.hops[hop].percentile95)}` : "none yet";
}

function showPlots(report) {
  const minutes = lastMinutes(report.minutes, Date.parse(report.startedAt), Date.parse(report.at));
  byID("plots-title").textContent = minutes.length < 60 ? `The last ${minutes.length} minutes` : "The last hour";
  const whole = minutes.at(-2) ?? minutes.at(-1);
  const sum = whole ? whole.newData + whole.noData + whole.failed : 0;
  const total = (key) => report.minutes.reduce((result, minute) => result + minute[key], 0);
  byID("plots").replaceChildren(
    verdictPlot(minutes, "Verdicts per minute", count(sum),
      `${count(total("newData"))} with new data, ${count(total("noData"))} without, ${count(total("failed"))} failed since ${timeOfDay(report.startedAt)}.`),
    ...hops.map(([hop, title, explanation]) => latencyPlot(minutes, hop, title, latest(minutes, hop), explanation)));
}

function counterList(counters) {
  return Object.entries(counters).filter(([, value]) => value !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => element("p", { class: "quiet" }, `${name}: ${count(value)}. ${meaning(name)}`));
}

function showServices() {
  const instances = instancesOf(health);
  const hasMessage = instances.some(({ message }) => message);
  const rows = instances.sort((a, b) => (a.service + a.instance < b.service + b.instance ? -1 : 1)).map((entry) => {
    const isDown = entry.state === "gone" || entry.state === "stopping" || entry.age > 8_000;
    const isBad = isDown || entry.state === "degraded";
    const key = `${entry.service}/${entry.instance}`;
    return element("tr", {},
      element("td", { class: "wrap" }, element("details", { "data-key": key }, element("summary", {}, entry.service), element("p", { class: "quiet" }, entry.instance), ...counterList({ ...entry.counters, ...entry.gauges }))),
      cell(isDown ? "not heard" : entry.state, { class: isBad ? "act" : null }),
      ...(hasMessage ? [cell(entry.message ?? "", { class: "wrap" })] : []),
      cell(entry.version ?? "", { class: "extra" }),
      element("td", { class: "number", title: dateAndTime(entry.startedAt) }, entry.startedAt ? duration(Math.max(1_000, health.at - Date.parse(entry.startedAt))) : ""),
      cell(duration(entry.age), { class: "number" }));
  });
  const columns = [["Service"], ["State", "w-mid"], ...(hasMessage ? [["Message"]] : []), ["Version", "w-small extra"], ["Runs for", "w-small number"], ["Heard", "w-small number"]];
  const result = table(columns, rows, "Services");
  // Without messages it fits a phone.
  if (!hasMessage) result.className = "narrow";
  fill("services", result);
}

function showSources(sources) {
  const failingFirst = [...sources].sort((a, b) => (b.failure ? 1 : 0) - (a.failure ? 1 : 0));
  const rows = failingFirst.slice(0, shownSources).map((source) => {
    const { failure } = source;
    const mustAct = failure && (failure.class === "permanent" || failure.class === "malformed");
    return element("tr", {},
      cell(source.address === "push" ? "pushed" : source.address, { class: "w-wide" }),
      element("td", {}, ...links(source.widgets)),
      element("td", { class: mustAct ? "act" : null, title: failure?.message ?? "" }, source.blockedUntil ? `host blocked until ${timeOfDay(source.blockedUntil)}` : failure ? `${reasonWords(failure.class)}${failure.status ? ` (${failure.status})` : ""}` : source.outcome ? reasonWords(source.outcome) : source.lastAnswer ? "answered" : "not asked yet"),
      element("td", { class: "number", title: dateAndTime(source.lastAnswer) }, age(source.lastAnswer, health?.at)),
      element("td", { class: "number", title: dateAndTime(source.nextCheck) }, source.nextCheck ? timeOfDay(source.nextCheck) : source.address === "push" ? "when pushed" : source.state === "gone" ? (source.whenShown ? "when shown" : "when refreshed") : ""));
  });
  const nodes = [table([["Source", "w-wide"], ["Widgets"], ["Last outcome", "w-outcome"], ["Answered", "w-small number"], ["Next check", "w-mid number"]], rows, "Sources")];
  if (sources.length > shownSources) nodes.push(element("p", { class: "quiet" }, `${count(sources.length - shownSources)} more; those that fail come first.`));
  fill("sources", ...nodes);
}

function showNumbers(report) {
  const all = [["gateway", { ...report.counters, ...report.gauges }], ...instancesOf(health).filter(({ service }) => service !== "gateway").map((entry) => [entry.service, { ...entry.counters, ...entry.gauges }])];
  const wanted = (name, value) => (name.startsWith("limit.") ? value > 0 : /^(hostBlocks$|stream\.|store\.|replay\.|malformed|gateway\.(gaps|duplicates|eventReaders|eventsSent|eventsMerged|updates|connections|pictureCacheBytes|missedUpdateBytes|refused\.))/.test(name));
  const rows = all.flatMap(([service, counters]) => Object.entries(counters).filter(([name, value]) => wanted(name, value)).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => element("tr", {}, cell(service), cell(name, { class: name.startsWith("limit.") ? "act" : null }), cell(count(value), { class: "number" }), cell(meaning(name), { class: "wrap" }))));
  fill("numbers", table([["Service", "w-mid"], ["Name"], ["Value", "w-small number"], ["Meaning", "w-wide"]], rows, "Streams and limits"));
}

async function allWidgets() {
  const result = [];
  for await (const entries of listWidgets()) result.push(...entries);
  return result;
}

async function load() {
  if (isLoading) return;
  isLoading = true;
  try {
    const [report, { sources }, widgets] = await Promise.all([fetchJSON("v1/operations"), fetchJSON("v1/sources"), allWidgets()]);
    last = { report, sources, widgets };
    show();
    await panels.load();
  } catch (error) {
    if (!last) byID("answer").textContent = error.status === 401 ? "Sign in on the Today page first." : "The gateway cannot be reached.";
  } finally {
    isLoading = false;
    clearTimeout(timer);
    timer = setTimeout(load, refreshMilliseconds);
  }
}

function show() {
  if (!last) return;
  const { report, sources, widgets } = last;
  showAnswer(sources, widgets, Date.parse(report.at));
  showPlots(report);
  showServices();
  showSources(sources);
  showNumbers(report);
  byID("warnings-board").hidden = report.warnings.length === 0;
  byID("warnings").replaceChildren(...report.warnings.map((warning) => element("li", {}, warning)));
}

/** Removes the cookie, the token, and what is kept for times without the gateway. */
async function signOut() {
  const button = byID("sign-out");
  try {
    await post("v1/session", { token: "" }, { headers: {} });
  } catch (error) {
    // Scripts cannot remove the cookie.
    button.textContent = "Sign out again";
    button.title = error.message;
    return;
  }
  keepToken("");
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    if (name.startsWith("tidings-")) await caches.delete(name);
  }
  reopen();
  location.assign("./");
}

byID("sign-out").hidden = !hasToken();
byID("sign-out").addEventListener("click", signOut);
settings.showAppearance();
settings.onChange(() => settings.showAppearance());
load();
reopen = await connect((message) => {
  if (message.type === "update") return;
  if (message.type === "health") {
    health = message;
    if (last) showServices();
  }
  status.take(message);
  showSummary(status.summary);
});
keepForOffline();
