// The home screen as a picture of its own: SVG with nothing that is not in it.
import { svg } from "./dom.js";
import { colorsOf, wallpaperOf } from "./icons.js";
import { appName } from "./words.js";

const [width, height] = [360, 740];

function words(text, x, y, size, weight, color, more = {}) {
  const element = svg("text", { x, y, "font-size": size, "font-weight": weight, fill: color, ...more });
  element.textContent = text;
  return element;
}

/** A gradient from top to bottom, of the colors that a custom property of the page has. */
function gradient(property, id) {
  const found = getComputedStyle(document.documentElement).getPropertyValue(property).match(/#[0-9a-f]{6}/gi) ?? ["#777777"];
  const stops = found.map((color, index) => svg("stop", { offset: found.length > 1 ? index / (found.length - 1) : 0, "stop-color": color }));
  return svg("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops);
}

/** Returns the text of an SVG, and its size. */
export function picture(screen) {
  const now = screen.at ?? Date.now();
  const root = svg("svg",
    {
      xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height,
      "font-family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    });
  root.append(svg("defs", {}, gradient(wallpaperOf(screen.device), "wall")), svg("rect", { width, height, rx: 48, fill: "#0b0b0d" }),
    svg("rect", { x: 9, y: 9, width: width - 18, height: height - 18, rx: 40, fill: "url(#wall)" }));
  root.append(words(
    new Date(now).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false }), 60, 44, 15, 600, "#fff", { "text-anchor": "middle" }
  ));
  home(root, screen);
  root.append(svg("rect", { x: width / 2 - 64, y: height - 22, width: 128, height: 5, rx: 2.5, fill: "#fff", opacity: 0.85 }));
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`, width, height };
}

function icon(root, app, x, y, size, id) {
  root.append(gradient(colorsOf(app), id),
    svg("rect", { x, y, width: size, height: size, rx: size * 0.235, fill: `url(#${id})` }),
    words([...appName(app)][0] ?? "?", x + size / 2, y + size * 0.66, size * 0.46, 650, "#fff", { "text-anchor": "middle" }));
}

function home(root, screen) {
  screen.apps.slice(0, 20).forEach((app, index) => {
    const [x, y] = [34 + (index % 4) * 78, 84 + Math.floor(index / 4) * 92];
    icon(root, app.app, x, y, 56, `icon-${index}`);
    root.append(words(appName(app.app).slice(0, 11), x + 28, y + 72, 11, 450, "#fff", { "text-anchor": "middle" }));
    if (app.badge) root.append(svg("rect", { x: x + 40, y: y - 8, width: 24, height: 22, rx: 11, fill: "#c8281e" }),
      words(app.badge > 9999 ? "…" : String(app.badge), x + 52, y + 8, 13, 600, "#fff", { "text-anchor": "middle" }));
  });
}
