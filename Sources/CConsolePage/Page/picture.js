// The screen as a picture of its own: SVG with nothing that is not in it.
import { svg } from "./dom.js";
import { colorOf } from "./icons.js";
import { ago, appName } from "./words.js";
import { textsOf } from "./phone.js";

const [width, height] = [360, 740];

/** As much of a text as fits into lines of so many characters. */
function lines(text, characters, most) {
  const found = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = found.at(-1);
    if (last !== undefined && [...`${last} ${word}`].length <= characters) found[found.length - 1] = `${last} ${word}`;
    else found.push(...(([...word].join("").match(new RegExp(`.{1,${characters}}`, "gu")) ?? [])));
    if (found.length > most) break;
  }
  return found.length > most ? [...found.slice(0, most - 1), `${[...found[most - 1]].slice(0, characters - 1).join("")}…`] : found;
}

function words(text, x, y, size, weight, color, more = {}) {
  const element = svg("text", { x, y, "font-size": size, "font-weight": weight, fill: color, ...more });
  element.textContent = text;
  return element;
}

/** Returns the text of an SVG, and its size. */
export function picture(screen, view) {
  const isAndroid = screen.platform !== "ios";
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const now = screen.at ?? Date.now();
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif" });
  const gradient = svg("linearGradient", { id: "wall", x1: 0, y1: 0, x2: 0.3, y2: 1 });
  (isAndroid ? ["#234b46", "#3a654b", "#6c6738"] : [color("--wall-1"), color("--wall-2"), color("--wall-3")]).forEach((one, index) => gradient.append(svg("stop", { offset: [0, 0.55, 1][index], "stop-color": one })));
  root.append(svg("defs", {}, gradient), svg("rect", { width, height, rx: 48, fill: color("--phone-frame") }), svg("rect", { x: 9, y: 9, width: width - 18, height: height - 18, rx: 40, fill: "url(#wall)" }));
  const time = new Date(now);
  root.append(words(time.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" }), width / 2, 76, 16, 500, "#fff", { "text-anchor": "middle" }), words(time.toLocaleTimeString([], { hour: "numeric", minute: "2-digit", hour12: false }), width / 2, 146, 74, 600, "#fff", { "text-anchor": "middle" }));
  if (view === "home") home(root, screen);
  else list(root, screen, now, color);
  root.append(svg("rect", { x: width / 2 - 64, y: height - 22, width: 128, height: 5, rx: 2.5, fill: "#fff", opacity: 0.85 }));
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`, width, height };
}

function icon(root, app, x, y, size) {
  root.append(svg("rect", { x, y, width: size, height: size, rx: size * 0.25, fill: colorOf(app) }), words([...appName(app)][0] ?? "?", x + size / 2, y + size * 0.66, size * 0.46, 650, "#fff", { "text-anchor": "middle" }));
}

function home(root, screen) {
  screen.apps.slice(0, 20).forEach((app, index) => {
    const [x, y] = [34 + (index % 4) * 78, 190 + Math.floor(index / 4) * 92];
    icon(root, app.app, x, y, 56);
    root.append(words(appName(app.app).slice(0, 11), x + 28, y + 72, 11, 450, "#fff", { "text-anchor": "middle" }));
    if (app.badge) root.append(svg("rect", { x: x + 40, y: y - 8, width: 24, height: 22, rx: 11, fill: "#c8281e" }), words(app.badge > 9999 ? "…" : String(app.badge), x + 52, y + 8, 13, 600, "#fff", { "text-anchor": "middle" }));
  });
}

function list(root, screen, now, color) {
  let y = 178;
  const [ground, text, muted] = [color("--card"), color("--card-text"), color("--card-muted")];
  for (const [index, notification] of screen.notifications.entries()) {
    const { title, subtitle, body } = textsOf(notification);
    const isUnknown = notification.gone && !notification.known;
    const rows = [...(subtitle ? lines(subtitle, 38, 1).map((one) => [one, 620]) : []), ...lines(body, 38, 4).map((one) => [one, 400])];
    const tall = Math.max(58, 40 + rows.length * 18);
    if (y + tall > height - 60) {
      root.append(words(`${screen.notifications.length - index} more`, width / 2, y + 18, 13, 550, "#fff", { "text-anchor": "middle" }));
      return;
    }
    root.append(svg("rect", { x: 20, y, width: width - 40, height: tall, rx: 20, fill: ground }));
    icon(root, notification.app, 32, y + tall / 2 - 18, 36);
    root.append(words(isUnknown ? "Its text is not kept" : lines(title || appName(notification.app), 28, 1)[0] ?? "", 80, y + 24, 14, 620, text), words(ago(notification.delivered_at, now), width - 34, y + 24, 12, 400, muted, { "text-anchor": "end" }));
    rows.forEach(([one, weight], row) => root.append(words(one, 80, y + 43 + row * 18, 14, weight, text)));
    y += tall + 8;
  }
}
