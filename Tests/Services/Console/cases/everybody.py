"""The page for those who do not use a mouse, or see it otherwise."""

import json

import accessibility

from .page import alert, press, why


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
        for column in ["lists", "stage", "detail"]:
            browser.size(360, 780)
            browser.run(f'location.hash = "device=ab12&push=2&column={column}"')
            browser.wait(f'document.querySelector(".columns").dataset.shown === {json.dumps(column)}')
            assert browser.run("document.documentElement.scrollWidth <= innerWidth"), f"too wide: {column}"
            trial.picture(f"narrow-{scheme}-{column}")
            found += accessibility.check(trial, f"{scheme} narrow {column}")
        browser.size(1440, 900)
    assert not found, "\n".join(sorted(set(found)))


def everything_can_be_reached_by_keys(trial):
    server, browser = trial.serve(), trial.browser
    for number in range(3):
        server.push(alert(f"Number {number}"), app=f"org.example.a{number}")
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length === 3 && document.querySelectorAll("#push-list .row").length === 3')
    # Controls without a journal are disabled.
    browser.wait('document.querySelector("#slider").max === "3"')
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
