// The list of pushes: those that match the filters, newest first, live.
import { announce, calmly, h, onceAFrame } from "./dom.js";
import { events, get, query, send } from "./api.js";
import { tell } from "./notify.js";
import { Rows } from "./rows.js";
import * as journal from "./journal.js";
import { change, onChange, state } from "./state.js";
import { appName, clock, look, mainLine, outcomes, short } from "./words.js";

const most = 10000;
const element = (id) => document.getElementById(id);

/** The messages, newest first. */
export let messages = [];
let byRecord = new Map();
let older = null;
let stream = null;
let isFull = false;
const changed = new Set();

/** `listen()` is called when something may have changed on a screen. */
export function onDeviceChange(listen) { changed.add(listen); }

/** The id of the message that became a record; undefined if it is not in the list. */
export const messageOfRecord = (seq) => byRecord.get(seq);

/** The filters that are typed into the search, such as `app:org.example.news` or `reason:"a b"`, and the text that is left. */
function typed(words) {
  const found = {};
  const text = words.replace(/(^|\s)(app|device|provider|outcome|reason):(?:"([^"]+)"|(\S+))/g, (all, space, name, quoted, plain) => {
    const value = quoted ?? plain;
    // One that is still being typed.
    if (name === "outcome" && !outcomes.includes(value)) return all;
    found[name] = value;
    return space;
  });
  return { ...found, text: text === words ? words : text.trim() };
}

const filters = () => {
  const isAll = state.scope === "all";
  const found = typed(state.text);
  return {
    outcome: state.outcome, reason: state.reason, device: isAll ? "" : state.device, app: isAll || found.device ? "" : state.app, ...found,
  };
};
const isFiltered = () => Object.values(filters()).some((value) => value !== "");

let rows = null;
const makeRows = () => new Rows(element("push-list"), {
  label: "Pushes",
  key: (message) => String(message.id),
  choose: (message, options) => change({ push: message.id, shown: "", column: "detail" }, options),
  more: () => loadOlder(),
  draw(message) {
    const line = mainLine(message);
    const { tone, sign, word } = look(line?.outcome, message.status);
    const app = line?.topic ?? line?.app;
    const what = line?.reason ? `${word}: ${line.reason}` : word;
    const where = line ? [what, app ? appName(app) : null, line.device ? short(line.device) : null] : [`${message.status}`, message.method, message.path ?? ""];
    return [
      h("span", { class: `mark ${tone}`, "aria-hidden": "true" }, sign),
      h("span", { class: "lines" },
        h("span", { class: "first", dir: "auto" }, message.title ?? (line ? what : `${message.method} ${message.path ?? ""}`)),
        h("span", { class: "second" }, where.filter(Boolean).join(" · "))),
      h("span", { class: "aside" }, clock(message.at), h("br"), `#${message.id}`),
    ];
  },
  describe(message) {
    const line = mainLine(message);
    return `${look(line?.outcome, message.status).word}${line?.reason ? `, ${line.reason}` : ""}. ${message.title ?? ""} ${clock(message.at)}`;
  },
});

const show = onceAFrame(() => {
  element("push-count").textContent = messages.length === 0 ? "" : `${messages.length.toLocaleString()}${isFull || older ? "+" : ""}`;
  element("filter-clear").hidden = !isFiltered();
  element("push-delete").hidden = messages.length === 0;
  askForDeletion(false);
  const note = element("push-note");
  note.hidden = messages.length > 0;
  note.textContent = isFiltered() ? "No push matches." : "No pushes yet.";
});

// MARK: - Deletion

let isAsked = false;

/** The first click asks, and the second deletes. */
function askForDeletion(asks) {
  isAsked = asks;
  element("push-delete").textContent = asks ? "Really delete?" : isFiltered() ? "Delete these" : "Delete all";
}

/** Deletes pushes: one by its id, or those that match the filters. What phones show stays. */
export async function remove(id) {
  try {
    await send("DELETE", id === undefined ? `/api/v1/messages${query(filters())}` : `/api/v1/messages/${encodeURIComponent(id)}`);
  } catch (error) {
    return announce(error.message);
  }
  change({ push: "", shown: "" });
  reload();
}

// MARK: - Arrival

let pending = [];
const takePending = onceAFrame(() => {
  const found = pending.reverse();
  pending = [];
  for (const message of found) index(message);
  messages = found.concat(messages);
  if (messages.length > most) {
    for (const message of messages.slice(most)) for (const line of message.report) byRecord.delete(line.seq);
    messages.length = most;
    isFull = true;
  }
  rows.set(messages, found.length);
  show();
  tell(found);
  announce(found.length === 1 ? rows.describe(found[0]) : `${found.length} new pushes`);
});

/** Devices that are Android's, as far as the pushes say: whether an event says otherwise is asked when one is shown. */
export const androids = new Set();

function index(message) {
  for (const line of message.report) {
    if (line.original === undefined) byRecord.set(line.seq, message.id);
    if (line.device && (line.provider === "fcm" || line.provider === "gcm")) androids.add(line.device);
  }
}

/** A stream says nothing of changes before it began, so whatever is shown is read again. */
function follow(name) {
  showState(name);
  if (name === "live") for (const listen of changed) listen();
}

async function load() {
  stream?.abort();
  const mine = new AbortController();
  stream = mine;
  const wanted = filters();
  element("push-list").setAttribute("aria-busy", "true");
  try {
    const page = await get(`/api/v1/messages${query({ limit: 500, ...wanted })}`, mine.signal);
    messages = page.messages.reverse();
    older = page.previous ?? null;
    isFull = false;
    byRecord = new Map();
    for (const message of messages) index(message);
    rows.set(messages);
    show();
    const after = new URLSearchParams(page.next.split("?")[1]).get("after");
    const path = (last) => `/api/v1/events${query({ changes: "true", after: last, ...wanted })}`;
    events(path, { take, after, signal: mine.signal, state: follow });
  } catch (error) {
    if (error.name === "AbortError") return;
    showState("lost");
    setTimeout(() => { if (stream === mine) load(); }, 2000);
  } finally {
    element("push-list").removeAttribute("aria-busy");
  }
}

let isLoadingOlder = false;
async function loadOlder() {
  if (!older || isLoadingOlder) return;
  isLoadingOlder = true;
  try {
    const page = await get(older);
    const known = new Set(messages.map((message) => message.id));
    const found = page.messages.reverse().filter((message) => !known.has(message.id));
    for (const message of found) index(message);
    messages = messages.concat(found);
    older = page.previous && found.length > 0 ? page.previous : null;
    rows.set(messages);
    show();
  } finally {
    isLoadingOlder = false;
  }
}

function take(name, data) {
  if (name === "message") {
    pending.push(JSON.parse(data));
    takePending();
  } else if (name === "change") {
    for (const listen of changed) listen();
  } else if (name === "lost") {
    // More came than was kept, or the gateway began anew.
    load();
  }
}

export function showState(name) {
  const live = element("live");
  live.dataset.state = name;
  live.querySelector(".words").textContent = { live: "live", lost: "connection lost, trying again", closed: "needs the access key" }[name] ?? name;
}

const reload = calmly(load, 150);

export function begin(isStore) {
  if (isStore) return journal.begin(changed, showState);
  rows = makeRows();
  element("push-list").before(h("p", { id: "push-note", class: "list-note", hidden: true }));
  const outcome = element("filter-outcome");
  outcome.append(h("option", { value: "" }, "Any outcome"), ...outcomes.map((name) => h("option", { value: name }, look(name).word)));
  const reasons = [
    "BadDeviceToken", "PayloadTooLarge", "MissingTopic", "BadTopic", "Unregistered", "TooManyRequests", "InvalidProviderToken",
    "ExpiredProviderToken", "INVALID_ARGUMENT", "UNREGISTERED", "NotRegistered", "denied", "alerts-off", "force-quit", "dry-run",
    "no-alert", "misspelled-key", "background", "badge-only", "push-type", "foreground", "data-only",
  ];
  element("reasons").append(...reasons.map((name) => h("option", { value: name })));
  let timer = null;
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(() => change({ text: element("filter-text").value, outcome: outcome.value, reason: element("filter-reason").value.trim() }), 200);
  };
  for (const id of ["filter-text", "filter-outcome", "filter-reason"]) element(id).addEventListener("input", edited);
  element("filter-clear").addEventListener("click", () => {
    for (const id of ["filter-text", "filter-outcome", "filter-reason"]) element(id).value = "";
    change({ text: "", outcome: "", reason: "", scope: "all" });
  });
  const deletion = element("push-delete");
  deletion.addEventListener("click", () => (isAsked ? remove() : askForDeletion(true)));
  deletion.addEventListener("blur", () => askForDeletion(false));
  const showFilters = () => {
    for (const [id, name] of [["filter-text", "text"], ["filter-outcome", "outcome"], ["filter-reason", "reason"]]) {
      if (document.activeElement !== element(id)) element(id).value = state[name];
    }
    rows.select(state.push || null);
  };
  onChange((names) => {
    showFilters();
    if (["text", "outcome", "reason", "scope"].some((name) => names.has(name))) reload();
    else if (state.scope !== "all" && (names.has("device") || names.has("app"))) reload();
  });
  showFilters();
  reload();
}
