// Notifications of the browser: pushes that arrive while nobody looks at the page.
import { announce } from "./dom.js";
import { change } from "./state.js";
import { look, mainLine, plural } from "./words.js";

const button = document.getElementById("notify");
let isOn = false;

function draw() { button.setAttribute("aria-pressed", String(isOn)); }

/** Browsers ask for permission on a click only, and have notifications only for this machine's pages and those over TLS. */
export function begin() {
  if (!isSecureContext || !("Notification" in window)) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    isOn = !isOn && await Notification.requestPermission() === "granted";
    if (!isOn && Notification.permission === "denied") announce("The browser does not allow this page to notify.");
    draw();
  });
}

/** Notifies of pushes that have arrived, newest first. A later one takes the place of an earlier. */
export function tell(found) {
  if (!isOn || document.hasFocus()) return;
  const message = found[0];
  const line = mainLine(message);
  const { word } = look(line?.outcome, message.status);
  const what = line?.reason ? `${word}: ${line.reason}` : word;
  try {
    const shown = new Notification(message.title ?? `${message.method} ${message.path ?? ""}`, {
      body: found.length === 1 ? what : `${what}, and ${plural(found.length - 1, "more push", "more pushes")}`, tag: "pushpipe",
    });
    shown.onclick = () => {
      window.focus();
      change({ push: message.id, shown: "", column: "detail" });
      shown.close();
    };
  } catch (error) {
    // Browsers of phones take them from service workers only.
    console.warn(String(error));
    isOn = false;
    draw();
  }
}
