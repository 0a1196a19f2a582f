// The page: reads the address, asks the server who it is, and begins.
import { fill, h } from "./dom.js";
import { onKeyWanted, readStatus } from "./api.js";
import { change, onChange, read, state } from "./state.js";
import * as devices from "./devices.js";
import * as pushes from "./pushes.js";
import * as stage from "./stage.js";
import * as detail from "./detail.js";
import * as compose from "./compose.js";
import * as faults from "./faults.js";
import * as save from "./save.js";
import * as notify from "./notify.js";

const element = (id) => document.getElementById(id);

onKeyWanted(() => new Promise((resolve) => {
  const dialog = element("dialog");
  const key = h("input", { type: "password", autocomplete: "off", "aria-label": "Access key" });
  const done = (value) => {
    dialog.onclose = null;
    dialog.close();
    resolve(value);
  };
  fill(dialog, h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Access key")),
    h("div", { class: "dialog-body" }, h("p", { class: "muted" }, "This gateway needs an access key. The page keeps it until this tab is closed."), key,
      h("div", { class: "tools" }, h("button", { type: "button", class: "primary", onclick: () => done(key.value) }, "Continue"))));
  key.addEventListener("keydown", (event) => { if (event.key === "Enter") done(key.value); });
  // Comes later than the call that closed it, when the next question may be there already.
  dialog.onclose = () => { if (!dialog.open) resolve(null); };
  dialog.showModal();
}));

function columns() {
  // Who follows a link to a push on a phone is to see the push.
  const shown = state.column || (state.push || state.shown ? "detail" : "lists");
  document.querySelector(".columns").dataset.shown = shown;
  for (const button of document.querySelectorAll(".tabs button")) button.setAttribute("aria-pressed", String(button.dataset.column === shown));
}

async function begin() {
  read();
  let status;
  for (;;) {
    try {
      status = await readStatus();
      break;
    } catch (error) {
      pushes.showState(error.status === 401 ? "closed" : "lost");
      fill(element("phones"), h("div", { class: "empty" }, h("p", { class: "error-note", role: "alert" }, error.message)));
      if (error.status === 403) return;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  element("mode").textContent = status.mode === "view" ? `view ${status.store ?? ""}` : status.store ? `serve · ${status.store}` : "serve";
  document.title = status.mode === "view" ? `${status.store} · pushpipe` : "pushpipe";
  if (status.read_only) element("open-faults").hidden = true;
  element("open-compose").addEventListener("click", compose.open);
  element("open-faults").addEventListener("click", faults.open);
  element("open-export").addEventListener("click", save.open);
  for (const button of document.querySelectorAll(".tabs button")) button.addEventListener("click",
    () => change({ column: button.dataset.column }));
  onChange((names) => { if (["column", "push", "shown"].some((name) => names.has(name))) columns(); });
  columns();
  stage.begin();
  devices.begin();
  pushes.begin(status.mode === "view");
  if (status.mode !== "view") notify.begin();
  detail.begin();
}

begin();
