"""Chromium, driven by the DevTools protocol over a pipe."""

import base64
import itertools
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time


class Missing(Exception):
    """Something that the tests need is not there; the text names it."""


class PageError(Exception):
    """JavaScript that was evaluated in the page failed."""


NAMES = ["chromium", "chromium-browser", "google-chrome"]
# The same fonts on every machine that has them, whatever else it has.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias binding="strong"><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="strong"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
"""
# A page that has not done something by then never will.
TIME_LIMIT = 30


class Browser:
    """A browser without a window. One page at a time; what it logs and asks for is kept."""

    def __init__(self):
        program = next((found for found in map(shutil.which, NAMES) if found), None)
        if not program:
            raise Missing("no chromium")
        self.folder = tempfile.mkdtemp(prefix="console-")
        fonts = pathlib.Path(self.folder, "fonts.conf")
        fonts.write_text(FONTS)
        # The browser reads descriptor 3 and writes to 4.
        to_browser, from_us = os.pipe()
        to_us, from_browser = os.pipe()
        words = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb",
            # Pages in that cache keep their connections, of which a browser has six for a server.
            "--disable-features=BackForwardCache",
            "--font-render-hinting=none", "--disable-lcd-text", "--lang=en-US",
            f"--user-data-dir={self.folder}", "about:blank"]
        script = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *words], pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "FONTCONFIG_FILE": str(fonts), "TZ": "UTC", "LC_ALL": "C.UTF-8"})
        os.close(to_browser)
        os.close(from_browser)
        self.output = os.fdopen(from_us, "wb", buffering=0)
        self.input = os.fdopen(to_us, "rb")
        self.numbers = itertools.count(1)
        self.answers = {}
        self.session = None
        self.arrived = threading.Condition()
        self.console, self.requests, self.downloads = [], [], []
        threading.Thread(target=self._read, daemon=True).start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder, eventsEnabled=True)

    def close(self):
        try:
            self.output.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        rest = b""
        while True:
            piece = os.read(self.input.fileno(), 1 << 16)
            if not piece:
                with self.arrived:
                    self.answers[None] = {"error": {"message": "the browser has ended"}}
                    self.arrived.notify_all()
                return
            *whole, rest = (rest + piece).split(b"\0")
            for text in whole:
                self._take(json.loads(text))

    def _take(self, message):
        with self.arrived:
            if "id" in message:
                self.answers[message["id"]] = message
            elif message["method"] == "Runtime.consoleAPICalled" and message["params"]["type"] in ("error", "warning"):
                self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in message["params"]["args"]))
            elif message["method"] == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.console.append(details.get("exception", {}).get("description") or details["text"])
            elif message["method"] == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                entry = message["params"]["entry"]
                self.console.append(f'{entry["text"]} {entry.get("url", "")}')
            elif message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            self.arrived.notify_all()

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers or None in self.answers, TIME_LIMIT):
                raise PageError(f"no answer to {method}")
            answer = self.answers.pop(number, None) or self.answers[None]
        if "error" in answer:
            raise PageError(f'{method}: {answer["error"]["message"]}')
        return answer["result"]

    def run(self, script):
        """The value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def wait(self, script, what=None, limit=TIME_LIMIT):
        """Returns the value of an expression once it is true. The page looks again after each of its frames."""
        end = time.monotonic() + limit
        while True:
            value = self.run(f"""new Promise((done) => {{
                const start = performance.now();
                const look = () => {{
                    let value = null;
                    try {{ value = {script}; }} catch {{ value = null; }}
                    if (value || performance.now() - start > 1000) done(value instanceof Node ? true : value); else setTimeout(look, 20);
                }};
                look();
            }})""")
            if value:
                return value
            if time.monotonic() > end:
                raise PageError(f"never true: {what or script}")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait('document.readyState === "complete"')

    def size(self, width, height, **more):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False, **more)

    def media(self, **features):
        """Such as prefers_color_scheme="dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def key(self, name):
        codes = {"Tab": 9, "Enter": 13, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "ArrowLeft": 37, "Escape": 27, "Home": 36, "End": 35}
        for kind in ["keyDown", "keyUp"]:
            more = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name], **more)

    def click(self, selector):
        """With the mouse, in the middle of an element, whatever lies above it."""
        place = self.run(f"""(() => {{
            const one = document.querySelector({json.dumps(selector)});
            one.scrollIntoView({{ block: "nearest" }});
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def capture(self, **clip):
        """What is visible, as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"])

    def picture(self, path):
        pathlib.Path(path).write_bytes(self.capture())

    def before_each_page(self, script):
        """Runs a script before those of every page that is opened from now on; returns what `no_longer_before` takes."""
        return self.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def no_longer_before(self, identifier):
        self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def downloaded(self, name):
        """The content of a file that the page has saved, once it is whole."""
        path = pathlib.Path(self.folder, name)
        end = time.monotonic() + TIME_LIMIT
        while not path.exists() or pathlib.Path(f"{path}.crdownload").exists():
            if time.monotonic() > end:
                raise PageError(f"{name} was not saved")
            time.sleep(0.02)
        return path.read_bytes()
