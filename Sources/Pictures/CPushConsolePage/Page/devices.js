// The list of devices and their apps, in pages from the server.
import { calmly, h } from "./dom.js";
import { get, query } from "./api.js";
import { androids } from "./pushes.js";
import { Rows } from "./rows.js";
import { change, onChange, state } from "./state.js";
import { appIcon, phoneGlyph } from "./icons.js";
import { appName, plural, short } from "./words.js";

const element = (id) => document.getElementById(id);
const pageSize = 200;

/** The apps that the server has listed, in its order: `{device, app, count, badge, latest}`. */
export let apps = [];
let next = null;
const loaded = new Set();

/** `listen()` is called when the list has been read again. */
export function onLoad(listen) { loaded.add(listen); }

const rows = new Rows(element("device-list"), {
  label: "Devices and apps",
  key: (row) => `${row.device}\n${row.app ?? ""}\n${row.isDevice ? "d" : "a"}`,
  choose: (row, options) => change({
    device: row.device, app: row.isDevice ? "" : row.app, scope: "", at: "", compare: state.compare === row.device ? "" : state.compare,
    // The details are about another device's push.
    ...(row.device === state.device ? {} : { push: "", shown: "" }),
  }, options),
  rowClass: (row) => (row.isDevice ? "device" : "app"),
  more: () => loadMore(),
  draw(row) {
    if (row.isDevice) {
      return [
        phoneGlyph(androids.has(row.device), false),
        h("span", { class: "lines" }, h("span", { class: "first mono", title: row.device }, short(row.device))),
        h("span", { class: "count" }, row.count || ""),
      ];
    }
    return [
      appIcon(row.app),
      h("span", { class: "lines" }, h("span", { class: "first" }, appName(row.app)), h("span", { class: "second mono" }, row.app || "no app")),
      h("span", { class: "aside" },
        row.badge ? h("span", { class: "badge", "aria-hidden": "true" }, row.badge > 9999 ? "9999+" : row.badge) : null, " ",
        h("span", { class: "count" }, row.count)),
    ];
  },
  describe: (row) => (row.isDevice
    ? `Device ${row.device}, ${plural(row.count, "notification")}`
    : `${appName(row.app)}, ${plural(row.count, "notification")}${row.badge ? `, badge ${row.badge}` : ""}`),
});

function show() {
  const groups = new Map();
  for (const app of apps) {
    if (!groups.has(app.device)) groups.set(app.device, []);
    groups.get(app.device).push(app);
  }
  const items = [];
  for (const [device, group] of groups) {
    items.push({ device, isDevice: true, count: group.reduce((sum, app) => sum + app.count, 0) });
    items.push(...group);
  }
  rows.set(items);
  const note = element("device-note");
  note.hidden = items.length > 0;
  note.textContent = state.find ? "No device or app matches." : "No devices yet.";
  select();
}

function select() {
  rows.select(state.device ? `${state.device}\n${state.app}\n${state.app ? "a" : "d"}` : null);
}

export const refresh = calmly(async () => {
  const limit = Math.min(Math.max(apps.length, pageSize), 1000);
  const page = await get(`/api/v1/devices${query({ limit, search: state.find })}`);
  apps = apps.length > limit && !state.find ? page.devices.concat(apps.slice(limit)) : page.devices;
  if (apps.length <= limit) next = page.next ?? null;
  show();
  for (const listen of loaded) listen();
}, 1000);

let isLoading = false;
async function loadMore() {
  if (!next || isLoading) return;
  isLoading = true;
  try {
    const page = await get(next);
    apps = apps.concat(page.devices);
    next = page.next ?? null;
    show();
  } finally {
    isLoading = false;
  }
}

export function begin() {
  element("device-list").before(h("p", { id: "device-note", class: "list-note", hidden: true }));
  const search = element("device-search");
  search.value = state.find;
  let timer = null;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => change({ find: search.value }), 150);
  });
  onChange((names) => {
    if (names.has("find")) {
      apps = [];
      refresh();
    }
    select();
  });
  refresh();
}
