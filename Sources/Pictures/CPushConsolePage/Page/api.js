// The gateway's API, on the server that the page came from.

const keyName = "pushpipe-access-key";
let askForKey = async () => null;

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** `ask` returns a key, or null. Called when the server wants one. */
export function onKeyWanted(ask) { askForKey = ask; }

function headers(more) {
  const key = sessionStorage.getItem(keyName);
  return key ? { ...more, "x-access-key": key } : { ...more };
}

let asking = null;

async function request(path, options = {}) {
  for (;;) {
    const answer = await fetch(path, { ...options, headers: headers(options.headers), cache: "no-store" });
    if (answer.status !== 401) return answer;
    asking ??= askForKey().finally(() => { asking = null; });
    const key = await asking;
    if (key === null) throw new Refusal(401, "the API needs the access key");
    sessionStorage.setItem(keyName, key);
  }
}

async function json(answer) {
  let body = null;
  try { body = await answer.json(); } catch { /* Not JSON: the status says what there is to say. */ }
  if (!answer.ok) throw new Refusal(answer.status, body?.error?.message ?? `the server answered ${answer.status}`);
  return body;
}

export const get = async (path, signal) => json(await request(path, { signal }));

/** An answer that is not JSON. */
export async function getText(path) {
  const answer = await request(path);
  return answer.ok ? answer.text() : json(answer);
}

export async function send(method, path, body, type = "application/json") {
  return json(await request(path, { method, body, headers: { "content-type": type } }));
}

/** Sends a push as a sender would, and returns the answer whatever it is. */
export async function push(path, fields, body) {
  const answer = await fetch(path, { method: "POST", headers: fields, body, cache: "no-store" });
  return { status: answer.status, text: await answer.text() };
}

/** What the server says about itself, as soon as `readStatus` has asked. */
export let status = { mode: "serve", read_only: false, journal: {} };

export async function readStatus() {
  status = await get("/api/v1/status");
  return status;
}

/** A query of the parameters that have a value. */
export function query(parameters) {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? "?" + new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])) : "";
}

/**
 * Server-sent events, read by `fetch` because `EventSource` sends no key. Calls `take(name, data, id)` for each event, and `state` with
 * "live" or "lost". Connects again, after the last event, until the signal says otherwise.
 */
export async function events(path, { take, state, signal, after }) {
  let last = after;
  let pause = 300;
  while (!signal.aborted) {
    try {
      const answer = await request(path(last), { signal });
      if (!answer.ok) await json(answer);
      state("live");
      pause = 300;
      await read(answer.body, (name, data, id) => {
        if (id !== "") last = id;
        take(name, data, id);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status === 401) return state("closed");
    }
    state("lost");
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(pause * 2, 5000);
  }
}

async function read(body, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    let start = 0;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n", start)) {
      const fields = { event: "message", data: "", id: "" };
      for (const line of rest.slice(start, end).split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
      }
      start = end + 2;
      if (fields.data !== "") take(fields.event, fields.data, fields.id);
    }
    rest = rest.slice(start);
  }
}
