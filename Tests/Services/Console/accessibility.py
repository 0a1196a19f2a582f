"""Checks of accessibility: axe-core's, and a few of our own for machines without it."""

import json
import pathlib

# Names and roles of everything that can be used, and labels that are there once.
OURS = """(() => {
    const found = [];
    const isShown = (one) => one.checkVisibility();
    const name = (one) => one.getAttribute("aria-label") || (one.getAttribute("aria-labelledby") && document.getElementById(one.getAttribute("aria-labelledby"))?.textContent)
        || one.textContent.trim() || one.labels?.[0]?.textContent.trim() || one.title;
    for (const one of document.querySelectorAll("button, input, select, textarea, [role=option], [role=listbox], [role=region], dialog[open]")) {
        if (isShown(one) && !name(one)) found.push("no name: " + one.outerHTML.slice(0, 120));
    }
    for (const one of document.querySelectorAll("img")) if (!one.hasAttribute("alt")) found.push("no alt: " + one.outerHTML);
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) found.push("an id twice: " + id);
    if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("h1").length !== 1) found.push("not one main and one h1");
    if (!document.documentElement.lang) found.push("no language");
    return found;
})()"""

AXE = """axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], resultTypes: ["violations"] }).then((result) =>
    result.violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ": " + rule.help + " " + node.target.join(" ") + " " + (node.any[0]?.message ?? ""))))"""


def check(trial, place):
    """What is wrong, each with the place."""
    browser = trial.browser
    found = browser.run(OURS)
    if trial.options.axe:
        if not browser.run("Boolean(window.axe)"):
            # As if typed into the console: the page's policy allows no other script.
            browser.run(pathlib.Path(trial.options.axe).read_text() + "\n;true")
        found += browser.run(AXE)
    return [f"{place}: {one}" for one in found]
