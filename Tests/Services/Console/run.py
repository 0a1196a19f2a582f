#!/usr/bin/env python3
"""Drives the web console in Chromium: `pushpipe serve` and `pushpipe view` as somebody sees them.

    Tests/Services/Console/run.py [--pushpipe PATH] [--case NAME]... [--axe FILE] [--pictures FOLDER] [--approve]

Each case has a server of its own and a page that was opened anew. The status is 1 if a case fails. Whatever the case, the page may log no
error and ask nobody but its server. Without Chromium nothing runs; the status is then 1 in CI (CI=true), and 0 elsewhere.
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time
import traceback

# No folders with compiled modules in the source tree.
sys.dont_write_bytecode = True

import pictures
from browser import Browser, Missing
from cases import CASES
from gateway import Server

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Trial:
    """What a case has: a browser, a server, folders."""

    documentation = ROOT / "Documentation/pictures"
    can_compare = pictures.library() is not None

    def __init__(self, browser, options):
        self.browser, self.options = browser, options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="console-case-"))
        self.servers = []
        # What the console of a page may say all the same: parts of texts.
        self.expected = []

    def serve(self, *words):
        return self.start("serve", "--format", "none", *words)

    def start(self, *words):
        server = Server(self.options.pushpipe, *words)
        self.servers.append(server)
        return server

    def open(self, server, fragment="", ready='document.querySelector("#live").dataset.state === "live"'):
        self.browser.size(1440, 900)
        self.browser.media(prefers_color_scheme="light", prefers_reduced_motion="no-preference")
        # Another address first: a page that only changes its fragment is not loaded.
        self.browser.open("about:blank")
        self.browser.console.clear()
        self.browser.requests.clear()
        self.browser.open(f"{server.address}/{fragment}")
        if ready:
            self.browser.wait(ready)

    def picture(self, name):
        if self.options.pictures:
            self.browser.picture(pathlib.Path(self.options.pictures, f"{name}.png"))

    def looks(self, name, selector=None, approved=None):
        """Compares the page, or an element, with its approved picture; with --approve, makes it the approved one. Returns a note."""
        if not self.can_compare:
            return "not compared: Pillow is not installed"
        approved = approved or pictures.APPROVED / f"{name}.png"
        data, regions = pictures.take(self.browser, selector)
        if self.options.approve:
            pictures.save(data, approved)
            return "approved"
        difference, sheet = pictures.compare(approved, data, regions)
        if difference:
            folder = pathlib.Path(self.options.pictures or ROOT / ".build/console/pictures")
            folder.mkdir(parents=True, exist_ok=True)
            sheet.save(folder / f"{name}-differs.png")
            (folder / f"{name}.png").write_bytes(data)
            raise AssertionError(
                f"{name} differs from {approved}:\n{difference}\n{folder / name}-differs.png has both. If the page is to look like this: --approve")
        return None

    def check(self):
        """What holds for every page."""
        wrong = [text for text in self.browser.console if not any(part in text for part in self.expected)]
        assert not wrong, f"the console says {wrong}"
        hosts = tuple(f"{server.address}/" for server in self.servers) + ("about:", "data:", "blob:")
        others = [url for url in self.browser.requests if not url.startswith(hosts)]
        assert not others, f"the page asked for {others}"

    def end(self):
        for server in self.servers:
            server.stop()


def run(case, browser, options):
    trial = Trial(browser, options)
    start = time.monotonic()
    try:
        note = case(trial)
        trial.check()
        result = f"ok{f', {note}' if note else ''}"
    except Exception:  # Whatever fails fails the case.
        result = "FAILED\n" + "".join(f"    {line}\n" for line in traceback.format_exc().splitlines())
        trial.picture(f"failed-{case.__name__}")
    finally:
        trial.end()
    print(f"{case.__name__.replace('_', ' '):45} {time.monotonic() - start:5.1f} s  {result}", flush=True)
    return result.startswith("ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=str(ROOT / ".build/tests/release/pushpipe"))
    parser.add_argument("--case", action="append", help="only these, by a part of their names")
    parser.add_argument("--axe", help="axe-core as one file of JavaScript; without it, only our own checks of accessibility run")
    parser.add_argument("--pictures", help="where pictures of the page go")
    parser.add_argument("--approve", action="store_true", help="make what the page looks like now the approved pictures")
    options = parser.parse_args()
    if options.pictures:
        pathlib.Path(options.pictures).mkdir(parents=True, exist_ok=True)
    try:
        if not Trial.can_compare and os.environ.get("CI") == "true":
            raise Missing("no Pillow, which compares pictures")
        browser = Browser()
    except Missing as error:
        is_ci = os.environ.get("CI") == "true"
        print(f"console: {'cannot run' if is_ci else 'skipped'}, {error}", file=sys.stderr)
        return 1 if is_ci else 0
    try:
        names = {case.__name__ for case in CASES}
        # A whole name is that case alone, and not those whose names begin with it.
        wanted = [case for case in CASES if not options.case or any(
            name == case.__name__ if name in names else name in case.__name__ for name in options.case)]
        # In CI a case has a second try, because a browser on a busy machine is late at times; why the first one failed is printed above it.
        tries = 2 if os.environ.get("CI") == "true" else 1
        results = [any(run(case, browser, options) for _ in range(tries)) for case in wanted]
    finally:
        browser.close()
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) and results else 1


if __name__ == "__main__":
    sys.exit(main())
