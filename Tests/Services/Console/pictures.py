"""Pictures of the page, compared with approved ones."""

import io
import json
import pathlib

APPROVED = pathlib.Path(__file__).parent / "approved"
# Both pictures are compared by squares of this side, in pixels, and by the mean colors of those: edges of letters differ between versions
# of a browser, and do not change the mean of a square much.
SIDE = 8
# Levels by which one of the three colors of a square may differ, of 255.
LEVELS = 16
# Squares that may differ more than that, in a thousand; and how many may differ by so many levels as no letters do.
SQUARES = 2
STRONG, STRONG_SQUARES = 48, 2

# Every picture is made at this time, and no time on the page is later. Addresses have the port of the documentation.
NOW = "2026-11-03T20:00:30Z"
SAME_TIME = f"""(() => {{
    const now = Date.parse("{NOW}");
    const Real = Date;
    window.Date = class extends Real {{
        constructor(...parts) {{
            super(...(parts.length === 0 ? [now] : parts));
            if (this.getTime() > now) this.setTime(now);
        }}
        static now() {{ return now; }}
    }};
}})()"""

# What is somewhere on the page, as a name and a rectangle: the smallest around a place is named for it.
REGIONS = """(() => {
    const names = {
        ".bar": "the bar at the top", ".devices": "the devices", ".pushes": "the pushes", "#stage-head": "the switches of the device",
        "#phones": "around the phone", ".phone": "the phone", ".phone .clock": "the clock", ".status-bar": "the status bar", ".tiles": "the lamp and the camera",
        ".shade": "the shade", ".activity": "the Live Activity", "#app-panel": "the app", ".timeline": "the time line", "#why": "why it is there",
        ".detail": "the details", "dialog[open]": "the dialog", ".editor": "the editor", ".finding": "a finding", ".meter": "the budget",
    };
    const found = [];
    const add = (name, one) => {
        const box = one.getBoundingClientRect();
        if (one.checkVisibility() && box.width > 0) found.push([name, box.left, box.top, box.right, box.bottom]);
    };
    for (const [selector, name] of Object.entries(names)) for (const one of document.querySelectorAll(selector)) add(name, one);
    for (const one of document.querySelectorAll(".card")) add(`the card "${one.querySelector(".title")?.textContent}"`, one);
    for (const one of document.querySelectorAll(".row")) add(`the row "${one.querySelector(".first")?.textContent}"`, one);
    for (const one of document.querySelectorAll(".detail details")) add(`the part "${one.querySelector("h3")?.textContent}"`, one);
    return found;
})()"""

STILL = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }");
    document.adoptedStyleSheets = [sheet];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/127\\.0\\.0\\.1:\\d+/, "127.0.0.1:2197");
    document.activeElement?.blur();
    return document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
})()"""


def library():
    """Pillow, or None without it."""
    try:
        import PIL.Image
        import PIL.ImageChops
        import PIL.ImageDraw
        return PIL
    except ImportError:
        return None


def take(browser, selector=None):
    """A picture of the page, or of one element with a margin; and the regions in it, in the picture's coordinates."""
    browser.run(STILL)
    regions = browser.run(REGIONS)
    left, top, right, bottom = 0, 0, *browser.run("[innerWidth, innerHeight]")
    if selector:
        left, top, right, bottom = browser.run(f"""(() => {{
            const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [Math.max(0, Math.floor(box.left) - 8), Math.max(0, Math.floor(box.top) - 8), Math.min(innerWidth, Math.ceil(box.right) + 8), Math.min(innerHeight, Math.ceil(box.bottom) + 8)];
        }})()""")
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": 1}
    moved = [(name, x - left, y - top, end - left, floor - top) for name, x, y, end, floor in regions]
    return browser.capture(clip=clip), moved


def save(data, path):
    """With 256 colors, which a fifth of the bytes hold."""
    image = library().Image.open(io.BytesIO(data)).convert("RGB")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(256, kmeans=2, dither=library().Image.Dither.NONE).save(path, optimize=True)


def compare(approved, data, regions):
    """Says where two pictures differ, and draws them with what differs; `(None, None)` if they do not. `approved` is a path, `data` a PNG."""
    pil = library()
    wanted = pil.Image.open(approved).convert("RGB")
    actual = pil.Image.open(io.BytesIO(data)).convert("RGB")
    if wanted.size != actual.size:
        return f"it has {actual.width}×{actual.height} pixels, and {wanted.width}×{wanted.height} are approved", actual
    means = pil.ImageChops.difference(wanted.reduce(SIDE), actual.reduce(SIDE))
    red, green, blue = means.split()
    most = pil.ImageChops.lighter(pil.ImageChops.lighter(red, green), blue)
    places = [(x, y) for y in range(most.height) for x in range(most.width) if most.getpixel((x, y)) > LEVELS]
    strong = sum(most.getpixel(place) > STRONG for place in places)
    if len(places) * 1000 <= SQUARES * most.width * most.height and strong <= STRONG_SQUARES:
        return None, None
    return describe(places, regions, most), draw(wanted, actual, places)


def describe(places, regions, most):
    counts = {}
    for x, y in places:
        middle = ((x + 0.5) * SIDE, (y + 0.5) * SIDE)
        around = [one for one in regions if one[1] <= middle[0] < one[3] and one[2] <= middle[1] < one[4]]
        name = min(around, key=lambda one: (one[3] - one[1]) * (one[4] - one[2]))[0] if around else "the page"
        counts.setdefault(name, []).append((x, y))
    lines = []
    for name, found in sorted(counts.items(), key=lambda one: -len(one[1])):
        across, down = [x * SIDE for x, _ in found], [y * SIDE for _, y in found]
        strength = max(most.getpixel(place) for place in found)
        lines.append(f"{name}: {len(found)} squares of {SIDE}×{SIDE} pixels differ by up to {strength} levels, "
                     f"from {min(across)},{min(down)} to {max(across) + SIDE},{max(down) + SIDE}")
    return "\n".join(lines[:6] + ([f"and {len(lines) - 6} more regions"] if len(lines) > 6 else []))


def draw(wanted, actual, places):
    """Approved, actual, and actual in gray with what differs in red, beside each other."""
    pil = library()
    marked = pil.Image.blend(actual.convert("L").convert("RGB"), pil.Image.new("RGB", actual.size, "white"), 0.6)
    pen = pil.ImageDraw.Draw(marked)
    for x, y in places:
        pen.rectangle((x * SIDE, y * SIDE, (x + 1) * SIDE - 1, (y + 1) * SIDE - 1), outline="red")
    sheet = pil.Image.new("RGB", (wanted.width * 3 + 20, wanted.height), "white")
    for number, image in enumerate([wanted, actual, marked]):
        sheet.paste(image, (number * (wanted.width + 10), 0))
    return sheet
