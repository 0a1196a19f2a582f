"""The slider, the address and the way back."""

import json

from .page import NEWS, alert, press


def the_slider_goes_back_and_forwards(trial):
    server, browser = trial.serve(), trial.browser
    for score in ["1:0", "2:0", "2:1"]:
        server.push(alert(score), collapse_id="score")
    server.push(alert("Other"))
    trial.open(server)
    browser.wait('document.querySelector("#slider").max === "4"')
    browser.run('document.querySelector("#slider").focus()')
    for name, expected in [("ArrowLeft", ["2:1"]), ("ArrowLeft", ["2:0"]), ("ArrowLeft", ["1:0"]), ("Home", []), ("ArrowRight", ["1:0"])]:
        browser.key(name)
        browser.wait(f'JSON.stringify([...document.querySelectorAll(".card .title")].map((one) => one.textContent)) === {json.dumps(json.dumps(expected, separators=(",", ":")))}', f"{name}: {expected}")
    browser.wait('location.hash.startsWith("#device=ab12&") && location.hash.includes("at=")')
    trial.picture("past")
    press(browser, "Play")
    browser.wait('document.querySelector("#slider").value === "4"', limit=20)
    browser.wait('document.querySelectorAll(".card").length === 1 || document.querySelectorAll(".stack").length === 1')
    # A link to the past shows the past.
    lines = server.get("/api/v1/journal?device=ab12")["journal"]
    trial.open(server, f"#device=ab12&at={lines[1]['id']}")
    browser.wait('document.querySelector(".card .title")?.textContent === "2:0"')


def a_gateway_with_a_store_goes_on(trial):
    """What was shown before a restart is there, and what it said only if it still is on the screen."""
    browser, words = trial.browser, ["--store", str(trial.folder / "phone.db")]
    server = trial.serve(*words)
    server.push(alert("1:0"), collapse_id="score")
    server.push(alert("2:0"), collapse_id="score")
    trial.open(server)
    browser.wait('document.querySelector(".card .title")?.textContent === "2:0"')
    browser.wait('document.querySelector("#slider").max === "2"')
    browser.run('document.querySelector("#slider").focus()')
    browser.key("ArrowLeft")
    browser.wait('document.querySelector(".card .title")?.textContent === "1:0"')
    server.stop()
    trial.servers.remove(server)
    # The page of the gateway that was stopped says so; its requests fail until then.
    browser.open("about:blank")
    server = trial.serve(*words)
    trial.open(server, "#device=ab12")
    browser.wait('document.querySelector(".card .title")?.textContent === "2:0"')
    browser.wait('document.querySelector("#slider").max === "2"')
    browser.run('document.querySelector("#slider").focus()')
    browser.key("ArrowLeft")
    browser.wait('document.querySelector(".card .title")?.textContent === "Text not recorded"')
    browser.key("ArrowRight")
    press(browser, "Dismiss", 'document.querySelector(".card")')
    browser.wait('document.querySelectorAll(".card").length === 0')


def the_slider_is_faster_than_the_address(trial):
    """A browser that refuses addresses changes nothing on the page, and is asked for one a few times per second."""
    server, browser = trial.serve(), trial.browser
    trial.expected.append("SecurityError")
    server.records(*[{"device": "ab12", "headers": {"apns-topic": NEWS}, "payload": alert(f"Number {number}")} for number in range(300)])
    trial.open(server)
    browser.wait('document.querySelector("#slider").max === "300" && location.hash.includes("device=ab12")')
    written = browser.run("""(async () => {
        let written = 0;
        const refuse = () => { written += 1; throw new DOMException("too many addresses", "SecurityError"); };
        history.pushState = refuse;
        history.replaceState = refuse;
        const slider = document.querySelector("#slider");
        const start = performance.now();
        for (let value = 299; value > 99; value -= 1) {
            slider.value = value;
            slider.dispatchEvent(new Event("input"));
            await new Promise((done) => setTimeout(done));
        }
        return written / (1 + (performance.now() - start) / 1000);
    })()""")
    assert written <= 4, f"{written} addresses per second"
    browser.wait('document.querySelector("#where").textContent.startsWith("100 / 300") && document.querySelector(".card .title")?.textContent === "Number 99"')
    browser.run("delete history.pushState; delete history.replaceState")
    browser.run('document.querySelector("#slider").focus()')
    browser.key("ArrowLeft")
    browser.wait('location.hash.includes("at=99")')


def arrow_keys_leave_no_steps_to_go_back(trial):
    server, browser = trial.serve(), trial.browser
    for number in range(5):
        server.push(alert(f"Number {number}"))
    trial.open(server, "#device=ab12&push=5")
    browser.wait('document.querySelectorAll("#push-list .row").length === 5 && document.querySelector("#why .what")?.textContent.startsWith("#5 ")')
    steps = browser.run("history.length")
    browser.run('document.querySelector("#push-list [role=listbox]").focus()')
    for number in [4, 3, 2]:
        browser.key("ArrowDown")
        browser.wait(f'location.hash.includes("push={number}")')
    assert browser.run("history.length") == steps
    # A click is one.
    browser.click("#push-list .row:last-child")
    browser.wait('location.hash.includes("push=1")')
    browser.run("history.back()")
    browser.wait('document.querySelector("#why .what")?.textContent.startsWith("#2 ")')


def a_repost_flickers(trial):
    """An extension removes the earlier notification and posts the new one: in between there is none."""
    server, browser = trial.serve("--replace-by", "story"), trial.browser
    for title in ["One", "Two"]:
        server.push({"aps": {"alert": {"title": title}, "mutable-content": 1}, "story": "a"})
    trial.open(server)
    browser.wait('document.querySelector("#slider").max === "3"')
    browser.wait('document.querySelector(".card .title")?.textContent === "Two"')
    browser.run('document.querySelector("#slider").focus()')
    browser.key("ArrowLeft")
    browser.wait('document.querySelectorAll(".card").length === 0')
    browser.key("ArrowLeft")
    browser.wait('document.querySelector(".card .title")?.textContent === "One"')
