// What happened in a store, newest first: a store has no requests, so this list stands where the pushes are with a gateway.
import { announce, calmly, h } from "./dom.js";
import { events, get, query } from "./api.js";
import { Rows } from "./rows.js";
import { change, onChange, shownName, state } from "./state.js";
import { appIcon } from "./icons.js";
import { appName, clock, kindWords, short } from "./words.js";

const element = (id) => document.getElementById(id);
const most = 10000;
const pageSize = 1000;
let lines = [];
let rows = null;
let first = 1;

const wanted = () => (state.scope === "all" ? {} : { device: state.device, app: state.app });

/** The subject of a line. The identifier of a line about a badge is its number. */
const nameOf = (line) => (line.kind === "badge-set" ? `badge ${line.identifier}` : line.identifier || "device");

/** Whether lines that were asked for are still those of the list. */
const isWanted = (filter) => filter.device === wanted().device && filter.app === wanted().app;

function show(added) {
  rows.set(lines, added);
  const note = element("push-note");
  note.hidden = lines.length > 0;
  note.textContent = "No events yet.";
  element("push-count").textContent = lines.length === 0 ? "" : lines.length.toLocaleString();
  element("filter-clear").hidden = !wanted().device;
}

const reload = calmly(async () => {
  const filter = wanted();
  const page = await get(`/api/v1/journal${query({ limit: 500, ...filter })}`);
  if (!isWanted(filter)) return;
  lines = page.journal.reverse();
  first = page.first ?? 1;
  show(0);
}, 200);

const more = calmly(async () => {
  const filter = wanted();
  const after = lines[0]?.id ?? 0;
  const page = await get(`/api/v1/journal${query({ limit: pageSize, after, ...filter })}`);
  // A full page ends before the newest line. The newest ones then stand alone: `older` reads what is between.
  const isFull = page.journal.length >= pageSize;
  const newest = isFull ? await get(`/api/v1/journal${query({ limit: pageSize, ...filter })}`) : page;
  if (!isWanted(filter)) return;
  const known = lines[0]?.id ?? 0;
  const found = newest.journal.filter((line) => line.id > known).reverse();
  if (found.length === 0) return;
  lines = isFull ? found : found.concat(lines).slice(0, most);
  show(isFull ? 0 : found.length);
  announce(found.length === 1 ? rows.describe(found[0]) : `${found.length} new lines`);
}, 300);

let isLoading = false;
async function older() {
  const last = lines.at(-1);
  if (isLoading || !last || last.id <= first || lines.length >= most) return;
  isLoading = true;
  try {
    const page = await get(`/api/v1/journal${query({ limit: 500, before: last.id, ...wanted() })}`);
    if (lines.at(-1) !== last) return;
    if (page.journal.length === 0) first = last.id;
    lines = lines.concat(page.journal.reverse());
    show(0);
  } finally {
    isLoading = false;
  }
}

/** `listen()` is called when the store has changed; `showState` says whether the server answers. */
export function begin(listeners, showState) {
  element("pushes-title").textContent = "Journal";
  element("filter-clear").textContent = "All devices";
  document.querySelector(".filters").hidden = true;
  element("push-list").before(h("p", { id: "push-note", class: "list-note", hidden: true }));
  rows = new Rows(element("push-list"), {
    label: "Journal",
    key: (line) => String(line.id),
    choose: (line, options) => change({
      device: line.device, app: "", push: "", shown: shownName(line.device, line.seq, line.identifier), at: "", column: "detail",
    }, options),
    more: older,
    draw: (line) => [
      appIcon(line.app),
      h("span", { class: "lines" }, h("span", { class: "first mono", dir: "auto" }, nameOf(line)),
        h("span", { class: "second" }, `${kindWords(line.kind)} · ${appName(line.app)} · ${short(line.device)}`)),
      h("span", { class: "aside" }, clock(line.at), h("br"), `#${line.seq}`),
    ],
    describe: (line) => `${nameOf(line)} ${kindWords(line.kind)}, ${appName(line.app)}, ${clock(line.at)}`,
  });
  element("filter-clear").addEventListener("click", () => change({ scope: "all" }));
  onChange((names) => { if (["device", "app", "scope"].some((name) => names.has(name))) reload(); });
  reload();
  const lookAgain = () => {
    more();
    for (const listen of listeners) listen();
  };
  events(() => "/api/v1/events?changes=true", {
    take: (name) => { if (name === "change") lookAgain(); },
    // A stream says nothing of changes before it began.
    state: (name) => { showState(name); if (name === "live") lookAgain(); },
    signal: new AbortController().signal,
  });
}
