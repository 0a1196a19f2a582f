// Elements without markup: every text becomes a text node, so a title may say what it likes.

/**
 * Makes an element. `properties` are attributes; functions are listeners (`onclick`), `class` is a class list, null and false leave out.
 * Children are elements, texts, arrays of them, or nothing.
 */
export function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

const namespace = "http://www.w3.org/2000/svg";

/** The same for a picture. */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, String(value));
  for (const child of children) element.append(child);
  return element;
}

/** Drawn once per frame at most, whatever asks for it in between. */
export function onceAFrame(draw) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    const run = () => {
      if (!isDue) return;
      isDue = false;
      draw();
    };
    requestAnimationFrame(run);
    // A tab in the background, or behind other windows, has no frames.
    setTimeout(run, 250);
  };
}

/** Runs a task again and again when asked to, one at a time, and no more often than it can. */
export function calmly(task, least = 250) {
  let isRunning = false;
  let isWanted = false;
  return async function run() {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    do {
      isWanted = false;
      const start = performance.now();
      try {
        await task();
      } catch (error) {
        if (error.name !== "AbortError") console.warn(String(error));
      }
      // A slow server, or a slow page, is asked less often.
      if (isWanted) await new Promise((done) => setTimeout(done, Math.max(least, 4 * (performance.now() - start))));
    } while (isWanted);
    isRunning = false;
  };
}

/** Says something to a screen reader; of many things, the last. */
let timer = null;
export function announce(text) {
  clearTimeout(timer);
  timer = setTimeout(() => { document.getElementById("announce").textContent = text; }, 400);
}
