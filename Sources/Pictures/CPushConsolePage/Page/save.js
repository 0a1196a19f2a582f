// Saves what is shown: the screen as SVG or PNG, drawn by the server, and the journal or the pushes as NDJSON.
import { fill, h } from "./dom.js";
import { get, getText, query } from "./api.js";
import { address, state } from "./state.js";
import { messages } from "./pushes.js";
import { screens } from "./stage.js";
import { plural } from "./words.js";
import { picture } from "./picture.js";

const dialog = document.getElementById("dialog");

function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const fileName = (ending) => `${(state.device || "pushpipe").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 40)}.${ending}`;

/** The picture as pixels, twice as fine as on the page. */
function pixels(text, width, height) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = h("canvas", { width: width * 2, height: height * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture cannot be drawn"))), "image/png");
    };
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

async function allLines() {
  const lines = [];
  let after = 0;
  for (;;) {
    const { journal } = await get(`/api/v1/journal${query({ device: state.device, app: state.app, after, limit: 1000 })}`);
    lines.push(...journal);
    if (journal.length < 1000) return lines;
    after = journal.at(-1).id;
  }
}

const ndjson = (list) => list.map((one) => `${JSON.stringify(one)}\n`).join("");

export function open() {
  const note = h("p", { role: "status", class: "muted" });
  const run = (task) => async () => {
    try {
      await task();
      note.textContent = "Saved.";
    } catch (error) { note.textContent = error.message; }
  };
  const screen = screens.get(state.device);
  // The server draws what is on a screen; the home screen is drawn here.
  const draw = async () => {
    if (state.view === "home") return picture(screen);
    const text = await getText(`/api/v1/devices/${encodeURIComponent(state.device)}/screen.svg${query({ app: state.app, at: state.at })}`);
    const size = (name) => Number(text.match(new RegExp(`<svg[^>]* ${name}="([0-9.]+)"`))?.[1] ?? 800);
    return { text, width: size("width"), height: size("height") };
  };
  fill(dialog,
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Export what is shown"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "dialog-body" },
      h("div", { class: "tools" },
        h("button",
          {
            type: "button", id: "save-svg", disabled: !screen,
            onclick: run(async () => download(fileName("svg"), (await draw()).text, "image/svg+xml")),
          },
          "Screen as SVG"),
        h("button",
          {
            type: "button", id: "save-png", disabled: !screen,
            onclick: run(async () => { const { text, width, height } = await draw(); download(fileName("png"), await pixels(text, width, height)); }),
          },
          "Screen as PNG"),
        h("button",
          {
            type: "button", id: "save-journal", disabled: !screen,
            onclick: run(async () => download(fileName("journal.ndjson"), ndjson(await allLines()), "application/x-ndjson")),
          },
          "Journal as NDJSON"),
        h("button",
          {
            type: "button", id: "save-pushes",
            onclick: run(async () => download("pushes.ndjson", ndjson([...messages].reverse()), "application/x-ndjson")),
          },
          `${plural(messages.length, "push", "pushes")} as NDJSON`)),
      h("label", { class: "field" }, "A link to what is shown",
        h("input", { type: "text", readonly: true, value: address(), onfocus: (event) => event.target.select() })), note));
  dialog.showModal();
}
