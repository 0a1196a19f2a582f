// The middle: one phone, or two beside each other.
import { calmly, fill, h, onceAFrame } from "./dom.js";
import { get, query, status } from "./api.js";
import { act, drawHead, forgetSteps, onEvent } from "./controls.js";
import { change, devices, isPast, onChange, shownNotification, state } from "./state.js";
import { apps, onLoad, refresh as refreshDevices } from "./devices.js";
import { onDeviceChange } from "./pushes.js";
import { Phone, platformOf } from "./phone.js";
import { drawTimeline, forgetLines, refreshLines, timeOf } from "./timeline.js";
import { short } from "./words.js";

const element = (id) => document.getElementById(id);

/** Of the devices that are drawn, by name. */
export const screens = new Map();
const phones = new Map();
const path = (device) => `/api/v1/devices/${encodeURIComponent(device)}`;

const loaded = new Set();

/** `listen()` is called when the screens have been read. */
export function onScreens(listen) { loaded.add(listen); }

export const redraw = onceAFrame(drawPhones);

function phone(device) {
  if (!phones.has(device)) {
    const made = new Phone({ act: (name, notification, chosen) => act(device, name, notification, chosen) });
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
  screens.set(device, {
    device, notifications: shown.notifications.slice(0, 120), activities: shown.activities, apps: about.apps, registered: about.registered,
    platform: platformOf(about.registered, shown.notifications.length ? shown.notifications : screens.get(device)?.notifications ?? []),
    at: timeOf(at), isComplete: shown.complete !== false, hasMore: Boolean(shown.next) || shown.notifications.length > 120,
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

function devicesChanged() {
  forgetLines();
  screens.clear();
  forgetSteps();
  for (const device of phones.keys()) if (!devices().includes(device)) phones.delete(device);
  drawHead();
  drawTimeline();
  refreshLines();
  refreshScreens();
}

// MARK: - Phones

function drawPhones() {
  const stage = element("phones");
  drawHead(screens.get(state.device));
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
  if (apps.length > 0) return h("div", { class: "empty" }, h("h2", {}, "Choose a device"),
    h("p", { class: "muted" }, "Its screen and its journal appear here."));
  if (status.mode === "view") {
    return h("div", { class: "empty" }, h("h2", {}, "This store has no devices yet"),
      h("p", { class: "muted" }, "They appear when a run writes to it:"),
      h("div", { class: "command" }, `pushpipe run --store ${status.store ?? "phone.db"} payloads.ndjson`));
  }
  const command = `curl ${location.protocol}//${address}/3/device/ab12 \\\n  -H 'apns-topic: org.example.news' \\\n`
    + `  -d '{"aps":{"alert":{"title":"Hello","body":"My first push"},\n       "badge":1}}'`;
  const copy = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "Copied";
    } catch { getSelection().selectAllChildren(text); }
  } }, "Copy");
  const text = h("div", { class: "command" }, command);
  return h("div", { class: "empty" },
    h("h2", {}, "Send the first push"),
    h("p", {}, "This gateway answers as APNs and FCM do. This page shows what phones would show. ",
      "Run this command, or point your sender at the gateway:"),
    text,
    h("div", { class: "tools" }, copy,
      h("button", { type: "button", class: "primary", onclick: () => element("open-compose").click() }, "Compose a push")));
}

export function begin() {
  onEvent(() => {
    refreshScreens();
    refreshLines();
    refreshDevices();
  });
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
