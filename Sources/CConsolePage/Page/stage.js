// The middle: one phone, or two beside each other, what the app does, and the time line.
import { calmly, fill, h, onceAFrame } from "./dom.js";
import { get, query, send } from "./api.js";
import { change, onChange, shownName, shownNotification, state } from "./state.js";
import { apps, onLoad, refresh as refreshDevices } from "./devices.js";
import { messageOfRecord, onDeviceChange } from "./pushes.js";
import { Phone, platformOf } from "./phone.js";
import { appName, clock, kindWords, plural, short, stepWords } from "./words.js";

const element = (id) => document.getElementById(id);
const mostLines = 1000;
const speeds = [["0.5", "½×"], ["1", "1×"], ["3", "3×"], ["10", "10×"]];

export let status = { mode: "serve", read_only: false, journal: {} };
/** Of the devices that are drawn, by name. */
export const screens = new Map();
const phones = new Map();
let lines = [];
let playing = null;
let speed = "1";
let steps = null;

const devices = () => [state.device, state.compare].filter(Boolean);
const isPast = () => state.at !== "";
const path = (device) => `/api/v1/devices/${encodeURIComponent(device)}`;

const loaded = new Set();

/** `listen()` is called when the screens have been read. */
export function onScreens(listen) { loaded.add(listen); }

export const redraw = onceAFrame(drawPhones);

function phone(device) {
  if (!phones.has(device)) {
    const made = new Phone({ act: (name, notification) => act(device, name, notification) });
    made.redraw = redraw;
    phones.set(device, made);
  }
  return phones.get(device);
}

async function loadScreen(device) {
  const at = state.at;
  const app = device === state.device ? state.app : "";
  const [shown, about] = await Promise.all([
    get(`${path(device)}/screens${query(at === "" ? { limit: 120, app } : { at, app })}`), get(path(device)),
  ]);
  if (state.at !== at || !devices().includes(device)) return;
  const line = lines.find((one) => String(one.id) === at);
  screens.set(device, {
    device, notifications: shown.notifications.slice(0, 120), activities: shown.activities, apps: about.apps, registered: about.registered,
    platform: platformOf(about.registered, shown.notifications.length ? shown.notifications : screens.get(device)?.notifications ?? []),
    at: line ? Date.parse(line.at) : null, isComplete: shown.complete !== false, hasMore: Boolean(shown.next) || shown.notifications.length > 120,
  });
}

export const refreshScreens = calmly(async () => {
  await Promise.all(devices().map((device) => loadScreen(device).catch((error) => {
    if (error.status !== 401) fill(element("phones"), h("p", { class: "error-note", role: "alert" }, error.message));
    throw error;
  })));
  redraw();
  for (const listen of loaded) listen();
}, 200);

/** The newest lines about a device, of which some are known. */
async function linesOf(device, known) {
  const asked = { device, app: device === state.device ? state.app : "", limit: mostLines };
  const after = known.at(-1)?.id;
  const { journal } = await get(`/api/v1/journal${query({ ...asked, after })}`);
  // A full page ends before the newest line.
  if (after !== undefined && journal.length >= mostLines) return (await get(`/api/v1/journal${query(asked)}`)).journal;
  return known.concat(journal).slice(-mostLines);
}

const refreshLines = calmly(async () => {
  const wanted = devices();
  if (wanted.length === 0) return;
  const before = lines;
  const found = await Promise.all(wanted.map((device) => linesOf(device, before.filter((line) => line.device === device))));
  // Other devices are shown by now.
  if (lines !== before) return;
  lines = found.flat().sort((one, other) => one.id - other.id);
  drawTimeline();
}, 300);

function devicesChanged() {
  lines = [];
  screens.clear();
  stop();
  steps = null;
  for (const device of phones.keys()) if (!devices().includes(device)) phones.delete(device);
  drawHead();
  drawTimeline();
  refreshLines();
  refreshScreens();
}

// MARK: - What happens on a device

async function act(device, name, notification) {
  if (name === "open") {
    const id = messageOfRecord(notification.seq);
    return change({ push: id ?? "", shown: shownName(device, notification.seq, notification.identifier), column: "detail" });
  }
  if (name === "launch") return event({ event: "device", device, app: notification.app || undefined, state: "foreground" }, `Open ${appName(notification.app)}`);
  if (name === "clear") return event({ event: "clear", device, app: notification.app || undefined }, "Clear");
  await event({ event: name, device, app: notification.app || undefined, identifier: notification.identifier }, name === "tap" ? "Tap" : "Dismiss");
}

/** Makes an event happen, and shows what the app does. */
export async function event(record, title) {
  if (status.read_only) return say(title, "pushpipe view changes nothing. Use pushpipe serve --store to send events.", true);
  try {
    const { report } = await send("POST", "/api/v1/records", JSON.stringify(record));
    const line = report[0] ?? {};
    const more = report.slice(1).filter((one) => one.original !== undefined);
    steps = {
      title, list: report.flatMap((one) => one.steps ?? []), device: record.device, app: line.app ?? record.app,
      words: line.outcome === "ignored" ? `Nothing happened: ${line.reason}.` : line.outcome === "malformed" ? line.error?.message : more.length > 0 ? `${plural(more.length, "queued push was", "queued pushes were")} handled: ${[...new Set(more.map((one) => one.outcome))].join(", ")}.` : "",
      isBad: line.outcome === "malformed",
    };
  } catch (error) {
    return say(title, error.message, true);
  }
  if (isPast()) change({ at: "" });
  drawSteps();
  refreshScreens();
  refreshLines();
  refreshDevices();
}

function say(title, words, isBad) {
  steps = { title, list: [], words, isBad };
  drawSteps();
}

function drawSteps() {
  const panel = element("app-panel");
  panel.hidden = !steps;
  if (!steps) return;
  const asks = steps.list.some((step) => /ask|confirm/i.test(step));
  const answer = (word) => () => event({ event: "confirm", device: steps.device, app: steps.app, answer: word }, word === "discard" ? "Discard" : "Cancel");
  fill(panel,
    h("div", { class: "panel-head" }, h("h3", {}, `${steps.title}${steps.app ? ` · ${appName(steps.app)}` : ""}`), h("button", { type: "button", class: "quiet", onclick: () => { steps = null; drawSteps(); } }, "Close")),
    steps.list.length > 0 ? h("ol", { class: "steps", "aria-label": "What the app does" }, steps.list.map((step) => h("li", { title: step }, stepWords(step)))) : null,
    steps.words ? h("p", { class: steps.isBad ? "error-note" : "muted", role: "status" }, steps.words) : steps.list.length === 0 ? h("p", { class: "muted", role: "status" }, "Done.") : null,
    asks ? h("div", { class: "steps" }, h("span", {}, "Discard unsaved changes?"), h("button", { type: "button", onclick: answer("discard") }, "Discard"), h("button", { type: "button", onclick: answer("cancel") }, "Cancel")) : null);
}

// MARK: - Head

function drawHead() {
  const head = element("stage-head");
  if (!state.device) return fill(head);
  const screen = screens.get(state.device);
  const isAndroid = screen && screen.platform !== "ios";
  const views = isAndroid ? [["lock", "Shade"], ["home", "Home"]] : [["lock", "Lock screen"], ["center", "Notification Center"], ["home", "Home"]];
  const view = state.view || "lock";
  const about = screen?.registered ?? [];
  const device = about.find((one) => one.event === "device");
  const isOffline = device?.online === false;
  const app = state.app || screen?.apps[0]?.app || device?.app || "";
  const own = about.find((one) => one.event === "device" && ((one.app ?? "") === app || !one.app));
  const focus = about.some((one) => one.event === "focus" && one.on);
  const names = [...new Set(apps.map((one) => one.device))].filter((name) => name !== state.device);
  const isLocked = status.read_only;
  const set = (values, title) => event({ event: "device", device: state.device, ...(app ? { app } : {}), ...values }, title);
  const choice = (label, value, options, chosen) => h("label", {}, h("span", { class: "visually-hidden" }, label),
    h("select", { disabled: isLocked, onchange: (change) => chosen(change.target.value) }, options.map(([key, words]) => h("option", { value: key, selected: key === value }, words))));
  fill(head,
    h("h2", { title: state.device }, short(state.device), state.app ? h("span", { class: "muted" }, ` · ${appName(state.app)}`) : null),
    h("div", { class: "segments", role: "group", "aria-label": "View" }, views.map(([key, words]) => h("button", { type: "button", "aria-pressed": String(view === key || (isAndroid && key === "lock" && view === "center")), onclick: () => change({ view: key === "lock" ? "" : key }) }, words))),
    isLocked ? null : h("button", { type: "button", "aria-pressed": String(isOffline), onclick: () => event({ event: "device", device: state.device, online: isOffline }, isOffline ? "Back online" : "Offline") }, isOffline ? "Offline" : "Online"),
    isLocked ? null : h("button", { type: "button", "aria-pressed": String(focus), onclick: () => event({ event: "focus", device: state.device, on: !focus, ...(focus ? {} : { apps: [] }) }, focus ? "Focus off" : "Focus on") }, "Focus"),
    isLocked || !app ? null : h("span", { class: "muted" }, appName(app)),
    isLocked ? null : choice("State of the app", own?.state ?? "background", [["foreground", "App open"], ["background", "In background"], ["terminated", "Terminated"], ["force-quit", "Force-quit"]], (value) => set({ state: value }, "App state")),
    isLocked ? null : choice("Permission", own?.authorization ?? "authorized", [["authorized", "Allowed"], ["provisional", "Provisional"], ["denied", "Denied"], ["not-determined", "Not asked"]], (value) => set({ authorization: value }, "Permission")),
    isLocked ? null : h("button", { type: "button", onclick: () => askType(app) }, "Type…"),
    isLocked ? null : h("button", { type: "button", onclick: () => event({ event: "clear", device: state.device, ...(state.app ? { app: state.app } : {}) }, "Clear") }, "Clear"),
    names.length > 0 ? h("label", {}, h("span", { class: "visually-hidden" }, "Compare with"), h("select", { onchange: (change_) => change({ compare: change_.target.value }) }, h("option", { value: "" }, "Compare…"), names.slice(0, 200).map((name) => h("option", { value: name, selected: name === state.compare }, short(name))))) : null);
}

function askType(app) {
  const dialog = element("dialog");
  const type = h("input", { type: "text", value: "", "aria-label": "Type", placeholder: "edit-thank" });
  const done = (on) => () => {
    if (!type.value.trim()) return type.focus();
    dialog.close();
    event({ event: "preference", device: state.device, ...(app ? { app } : {}), type: type.value.trim(), on }, `${type.value.trim()} ${on ? "on" : "off"}`);
  };
  fill(dialog, h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Switch a type of notifications"), h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "dialog-body" }, h("p", { class: "muted" }, "The mapping names the types; see pushpipe serve --mapping."), type, h("div", { class: "tools" }, h("button", { type: "button", onclick: done(false) }, "Switch off"), h("button", { type: "button", class: "primary", onclick: done(true) }, "Switch on"))));
  dialog.showModal();
}

// MARK: - Phones

function drawPhones() {
  const stage = element("phones");
  drawHead();
  if (!state.device) return fill(stage, welcome());
  const view = state.view || "lock";
  const drawn = devices().filter((device) => screens.has(device)).map((device) => {
    const screen = screens.get(device);
    const one = phone(device);
    const selected = shownNotification();
    one.draw(screen, view, selected?.device === device ? selected : null);
    const note = isPast() && !screen.isComplete ? "Only the newest lines are read; older notifications may be missing."
      : isPast() && screen.notifications.some((one) => one.gone && !one.known) ? "The journal records that a notification was shown, not its text." : "";
    if (!one.frame) one.frame = h("figure", { class: "device-frame" }, one.element, one.caption = h("figcaption", { class: "stage-note" }));
    fill(one.caption, devices().length > 1 ? h("b", {}, short(device)) : null, note ? [" ", note] : null);
    return one.frame;
  });
  stage.classList.toggle("pair", drawn.length > 1);
  if (drawn.length !== stage.children.length || drawn.some((node, index) => stage.children[index] !== node)) stage.replaceChildren(...drawn);
}

/** What to do first. */
function welcome() {
  const address = location.host;
  if (apps.length > 0) return h("div", { class: "empty" }, h("h2", {}, "Choose a device"), h("p", { class: "muted" }, "Its screen and its journal appear here."));
  if (status.mode === "view") {
    return h("div", { class: "empty" }, h("h2", {}, "This store has no devices yet"), h("p", { class: "muted" }, "They appear when a run writes to it:"), h("div", { class: "command" }, `pushpipe run --store ${status.store ?? "phone.db"} payloads.ndjson`));
  }
  const command = `curl -d '{"aps":{"alert":{"title":"Hello","body":"My first push"},"badge":1}}' \\\n  -H 'apns-topic: org.example.news' \\\n  ${location.protocol}//${address}/3/device/ab12`;
  const copy = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "Copied";
    } catch { getSelection().selectAllChildren(text); }
  } }, "Copy");
  const text = h("div", { class: "command" }, command);
  return h("div", { class: "empty" },
    h("h2", {}, "Send the first push"),
    h("p", {}, "This gateway answers as APNs and FCM do. This page shows what phones would show. Run this command, or point your sender at the gateway:"),
    text, h("div", { class: "tools" }, copy, h("button", { type: "button", class: "primary", onclick: () => element("open-compose").click() }, "Compose a push")));
}

// MARK: - Time line

function stop() {
  clearInterval(playing);
  playing = null;
}

function position() {
  if (!isPast()) return lines.length;
  const index = lines.findIndex((line) => line.id > Number(state.at));
  return index < 0 ? lines.length : index;
}

function go(count) {
  const index = Math.max(0, Math.min(count, lines.length));
  change({ at: index >= lines.length ? "" : index === 0 ? Math.max((lines[0]?.id ?? 1) - 1, 0) : lines[index - 1].id });
}

function play() {
  if (playing) {
    stop();
    return drawTimeline();
  }
  if (!isPast()) go(0);
  playing = setInterval(() => {
    if (document.hidden) return;
    go(position() + 1);
    if (!isPast()) {
      stop();
      drawTimeline();
    }
  }, 900 / Number(speed));
  drawTimeline();
}

let parts = null;
function drawTimeline() {
  const root = element("timeline");
  root.hidden = !state.device;
  if (!parts) {
    parts = {
      back: h("button", { type: "button", "aria-label": "One step back", onclick: () => { stop(); go(position() - 1); } }, "◀"),
      play: h("button", { type: "button", onclick: play }),
      on: h("button", { type: "button", "aria-label": "One step forwards", onclick: () => { stop(); go(position() + 1); } }, "▶"),
      slider: h("input", { type: "range", min: "0", step: "1", "aria-label": "Line of the journal", id: "slider", oninput: (event) => { stop(); go(Number(event.target.value)); } }),
      speed: h("select", { "aria-label": "Speed", onchange: (event) => { speed = event.target.value; if (playing) { stop(); play(); } } }, speeds.map(([value, words]) => h("option", { value, selected: value === speed }, words))),
      live: h("button", { type: "button", onclick: () => { stop(); change({ at: "" }); } }, "Live"),
      where: h("p", { class: "where", id: "where" }),
    };
    root.append(h("div", { class: "controls" }, parts.back, parts.play, parts.on, parts.slider, parts.speed, parts.live), parts.where);
  }
  const index = position();
  parts.slider.max = String(lines.length);
  parts.slider.value = String(index);
  const line = lines[index - 1];
  const words = line ? `${clock(line.at)}, ${line.identifier} ${kindWords(line.kind)}` : "before the first line";
  parts.slider.setAttribute("aria-valuetext", `Line ${index} of ${lines.length}: ${words}`);
  parts.play.textContent = playing ? "❚❚" : "Play";
  parts.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  parts.live.setAttribute("aria-pressed", String(!isPast()));
  parts.back.disabled = index === 0;
  parts.on.disabled = index >= lines.length;
  for (const control of [parts.play, parts.slider]) control.disabled = lines.length === 0;
  fill(parts.where, lines.length === 0 ? "No events on this device yet." : [
    h("span", {}, `${index} / ${lines.length}${lines.length >= mostLines ? " newest" : ""}`), h("span", {}, line ? clock(line.at) : ""),
    line ? [h("b", {}, kindWords(line.kind)), h("span", { class: "mono", dir: "auto" }, line.identifier.slice(0, 80)), h("span", {}, `record ${line.seq}`)] : h("span", {}, words),
  ]);
}

export function begin(found) {
  status = found;
  onChange((names) => {
    if (names.has("device") || names.has("compare") || names.has("app")) devicesChanged();
    else if (names.has("at")) refreshScreens();
    if (names.has("at")) drawTimeline();
    redraw();
  });
  onDeviceChange(() => {
    refreshDevices();
    if (devices().length === 0) return;
    refreshLines();
    if (!isPast()) refreshScreens();
  });
  onLoad(() => {
    // The first device is shown by itself.
    if (!state.device && apps.length > 0) change({ device: apps[0].device, scope: "all" }, { replaces: true });
    else redraw();
  });
  setInterval(() => { if (!document.hidden && !isPast()) redraw(); }, 30000);
  if (state.device) devicesChanged();
  else redraw();
  drawTimeline();
}
