// What the page shows. All of it that somebody would want to link to is in the address, behind the #.

/** Names in the address, with their values at the beginning. */
const linked = {
  device: "", app: "", push: "", shown: "", view: "", at: "", compare: "", text: "", outcome: "", reason: "", scope: "", column: "", find: "",
};

export const state = { ...linked };

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
  write(replaces || [...changed].every((name) => name === "at" || name === "text" || name === "find"));
  for (const listen of listeners) listen(changed);
}

function write(replaces) {
  const pairs = Object.keys(linked).filter((name) => state[name] !== "").map((name) => [name, state[name]]);
  const address = pairs.length ? "#" + new URLSearchParams(pairs) : location.pathname;
  if (replaces) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}

/** Takes what the address says. */
export function read() {
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
