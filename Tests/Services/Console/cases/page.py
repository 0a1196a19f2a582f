"""What cases share: payloads, and a user's hands and eyes on the page."""

import json
import subprocess

NEWS = "org.example.news"


def alert(title, body=None, **aps):
    text = {"title": title, **({"body": body} if body else {})}
    return {"aps": {"alert": text, **aps}}


def titles(browser):
    return browser.run('[...document.querySelectorAll(".card .title")].map((one) => one.textContent)')


def rows(browser):
    return browser.run('[...document.querySelectorAll("#push-list .row .first")].map((one) => one.textContent)')


def choose(browser, selector, value):
    """Sets the value of a field as its user does."""
    browser.run(f"""(() => {{
        const field = document.querySelector({json.dumps(selector)});
        field.focus();
        field.value = {json.dumps(value)};
        field.dispatchEvent(new Event("input", {{ bubbles: true }}));
        field.dispatchEvent(new Event("change", {{ bubbles: true }}));
    }})()""")


def press(browser, words, scope="document"):
    """Clicks the button with these words on it."""
    browser.wait(f"""[...{scope}.querySelectorAll("button")].some((one) => one.textContent.trim() === {json.dumps(words)} && !one.disabled)""", f"a button {words}")
    browser.run(f"""[...{scope}.querySelectorAll("button")].find((one) => one.textContent.trim() === {json.dumps(words)}).click()""")


def why(browser, text):
    browser.wait(f'document.querySelector("#why h2")?.textContent.includes({json.dumps(text)})', f"why: {text}")


def run(trial, store, records):
    text = "".join(json.dumps(one) + "\n" for one in records)
    subprocess.run([trial.options.pushpipe, "run", "--store", str(store), "--format", "none", "-q"], input=text, text=True, check=True, timeout=120)
