// The time line: the lines of the journal about the devices that are shown, and a slider over them.
import { calmly, fill, h } from "./dom.js";
import { get, query } from "./api.js";
import { change, devices, isPast, state } from "./state.js";
import { clock, kindWords } from "./words.js";

const element = (id) => document.getElementById(id);
const mostLines = 1000;
const speeds = [["0.5", "½×"], ["1", "1×"], ["3", "3×"], ["10", "10×"]];

let lines = [];
let playing = null;
let speed = "1";

/** When the line was written after which a screen of the past is shown; null if that line is not known. */
export function timeOf(at) {
  const line = lines.find((one) => String(one.id) === at);
  return line ? Date.parse(line.at) : null;
}

/** For other devices. */
export function forgetLines() {
  lines = [];
  stop();
}

/** The newest lines about a device, of which some are known. */
async function linesOf(device, known) {
  const asked = { device, app: device === state.device ? state.app : "", limit: mostLines };
  const after = known.at(-1)?.id;
  const { journal } = await get(`/api/v1/journal${query({ ...asked, after })}`);
  // A full page ends before the newest line.
  if (after !== undefined && journal.length >= mostLines) return (await get(`/api/v1/journal${query(asked)}`)).journal;
  return known.concat(journal).slice(-mostLines);
}

export const refreshLines = calmly(async () => {
  const wanted = devices();
  if (wanted.length === 0) return;
  const before = lines;
  const found = await Promise.all(wanted.map((device) => linesOf(device, before.filter((line) => line.device === device))));
  // Other devices are shown by now.
  if (lines !== before) return;
  lines = found.flat().sort((one, other) => one.id - other.id);
  drawTimeline();
}, 300);

function stop() {
  clearInterval(playing);
  playing = null;
}

function position() {
  if (!isPast()) return lines.length;
  const index = lines.findIndex((line) => line.id > Number(state.at));
  return index < 0 ? lines.length : index;
}

function go(count) {
  const index = Math.max(0, Math.min(count, lines.length));
  change({ at: index >= lines.length ? "" : index === 0 ? Math.max((lines[0]?.id ?? 1) - 1, 0) : lines[index - 1].id });
}

function play() {
  if (playing) {
    stop();
    return drawTimeline();
  }
  if (!isPast()) go(0);
  playing = setInterval(() => {
    if (document.hidden) return;
    go(position() + 1);
    if (!isPast()) {
      stop();
      drawTimeline();
    }
  }, 900 / Number(speed));
  drawTimeline();
}

let parts = null;
export function drawTimeline() {
  const root = element("timeline");
  root.hidden = !state.device;
  if (!parts) {
    parts = {
      back: h("button", { type: "button", "aria-label": "One step back", onclick: () => { stop(); go(position() - 1); } }, "◀"),
      play: h("button", { type: "button", onclick: play }),
      on: h("button", { type: "button", "aria-label": "One step forwards", onclick: () => { stop(); go(position() + 1); } }, "▶"),
      slider: h("input",
        {
          type: "range", min: "0", step: "1", "aria-label": "Line of the journal", id: "slider",
          oninput: (event) => { stop(); go(Number(event.target.value)); },
        }),
      speed: h("select",
        { "aria-label": "Speed", onchange: (event) => { speed = event.target.value; if (playing) { stop(); play(); } } },
        speeds.map(([value, words]) => h("option", { value, selected: value === speed }, words))),
      live: h("button", { type: "button", onclick: () => { stop(); change({ at: "" }); } }, "Live"),
      where: h("p", { class: "where", id: "where" }),
    };
    root.append(h("div", { class: "controls" }, parts.back, parts.play, parts.on, parts.slider, parts.speed, parts.live), parts.where);
  }
  const index = position();
  parts.slider.max = String(lines.length);
  parts.slider.value = String(index);
  const line = lines[index - 1];
  const words = line ? `${clock(line.at)}, ${line.identifier} ${kindWords(line.kind)}` : "before the first line";
  parts.slider.setAttribute("aria-valuetext", `Line ${index} of ${lines.length}: ${words}`);
  parts.play.textContent = playing ? "❚❚" : "Play";
  parts.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  parts.live.setAttribute("aria-pressed", String(!isPast()));
  parts.back.disabled = index === 0;
  parts.on.disabled = index >= lines.length;
  for (const control of [parts.play, parts.slider]) control.disabled = lines.length === 0;
  fill(parts.where, lines.length === 0 ? "No events on this device yet." : [
    h("span", {}, `${index} / ${lines.length}${lines.length >= mostLines ? " newest" : ""}`), h("span", {}, line ? clock(line.at) : ""),
    line
      ? [
        h("b", {}, kindWords(line.kind)), h("span", { class: "mono", dir: "auto" }, line.identifier.slice(0, 80)), h("span", {}, `record ${line.seq}`),
      ]
      : h("span", {}, words),
  ]);
}
