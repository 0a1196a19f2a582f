"""Compose, faults and export, and the access key."""

import json
import subprocess

from .page import alert, choose, press, why


def compose_lint_and_send(trial):
    server, browser = trial.serve(), trial.browser
    trial.open(server)
    press(browser, "Compose")
    browser.wait('document.querySelector("#lint-summary")?.textContent === "No findings."')
    browser.wait('document.querySelector(".meter .words")?.textContent.includes("of 4,096 bytes")')
    choose(browser, "#payload", '{"aps":{"alert":"Ümläut","mutable_content":1}}')
    browser.wait('document.querySelector(".editor mark")?.textContent.includes("mutable_content")')
    trial.picture("compose")
    browser.run('document.querySelector("#fix").click()')
    browser.wait('document.querySelector("#payload").value.includes("mutable-content")')
    browser.wait('document.querySelector("#lint-summary").textContent === "No findings."')
    choose(browser, "#payload", '{"aps":{"alert":"Hi",}')
    browser.wait('document.querySelector("#lint-summary").textContent.startsWith("2 errors, ")')
    assert browser.run('document.querySelector("#dialog").textContent.includes("Fix the JSON to see the budget.")')
    choose(browser, "#payload", '{"aps":{"alert":"Hi"}')
    browser.wait('document.querySelector("#lint-summary").textContent.startsWith("1 error, ")')
    choose(browser, "#payload", '{"aps":{"alert":"From the page"}}')
    browser.wait('document.querySelector("#lint-summary").textContent === "No findings."')
    press(browser, "Send")
    browser.wait('document.querySelector(".card .title, .card .body")')
    why(browser, "It is on the device's screen.")
    # What was sent is still there. The answer to it goes when it is edited.
    press(browser, "Compose")
    browser.wait('document.querySelector("#payload").value.includes("From the page")')
    press(browser, "Send")
    browser.wait('document.querySelector("#dialog").textContent.includes("Sent: 200.")')
    choose(browser, "#payload", '{"aps":{"alert":"Not sent"}}')
    browser.wait('!document.querySelector("#dialog").textContent.includes("Sent: 200.")')


def a_text_that_cannot_be_checked_says_so(trial):
    """The API takes bodies of 64 KiB: a longer draft has no findings, and not those of the text before."""
    server, browser = trial.serve(), trial.browser
    trial.expected.append("413")
    trial.open(server)
    press(browser, "Compose")
    choose(browser, "#payload", '{"aps":{"alert":"Hi","mutable_content":1}}')
    browser.wait('document.querySelector(".finding") && document.querySelector(".meter")')
    choose(browser, "#payload", json.dumps({"aps": {"alert": "x" * 70_000}}))
    browser.wait('document.querySelector("#lint-summary").textContent.startsWith("Not checked: ")')
    assert not browser.run('document.querySelector("#dialog").querySelector(".finding, .meter, mark, #fix")')
    choose(browser, "#payload", '{"aps":{"alert":"Hi"}}')
    browser.wait('document.querySelector("#lint-summary").textContent === "No findings." && document.querySelector(".meter")')


def send_says_that_the_page_has_no_provider_token(trial):
    key = trial.folder / "key.p8"
    words = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(key)]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    server, browser = trial.serve("--set", f"serve.provider-key={str(key)}"), trial.browser
    trial.expected.append("403")
    trial.open(server)
    press(browser, "Compose")
    # Before it is refused, and not for a service that demands none.
    note = 'document.querySelector("#needs-token")?.textContent.includes("demands provider tokens (serve.provider-key), and this page has none")'
    browser.wait(note)
    choose(browser, "#dialog select", "fcm")
    browser.wait('document.querySelector("#payload").value.includes("notification") && !document.querySelector("#needs-token")')
    choose(browser, "#dialog select", "apns")
    browser.wait(note)
    press(browser, "Send")
    browser.wait('document.querySelector("#dialog .error-note")?.textContent.includes("MissingProviderToken")')


def faults(trial):
    server, browser = trial.serve(), trial.browser
    trial.open(server)
    press(browser, "Faults")
    choose(browser, "#dialog textarea", "- reason: TooManyRequests\n")
    press(browser, "Set rules")
    browser.wait('document.querySelector("#dialog").textContent.includes("1 rule is in force")')
    assert server.push(alert("Hi")) == 429
    # Whoever opens the panel later sees the rules that are in force.
    trial.open(server)
    press(browser, "Faults")
    browser.wait('document.querySelector("#dialog textarea")?.value === "- reason: TooManyRequests\\n"')
    choose(browser, "#dialog textarea", "nonsense: [")
    trial.expected.append("400")
    press(browser, "Set rules")
    browser.wait('document.querySelector("#dialog .error-note")')
    press(browser, "Remove all")
    browser.wait('document.querySelector("#dialog").textContent.includes("No rules are in force")')
    assert server.push(alert("Hi")) == 200


def a_key_is_asked_for(trial):
    server, browser = trial.serve("--set", "serve.access-key=sesame"), trial.browser
    trial.expected.append("401")
    server.push(alert("Secret"))
    trial.open(server, ready='document.querySelector("#dialog").open')
    choose(browser, "#dialog input", "wrong")
    press(browser, "Continue")
    browser.wait('document.querySelector("#dialog input")?.value === "" && document.querySelector("#dialog").open')
    choose(browser, "#dialog input", "sesame")
    press(browser, "Continue")
    browser.wait('document.querySelector(".card .title")?.textContent === "Secret"')
    assert "sesame" not in browser.run("location.href")
    server.connection.close()


def what_is_shown_can_be_saved(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("Saved <b>&amp;", "With a body", badge=1), collapse_id="x")
    server.push(alert("Saved <b>&amp;", "With another body", badge=2), collapse_id="x")
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 1')
    press(browser, "Export")
    browser.run('document.querySelector("#save-svg").click()')
    import xml.etree.ElementTree
    root = xml.etree.ElementTree.fromstring(browser.downloaded("ab12.svg"))
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Saved <b>&amp;" in texts, texts
    browser.run('document.querySelector("#dialog").close()')
    browser.run('location.hash = "device=ab12&view=home"')
    press(browser, "Export")
    browser.run('document.querySelector("#save-svg").click()')
    browser.wait('document.querySelector("#dialog [role=status]").textContent === "Saved."')
    browser.run('document.querySelector("#dialog").close()')
    browser.run('location.hash = "device=ab12"')
    press(browser, "Export")
    browser.run('document.querySelector("#save-png").click()')
    assert browser.downloaded("ab12.png").startswith(b"\x89PNG")
    browser.run('document.querySelector("#save-journal").click()')
    lines = [json.loads(line) for line in browser.downloaded("ab12.journal.ndjson").splitlines()]
    assert [line["kind"] for line in lines] == ["delivered", "replaced"], lines
    browser.run('document.querySelector("#save-pushes").click()')
    assert len(browser.downloaded("pushes.ndjson").splitlines()) == 2
