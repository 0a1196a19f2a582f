"""What the page looks like, compared with pictures that somebody has approved."""

import pictures

from .page import alert, choose, press

PHONE = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad"
PIXEL = "fPixel8Kx0Q:APA91bHnAFUH"


def evening(trial, *more):
    """A gateway at the end of an evening, and the page of a phone with what came."""
    server = trial.serve("--clock", "2026-11-03T19:00:05Z", *more)

    def later(minutes):
        server.records({"event": "clock", "advance": f"{minutes}m"})

    def android(text, **fields):
        server.send("POST", "/v1/projects/demo/messages:send", {"message": {"token": PIXEL, "notification": text, **fields}}, {"content-type": "application/json"})

    server.records({"event": "device", "device": PHONE, "app": "org.example.weather", "authorization": "denied"})
    android({"title": "Parcel on its way", "body": "It arrives tomorrow between 10 and 12."}, android={"restricted_package_name": "org.example.post"})
    server.push(alert("Anna Lind", "Shall I book the house by the lake? There is room for eleven of us.", **{"thread-id": "offsite"}, badge=12), PHONE, "org.example.mail")
    later(42)
    android({"title": "Assignment 3", "body": "The deadline is tomorrow at 18:00."}, android={"restricted_package_name": "org.example.learn"})
    server.push(alert("12 of 98 districts", "The first results are in.", **{"thread-id": "election"}, badge=1), PHONE, collapse_id="results")
    later(7)
    server.push(alert("34 of 98 districts", "Turnout is higher than four years ago.", **{"thread-id": "election"}, badge=1), PHONE, collapse_id="results")
    server.push(alert("Analysis", "Why the north votes late.", **{"thread-id": "election"}, badge=2), PHONE)
    later(5)
    server.push({"aps": {
        "timestamp": 1793735640, "event": "start", "content-state": {"home": 2, "away": 1, "minute": 67}, "attributes-type": "Elbe 04 – Weser United",
        "attributes": {}, "alert": {"title": "Elbe 04 – Weser United", "body": "Second half"}}}, PHONE, "org.example.sport.push-type.liveactivity", push_type="liveactivity")
    server.push(alert("Kayaking", "Who brings the map?", badge=3), PHONE, "org.example.chat")
    android({"title": "Mia", "body": "I do 👋"}, android={"restricted_package_name": "org.example.chat"})
    server.push(alert("Storm warning", "Gusts of up to 110 km/h from 22:00."), PHONE, "org.example.weather")
    server.push(alert("Weekly digest", "x" * 4100), PHONE)
    server.push(alert("Hello"), "not-a-token")
    return server


def show(trial, server, fragment, ready, scheme="light"):
    """Opens an address of the page at the time of all pictures."""
    browser = trial.browser
    number = browser.before_each_page(pictures.SAME_TIME)
    try:
        trial.open(server, fragment)
        browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        browser.wait(ready)
    finally:
        browser.no_longer_before(number)


CARDS = 'document.querySelectorAll(".phone .card").length >= {0} && document.querySelectorAll("#device-list .row").length > 5 && document.querySelectorAll("#push-list .row").length > 4'
TIMELINE = ' && document.querySelector("#where").textContent.includes(" / ") && !document.querySelector("#slider").disabled'
DETAIL = ' && document.querySelector("#why h2") && document.querySelectorAll(".detail details").length >= 4 && document.querySelector(".detail .meter")'


def page(trial, scheme):
    server = evening(trial)
    refused = server.get("/api/v1/messages?limit=1&before=1000")["messages"][-1]["id"]
    show(trial, server, f"#device={PHONE}&scope=all&push={refused}", CARDS.format(3) + TIMELINE + DETAIL, scheme)


def the_page_looks_as_approved(trial):
    page(trial, "light")
    # The picture of the guide.
    return trial.looks("page", approved=trial.documentation / "console.png")


def the_page_looks_as_approved_in_the_dark(trial):
    page(trial, "dark")
    return trial.looks("page-dark")


def screens_look_as_approved(trial):
    """A lock screen, Notification Center, a home screen and Android's shade."""
    server = evening(trial)
    show(trial, server, f"#device={PHONE}&scope=all", CARDS.format(3) + TIMELINE)
    notes = [trial.looks("lock-screen", ".phone")]
    for view, ready in [("center", '[...document.querySelectorAll(".center-title")].some((one) => one.textContent === "Notification Center")'), ("home", 'document.querySelectorAll(".home .app").length >= 4')]:
        show(trial, server, f"#device={PHONE}&scope=all&view={view}", ready)
        notes.append(trial.looks({"center": "notification-center", "home": "home-screen"}[view], ".phone"))
    show(trial, server, f"#device={PIXEL}&scope=all", CARDS.format(1))
    notes.append(trial.looks("shade", ".phone"))
    return next((note for note in notes if note), None)


def two_devices_look_as_approved(trial):
    server = evening(trial)
    show(trial, server, f"#device={PHONE}&compare={PIXEL}&scope=all", CARDS.format(4) + TIMELINE)
    return trial.looks("compare", "#stage")


def compose_looks_as_approved(trial):
    server = evening(trial)
    show(trial, server, f"#device={PHONE}&scope=all", CARDS.format(3))
    press(trial.browser, "Compose")
    text = '{\n  "aps": {\n    "alert": { "title": "34 of 98 districts" },\n    "mutable_content": 1,\n    "interruption-level": "urgent"\n  }\n}\n'
    choose(trial.browser, "#payload", text)
    trial.browser.wait('document.querySelectorAll("#dialog .finding").length >= 2 && document.querySelector("#dialog .meter") && document.querySelector(".editor mark")')
    return trial.looks("compose", "#dialog")


def a_difference_is_found_and_named(trial):
    """A card that has moved, another color, a line that is missing: each differs from what was there before, and the report says where."""
    if not trial.can_compare:
        return "not compared: Pillow is not installed"
    server, browser = evening(trial), trial.browser
    ready = CARDS.format(3) + TIMELINE
    changes = {
        "nothing": ("1", None),
        "other edges": ('document.body.style.translate = "0.25px 0.2px"', None),
        "a moved card": ('document.querySelector(".phone .card").style.translate = "0 10px"', 'the card "Kayaking"'),
        "another color": ('document.querySelector(".phone .activity").style.background = "#5a2020"', "the Live Activity"),
        "a missing text": ('document.querySelector(".phone .card .body").remove()', 'the card "Kayaking"'),
        "another font": ('document.querySelector("#phones").style.letterSpacing = "1px"', "the card"),
        "a hidden mark": ('document.querySelector("#device-list .badge").style.background = "none"', 'the row "'),
    }
    for name, (script, place) in changes.items():
        show(trial, server, f"#device={PHONE}&scope=all", ready)
        before, regions = pictures.take(browser)
        path = trial.folder / "before.png"
        pictures.save(before, path)
        browser.run(f"void ({script})")
        after, _ = pictures.take(browser)
        text, _ = pictures.compare(path, after, regions)
        assert (text or "").find(place or "") >= 0 and bool(text) == bool(place), f"{name}: {text}"
