// An icon for an app that has none here: a letter on a color that follows from the name.
import { h, svg } from "./dom.js";
import { appName } from "./words.js";

const numbers = new Map();

/** A number below `count` that follows from a name: the one that pictures choose, FNV-1a with 64 bits, its upper half. */
function choice(name, count) {
  const key = `${count} ${name}`;
  if (!numbers.has(key)) {
    let hash = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(name)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    if (numbers.size > 5000) numbers.clear();
    numbers.set(key, Number((hash >> 32n) % BigInt(count)));
  }
  return numbers.get(key);
}

/** The name of the custom property with an app's colors, and of the one with a device's wallpaper. */
export const colorsOf = (app) => `--icon-${choice(app, 10)}`;
export const wallpaperOf = (device) => `--wallpaper-${choice(device, 5)}`;

export function appIcon(app) {
  const icon = h("span", { class: "icon", "aria-hidden": "true" }, [...appName(app)][0] ?? "?");
  icon.style.background = `var(${colorsOf(app)})`;
  return icon;
}

/** A person: the picture, if it is the data URL of one, else initials; with the app's icon at the lower right. */
export function avatar(name, app, image) {
  if (typeof image === "string" && /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/u.test(image)) {
    return h("span", { class: "icon avatar", "aria-hidden": "true" }, h("img", { src: image, alt: "" }), appIcon(app));
  }
  const words = name.trim().split(/\s+/u).map((word) => word.match(/[\p{L}\p{N}]/u)?.[0]).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].filter(Boolean).join("").toUpperCase() || "?";
  return h("span", { class: "icon avatar", "aria-hidden": "true" }, letters, appIcon(app));
}

const glyph = (width, height, name, ...paths) => svg("svg", { viewBox: `0 0 ${width} ${height}`, class: name, "aria-hidden": "true" }, ...paths);

/** Signal, network and battery. */
export const statusGlyph = () => glyph(70, 15, "status",
  ...[4, 7, 10, 13].map((height, index) => svg("rect", { x: index * 4.6, y: 14 - height, width: 3, height, rx: 1, fill: "currentColor" })),
  svg("path",
    {
      d: "M23 5.500a9.500 9.500 0 0 1 14 0M25.500 8.700a6 6 0 0 1 9 0M28 11.700a2.800 2.800 0 0 1 4 0", fill: "none", stroke: "currentColor",
      "stroke-width": 2,
    }),
  svg("rect", { x: 43, y: 2, width: 22, height: 11, rx: 3.5, fill: "none", stroke: "currentColor", opacity: 0.7 }),
  svg("rect", { x: 45, y: 4, width: 16, height: 7, rx: 1.8, fill: "currentColor" }), svg(
    "rect", { x: 66.5, y: 5.5, width: 1.6, height: 4, rx: 0.8, fill: "currentColor" }
  ));

/** An open padlock, as on a lock screen that knows its owner. */
export const padlockGlyph = () => glyph(26, 24, "padlock",
  svg("rect", { x: 3, y: 11, width: 16, height: 12, rx: 3, fill: "currentColor" }), svg("path",
    { d: "M14.500 11V6.500a4.500 4.500 0 0 1 9 0", fill: "none", stroke: "currentColor", "stroke-width": 2.1 }));

/** The two buttons at the bottom of a lock screen. */
export const lockTiles = () => h("div", { class: "tiles", "aria-hidden": "true" },
  glyph(24, 24, "", svg("path", { d: "M8 3h8v3l-2 4v11h-4V10L8 6z", fill: "currentColor" })),
  glyph(24, 24, "",
    svg("path", { d: "M3 8a2 2 0 0 1 2-2h3l1.500-2h5L16 6h3a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z", fill: "currentColor" }),
    svg("circle", { cx: 12, cy: 12.5, r: 3.4, fill: "none", stroke: "#55555c", "stroke-width": 1.6 })));

/** A phone's outline. */
export function phoneGlyph(isAndroid, isOffline) {
  const glyph = svg("svg", { viewBox: "0 0 20 20", class: "glyph", "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": "1.5" },
    svg("rect", { x: 5.5, y: 2, width: 9, height: 16, rx: isAndroid ? 1.5 : 2.5 }),
    isAndroid ? svg("circle", { cx: 10, cy: 4.5, r: 0.6 }) : svg("path", { d: "M8.5 4h3" }));
  if (isOffline) glyph.append(svg("path", { d: "M3 3l14 14" }));
  return glyph;
}
