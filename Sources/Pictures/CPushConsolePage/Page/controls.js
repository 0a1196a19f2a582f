// What somebody does to a device: taps, switches above the phone, and what the app does then.
import { fill, h } from "./dom.js";
import { send, status } from "./api.js";
import { change, isPast, shownName, state } from "./state.js";
import { apps } from "./devices.js";
import { messageOfRecord } from "./pushes.js";
import { appName, plural, short, stepWords } from "./words.js";

const element = (id) => document.getElementById(id);
const happened = new Set();
let steps = null;

/** `listen()` is called when an event has happened. */
export function onEvent(listen) { happened.add(listen); }

/** For another device. */
export function forgetSteps() {
  steps = null;
  drawSteps();
}

// MARK: - Events

/** What a click on a notification or an app does; `chosen` is `{action, text}` for an action of the notification. */
export async function act(device, name, notification, chosen = {}) {
  if (name === "open") {
    const id = messageOfRecord(notification.seq);
    return change({ push: id ?? "", shown: shownName(device, notification.seq, notification.identifier), column: "detail" });
  }
  if (name === "launch") return event(
    { event: "device", device, app: notification.app || undefined, state: "foreground" }, `Open ${appName(notification.app)}`
  );
  if (name === "bundle") return event({ event: "tap", device, app: notification.app, bundle: true }, "Tap the bundle");
  if (name === "clear") return event({ event: "clear", device, app: notification.app || undefined }, "Clear");
  const title = chosen.title ?? (name === "tap" ? "Tap" : "Dismiss");
  await event({
    event: name, device, app: notification.app || undefined, identifier: notification.identifier, action: chosen.action, text: chosen.text,
  }, title);
}

/** Makes an event happen, and shows what the app does. */
async function event(record, title) {
  if (status.read_only) return say(title, "pushpipe view changes nothing. Use pushpipe serve --store to send events.", true);
  try {
    const { report } = await send("POST", "/api/v1/records", JSON.stringify(record));
    const line = report[0] ?? {};
    const more = report.slice(1).filter((one) => one.original !== undefined);
    steps = {
      title, list: report.flatMap((one) => one.steps ?? []), device: record.device, app: line.app ?? record.app,
      words: line.outcome === "ignored"
        ? `Nothing happened: ${line.reason}.`
        : line.outcome === "malformed"
        ? line.error?.message
        : more.length > 0
        ? `${plural(more.length, "queued push was", "queued pushes were")} handled: ${[...new Set(more.map((one) => one.outcome))].join(", ")}.`
        : "",
      isBad: line.outcome === "malformed",
    };
  } catch (error) {
    return say(title, error.message, true);
  }
  if (isPast()) change({ at: "" });
  drawSteps();
  for (const listen of happened) listen();
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
    h("div", { class: "panel-head" }, h("h3", {}, `${steps.title}${steps.app ? ` · ${appName(steps.app)}` : ""}`),
      h("button", { type: "button", class: "quiet", onclick: () => { steps = null; drawSteps(); } }, "Close")),
    steps.list.length > 0
      ? h("ol", { class: "steps", "aria-label": "What the app does" }, steps.list.map((step) => h("li", { title: step }, stepWords(step))))
      : null,
    steps.words
      ? h("p", { class: steps.isBad ? "error-note" : "muted", role: "status" }, steps.words)
      : steps.list.length === 0
      ? h("p", { class: "muted", role: "status" }, "Done.")
      : null,
    asks
      ? h(
        "div", { class: "steps" }, h("span", {}, "Discard unsaved changes?"), h("button", { type: "button", onclick: answer("discard") }, "Discard"),
        h("button", { type: "button", onclick: answer("cancel") }, "Cancel")
      )
      : null);
}

// MARK: - Head

let drawn = "";

/** The name of the device, its views and its switches. `screen` is undefined until it has been read. */
export function drawHead(screen) {
  const head = element("stage-head");
  const names = [...new Set(apps.map((one) => one.device))].filter((name) => name !== state.device).slice(0, 200);
  // A switch that somebody has reached by keys stays, and so does an open menu.
  const signature = JSON.stringify([
    state.device, state.app, state.view, state.compare, names, screen?.platform, screen?.registered, screen?.apps[0]?.app, status.read_only,
  ]);
  if (signature === drawn) return;
  drawn = signature;
  const controls = () => [...head.querySelectorAll("button, select")];
  const focused = controls().indexOf(document.activeElement);
  if (state.device) fillHead(head, screen, names);
  else fill(head);
  if (focused >= 0) controls()[focused]?.focus({ preventScroll: true });
}

function fillHead(head, screen, names) {
  const isAndroid = screen && screen.platform !== "ios";
  const views = isAndroid ? [["lock", "Shade"], ["home", "Home"]] : [["lock", "Lock screen"], ["center", "Notification Center"], ["home", "Home"]];
  const view = state.view || "lock";
  const about = screen?.registered ?? [];
  const device = about.find((one) => one.event === "device");
  const isOffline = device?.online === false;
  const app = state.app || screen?.apps[0]?.app || device?.app || "";
  const own = about.find((one) => one.event === "device" && ((one.app ?? "") === app || !one.app));
  const focus = about.some((one) => one.event === "focus" && one.on);
  const isLocked = status.read_only;
  const set = (values, title) => event({ event: "device", device: state.device, ...(app ? { app } : {}), ...values }, title);
  const choice = (label, value, options, chosen) => h("label", { class: "choice" }, h("span", {}, label),
    h("select", { disabled: isLocked, onchange: (change) => chosen(change.target.value) },
      options.map(([key, words]) => h("option", { value: key, selected: key === value }, words))));
  const button = (words, properties) => h("button", { type: "button", ...properties }, words);
  fill(head,
    h("div", { class: "stage-row" },
      h("h2", { title: state.device }, short(state.device), state.app ? h("span", { class: "muted" }, ` · ${appName(state.app)}`) : null),
      h("div", { class: "segments", role: "group", "aria-label": "View" },
        views.map(([key, words]) => button(words, {
          "aria-pressed": String(view === key || (isAndroid && key === "lock" && view === "center")),
          onclick: () => change({ view: key === "lock" ? "" : key }),
        }))),
      isLocked ? null : button(isOffline ? "Offline" : "Online", {
        "aria-pressed": String(isOffline),
        onclick: () => event({ event: "device", device: state.device, online: isOffline }, isOffline ? "Back online" : "Offline"),
      }),
      isLocked ? null : button("Focus", {
        "aria-pressed": String(focus),
        onclick: () => event({ event: "focus", device: state.device, on: !focus, ...(focus ? {} : { apps: [] }) }, focus ? "Focus off" : "Focus on"),
      })),
    h("div", { class: "stage-row" },
      isLocked || !app ? null : h("span", { class: "muted about", title: app }, appName(app)),
      isLocked
        ? null
        : choice("State of the app", own?.state ?? "background",
          [["foreground", "App open"], ["background", "In background"], ["terminated", "Terminated"], ["force-quit", "Force-quit"],
            ...(screen?.platform === "android" ? [["force-stopped", "Force-stopped"]] : [])],
          (value) => set({ state: value }, "App state")),
      isLocked
        ? null
        : choice("Permission", own?.authorization ?? "authorized",
          [["authorized", "Allowed"], ["provisional", "Provisional"], ["denied", "Denied"], ["not-determined", "Not asked"]],
          (value) => set({ authorization: value }, "Permission")),
      isLocked ? null : button("Type…", { onclick: () => askType(app) }),
      isLocked ? null : button("Clear", {
        onclick: () => event({ event: "clear", device: state.device, ...(state.app ? { app: state.app } : {}) }, "Clear"),
      }),
      names.length > 0
        ? h("label", { class: "choice" }, h("span", {}, "Compare with"),
          h("select", { onchange: (change_) => change({ compare: change_.target.value }) }, h("option", { value: "" }, "No device"),
            names.map((name) => h("option", { value: name, selected: name === state.compare }, short(name)))))
        : null));
}

function askType(app) {
  const dialog = element("dialog");
  const type = h("input", { type: "text", value: "", "aria-label": "Type", placeholder: "edit-thank" });
  const done = (on) => () => {
    if (!type.value.trim()) return type.focus();
    dialog.close();
    event({ event: "preference", device: state.device, ...(app ? { app } : {}), type: type.value.trim(), on }, `${type.value.trim()} ${on ? "on" : "off"}`);
  };
  fill(dialog, h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Switch a type of notifications"),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "dialog-body" },
      h("p", { class: "muted" }, "The mapping names the types; see the setting wikimedia.mapping."), type,
      h("div", { class: "tools" }, h("button", { type: "button", onclick: done(false) }, "Switch off"),
        h("button", { type: "button", class: "primary", onclick: done(true) }, "Switch on"))));
  dialog.showModal();
}
