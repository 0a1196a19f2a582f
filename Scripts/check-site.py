#!/usr/bin/env python3
"""Checks a built site: each link to a page, file or anchor of it leads there, and no page or style sheet loads anything from another host.

    Scripts/check-site.py .build/site
"""
import html.parser
import os
import re
import sys
import urllib.parse

# The elements that make a browser fetch something.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "object": "data", "embed": "src"}
LOADING_LINKS = {"stylesheet", "preload", "preconnect", "dns-prefetch", "icon", "modulepreload", "prefetch"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if values.get(LOADED.get(tag)):
            self.loads.append(values[LOADED[tag]])
        if tag == "link" and LOADING_LINKS & set((values.get("rel") or "").split()) and values.get("href"):
            self.loads.append(values["href"])


def main():
    site = os.path.abspath(sys.argv[1])
    pages, problems = {}, []
    for folder, folders, names in os.walk(site):
        # The libraries' pages are a program that draws them; DocC has checked their links.
        if folder == site and "api" in folders:
            folders.remove("api")
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".html"):
                page = pages[path] = Page()
                with open(path, encoding="utf-8") as file:
                    page.feed(file.read())
            elif name.endswith(".css"):
                with open(path, encoding="utf-8") as file:
                    problems += [f"{path}: loads {found}" for found in re.findall(r"url\([\"']?((?:https?:)?//[^)\"']+)", file.read())]
    for path, page in pages.items():
        # Its address is that of the host, wherever it is shown.
        is_error_page = os.path.basename(path) == "404.html"
        for target in page.loads + page.links:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    problems.append(f"{path}: loads {target}")
                continue
            if is_error_page or parts.path.startswith("/"):
                continue
            place = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if place.startswith(os.path.join(site, "api")) and not os.path.isdir(os.path.join(site, "api")):
                problems.append(f"{path}: {target}: the libraries' documentation is missing")
            if place.startswith(os.path.join(site, "api")):
                continue
            if os.path.isdir(place):
                place = os.path.join(place, "index.html")
            if not os.path.exists(place):
                problems.append(f"{path}: {target} leads nowhere")
            elif parts.fragment and place in pages and urllib.parse.unquote(parts.fragment) not in pages[place].anchors | {"__top"}:
                problems.append(f"{path}: {target} has no such anchor")
    for problem in sorted(set(problems)):
        print(f"check-site: {problem.removeprefix(site + os.sep)}", file=sys.stderr)
    if not pages:
        sys.exit("check-site: there is no page")
    print(f"check-site: {len(pages)} pages, {sum(len(page.links) for page in pages.values())} links", file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
