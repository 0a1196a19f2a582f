"""What somebody sees and does on the page. Each function is a case; what it returns is printed."""

import json
import pathlib
import socket
import subprocess
import threading
import time

import accessibility

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


# MARK: - Cases


def an_empty_page_says_how_to_send_the_first_push(trial):
    server = trial.serve()
    trial.open(server)
    command = trial.browser.wait('document.querySelector(".command")?.textContent')
    assert f"{server.address}/3/device/ab12" in command, command
    trial.picture("empty")
    # And it works as it stands there.
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30)
    assert answer.returncode == 0, answer.stderr
    trial.browser.wait('document.querySelector(".card .title")?.textContent === "Hello"')


def a_push_arrives_live(trial):
    server, browser = trial.serve(), trial.browser
    trial.open(server)
    assert server.push(alert("12 of 98 districts", "More at 8", badge=3)) == 200
    browser.wait('document.querySelector(".card .title")?.textContent === "12 of 98 districts"')
    browser.wait('document.querySelector("#push-list .row .first")?.textContent === "12 of 98 districts"')
    browser.wait('document.querySelector("#device-list .badge")?.textContent === "3"')
    server.push(alert("Second"))
    browser.wait('document.querySelectorAll("#push-list .row").length === 2')
    browser.wait('document.querySelectorAll(".card").length >= 1 && document.querySelector(".card .title").textContent === "Second"')
    press(browser, "Home")
    browser.wait('document.querySelector(".home .badge")?.textContent === "3"')
    trial.picture("home")


def a_push_between_two_streams_is_not_missed(trial):
    """Other filters need another stream of events; what happens before it begins is on the page, too."""
    server, browser = trial.serve(), trial.browser
    server.push(alert("First"))
    trial.open(server, "#device=ab12")
    browser.wait('document.querySelector(".card .title")?.textContent === "First"')
    browser.run("""(() => {
        const ask = window.fetch;
        window.held = [];
        window.fetch = async (path, options) => {
            if (String(path).startsWith("/api/v1/events")) await new Promise((done) => window.held.push(done));
            return ask(path, options);
        };
    })()""")
    browser.run('location.hash = "device=ab12&scope=all"')
    browser.wait("window.held.length === 1")
    server.push(alert("Second"))
    browser.run("window.held[0]()")
    browser.wait('document.querySelector(".card .title")?.textContent === "Second"')
    browser.wait('document.querySelector("#where").textContent.startsWith("2 / 2")')


def a_refused_push_says_why(trial):
    server, browser = trial.serve(), trial.browser
    trial.open(server)
    assert server.push(alert("Hi"), device="not-a-token") == 400
    browser.wait('document.querySelector("#push-list .row")')
    browser.run('document.querySelector("#push-list .row").click()')
    why(browser, "APNs refused it: BadDeviceToken (400).")
    press(browser, "Explain")
    browser.wait('document.querySelector(".explain p")?.textContent.length > 20')
    trial.picture("refused")


def what_the_device_does_is_said(trial):
    """Each reason for which a push is not on the screen is a sentence."""
    server, browser = trial.serve(), trial.browser
    server.records({"event": "device", "device": "ab12", "app": NEWS, "authorization": "denied"})
    server.push(alert("Denied"))
    server.records({"event": "device", "device": "ab12", "app": NEWS, "authorization": "authorized", "online": False})
    server.push(alert("Held"))
    trial.open(server, "#push=1")
    why(browser, "The user has not allowed the app to show notifications.")
    browser.wait('document.querySelector("#why p").textContent === "APNs took it (200), and the device does not show it."')
    browser.run('location.hash = "push=2"')
    why(browser, "The device is offline.")
    server.records({"event": "device", "device": "ab12", "online": True})
    why(browser, "It is on the device's screen.")
    browser.wait('document.querySelector("#why p").textContent.startsWith("It was held while the device was offline")')
    server.push({"aps": {"content-available": 1}}, device="cd34", push_type="background", priority=5)
    browser.run('location.hash = "push=3"')
    why(browser, "It reached the app, which shows nothing for it.")


def a_replacement_changes_in_place(trial):
    server, browser = trial.serve(), trial.browser
    trial.open(server)
    server.push(alert("1:0"), collapse_id="score")
    browser.wait('document.querySelector(".card .title")?.textContent === "1:0"')
    browser.run('document.querySelector(".card").id = "mine"')
    server.push(alert("2:0"), collapse_id="score")
    browser.wait('document.querySelector("#mine .title")?.textContent === "2:0"')
    assert titles(browser) == ["2:0"]
    browser.run('document.querySelector("#push-list .row:last-child, #push-list .row").click()')
    browser.run('location.hash = "device=ab12&push=1"')
    why(browser, "It was on the screen until record 2 replaced it.")


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


def a_thread_is_a_stack(trial):
    """Clicked with the mouse: a stack unfolds and folds, a card opens, and its buttons are above it."""
    server, browser = trial.serve(), trial.browser
    for number in range(3):
        server.push(alert(f"Number {number}", **{"thread-id": "election"}))
    trial.open(server)
    browser.wait('document.querySelector(".stack.closed .card .more, .stack.closed button.quiet")?.textContent === "2 more in election"')
    assert titles(browser) == ["Number 2"]
    browser.click(".stack.closed button.quiet")
    browser.wait('document.querySelectorAll(".card").length === 3')
    assert titles(browser) == ["Number 2", "Number 1", "Number 0"]
    trial.picture("stack")
    browser.click(".stack .card:nth-of-type(2) .open")
    why(browser, "It is on the device's screen.")
    browser.click(".stack .card:nth-of-type(2) .acts button:last-child")
    browser.wait('document.querySelectorAll(".card").length === 2')
    why(browser, "It was on the screen until the user dismissed it.")
    browser.click(".group-bar button")
    browser.wait('document.querySelectorAll(".card").length === 1')


def two_devices_are_beside_each_other(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("One"))
    server.push(alert("Two"), device="cd34")
    server.send("POST", "/v1/projects/demo/messages:send", {"message": {"token": "android-1", "notification": {"title": "Three"}}}, {"content-type": "application/json"})
    trial.open(server, "#device=ab12&compare=android-1")
    browser.wait('document.querySelectorAll(".phone").length === 2')
    browser.wait('document.querySelector(".phone.android .card .title")?.textContent === "Three"')
    assert titles(browser) == ["One", "Three"]
    trial.picture("compare")


def filters_and_links(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("Fine"))
    server.push(alert("Broken"), device="not-a-token")
    server.push(alert("Needle in the body", "a word: haystack"))
    trial.open(server, "#scope=all")
    browser.wait('document.querySelectorAll("#push-list .row").length === 3')
    choose(browser, "#filter-outcome", "rejected")
    browser.wait('document.querySelectorAll("#push-list .row").length === 1')
    assert rows(browser) == ["Broken"]
    browser.wait('location.hash.includes("outcome=rejected")')
    # What comes later has to match, too.
    server.push(alert("Fine again"))
    server.push(alert("Broken again"), device="not-a-token")
    browser.wait('document.querySelectorAll("#push-list .row").length === 2')
    press(browser, "Clear filters")
    choose(browser, "#filter-text", "HAYSTACK")
    browser.wait('document.querySelectorAll("#push-list .row").length === 1')
    assert rows(browser) == ["Needle in the body"]
    trial.open(server, "#scope=all&reason=BadDeviceToken")
    browser.wait('document.querySelectorAll("#push-list .row").length === 2')
    assert browser.run('document.querySelector("#filter-reason").value') == "BadDeviceToken"
    choose(browser, "#device-search", "nobody")
    browser.wait('document.querySelectorAll("#device-list .row").length === 0 && !document.querySelector("#device-note").hidden')


def apps_have_the_names_of_the_pictures(trial):
    """Whatever the page calls an app, the server's picture of the screen does, too."""
    server, browser = trial.serve(), trial.browser
    apps = ["org.example.news", "org.example.ios", "org.example.app", "news", "ORG.EXAMPLE.", "org.example.élan"]
    for app in apps:
        server.push({"aps": {"alert": {"body": "Text"}}}, app=app.encode().decode("latin-1"))
    trial.open(server, "#device=ab12")
    browser.wait(f'document.querySelectorAll(".card").length === {len(apps)}')
    picture = server.send("GET", "/api/v1/devices/ab12/screen.svg")[1].decode()
    for name in titles(browser):
        assert f">{name}<" in picture, name


def taps_and_switches(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("One"))
    server.push(alert("Two", **{"thread-id": "t"}))
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 2')
    press(browser, "Dismiss", 'document.querySelector(".card")')
    browser.wait('document.querySelectorAll(".card").length === 1')
    press(browser, "Tap", 'document.querySelector(".card")')
    browser.wait('document.querySelectorAll(".card").length === 0')
    browser.wait('!document.querySelector("#app-panel").hidden')
    trial.picture("tapped")
    press(browser, "Online")
    browser.wait('[...document.querySelectorAll("#stage-head button")].some((one) => one.textContent === "Offline")')
    server.push(alert("Held"))
    browser.wait('document.querySelector("#push-list .row .second").textContent.startsWith("Held")')
    assert titles(browser) == []
    press(browser, "Offline")
    browser.wait('document.querySelector(".card .title")?.textContent === "Held"')


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
    choose(browser, "#payload", '{"aps":{"alert":')
    browser.wait('document.querySelector("#lint-summary").textContent.startsWith("2 errors, ")')
    assert browser.run('document.querySelector("#dialog").textContent.includes("Fix the JSON to see the budget.")')
    choose(browser, "#payload", '{"aps":{"alert":"Hi"}')
    browser.wait('document.querySelector("#lint-summary").textContent.startsWith("1 error, ")')
    choose(browser, "#payload", '{"aps":{"alert":"From the page"}}')
    browser.wait('document.querySelector("#lint-summary").textContent === "No findings."')
    press(browser, "Send")
    browser.wait('document.querySelector(".card .title, .card .body")')
    why(browser, "It is on the device's screen.")


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
    server, browser = trial.serve("--provider-key", str(key)), trial.browser
    trial.expected.append("403")
    trial.open(server)
    press(browser, "Compose")
    press(browser, "Send")
    browser.wait('document.querySelector("#dialog").textContent.includes("demands provider tokens (--provider-key), and this page has none")')


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


HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>", "</span></div><style>*{display:none}</style>",
    "\u202eesrever \u2066isolate\u2069 \u200b\u200f", "\"><svg onload=alert(1)>", "{{7*7}} ${7*7} %00 \u0000 \\u003cscript\\u003e",
    "W" * 10_000, "\U0001F469\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466" * 300, "line\nbreak\ttab\r\n" * 20, "Z\u0351\u036b\u0343\u036a" * 200,
]


def hostile_texts_are_texts(trial):
    server, browser = trial.serve(), trial.browser
    for index, text in enumerate(HOSTILE):
        short = text.encode()[:1100].decode(errors="ignore")
        payload = {"aps": {"alert": {"title": short, "subtitle": short[:100], "body": short}, "thread-id": f"{index}<b>"}}
        # Not as escapes, which count for six bytes each.
        payload = json.dumps(payload, ensure_ascii=False)
        server.push(payload, app=f"org.example.a{index}")
    server.send("POST", "/v1/projects/demo/messages:send", {"message": {"token": "<script>alert(1)</script>", "notification": {"title": HOSTILE[0]}}}, {"content-type": "application/json"})
    server.send("POST", "/3/device/ab12?<script>", "<script>alert(1)</script>", {"apns-topic": "<b>x</b>"})
    server.push({"aps": {"alert": {"title": "W" * 10_000}}})
    long = {"message": {"token": "android-1", "data": {"title": "W" * 3000}, "notification": {"title": "W" * 900, "body": HOSTILE[0]}}}
    server.send("POST", "/v1/projects/demo/messages:send", long, {"content-type": "application/json"})
    trial.open(server, "#device=ab12")
    browser.wait(f'document.querySelectorAll(".card").length === {len(HOSTILE)}')
    for view in ["center", "home", "lock"]:
        browser.run(f'location.hash = "device=ab12&view={view}"')
        browser.wait('document.querySelector(".phone")')
    for number in range(1, len(HOSTILE) + 5):
        browser.run(f'location.hash = "device=ab12&push={number}"')
        browser.wait(f'document.querySelector("#why .what")?.textContent.startsWith("#{number} ")')
    browser.run('location.hash = "device=" + encodeURIComponent("<script>alert(1)</script>")')
    browser.wait('document.querySelector(".card .title")?.textContent.startsWith("<img")')
    assert browser.run("document.title") == "pushpipe"
    assert browser.run('document.querySelectorAll("main img, main script, main style").length') == 0
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.run('location.hash = "device=ab12"')
    browser.wait('document.querySelectorAll(".card").length > 5')
    assert browser.run('[...document.querySelectorAll(".card")].every((one) => one.getBoundingClientRect().width <= 344)')
    trial.picture("hostile")


def a_key_is_asked_for(trial):
    server, browser = trial.serve("--access-key", "sesame"), trial.browser
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


def a_store_is_shown_while_it_is_written(trial):
    browser = trial.browser
    store = trial.folder / "phone.db"
    record = {"device": "ab12", "headers": {"apns-topic": NEWS, "apns-collapse-id": "x"}, "payload": alert("First")}
    run(trial, store, [record])
    server = trial.start("view", str(store))
    trial.open(server)
    browser.wait('document.querySelector(".card .title")?.textContent === "First"')
    run(trial, store, [{**record, "payload": alert("Second")}])
    browser.wait('document.querySelector(".card .title")?.textContent === "Second"')
    browser.wait('document.querySelector("#push-list .row .second")?.textContent.startsWith("replaced the previous one")')
    browser.run('document.querySelector(".card .open").click()')
    why(browser, "It is on the device's screen.")
    browser.run('document.querySelector("#slider").focus()')
    browser.key("ArrowLeft")
    browser.wait('document.querySelector(".card .title")?.textContent === "Text not recorded"')
    browser.wait('document.querySelector(".stage-note").textContent.includes("not its text")')
    trial.picture("view")
    assert browser.run('document.querySelector("#open-faults").hidden')


def a_name_may_contain_whatever_separates_names(trial):
    browser, store = trial.browser, trial.folder / "names.db"
    device, tag = "a|b", "x|y%7C"
    run(trial, store, [{"message": {"token": device, "notification": {"title": "One"}, "android": {"notification": {"tag": tag}}}}])
    server = trial.start("view", str(store))
    trial.open(server)
    browser.wait('document.querySelector(".card .title")?.textContent === "One"')
    browser.run('document.querySelector(".card .open").click()')
    why(browser, "It is on the device's screen.")
    browser.wait('document.querySelector(".card").dataset.selected === "true" && location.hash.includes("shown=")')
    # The link shows the same.
    trial.open(server, browser.run("location.hash"))
    browser.wait('document.querySelector(".card")?.dataset.selected === "true"')
    expected = json.dumps(["One", tag, device])
    browser.wait(f'JSON.stringify([...document.querySelectorAll("#why .facts dd")].map((one) => one.textContent)) === JSON.stringify({expected})', expected)


def a_fast_run_is_followed_to_its_end(trial):
    """More lines between two looks at the store than one page of the API has."""
    browser, store, count = trial.browser, trial.folder / "burst.db", 20_000
    record = {"device": "ab12", "headers": {"apns-topic": NEWS}, "payload": alert("First")}
    run(trial, store, [record])
    server = trial.start("view", str(store))
    trial.open(server)
    browser.wait('document.querySelector("#where").textContent.includes("record 1")')
    run(trial, store, [{**record, "payload": alert(f"Number {number}")} for number in range(count)])
    last = server.get("/api/v1/journal?limit=1")["journal"][0]
    browser.wait(f'document.querySelector("#push-list .row .aside").textContent.endsWith("#{last["seq"]}")', "the newest line is in the list")
    browser.wait(f'document.querySelector("#where").textContent.endsWith("record {last["seq"]}")', "the newest line is on the time line")
    browser.wait(f'document.querySelector(".card .title")?.textContent === "Number {count - 1}"')
    # What is between is read when somebody scrolls there.
    browser.run('document.querySelector("#push-list").scrollTop = 1e7')
    browser.wait(f'Number(document.querySelector("#push-list .row:last-child .aside").textContent.split("#")[1]) < {last["seq"] - 1000}')
    sequence = browser.run('[...document.querySelectorAll("#push-list .row .aside")].map((one) => Number(one.textContent.split("#")[1]))')
    assert sequence == list(range(sequence[0], sequence[0] - len(sequence), -1)), sequence


def run(trial, store, records):
    text = "".join(json.dumps(one) + "\n" for one in records)
    subprocess.run([trial.options.pushpipe, "run", "--store", str(store), "--format", "none", "-q"], input=text, text=True, check=True, timeout=120)


def a_large_store_opens_at_once(trial):
    """100,000 notifications, half of them on one device."""
    browser = trial.browser
    store = trial.folder / "large.db"
    line = '{"device":"%s","headers":{"apns-topic":"org.example.%s"},"payload":{"aps":{"alert":{"title":"Number %d","body":"Text"},"badge":%d}}}\n'
    text = "".join(line % ("ab12" if number % 2 else f"cd{number % 5000:04d}", ["news", "chat", "mail"][number % 3], number, number) for number in range(100_000))
    subprocess.run([trial.options.pushpipe, "run", "--store", str(store), "--format", "none", "-q"], input=text, text=True, check=True, timeout=300)
    server = trial.start("view", str(store))
    # The first start builds the indexes; from then on it opens at once.
    trial.open(server, "#device=ab12", ready='document.querySelectorAll(".card").length > 0')
    trial.open(server, "#device=ab12", ready='document.querySelectorAll(".card").length > 0')
    took = browser.run('performance.getEntriesByType("resource").filter((one) => one.name.includes("/api/")).reduce((most, one) => Math.max(most, one.duration), 0)')
    browser.wait('document.querySelectorAll("#device-list .row").length > 3')
    assert took < 1000, f"an answer took {took} ms"
    nodes = browser.run('document.querySelectorAll("*").length')
    assert nodes < 3000, f"{nodes} elements"
    browser.run('document.querySelector("#device-list").scrollTop = 1e7')
    browser.wait('document.querySelectorAll("#device-list .row").length > 3')
    assert browser.run('document.querySelectorAll("*").length') < 3000
    return f"the slowest answer took {took:.0f} ms, {nodes} elements"


def thousands_of_pushes_freeze_nothing(trial):
    """As fast as the debug build takes them, on four connections."""
    server, browser = trial.serve(), trial.browser
    trial.open(server, "#scope=all")
    browser.run("""(() => {
        window.longest = 0;
        let last = performance.now();
        const tick = () => { const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
    })()""")
    each, connections = 1500, 4
    start = time.monotonic()
    threads = [threading.Thread(target=flood, args=(server.port, each, number)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - start
    total = each * connections
    browser.wait(f'document.querySelector("#push-count").textContent.startsWith("{total:,}")', limit=60)
    longest = browser.run("window.longest")
    nodes = browser.run('document.querySelectorAll("*").length')
    assert nodes < 3000, f"{nodes} elements"
    # On a machine where everything else is at work, too.
    assert longest < 2000, f"a frame took {longest} ms"
    return f"{total / seconds:.0f} pushes a second, longest frame {longest:.0f} ms"


def flood(port, count, number):
    """Requests of HTTP/1.1 in batches, without waiting for each answer."""
    body = b'{"aps":{"alert":{"title":"Flood","body":"One of many"}}}'
    connection = socket.create_connection(("127.0.0.1", port))
    sent = 0
    while sent < count:
        batch = b"".join(
            b"POST /3/device/ab%02d HTTP/1.1\r\nHost: localhost\r\napns-topic: org.example.news\r\nContent-Length: %d\r\n\r\n%s" % ((number * 20 + one) % 90 + 10, len(body), body)
            for one in range(min(50, count - sent)))
        connection.sendall(batch)
        wanted = min(50, count - sent)
        answers = b""
        while answers.count(b"HTTP/1.1 200") < wanted:
            piece = connection.recv(1 << 16)
            if not piece:
                raise SystemExit("console: the gateway closed a connection")
            answers += piece
        sent += wanted
    connection.close()


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


def the_page_is_for_everybody(trial):
    """Names, roles, contrast and focus, in light and dark, on large and small screens."""
    server, browser = trial.serve(), trial.browser
    server.push(alert("One", "Text", badge=1), **{"collapse_id": "x"})
    server.push(alert("Refused"), device="not-a-token")
    server.send("POST", "/v1/projects/demo/messages:send", {"message": {"token": "android-1", "notification": {"title": "Three"}}}, {"content-type": "application/json"})
    found = []
    for scheme in ["light", "dark"]:
        trial.open(server, "#device=ab12&scope=all&push=2")
        browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        browser.wait('document.querySelector("#why h2") && document.querySelector(".card")')
        trial.picture(f"page-{scheme}")
        found += accessibility.check(trial, f"{scheme}")
        for view in ["center", "home"]:
            browser.run(f'location.hash = "device=ab12&scope=all&push=2&view={view}"')
            browser.wait('document.querySelector(".phone")')
            found += accessibility.check(trial, f"{scheme} {view}")
        browser.run('location.hash = "device=android-1&scope=all"')
        browser.wait('document.querySelector(".phone.android .card")')
        found += accessibility.check(trial, f"{scheme} android")
        for name in ["Compose", "Faults", "Export"]:
            press(browser, name)
            browser.wait('document.querySelector("#dialog").open')
            found += accessibility.check(trial, f"{scheme} {name}")
            browser.run('document.querySelector("#dialog").close()')
        for column in ["", "stage", "detail"]:
            browser.size(360, 780)
            browser.run(f'location.hash = "device=ab12&push=2&column={column}"')
            browser.wait(f'document.querySelector(".columns").dataset.shown === {json.dumps(column or "lists")}')
            assert browser.run("document.documentElement.scrollWidth <= innerWidth"), f"too wide: {column}"
            trial.picture(f"narrow-{scheme}-{column or 'lists'}")
            found += accessibility.check(trial, f"{scheme} narrow {column}")
        browser.size(1440, 900)
    assert not found, "\n".join(sorted(set(found)))


def everything_can_be_reached_by_keys(trial):
    server, browser = trial.serve(), trial.browser
    for number in range(3):
        server.push(alert(f"Number {number}"), app=f"org.example.a{number}")
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 3 && document.querySelectorAll("#push-list .row").length === 3')
    browser.run("document.body.focus()")
    reached = []
    for _ in range(60):
        browser.key("Tab")
        name = browser.run("""(() => {
            const one = document.activeElement;
            if (!one || one === document.body) return "";
            const outline = getComputedStyle(one);
            if (outline.outlineStyle === "none" || parseFloat(outline.outlineWidth) < 1) return "no focus ring: " + one.outerHTML.slice(0, 200);
            return one.id || one.getAttribute("aria-label") || one.textContent.trim();
        })()""")
        assert not name.startswith("no focus ring"), name
        reached.append(name)
        if name == "":
            break
    for wanted in ["open-compose", "device-search", "Devices and apps", "filter-text", "Pushes", "Lock screen", "slider", "Tap", "Dismiss"]:
        assert wanted in reached, f"{wanted} is not among {reached}"
    # Arrow keys choose a push, and the phone's card opens with Enter.
    browser.run('document.querySelector("#push-list [role=listbox]").focus()')
    browser.key("ArrowDown")
    why(browser, "It is on the device's screen.")
    for name in ["push-list", "device-list"]:
        browser.run(f'document.querySelector("#{name} [role=listbox]").focus()')
        browser.key("End")
        # The reference is to one id, and that of the row.
        browser.wait(f"""(() => {{
            const reference = document.querySelector("#{name} [role=listbox]").getAttribute("aria-activedescendant");
            return /^\\S+$/.test(reference) && document.getElementById(reference).getAttribute("aria-selected") === "true";
        }})()""", f"{name} has an active row")


CASES = [
    an_empty_page_says_how_to_send_the_first_push, a_push_arrives_live,
    a_push_between_two_streams_is_not_missed, a_refused_push_says_why, what_the_device_does_is_said,
    a_replacement_changes_in_place, the_slider_goes_back_and_forwards, a_gateway_with_a_store_goes_on,
    the_slider_is_faster_than_the_address, arrow_keys_leave_no_steps_to_go_back, a_repost_flickers, a_thread_is_a_stack, two_devices_are_beside_each_other, filters_and_links,
    apps_have_the_names_of_the_pictures, taps_and_switches,
    compose_lint_and_send,
    a_text_that_cannot_be_checked_says_so, send_says_that_the_page_has_no_provider_token, faults, hostile_texts_are_texts, a_key_is_asked_for, a_store_is_shown_while_it_is_written, a_name_may_contain_whatever_separates_names, a_fast_run_is_followed_to_its_end,
    a_large_store_opens_at_once,
    thousands_of_pushes_freeze_nothing, what_is_shown_can_be_saved, the_page_is_for_everybody, everything_can_be_reached_by_keys,
]
