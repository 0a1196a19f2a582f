// The rules by which requests go wrong.
import { fill, h } from "./dom.js";
import { get, send, status } from "./api.js";

const dialog = document.getElementById("dialog");
let text = `# Tokens that are gone.
- device: dead*
  reason: Unregistered
# Every tenth push comes late.
- every: 10
  delay: 2s
`;

export async function open() {
  const list = h("div", { role: "status" });
  const answer = h("div", { role: "alert" });
  const editor = h("textarea",
    {
      "aria-label": "Fault rules in YAML or JSON", spellcheck: "false", class: "mono", rows: "12", value: text,
      oninput: (event) => { text = event.target.value; },
    });
  const take = (found) => {
    // What is in force is what there is to change.
    if (found.text !== undefined) {
      text = found.text;
      editor.value = text;
    }
    return found;
  };
  const show = ({ faults }) => fill(list,
    faults.length === 0
      ? "No rules are in force."
      : `${faults.length} ${faults.length === 1 ? "rule is" : "rules are"} in force. Uses: `
        + `${faults.map((one, index) => `rule ${index + 1}: ${one.uses}`).join(", ")}.`);
  let latest = 0;
  const run = (task) => async () => {
    latest += 1;
    const mine = latest;
    try {
      const found = await task();
      if (mine !== latest) return;
      show(found);
      fill(answer);
    } catch (error) { fill(answer, h("p", { class: "error-note" }, error.message)); }
  };
  fill(dialog,
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, "Faults"), h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("div", { class: "dialog-body" },
      h("p", { class: "muted" },
        "Rules make requests fail: refusals, delays, broken connections. The first rule that matches applies. Set rules replaces all rules."),
      list, editor, answer,
      h("div", { class: "tools" },
        h("button", { type: "button", disabled: status.read_only, onclick: run(() => send("DELETE", "/api/v1/faults")) }, "Remove all"),
        h("button",
          {
            type: "button", class: "primary", id: "set-faults", disabled: status.read_only,
            onclick: run(() => send("PUT", "/api/v1/faults", text, "application/yaml")),
          },
          "Set rules"))));
  dialog.showModal();
  await run(async () => take(await get("/api/v1/faults")))();
}
