"""`pushpipe view`: stores that are written, and large ones."""

import json
import subprocess

from .page import NEWS, alert, why, run


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
    browser.wait('document.querySelectorAll("#device-list .row").length > 3')
    # Pages of lists, whatever the size of the store.
    asked = [url for url in browser.requests if "/api/" in url]
    assert len(asked) < 20, asked
    sizes = browser.run("""Promise.all(performance.getEntriesByType("resource").filter((one) => /\\/api\\/v1\\/(devices|journal)/.test(one.name)).map((one) =>
        fetch(one.name).then((answer) => answer.json()).then((page) => Math.max(...Object.values(page).map((list) => list?.length ?? 0)))))""")
    assert sizes and max(sizes) <= 1000, sizes
    nodes = browser.run('document.querySelectorAll("*").length')
    assert nodes < 3000, f"{nodes} elements"
    browser.run('document.querySelector("#device-list").scrollTop = 1e7')
    browser.wait('document.querySelectorAll("#device-list .row").length > 3')
    assert browser.run('document.querySelectorAll("*").length') < 3000
    return f"{len(asked)} requests, {nodes} elements"
