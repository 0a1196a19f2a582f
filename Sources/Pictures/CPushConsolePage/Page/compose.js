// Writes a push, with the linter at its side, and sends it.
import { calmly, fill, h } from "./dom.js";
import { get, push, query, send, status } from "./api.js";
import { change, state } from "./state.js";
import { apps } from "./devices.js";
import { androids } from "./pushes.js";
import { budget, findings } from "./detail.js";
import { plural } from "./words.js";

const dialog = document.getElementById("dialog");
const examples = {
  apns: JSON.stringify({ aps: { alert: { title: "Hello", body: "My first push" }, badge: 1, sound: "default" } }, null, 2),
  fcm: JSON.stringify({ notification: { title: "Hello", body: "My first push" }, data: { id: "1" } }, null, 2),
};

/** What was written, by the device that it is for. */
const drafts = [];
let draft = null;

/** The draft for the device that is shown: one of its own, because another device's push has another topic, and maybe another service. */
function draftOf(device) {
  const known = drafts.find((one) => one.device === (device || "ab12"));
  if (known) return known;
  const service = androids.has(device) ? "fcm" : "apns";
  const made = {
    service, device: device || "ab12", app: apps.find((one) => one.device === device)?.app || "org.example.news", type: "alert", priority: "",
    collapse: "", expiration: "", text: examples[service],
  };
  drafts.push(made);
  return made;
}

/** The record of the draft, and where the text stands in it. */
function record() {
  if (draft.service === "fcm") {
    const start = `{"message":{"token":${JSON.stringify(draft.device)},`;
    // The members of the object that is written.
    const inner = draft.text.trim().replace(/^\{/, "").replace(/\}$/, "");
    const skipped = draft.text.indexOf("{") + 1;
    return { text: `${start}${inner}}}`, start: encoder.encode(start).length, shift: encoder.encode(draft.text.slice(0, Math.max(skipped, 0))).length };
  }
  const fields = headers();
  const start = `{"device":${JSON.stringify(draft.device)},"headers":${JSON.stringify(fields)},"payload":`;
  return { text: `${start}${draft.text}}`, start: encoder.encode(start).length, shift: 0 };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function headers() {
  const fields = {
    "apns-topic": draft.app, "apns-push-type": draft.type, "apns-priority": draft.priority, "apns-collapse-id": draft.collapse,
    "apns-expiration": draft.expiration,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/** The characters of the text between two bytes of the record. */
function place(one, made) {
  const bytes = encoder.encode(draft.text);
  const from = one.offset - made.start + made.shift;
  if (from < 0 || from > bytes.length) return null;
  const to = Math.min(from + Math.max(one.length, 1), bytes.length);
  return [decoder.decode(bytes.slice(0, from)).length, decoder.decode(bytes.slice(0, to)).length];
}

export function open() {
  draft = draftOf(state.device);
  if (state.app) draft.app = state.app;
  draw();
  dialog.showModal();
}

function draw() {
  const isAPNs = draft.service === "apns";
  const input = (name, label, properties = {}) => h("label", {}, label,
    h("input",
      {
        type: "text", value: draft[name], autocomplete: "off", spellcheck: "false",
        oninput: (event) => { draft[name] = event.target.value; edited(); }, ...properties,
      }));
  const choice = (name, label, options, done = edited) => h("label", {}, label,
    h("select", { onchange: (event) => { draft[name] = event.target.value; done(); } },
      options.map(([value, words]) => h("option", { value, selected: value === draft[name] }, words))));
  const marks = h("pre", { class: "marks", "aria-hidden": "true" });
  const editor = h("textarea",
    {
      id: "payload", spellcheck: "false", "aria-label": "Payload", "aria-describedby": "lint-summary", value: draft.text,
      oninput: (event) => { draft.text = event.target.value; marks.textContent = draft.text; edited(); },
      onscroll: () => { marks.scrollTop = editor.scrollTop; },
    });
  const summary = h("p", { id: "lint-summary", role: "status" });
  const result = h("div", { class: "part" });
  const meter = h("div", { class: "part" });
  const answer = h("div", { role: "status" });
  const sendButton = h("button", { type: "button", class: "primary", id: "send", disabled: status.read_only, onclick: () => sendIt(answer) }, "Send");
  const check = calmly(async () => {
    const made = record();
    let found;
    try {
      found = await send("POST", "/api/v1/lint", made.text, "application/json");
    } catch (error) {
      // What was found before is about another text.
      marks.textContent = draft.text;
      summary.textContent = `Not checked: ${error.message}`;
      summary.className = "error-note";
      fill(result);
      fill(meter);
      return;
    }
    summary.className = "";
    showMarks(marks, found.findings.map((one) => ({ ...one, place: place(one, made) })));
    marks.scrollTop = editor.scrollTop;
    const count = (severity) => found.findings.filter((one) => one.severity === severity).length;
    summary.textContent = found.findings.length === 0
      ? "No findings."
      : `${plural(count("error"), "error")}, ${plural(count("warning"), "warning")}, ${plural(count("info"), "hint")}.`;
    const fixable = found.findings.filter((one) => one.edits.length > 0);
    fill(result, findings(found.findings),
      fixable.length > 0
        ? h("button",
          { type: "button", id: "fix", onclick: () => fix(fixable, made, editor, marks, edited) },
          `Fix ${fixable.length === 1 ? "it" : `${fixable.length} of them`}`)
        : null);
    fill(meter, found.messages[0] ? budget(found.messages[0]) : h("p", { class: "muted" }, "Fix the JSON to see the budget."));
  }, 150);
  // The answer was to another push.
  const edited = () => {
    fill(answer);
    check();
  };
  marks.textContent = draft.text;
  fill(dialog,
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Compose a push"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "dialog-body" },
      status.read_only ? h("p", { class: "note" }, "pushpipe view sends nothing. The linter works.") : null,
      h("div", { class: "fields" },
        choice("service", "Service", [["apns", "APNs"], ["fcm", "FCM HTTP v1"]], () => { draft.text = examples[draft.service]; draw(); }),
        input("device", "Device token"), isAPNs ? input("app", "Topic (the app)") : null,
        isAPNs
          ? choice("type", "Push type",
            [
              "alert", "background", "voip", "liveactivity", "location", "complication", "fileprovider", "mdm", "pushtotalk",
              "nowplaying",
            ].map((name) => [name, name]))
          : null,
        isAPNs ? choice("priority", "Priority", [["", "default"], ["10", "10, at once"], ["5", "5, saves power"], ["1", "1"]]) : null,
        isAPNs ? input("collapse", "Collapse id") : null, isAPNs ? input("expiration", "Expiration") : null),
      h("div", { class: "two" },
        h("div", { class: "field" }, h("span", {}, isAPNs ? "Payload" : "Message, without its token"), h("div", { class: "editor" }, marks, editor)),
        h("div", { class: "field" }, h("span", {}, "Budget"), meter, summary, result)),
      needsToken() ? h("p", { class: "note", id: "needs-token" }, needsToken()) : null,
      h("div", { class: "tools" }, sendButton), answer));
  check();
}

/** The text again, behind the editor, with what is wrong underlined. */
function showMarks(marks, list) {
  const ranges = list.filter((one) => one.place).sort((one, other) => one.place[0] - other.place[0]);
  const parts = [];
  let end = 0;
  for (const one of ranges) {
    const [from, to] = one.place;
    if (from < end) continue;
    parts.push(draft.text.slice(end, from), h("mark", { class: one.severity }, draft.text.slice(from, to)));
    end = to;
  }
  parts.push(draft.text.slice(end), "\n");
  fill(marks, parts);
}

function fix(list, made, editor, marks, check) {
  const bytes = encoder.encode(draft.text);
  const edits = list.flatMap((one) => one.edits).map((edit) => ({ ...edit, offset: edit.offset - made.start + made.shift })).filter(
    (edit) => edit.offset >= 0 && edit.offset + edit.length <= bytes.length
  );
  edits.sort((one, other) => one.offset - other.offset);
  let text = "";
  let end = 0;
  for (const edit of edits) {
    if (edit.offset < end) continue;
    text += decoder.decode(bytes.slice(end, edit.offset)) + edit.text;
    end = edit.offset + edit.length;
  }
  draft.text = text + decoder.decode(bytes.slice(end));
  editor.value = draft.text;
  marks.textContent = draft.text;
  check();
}

/** Why every push from this page will be refused; nothing if none is demanded. */
function needsToken() {
  const [demand, option, kind] = draft.service === "apns"
    ? ["provider-token", "serve.provider-key", "provider tokens"] : ["access-token", "serve.service-account", "access tokens"];
  if (!status.demands?.includes(demand)) return null;
  return `This gateway demands ${kind} (${option}), and this page has none: it refuses what you send from here. Send the push with your own sender.`;
}

async function sendIt(place) {
  const isAPNs = draft.service === "apns";
  try {
    const { status: code, text } = isAPNs
      ? await push(`/3/device/${encodeURIComponent(draft.device)}`, headers(), draft.text)
      : await push("/v1/projects/demo/messages:send", { "content-type": "application/json" }, record().text);
    fill(place, h("p", { class: code < 400 ? "muted" : "error-note" }, code < 400 ? `Sent: ${code}.` : `Refused: ${code} ${text.slice(0, 1000)}`));
    const { messages } = await get(`/api/v1/messages${query({ limit: 1 })}`);
    if (messages[0]) change({ push: messages[0].id, shown: "", device: code < 400 ? draft.device : state.device, at: "" });
  } catch (error) {
    fill(place, h("p", { class: "error-note" }, error.message));
  }
}
