#!/usr/bin/env python3
"""Moves the machine's clock while the built command runs: a day forth and back, and a year ahead. Scripts/clocks.sh uses it.

    Tests/Command/Clock/jumps.py PUSHPIPE CLOCK.SO

What must hold: the journal's times never go back, what has expired stays expired, what has not expired is delivered, every request and record
is answered, and a run that resumes does so at its place. The monotonic clock does not jump, as on a real machine.
"""

import contextlib
import datetime
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

DAY = 86400
YEAR = 365 * DAY
# Forth, back beyond the beginning, a year ahead, and home.
JUMPS = [0, DAY, -DAY, YEAR, 0]
TIME_LIMIT = 60


class Failed(Exception):
    """What does not hold."""


def check(holds, text):
    if not holds:
        raise Failed(text)


class Place:
    """A folder with a clock and a store."""

    def __init__(self, pushpipe, library, folder):
        self.pushpipe, self.folder = pushpipe, folder
        self.store = folder / "phone.db"
        self.clock = folder / "clock"
        self.environment = os.environ | {"LD_PRELOAD": library, "CLOCK_FILE": str(self.clock)}
        self.jump(0)

    def jump(self, seconds):
        """In one step: a reader sees the old number or the new one."""
        new = self.folder / "clock.new"
        new.write_text(str(seconds))
        new.rename(self.clock)

    def command(self, *words):
        done = subprocess.run([self.pushpipe, *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=TIME_LIMIT)
        check(done.returncode == 0, f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-400:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def start(self, *words, **streams):
        return subprocess.Popen([self.pushpipe, *map(str, words)], env=self.environment, text=True, **streams)

    def check_journal(self, what):
        lines = self.command("store", "events", self.store)
        times = [line["at"] for line in lines]
        check(times == sorted(times), f"{what}: the journal goes back: {times}")
        seconds = [datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() for at in times]
        check(all(at < time.time() + YEAR + DAY for at in seconds), f"{what}: a time after every clock: {times[-1]}")
        return lines


def event(device, **members):
    return {"event": "device", "device": device, "app": "org.a", **members}


def push(device, text, ttl=None):
    headers = {"apns-topic": "org.a"}
    if ttl is not None:
        headers["apns-expiration"] = str(int(time.time()) + ttl)
    return {"device": device, "headers": headers, "payload": {"aps": {"alert": text}}}


def run_of_a_pipe(place):
    """A run whose input never pauses for long: `tail -f | pushpipe run`."""
    with place.start("run", "--quiet", "--format", "ndjson", "--store", place.store, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        def lines(record, last=1):
            run.stdin.write(json.dumps(record) + "\n")
            run.stdin.flush()
            return [json.loads(run.stdout.readline()) for _ in range(last)]

        lines(event("ab01", online=False))
        lines(event("ab02", online=False))
        check(lines(push("ab01", "for an hour", 3600))[0]["outcome"] == "held", "a push to a device that is offline is not held")
        check(lines(push("ab02", "for twenty days", 20 * DAY))[0]["outcome"] == "held", "a push to a device that is offline is not held")
        for seconds in (DAY, -DAY, YEAR, 0):
            place.jump(seconds)
            # The first jump lets an hour pass: that line comes before the record's own.
            found = lines(push("ab03", f"at {seconds}"), 2 if seconds == DAY else 1)
            check(found[-1]["outcome"] == "delivered", f"not delivered after a jump to {seconds}: {found}")
            if seconds == DAY:
                check(found[0].get("outcome") == "expired" and found[0].get("original") == 3, f"not expired a day later: {found}")
            if seconds == -DAY:
                found = lines(event("ab02", online=True), 2)
                check(found[1]["outcome"] == "delivered" and found[1]["original"] == 4, f"not released: {found}")
        check(lines(event("ab01", online=True))[0]["outcome"] == "applied", "what has expired came back")
        run.stdin.close()
        check(run.wait(TIME_LIMIT) == 0, f"status {run.returncode}")
    kinds = [line["kind"] for line in place.check_journal("run")]
    check(kinds.count("expired") == 1, f"expired more or less than once: {kinds}")


def resumed_runs(place):
    """The same file again and again, longer each time, with another clock each time."""
    source = place.folder / "in.ndjson"
    seen = []
    for number, seconds in enumerate(JUMPS, 1):
        place.jump(seconds)
        with open(source, "a") as file:
            file.write(json.dumps(push("ab01", f"{number}", 2 * YEAR)) + "\n")
        seen += place.command("run", "--quiet", "--format", "ndjson", "--resume", "--store", place.store, source)
    check([line["seq"] for line in seen] == list(range(1, len(JUMPS) + 1)), f"not resumed in place: {seen}")
    check(all(line["outcome"] == "delivered" for line in seen), f"not delivered: {seen}")
    place.check_journal("--resume")


def followed_run(place):
    """A run whose screens are followed, and whose input stays open."""
    words = ["run", "--quiet", "--format", "screens", "--store", place.store]
    with place.start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        for seconds in JUMPS:
            place.jump(seconds)
            run.stdin.write(json.dumps(push("ab01", f"at {seconds}")) + "\n")
            run.stdin.flush()
        _, errors = run.communicate(timeout=TIME_LIMIT)
        check(run.returncode == 0, f"run --format screens: status {run.returncode}: {errors[-300:]}")
    check(len(place.check_journal("--format screens")) == len(JUMPS), "run --format screens: a push is missing in the journal")


def gateway(place):
    """Requests of senders, and the queue of a phone."""
    words = ["serve", "--listen", "127.0.0.1:0", "--store", place.store]
    with place.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as serve:
        try:
            port = int(re.search(r"http://127\.0\.0\.1:(\d+)", serve.stderr.readline()).group(1))

            def ask(path, body, headers):
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=TIME_LIMIT)) as connection:
                    connection.request("POST", path, json.dumps(body), headers)
                    answer = connection.getresponse()
                    return answer.status, answer.read().decode()

            def records(body):
                status, text = ask("/api/v1/records", body, {"content-type": "application/json"})
                check(status == 200, f"serve: {status} {text}")
                return json.loads(text)["report"]

            def send(device, ttl=None):
                headers = {"apns-topic": "org.a", "apns-push-type": "alert"}
                if ttl is not None:
                    headers["apns-expiration"] = str(int(time.time()) + ttl)
                return ask(f"/3/device/{device}", {"aps": {"alert": "x"}}, headers)

            records(event("ab02", online=False))
            check(send("ab02", 20 * DAY)[0] == 200, "serve: the push that is to be held is rejected")
            for seconds in JUMPS:
                place.jump(seconds)
                status, text = send("ab01")
                check(status == 200, f"serve: {status} {text} after a jump to {seconds}")
                records(push("ab01", "by the API"))
                if seconds == -DAY:
                    found = records(event("ab02", online=True))
                    check(any(line.get("original") == 2 for line in found), f"serve: what was held is lost: {found}")
        finally:
            serve.send_signal(signal.SIGTERM)
            serve.stderr.read()
            serve.wait(TIME_LIMIT)
    check(serve.returncode in (0, 128 + signal.SIGTERM), f"serve: status {serve.returncode}")
    place.check_journal("serve")


def tokens(place):
    """The life cycle of tokens: a day's jump back makes no token confirmed or swept again."""
    config = place.folder / "gateway.yml"
    config.write_text("airnotifier: {token-life-cycle: true}\n")
    words = ["run", "--quiet", "--format", "ndjson", "--config", config, "--store", place.store]
    with place.start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        run.stdin.write(json.dumps(event("ab01", confirmed=False)) + "\n")
        for seconds in JUMPS:
            place.jump(seconds)
            run.stdin.write(json.dumps(push("ab02", f"at {seconds}")) + "\n")
            run.stdin.flush()
            # Its own line is the last one about it.
            while '"device":"ab02"' not in run.stdout.readline():
                pass
        run.stdin.close()
        run.stdout.read()
        check(run.wait(TIME_LIMIT) == 0, f"token-life-cycle: status {run.returncode}")
    events = [line["kind"] for line in place.check_journal("token-life-cycle") if line["device"] == "ab01"]
    check(len(events) == len(set(events)), f"token-life-cycle: something happened twice: {events}")


def main():
    pushpipe, library = map(os.path.abspath, sys.argv[1:3])
    status = 0
    for case in (run_of_a_pipe, resumed_runs, followed_run, gateway, tokens):
        with tempfile.TemporaryDirectory(prefix="pushpipe-jumps-") as folder:
            try:
                case(Place(pushpipe, library, pathlib.Path(folder)))
                print(f"clock jumps: {case.__name__}: ok")
            except (Failed, subprocess.TimeoutExpired, OSError, ValueError) as failure:
                print(f"clock jumps: {case.__name__}: FAILED: {failure}")
                status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
