// What the page shows. All of it that somebody would want to link to is in the address, behind the #.

/** Names in the address, with their values at the beginning. */
const linked = {
  device: "", app: "", push: "", shown: "", view: "", at: "", compare: "", text: "", outcome: "", reason: "", scope: "", column: "", find: "",
};

export const state = { ...linked };

/** A notification as `shown` names it. Names of devices and identifiers may contain anything. */
export const shownName = (device, seq, identifier) => [device, seq, identifier].map(encodeURIComponent).join("|");

/** What `shown` names: `{device, seq, identifier}` with texts; null if it names nothing. */
export function shownNotification() {
  const parts = state.shown.split("|");
  if (parts.length !== 3) return null;
  try {
    const [device, seq, identifier] = parts.map(decodeURIComponent);
    return { device, seq, identifier };
  } catch {
    return null;
  }
}

/** The device that is shown, and the one beside it. */
export const devices = () => [state.device, state.compare].filter(Boolean);

/** Whether a screen of the past is shown. */
export const isPast = () => state.at !== "";

const listeners = new Set();

/** `listen(changed)` is called with the set of names that have changed. */
export function onChange(listen) { listeners.add(listen); }

/** Changes some of it. */
export function change(values, { replaces = false } = {}) {
  const changed = new Set();
  for (const [name, value] of Object.entries(values)) {
    const text = value === null || value === undefined ? "" : String(value);
    if (state[name] === text) continue;
    state[name] = text;
    changed.add(name);
  }
  if (changed.size === 0) return;
  isStep ||= !replaces && ![...changed].every((name) => name === "at" || name === "text" || name === "find");
  for (const listen of listeners) listen(changed);
  schedule();
}

/** What is shown, as an address. */
export function address() {
  const pairs = Object.keys(linked).filter((name) => state[name] !== "").map((name) => [name, state[name]]);
  return new URL(pairs.length ? "#" + new URLSearchParams(pairs) : location.pathname, location.href).href;
}

// Browsers limit how often a page may change its address: Safari throws after 100 times in 30 seconds.
const leastPause = 400;
let timer = null;
let written = -leastPause;
/** Whether the next address is a step that Back undoes. */
let isStep = false;
/** The address as it was read or written last. */
let last = location.href;

function schedule() {
  timer ??= setTimeout(write, Math.max(0, written + leastPause - performance.now()));
}

function write() {
  clearTimeout(timer);
  timer = null;
  // Somebody follows a link: it is read next.
  if (location.href !== last) return;
  const wanted = address();
  if (wanted !== last) {
    try {
      if (isStep) history.pushState(null, "", wanted);
      else history.replaceState(null, "", wanted);
      last = location.href;
    } catch (error) {
      console.warn(String(error));
    }
    written = performance.now();
  }
  isStep = false;
}

/** Takes what the address says. */
export function read() {
  clearTimeout(timer);
  timer = null;
  isStep = false;
  last = location.href;
  const found = new URLSearchParams(location.hash.slice(1));
  const changed = new Set();
  for (const name of Object.keys(linked)) {
    const value = found.get(name) ?? "";
    if (state[name] !== value) changed.add(name);
    state[name] = value;
  }
  if (changed.size > 0) for (const listen of listeners) listen(changed);
}

addEventListener("popstate", read);
addEventListener("hashchange", read);
addEventListener("pagehide", write);
