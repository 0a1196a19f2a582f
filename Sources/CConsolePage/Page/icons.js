// An icon for an app that has none here: a letter on a color that follows from the name.
import { h, svg } from "./dom.js";
import { appName } from "./words.js";

// White text on each has a contrast above 4.5.
const colors = ["#3a5bd9", "#8a3ffc", "#b3295c", "#b1431a", "#7a5c00", "#2b7a3d", "#0f7285", "#4b5c77", "#9a3b9a", "#a3342a"];

export function colorOf(app) {
  let hash = 0;
  for (const character of app) hash = (hash * 31 + character.codePointAt(0)) >>> 0;
  return colors[hash % colors.length];
}

export function appIcon(app) {
  const icon = h("span", { class: "icon", "aria-hidden": "true" }, [...appName(app)][0] ?? "?");
  icon.style.background = colorOf(app);
  return icon;
}

/** A phone's outline. */
export function phoneGlyph(isAndroid, isOffline) {
  const glyph = svg("svg", { viewBox: "0 0 20 20", class: "glyph", "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": "1.5" },
    svg("rect", { x: 5.5, y: 2, width: 9, height: 16, rx: isAndroid ? 1.5 : 2.5 }),
    isAndroid ? svg("circle", { cx: 10, cy: 4.5, r: 0.6 }) : svg("path", { d: "M8.5 4h3" }));
  if (isOffline) glyph.append(svg("path", { d: "M3 3l14 14" }));
  return glyph;
}
