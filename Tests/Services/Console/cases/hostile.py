"""Texts that attack the page, and more pushes than anybody reads."""

import json
import socket
import threading
import time

from .page import alert, press, titles

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
    # The stream brings the pushes; screens, devices and journal are read again much less often.
    asked = sum("/api/" in url for url in browser.requests)
    assert asked < total / 4, f"{asked} requests for {total} pushes"
    return f"{total / seconds:.0f} pushes a second, longest frame {longest:.0f} ms, {asked} requests"


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


def a_title_in_which_nothing_can_be_seen_says_so(trial):
    """Joiners, fillers and an empty Braille pattern; a space alone is no title."""
    server, browser = trial.serve(), trial.browser
    for title in ["\u200b\u200d", "\u3164", "\u2800", " ", "a\u200b"]:
        server.push({"aps": {"alert": {"title": title, "body": "Text"}}})
    trial.open(server)
    browser.wait('document.querySelectorAll(".card").length > 0')
    press(browser, "4 more")
    browser.wait('document.querySelectorAll(".card").length === 5')
    assert titles(browser) == ["a\u200b", "News", *["(nothing visible)"] * 3], titles(browser)
