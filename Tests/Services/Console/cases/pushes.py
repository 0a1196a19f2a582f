"""Pushes arrive, and the page says what became of them."""

import json
import subprocess

from .page import NEWS, alert, titles, rows, choose, press, why


def an_empty_page_says_how_to_send_the_first_push(trial):
    server = trial.serve()
    trial.open(server)
    command = trial.browser.wait('document.querySelector(".command")?.textContent')
    assert f"{server.address}/3/device/ab12" in command, command
    # At the width of a laptop nothing of it is cut off.
    trial.browser.size(1400, 900)
    assert trial.browser.run('(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector(".command"))')
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
    why(browser, "It reached the app, and nothing appears.")
    browser.wait('document.querySelector("#why p").textContent === "It is a background push, which wakes the app."')
    server.push({"aps": {"alrt": "x"}}, device="cd34")
    browser.run('location.hash = "push=4"')
    browser.wait('document.querySelector("#why p").textContent.startsWith("It has no alert, and a key that is nearly one")')
    browser.wait('document.body.textContent.includes("aps.misspelled-key")')


def a_push_that_breaks_through_says_so(trial):
    """The same words as in pictures; iOS has them above the title."""
    server, browser = trial.serve(), trial.browser
    for level in ["passive", "active", "time-sensitive", "critical"]:
        server.push(alert(level, **{"thread-id": level, "interruption-level": level}))
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 4')
    levels = browser.run('[...document.querySelectorAll(".card")].map((one) => one.querySelector(".level")?.textContent ?? "")')
    assert levels == ["CRITICAL", "TIME SENSITIVE", "", ""], levels
    # The time is at the top of each card, once.
    assert browser.run('[...document.querySelectorAll(".card")].every((one) => one.querySelectorAll(".when").length === 1)')
    press(browser, "Notification Center")
    browser.wait('document.querySelector(".center-title")?.textContent === "Notification Center"')
    trial.picture("levels")


def a_text_is_called_what_it_is(trial):
    """Apple: an alert that is a string is the body."""
    server, browser = trial.serve(), trial.browser
    server.push({"aps": {"alert": "Only a text"}})
    server.push(alert("Title", "Body"))
    server.push({"aps": {"alert": {"body": "Body alone"}}})
    for push, label in [(1, "Body"), (2, "Title"), (3, "Body")]:
        trial.open(server, f"#push={push}")
        found = browser.wait('document.querySelector("#why dl dt")?.textContent')
        assert found == label, f"{push}: {found}"


def a_link_to_a_push_shows_it_on_a_phone(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("One"))
    trial.open(server, "#push=1")
    shown = 'document.querySelector(".columns").dataset.shown'
    browser.size(390, 844)
    why(browser, "on the device's screen")
    assert browser.run(shown) == "detail"
    assert browser.run('document.querySelector("#detail").checkVisibility() && !document.querySelector("#push-list").checkVisibility()')
    # And the list is one step away, and stays when the page is loaded again.
    press(browser, "Pushes")
    browser.wait(f'{shown} === "lists"')
    browser.wait('location.hash.includes("column=lists")')
    browser.run("location.reload()")
    browser.wait(f'document.querySelector("#push-list .row") && {shown} === "lists"')


def the_switches_of_a_device_stand_in_two_rows(trial):
    """At the width of a laptop, whatever the names are; each choice has words that are seen."""
    server, browser = trial.serve(), trial.browser
    for device in ["ab12cd34" * 8, "cd34ab12" * 8]:
        server.push(alert("One"), device=device, app="org.example.a-rather-long-name")
    trial.open(server, f"#device={'ab12cd34' * 8}&app=org.example.a-rather-long-name")
    browser.wait('document.querySelectorAll("#stage-head select").length === 3')
    for size in [(1400, 900), (1280, 800)]:
        browser.size(*size)
        check_switches(browser)
    trial.picture("switches")


def check_switches(browser):
    head = browser.run("""(() => {
        const head = document.querySelector("#stage-head");
        const parts = [...head.querySelectorAll("h2, button, select")].map((one) => one.getBoundingClientRect());
        const right = head.getBoundingClientRect().right;
        return {
            rows: new Set(parts.map((one) => Math.round(one.bottom / 16))).size, isCut: parts.some((one) => one.right > right),
            isWhole: document.querySelector(".phone").getBoundingClientRect().bottom < document.querySelector("#phones").getBoundingClientRect().bottom,
            labels: [...head.querySelectorAll("label span")].filter((one) => one.getBoundingClientRect().width > 20).map((one) => one.textContent),
        };
    })()""")
    assert head["rows"] <= 2 and head["isWhole"] and not head["isCut"], head
    assert head["labels"] == ["State of the app", "Permission", "Compare with"], head


def another_device_has_pushes_of_its_own(trial):
    """Its details are not those of the push that was selected, and what is written is not what was written for the first."""
    server, browser = trial.serve(), trial.browser
    server.push(alert("First"), device="ab12")
    server.push(alert("Second"), device="cd34", app="org.example.other")
    trial.open(server, "#device=ab12&push=1")
    why(browser, "It is on the device's screen.")
    press(browser, "Compose")
    choose(browser, "#payload", '{"aps":{"alert":"For the first"}}')
    browser.run('document.querySelector("#dialog").close()')
    browser.run('[...document.querySelectorAll("#device-list .row.device")].find((row) => row.textContent.includes("cd34")).click()')
    browser.wait('document.querySelector("#detail h2").textContent === "Select a push"')
    press(browser, "Compose")
    browser.wait('document.querySelector("#payload")?.value.includes("My first push")')
    assert browser.run('[...document.querySelectorAll("#dialog .fields input")].map((one) => one.value).slice(0, 2)') == ["cd34", "org.example.other"]
    browser.run('document.querySelector("#dialog").close()')
    browser.run('[...document.querySelectorAll("#device-list .row.device")].find((row) => row.textContent.includes("ab12")).click()')
    press(browser, "Compose")
    browser.wait('document.querySelector("#payload")?.value.includes("For the first")')


def the_details_have_the_texts_and_the_worst_findings_first(trial):
    """Places are those of the payload, as the budget names them."""
    server, browser = trial.serve(), trial.browser
    server.push({"title": "Of the app", "aps": {"alert": {"title": "A title", "subtitle": "Between", "body": "A body"}, "interruption-levl": "active", "badge": "1"}, "a": 1})
    trial.open(server, "#push=1")
    browser.wait('document.querySelector("#why .facts")')
    facts = dict(browser.run('[...document.querySelectorAll("#why .facts dt")].map((one) => [one.textContent, one.nextSibling.textContent])'))
    assert (facts["Title"], facts["Subtitle"], facts["Body"]) == ("A title", "Between", "A body"), facts
    findings = browser.run('[...document.querySelectorAll(".finding")].map((one) => [one.className.split(" ")[1], one.querySelector(".mono:not(.rule)").textContent])')
    ranks = [["error", "warning", "info"].index(severity) for severity, _ in findings]
    assert len(ranks) > 1 and ranks == sorted(ranks), findings
    assert [pointer for _, pointer in findings] == ["/aps/interruption-levl", "/aps/badge", "/headers"], findings
    assert "/aps/badge" in browser.run('[...document.querySelectorAll(".parts .name")].map((one) => one.textContent)')


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


def android_bundles_and_hides_on_its_lock_screen(trial):
    """In the order of events; a tap on the bundle opens the app and leaves the notifications. This system bundles four."""
    def message(title, **options):
        return {"message": {"token": "pixel", "notification": {"title": title}, "android": {"notification": options}}}

    server, browser = trial.serve(), trial.browser
    server.records({"event": "device", "device": "pixel", "platform": "android", "app": "org.example.news", "state": "background", "auto_group_at": 4})
    server.records(message("Second"), message("First", event_time="2020-01-01T10:00:00Z"), message("Public", visibility="PUBLIC"))
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 3')
    assert titles(browser) == ["Public", "Second", "First"], titles(browser)
    server.records(message("Secret", visibility="SECRET"))
    browser.wait('document.querySelector(".bundle .section-title")?.textContent === "Bundle of 4"')
    press(browser, "Tap the bundle")
    browser.wait('document.querySelector("#app-panel .steps")')
    assert browser.run('document.querySelector(".bundle .section-title").textContent') == "Bundle of 4"
    server.records({"event": "device", "device": "pixel", "locked": True})
    browser.wait('document.querySelectorAll(".card").length === 3')
    bodies = browser.run('[...document.querySelectorAll(".card .body")].map((one) => one.textContent)')
    assert bodies == ["New notification", "New notification"], bodies


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


def a_search_may_have_filters(trial):
    server, browser = trial.serve(), trial.browser
    server.push(alert("Fine"))
    server.push(alert("Broken"), device="not-a-token")
    server.push(alert("Elsewhere"), device="cd34")
    trial.open(server, "#scope=all")
    browser.wait('document.querySelectorAll("#push-list .row").length === 3')
    for words, found in [
        ("device:cd34", ["Elsewhere"]), ("reason:BadDeviceToken", ["Broken"]), ("outcome:delivered fine", ["Fine"]),
        (f'app:"{NEWS}" outcome:rejected', ["Broken"]), ("device:cd34 fine", []),
    ]:
        choose(browser, "#filter-text", words)
        browser.wait(f'''JSON.stringify([...document.querySelectorAll("#push-list .row .first")].map((one) => one.textContent)) === {json.dumps(json.dumps(found, separators=(",", ":")))}''', words)
    # A link has them.
    browser.wait('location.hash.includes("text=device%3Acd34")')


def pushes_are_deleted(trial):
    server, browser = trial.serve(), trial.browser
    for title in ["One", "Two", "Three"]:
        server.push(alert(title))
    server.push(alert("Broken"), device="not-a-token")
    trial.open(server, "#scope=all")
    browser.wait('document.querySelectorAll("#push-list .row").length === 4')
    choose(browser, "#filter-outcome", "rejected")
    browser.wait('document.querySelectorAll("#push-list .row").length === 1')
    press(browser, "Delete these")
    press(browser, "Really delete?")
    browser.wait('document.querySelectorAll("#push-list .row").length === 0')
    press(browser, "Clear filters")
    browser.wait('document.querySelectorAll("#push-list .row").length === 3')
    browser.run('location.hash = "scope=all&push=2"')
    press(browser, "Delete", 'document.querySelector("#detail")')
    browser.wait('document.querySelectorAll("#push-list .row").length === 2')
    assert rows(browser) == ["Three", "One"]
    press(browser, "Delete all")
    press(browser, "Really delete?")
    browser.wait('document.querySelectorAll("#push-list .row").length === 0')
    # The phone still shows what it has.
    assert b'"count":3' in server.send("GET", "/api/v1/devices")[1]


def the_browser_notifies_once_it_is_asked_to(trial):
    """A page in the background. The browser's own notifications are replaced, because no permission can be given here."""
    server, browser = trial.serve(), trial.browser
    number = browser.before_each_page("""
        window.told = [];
        window.asked = 0;
        window.Notification = class {
            static permission = "default";
            static async requestPermission() { window.asked += 1; return (Notification.permission = "granted"); }
            constructor(title, options) { window.told.push([title, options.body]); }
            close() {}
        };
        Document.prototype.hasFocus = () => window.isLookedAt === true;
    """)
    try:
        trial.open(server)
        server.push(alert("Before"))
        browser.wait('document.querySelectorAll("#push-list .row").length === 1')
        assert browser.run("[window.asked, window.told.length]") == [0, 0]
        press(browser, "Notify")
        browser.wait('document.querySelector("#notify").getAttribute("aria-pressed") === "true"')
        server.push(alert("After"))
        browser.wait('JSON.stringify(window.told) === \'[["After","Delivered"]]\'')
        browser.run("window.isLookedAt = true")
        server.push(alert("Seen"))
        browser.wait('document.querySelectorAll("#push-list .row").length === 3')
        press(browser, "Notify")
        browser.run("window.isLookedAt = false")
        server.push(alert("Off"))
        browser.wait('document.querySelectorAll("#push-list .row").length === 4')
        assert browser.run("[window.asked, window.told.length]") == [1, 1]
    finally:
        browser.no_longer_before(number)


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


def actions_of_a_category(trial):
    """The page offers what the app has registered for a notification's category; one action takes a text."""
    server, browser = trial.serve(), trial.browser
    reply = {"id": "REPLY", "title": "Reply", "text": True}
    mute = {"id": "MUTE", "title": "Mute"}
    categories = [{"id": "TALK", "actions": [reply, mute], "dismissal": True}]
    server.records({"event": "device", "device": "ab12", "app": NEWS, "state": "background", "categories": categories})
    server.push(alert("Anna", "Coming?", category="TALK", **{"thread-id": "a"}))
    server.push(alert("Two", category="OTHER", **{"thread-id": "b"}))
    server.push(alert("Bela", "Coming?", category="TALK", **{"thread-id": "c"}))
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 3')
    assert browser.run('[...document.querySelectorAll(".card")].map((one) => one.querySelectorAll(".action").length)') == [2, 0, 2]
    press(browser, "Mute", 'document.querySelector(".card")')
    browser.wait('document.querySelectorAll(".card").length === 2')
    browser.wait('document.querySelector("#app-panel")?.textContent.includes("carries out MUTE")')
    press(browser, "Reply", 'document.querySelectorAll(".card")[1]')
    choose(browser, ".card .answer input", "On my way")
    trial.picture("answering")
    press(browser, "Send", 'document.querySelectorAll(".card")[1]')
    browser.wait('document.querySelectorAll(".card").length === 1')
    browser.wait('document.querySelector("#app-panel")?.textContent.includes("On my way")')


def hidden_previews(trial):
    """A locked phone shows the placeholder of the category, and the sender and the texts once it is unlocked."""
    server, browser = trial.serve(), trial.browser
    categories = [{"id": "TALK", "placeholder": "%u messages", "shows_title": True}]
    server.records({
        "event": "device", "device": "ab12", "app": NEWS, "locked": True, "previews": "when-unlocked", "categories": categories})
    server.push(alert("Anna", "Coming?", category="TALK", **{"thread-id": "a"}))
    server.push(alert("Backup", "Done", **{"thread-id": "b"}))
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 2')
    bodies = '[...document.querySelectorAll(".card .body")].map((one) => one.textContent).join()'
    assert browser.run(bodies) == "Notification,1 messages"
    assert "Anna" in titles(browser) and "Backup" not in titles(browser)
    server.records({"event": "device", "device": "ab12", "locked": False})
    browser.wait(f'{bodies} === "Done,Coming?"')


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
    # Read after the push was held, the screen is still empty.
    trial.open(server, "#device=ab12")
    browser.wait('document.querySelector(".phone .nothing")?.textContent === "Nothing on the lock screen"')
    assert titles(browser) == []
    press(browser, "Offline")
    browser.wait('document.querySelector(".card .title")?.textContent === "Held"')
