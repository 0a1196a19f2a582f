// The right: why the selected push did or did not appear, and everything that is known of it.
import { calmly, fill, h, svg } from "./dom.js";
import { get, query, send } from "./api.js";
import { onChange, shownNotification, state } from "./state.js";
import { onDeviceChange, remove } from "./pushes.js";
import { onScreens, screens } from "./stage.js";
import { appName, clock, kindWords, look, mainLine, plural, stepWords, why } from "./words.js";

const element = (id) => document.getElementById(id);
const closed = new Set(["trace", "answer"]);
const rules = new Map();
let shownFor = "";

/** A part that can be folded; it stays as it was left. */
function part(name, title, aside, ...children) {
  const details = h("details", { open: !closed.has(name) },
    h("summary", {}, h("h3", {}, title), h("span", { class: "muted" }, aside)), h("div", { class: "part" }, children));
  details.addEventListener("toggle", () => (details.open ? closed.delete(name) : closed.add(name)));
  return details;
}

const facts = (pairs) => h("dl", { class: "facts" },
  pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map(
    ([name, value]) => [h("dt", {}, name), h("dd", { dir: "auto" }, value)]
  ));

/** JSON over several lines; any other text as it is. */
export function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

const code = (text, label) => h("pre", { class: "code", tabindex: "0", role: "region", "aria-label": label },
  text.length > 100000 ? `${text.slice(0, 100000)}\n… ${text.length - 100000} more characters` : text);

// MARK: - Findings

function finding(one) {
  const place = h("div", { hidden: true, class: "explain" });
  const button = h("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: async () => {
    const isOpen = place.hidden;
    place.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen || place.childElementCount > 0) return;
    try {
      const rule = rules.get(one.rule) ?? await get(`/api/v1/rules/${encodeURIComponent(one.rule)}`);
      rules.set(one.rule, rule);
      const example = (word, text) => (text ? [h("p", { class: "muted" }, word), h("pre", { class: "code" }, text.slice(0, 2000))] : null);
      fill(place, h("p", {}, rule.explanation), example("Wrong:", rule.failing), example("Right:", rule.passing),
        h("p", { class: "muted" }, `Source: ${rule.source}`), h("p", { class: "mono" }, rule.url));
    } catch (error) { fill(place, h("p", {}, error.message)); }
  } }, "Explain");
  return h("li", { class: `finding ${one.severity}` },
    h("span", { class: "rule" }, `${one.severity} · ${one.rule}`), h("p", { dir: "auto" }, one.message),
    one.pointer ? h("span", { class: "mono" }, inPayload(one.pointer)) : null, button, place);
}

const severities = ["error", "warning", "info"];

/** The worst first. */
export const findings = (list) => h("ul", { class: "findings" },
  [...list].sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity)).map(finding));

/** A place in the payload, as the budget names it: not in the record that the payload is a part of. */
const inPayload = (pointer) => pointer.replace(/^\/(payload|message)(?=\/)/, "");

// MARK: - Budget

/** How full the budget is, and what fills it. */
export function budget(measured) {
  const { bytes, limit } = measured;
  const share = Math.min(bytes / Math.max(limit, 1), 1);
  const fillBar = h("div", { class: "fill" });
  fillBar.style.width = `${(share * 100).toFixed(1)}%`;
  const most = Math.max(...(measured.parts ?? []).map((one) => one.bytes), 1);
  return [
    h("div", { class: `meter${bytes > limit ? " over" : ""}` },
      h("div", { class: "words" }, h("span", {}, `${bytes.toLocaleString()} of ${limit.toLocaleString()} bytes`),
        h("span", { class: "muted" }, bytes > limit ? `${(bytes - limit).toLocaleString()} too many` : `${(limit - bytes).toLocaleString()} left`)),
      h("div",
        {
          class: "track", role: "meter", "aria-valuemin": "0", "aria-valuemax": String(limit), "aria-valuenow": String(Math.min(bytes, limit)),
          "aria-label": "Budget",
        },
        fillBar)),
    measured.parts?.length ? h("ul", { class: "parts" }, measured.parts.slice(0, 40).map((one) => {
      const bar = svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { width: Math.max(one.bytes / most * 100, 1), height: 8, rx: 2, fill: "currentColor", opacity: one.depth === 0 ? 0.8 : 0.45 }));
      const name = h("span", { class: "name", title: one.pointer }, one.pointer);
      name.style.paddingLeft = `${one.depth * 10}px`;
      return h("li", {}, name, bar, h("span", { class: "number" }, one.bytes.toLocaleString()));
    })) : null,
    measured.whitespace > 0
      ? h("p", { class: "muted" }, `White space takes ${plural(measured.whitespace, "byte")}; on one line, the payload needs none.`)
      : null,
  ];
}

// MARK: - Extension

/** What a service extension made of a notification, beside what was sent. */
function sides(notification) {
  const payload = notification.payload ?? {};
  const alert = typeof payload.aps?.alert === "string" ? { body: payload.aps.alert } : payload.aps?.alert ?? {};
  const changes = notification.changes ?? {};
  const sent = {
    title: alert.title ?? alert["title-loc-key"], subtitle: alert.subtitle ?? alert["subtitle-loc-key"], body: alert.body ?? alert["loc-key"],
    badge: payload.aps?.badge, sound: payload.aps?.sound, "thread-id": payload.aps?.["thread-id"], threadIdentifier: payload.aps?.["thread-id"],
  };
  const names = [...new Set([...["title", "subtitle", "body", "badge"].filter((name) => sent[name] !== undefined), ...Object.keys(changes)])];
  const text = (value) => {
    if (typeof value !== "string") return value === undefined ? "–" : JSON.stringify(value);
    // Nobody reads the rest of a picture's digits.
    return value.startsWith("data:") && value.length > 80 ? `${value.slice(0, 60)}… (${plural(value.length, "character")})` : value;
  };
  return h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["", "Sent", "Shown"].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", {},
      names.map((name) => h("tr", { class: name in changes ? "changed" : "" }, h("th", { scope: "row" }, name), h("td", { dir: "auto" }, text(sent[name])),
        h("td", { dir: "auto" }, text(name in changes ? changes[name] : sent[name]))))));
}

// MARK: - Everything

function headers(list) {
  return facts((list ?? []).map((field) => [field.name, field.hidden ? h("i", {}, "hidden") : field.value]));
}

function journal(lines) {
  return h("table", { class: "plain" }, h("thead", { class: "visually-hidden" },
    h("tr", {}, ["When", "What", "Record"].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", {}, lines.map((line) => h("tr", {}, h("td", {}, clock(line.at)), h("td", {}, kindWords(line.kind)), h("td", {}, `record ${line.seq}`)))));
}

/** The lines about the notification that is shown, to notice that there are more of them. */
let current = null;
/** Whether no screen has the notification that is shown. */
let isMissing = false;

async function linesOf(device, identifier) {
  current = null;
  if (!device || !identifier) return [];
  const { journal: lines } = await get(`/api/v1/journal${query({ device, identifier, limit: 200 })}`);
  current = { device, identifier, last: lines.at(-1)?.id ?? 0 };
  return lines;
}

/** What the journal calls a push; of one that is held, what it is going to be called, and of one without an alert, the number that it sets. */
function identifierOf(line, message) {
  if (line?.outcome === "silent") return String(message.records?.[0]?.payload?.aps?.badge ?? "");
  if (line?.outcome !== "held") return line?.identifier;
  return message.request?.headers?.find((field) => field.name === "apns-collapse-id")?.value || `push-${line.seq}`;
}

async function measured(record) {
  try { return (await send("POST", "/api/v1/lint", record)).messages[0]; } catch { return null; }
}

const textNames = {
  title: "Title", "title-loc-key": "Title", title_loc_key: "Title", subtitle: "Subtitle", "subtitle-loc-key": "Subtitle",
  body: "Body", "loc-key": "Body", body_loc_key: "Body", alert: "Body",
};

/** The texts of a push, as facts: those that its request has first. What it is called by in the list is its title, or its body where it has none. */
function texts({ title, request }) {
  const found = {};
  try {
    JSON.parse(request?.body ?? "", (key, value) => {
      const name = textNames[key];
      // Members of the app's own may have the same names: the title is what the list shows.
      if (name && typeof value === "string" && (!found[name] || title && value.startsWith(title))) found[name] = value.slice(0, 2000);
      return value;
    });
  } catch { /* Nothing else of it is known. */ }
  if (title && !Object.values(found).some((text) => text.startsWith(title))) return [["Body", title]];
  return ["Title", "Subtitle", "Body"].map((name) => [name, found[name]]);
}

async function showMessage(id) {
  const message = await get(`/api/v1/messages/${encodeURIComponent(id)}`);
  const line = mainLine(message);
  const found = await linesOf(line?.device, identifierOf(line, message));
  // Other pushes have set the same number.
  const lines = line?.outcome === "silent" ? found.filter((one) => one.seq === line.seq) : found;
  const notification = line && [...screens.values()].flatMap((screen) => screen.notifications).find(
    (one) => one.seq === line.seq && one.identifier === line.identifier
  );
  const record = message.records?.[0];
  const sizes = record && !record.base64 && !record.event ? await measured(JSON.stringify(record)) : null;
  const problems = (message.report ?? []).flatMap((one) => one.findings ?? []);
  const { sentence, more } = why(line, message, lines);
  const { tone, word } = look(line?.outcome, message.status);
  const body = message.request?.body ?? "";
  return [
    h("div", { class: "why", id: "why" },
      h("div", { class: "line" }, h("span", { class: `chip ${tone}` }, word),
        h("span", { class: "what" }, `#${message.id} · ${message.service} · ${clock(message.at)}`),
        h("button", { type: "button", class: "quiet", "aria-label": "Delete this push", onclick: () => remove(message.id) }, "Delete")),
      h("h2", {}, sentence), more ? h("p", {}, more) : null,
      facts([
        ...texts(message), ["App", line?.topic ?? line?.app],
        ["Device", line?.device ? h("span", { class: "mono" }, line.device) : null],
        ["Answer", `${message.status}${line?.outcome === "rejected" && line.reason && line.status ? ` ${line.reason}` : ""}`],
        ["Extension", line?.extension ?? (line?.extension_not_started ? `not started: ${line.extension_not_started}` : null)],
        ["Steps", line?.steps?.map(stepWords).join(" → ")],
      ])),
    problems.length > 0 ? part("findings", "Findings", problems.length, findings(problems)) : null,
    sizes
      ? part("budget", "Budget", `${sizes.bytes} / ${sizes.limit}`, budget(sizes))
      : line?.bytes !== undefined
      ? part("budget", "Budget", "", budget(line))
      : null,
    notification?.changes ? part("extension", "What the extension changed", "", sides(notification)) : null,
    part("request", "Request", message.request?.bytes !== undefined ? plural(message.request.bytes, "byte") : "",
      h("p", { class: "mono" }, `${message.method} ${message.path ?? "(redacted)"}`), headers(message.request?.headers),
      body ? code(pretty(body), "Body of the request") : message.request?.body_base64 ? code(message.request.body_base64, "Body in base64") : null),
    part("answer", "Answer", message.status, headers(message.answer?.headers),
      message.answer?.body ? code(pretty(message.answer.body), "Body of the answer") : h("p", { class: "muted" }, "No body.")),
    lines.length > 0 ? part("journal", "Journal of this notification", lines.length, journal(lines)) : null,
    (message.report ?? []).length > 1
      ? part("report", "Report", plural(message.report.length, "line"),
        message.report.map((one) => h("p", {}, h("span", { class: `chip ${look(one.outcome).tone}` }, look(one.outcome).word),
          ` ${[one.event, one.device, one.reason].filter(Boolean).join(" · ")}`)))
      : null,
    message.trace ? part("trace", "Trace", "", code(message.trace, "Trace")) : null,
  ];
}

const onScreen = ({ device, seq, identifier }) =>
  screens.get(device)?.notifications.find((one) => String(one.seq) === seq && one.identifier === identifier);

async function showNotification({ device, seq, identifier }) {
  const notification = onScreen({ device, seq, identifier });
  isMissing = !notification;
  const lines = await linesOf(device, identifier);
  const payload = notification?.payload;
  const sizes = payload ? await measured(JSON.stringify(payload.aps ? { device, headers: { "apns-topic": notification.app }, payload } : payload)) : null;
  const isBadge = lines.some((line) => line.kind === "badge-set" && String(line.seq) === seq);
  const { sentence, more } = why({ outcome: isBadge ? "silent" : "delivered", seq: Number(seq) }, null, lines);
  return [
    h("div", { class: "why", id: "why" },
      h("div", { class: "line" }, h("span", { class: "chip good" }, isBadge ? "Badge" : "Notification"),
        h("span", { class: "what" }, `record ${seq}${notification ? ` · ${clock(notification.delivered_at)}` : ""}`)),
      h("h2", {}, notification || lines.length > 0 ? sentence : "No longer available."), more ? h("p", {}, more) : null,
      facts([
        ["Title", notification?.title], ["Subtitle", notification?.subtitle], ["Body", notification?.body?.slice(0, 2000)],
        ["App", notification?.app ? `${appName(notification.app)} (${notification.app})` : ""],
        ["Identifier", h("span", { class: "mono" }, identifier)], ["Thread", notification?.thread], ["Device", h("span", { class: "mono" }, device)],
      ])),
    h("p", { class: "part muted" }, notification?.gone ? "It has left the screen. " : "",
      "The request is not available: a store has deliveries only, and pushpipe serve keeps requests while it runs."),
    sizes ? part("budget", "Budget", `${sizes.bytes} / ${sizes.limit}`, budget(sizes)) : null,
    notification?.changes ? part("extension", "What the extension changed", "", sides(notification)) : null,
    payload ? part("request", "Payload", "", code(JSON.stringify(payload, null, 2), "Payload")) : null,
    lines.length > 0 ? part("journal", "Journal of this notification", lines.length, journal(lines)) : null,
  ];
}

function nothing() {
  return h("div", { class: "empty" }, h("h2", {}, "Select a push"),
    h("p", { class: "muted" },
      "Choose one in the list or on the phone. This column shows why it did or did not appear, the request and the answer."));
}

const show = calmly(async () => {
  const wanted = `${state.push}\n${state.shown}`;
  const root = element("detail");
  const shown = shownNotification();
  let parts;
  try {
    parts = state.push ? await showMessage(state.push) : shown ? await showNotification(shown) : nothing();
  } catch (error) {
    if (wanted !== `${state.push}\n${state.shown}`) return;
    parts = error.status === 404 && shown
      ? await showNotification(shown)
      : h("div", { class: "empty" }, h("p", { class: "error-note", role: "alert" }, error.message));
  }
  if (wanted !== `${state.push}\n${state.shown}`) return;
  const top = wanted === shownFor ? root.scrollTop : 0;
  shownFor = wanted;
  fill(root, parts);
  root.scrollTop = top;
}, 150);

export function begin() {
  onChange((names) => { if (names.has("push") || names.has("shown")) show(); });
  // Its notification may have been replaced, or tapped.
  const lookAgain = calmly(async () => {
    if (!current) return;
    const { device, identifier, last } = current;
    const { journal: lines } = await get(`/api/v1/journal${query({ device, identifier, after: last, limit: 1 })}`);
    if (lines.length > 0 && current?.identifier === identifier) show();
  }, 700);
  onDeviceChange(lookAgain);
  // A link may be opened before its screen is there.
  onScreens(() => {
    const shown = isMissing && !state.push ? shownNotification() : null;
    if (shown && onScreen(shown)) show();
  });
  show();
}
