#!/usr/bin/env python3
"""What twice the input costs, for the commands whose input grows, and every member that repeats.

Each case is a family of hostile inputs: equal prefixes, near misses, duplicates, nesting, fan-out, anchors. The command runs over an
input of a size and over one of twice the size. The second run may take 2.3 times as many instructions, and 2.3 times as much memory;
what the command needs for the smallest input is taken off both.
Prints Markdown; with --check, fails when a case takes more.

    PUSHPIPE=.build/release/core/pushpipe Benchmarks/growth.py [--check] [--time] [--only WORD]

valgrind counts the instructions of the command's own process, which are nearly the same in each run. --time takes processor time
instead, which says enough to look for a bad case with a debug build.

These commands have no case. serve: its requests become records of run. bench: it repeats run. view: it shows a store in answer to
requests. lsp: it answers each message with a lint. extension: it runs a compiler. preferences, config, rules and explain: they
read files of settings, or none.
"""

import argparse
import base64
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 2.3
# Runs that cost next to nothing are not compared.
INSTRUCTIONS, SECONDS, MEGABYTES = 5_000_000, 0.05, 8
CLOCK = ["--clock", "2026-01-01T00:00:00Z"]


def lines(*records):
    return "".join((record if isinstance(record, str) else json.dumps(record, separators=(",", ":"))) + "\n" for record in records)


def numbered(count, make):
    return [make(number) for number in range(count)]


def hexadecimal(number):
    return f"{number:064x}"


# MARK: Records


def push(device="ab54", app="org.example.news", collapse=None, **payload):
    headers = {"apns-topic": app, "apns-push-type": "alert"}
    if collapse:
        headers["apns-collapse-id"] = collapse
    return {"device": device, "headers": headers, "payload": {"aps": {"alert": "Hi"}, **payload}}


def event(name, device="ab54", **members):
    return {"event": name, "device": device, **members}


def news(number):
    return f"org.example.news{number}"


def members(count, name, value="1"):
    """So many members of one name, with a number where it has a #."""
    return ",".join(f'"{name}":{value}'.replace("#", str(number)) for number in range(count))


def tokens(count):
    """Tokens that differ only at their ends."""
    return numbered(count, lambda n: "a" * 20 + ":APA91b" + "x" * 100 + f"{n:08d}")


def nested(count):
    return "[" * count + "]" * count


def strings_in_strings(count):
    text = '{"aps":{"alert":"x"}}'
    while len(text) < count:
        text = json.dumps({"payload": text})
    return text + "\n"


# MARK: Cases

# Name, options of the command, the size of the smaller input, and what makes an input of a size.
# Removed when this process ends.
TOKEN_LIFE_CYCLE = tempfile.NamedTemporaryFile("w", suffix=".yml")
TOKEN_LIFE_CYCLE.write("airnotifier: {token-life-cycle: true}\n")
TOKEN_LIFE_CYCLE.flush()

RUN = [
    ("taps on a device with many apps", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(app=news(i))), *numbered(n, lambda i: event("tap")))),
    ("dismissals by app", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(app=news(i))), *numbered(n, lambda i: event("dismiss", app=news(i))))),
    ("dismissals by identifier", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(collapse=f"c{i}")), *numbered(n, lambda i: event("dismiss", identifier=f"c{i}")))),
    ("dismissals by number", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push()), *numbered(n, lambda i: event("dismiss", seq=i + 1)))),
    ("dismissals of nothing", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(app=news(i))), *numbered(n, lambda i: event("dismiss", identifier="none")))),
    ("dismissals of nothing in one app", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(collapse=f"c{i}")),
        *numbered(n, lambda i: event("dismiss", identifier="none", app="org.example.news")))),
    ("a screen cleared again and again", [], 1000, lambda n: lines(
        *numbered(n, lambda i: push(app=news(i))), *numbered(n, lambda i: event("clear")))),
    ("an app cleared after each push", [], 1000, lambda n: lines(
        *[record for i in range(n) for record in (push(app=news(i)), event("clear"))])),
    ("apps registered on one device", [], 1000, lambda n: lines(
        *numbered(n, lambda i: event("device", app=news(i), online=i % 2 == 0)))),
    ("a device with many apps that comes and goes", [], 500, lambda n: lines(
        *numbered(n, lambda i: event("device", app=news(i))), *numbered(n, lambda i: event("device", online=i % 2 == 0)))),
    ("events for the first app of many", [], 1000, lambda n: lines(
        *numbered(n, lambda i: event("device", app=news(i))), *numbered(n, lambda i: event("open", screen="s")))),
    ("apps that are launched in turn", [], 500, lambda n: lines(
        *numbered(n, lambda i: event("device", app=news(i), state="background")),
        *numbered(n, lambda i: event("device", app=news(i), state="foreground")))),
    ("screens opened on screens", [], 1000, lambda n: lines(
        event("device", app="a"), *numbered(n, lambda i: event("open", app="a", screen=f"s{i}")))),
    ("a list that is read", [], 500, lambda n: lines(
        event("device", app="org.example.news", state="foreground"), *numbered(n, lambda i: push(collapse=f"c{i}")),
        *numbered(n, lambda i: event("read", app="org.example.news", identifier=f"c{i}")))),
    ("a Focus that names apps", [], 500, lambda n: lines(
        event("focus", on=True, apps=numbered(n, news)), *numbered(n, lambda i: push(app=news(i))))),
    ("queued messages", [], 1000, lambda n: lines(
        event("device", app="org.example.news", online=False), *numbered(n, lambda i: push(collapse=f"c{i}")), event("device", online=True))),
    ("messages queued for many apps", [], 1000, lambda n: lines(
        event("device", app="a", online=False), *numbered(n, lambda i: push(app=news(i))), event("device", online=True))),
    ("messages queued for a browser", [], 500, lambda n: lines(
        event("device", platform="web", online=False), *numbered(n, lambda i: {"message": {
            "token": "ab54", "webpush": {"headers": {"Topic": f"t{i}", "TTL": str(60 + i)}, "notification": {"title": "x"}}}}),
        *[{"event": "clock", "advance": "1s"}] * n, event("device", online=True))),
    ("messages queued for every app of a device", [], 500, lambda n: lines(
        event("device", app="", online=False), *numbered(n, lambda i: push(app=news(i))), event("device", online=True))),
    ("topics of an app", [], 500, lambda n: lines(*numbered(n, lambda i: event("subscribe", app="a", topic=f"t{i}")))),
    ("subscribers of a topic", [], 1000, lambda n: lines(
        *numbered(n, lambda i: event("subscribe", device=f"token{i}", app="a", topic="t")),
        {"to": "/topics/t", "notification": {"title": "x"}})),
    # Names that the scanner's filter cannot tell apart, and a backslash after them.
    ("colliding names before a backslash", [], 2000, lambda n: lines(push(x=[{"aa": 1, "bl": 2}] * n + ["\\"]))),
    ("registration_ids", [], 200, lambda n: lines(
        *[{"registration_ids": tokens(50), "notification": {"title": "x"}}] * n)),
    ("deviceTokens", [], 2000, lambda n: lines(
        {"deviceTokens": numbered(n, hexadecimal), "messageType": "checkEchoV1", "topic": "t"})),
    ("identifiers with one prefix", [], 2000, lambda n: lines(*numbered(n, lambda i: push(collapse="c" * 50 + f"{i:06d}")))),
    ("one custom id", ["--replace-by", "story"], 2000, lambda n: lines(*numbered(n, lambda i: push(story="s")))),
    ("Live Activities", [], 500, lambda n: lines(*numbered(n, lambda i: {
        "device": f"{i:064x}", "headers": {"apns-topic": "a.push-type.liveactivity", "apns-push-type": "liveactivity"},
        "payload": {"aps": {"timestamp": 1767225600 + i, "event": "start", "content-state": {}, "attributes-type": "T",
                            "attributes": {"a": 1}, "alert": {"title": "t", "body": "b"}}}}))),
    ("SNS members", [], 5000, lambda n: '{"default":"x",%s}\n' % members(n, "APNS", '"{}"')),
    ("duplicates in aps", [], 5000, lambda n: '{"aps":{"alert":"x",%s}}\n' % members(n, "badge")),
    ("duplicates in headers", [], 5000, lambda n: '{"headers":{%s},"payload":{"aps":{}}}\n' % members(n, "apns-topic", '"a"')),
    ("duplicates in a GCM request", [], 5000, lambda n: '{"to":"t","data":{%s},%s}\n' % (members(n, "from", '"x"'), members(n, "to", '"t"'))),
    ("duplicates in an FCM request", [], 5000, lambda n: '{"message":{"token":"t","data":{},%s}}\n' % members(n, "token", '"t"')),
    ("duplicates in an Airnotifier request", [], 5000, lambda n: '{"token":"t","device":"ios","alert":"x",%s}\n' % members(n, "extra", "{}")),
    ("duplicates in an event", [], 5000, lambda n: '{"event":"device","device":"a",%s}\n' % members(n, "app", '"a"')),
    ("unknown members of an event", [], 5000, lambda n: '{"event":"device","device":"a",%s}\n' % members(n, "app#", '"a"')),
    ("near misses under --rules", ["--rules"], 2000, lambda n: '{"aps":{"alert":"x",%s}}\n' % members(n, "alret")),
    ("arguments under --fit", ["--fit"], 500, lambda n: lines(
        push(aps={"alert": {"loc-key": "k", "loc-args": ["x" * 20] * n, "body": "y" * 20 * n}}))),
    ("a changed payload written again", ["--fit", "--emit", "all"], 1000, lambda n: lines(
        '{"device":"ab","payload":{"aps":{"alert":"%s"},%s}}' % ("x" * 10 * n, members(n, "m#")))),
    ("near-equal tokens", ["--redact", "all"], 1000, lambda n: lines(
        {"deviceTokens": tokens(n), "messageType": "checkEchoV1", "topic": "t", "x": " ".join(tokens(n))})),
    ("near-equal tokens with a prefix in the text", ["--redact", "tokens"], 1000, lambda n: lines(
        {"deviceTokens": tokens(n), "messageType": "checkEchoV1", "topic": "t", "x": "a" * 100 * n})),
    ("tokens that contain each other", ["--redact", "tokens"], 20_000, lambda n: lines(
        {"deviceTokens": numbered(math.isqrt(2 * n), lambda i: "a" * (i + 8)), "messageType": "checkEchoV1", "topic": "t",
         "x": "a" * n})),
    ("a token that ends unlike the text", ["--redact", "tokens"], 20_000, lambda n: lines(
        {"to": "x" * n + "y", "data": {"x": "x" * n}})),
    ("a token that begins alike everywhere", ["--redact", "tokens"], 20_000, lambda n: lines(
        {"to": "xy" * n, "data": {"x": ("xy" * (n // 8) + "z") * 8}})),
    ("encoded characters", ["--redact", "tokens"], 5000, lambda n: lines(
        {"to": "x" * n + "y", "data": {"x": "%78" * n, "y": "&#120;" * n, "z": "&amp" * n}})),
    ("texts in other forms", ["--redact", "tokens"], 5000, lambda n: lines(
        push(x="&#97;%61<ab cd>" * n, y=base64.b64encode(b"ab" * n).decode(), z="ab:" * n, w="<ab " * n))),
    ("registration_ids under --redact", ["--redact", "all"], 50, lambda n: lines(
        *[{"registration_ids": tokens(100), "notification": {"title": "x"}}] * n)),
    ("relaxed JSON", ["--set", "input.relaxed"], 3000, lambda n: "{'aps':{alert:'x',%s}}\n" % ",".join(["b:1,"] * n)),
    ("brackets without an end", ["--set", "input.framing=json"], 20_000, lambda n: "[" * n),
    ("strings in strings", [], 20_000, strings_in_strings),
    ("a topic condition", [], 500, lambda n: lines({"condition": " || ".join(["'t' in topics"] * n), "notification": {"title": "x"}})),
    ("brackets of a topic condition", [], 500, lambda n: lines(
        {"condition": "(" * n + "'t' in topics" + ")" * n, "notification": {"title": "x"}})),
    ("tokens whose life ends", ["--config", TOKEN_LIFE_CYCLE.name], 500, lambda n: lines(
        *numbered(n, lambda i: event("device", device=f"token{i}", app="a", confirmed=False)),
        *[event("clock", advance="1h")] * 20)),
    ("time that passes", [], 1000, lambda n: lines(
        event("device", app="org.example.news", online=False), *numbered(n, lambda i: push(collapse=f"c{i}")),
        *[{"event": "clock", "advance": "1d"}] * n)),
]

STORE = [(f"a store: {name}", options, size, make) for name, options, size, make in RUN if name in (
    "taps on a device with many apps", "dismissals by identifier", "dismissals by number", "dismissals of nothing",
    "a screen cleared again and again", "registration_ids", "deviceTokens", "queued messages", "one custom id", "time that passes",
    "apps registered on one device", "a device with many apps that comes and goes")]


def aps(name):
    return lambda count: f'{{"aps":{{"alert":"x",{members(count, name)}}}}}\n'


LINT = [
    ("names close to one of aps", [], 2500, aps("alret")),
    ("names in another spelling", [], 2500, aps("content_available")),
    ("names with one prefix", [], 2500, aps("content-available#")),
    ("names close to one of alert", [], 2500, lambda n: '{"aps":{"alert":{"body":"x",%s}}}\n' % members(n, "titel")),
    ("headers in capitals", [], 2500, lambda n: '{"headers":{%s},"payload":{"aps":{"alert":"x"}}}\n' % members(n, "APNS-TOPIC")),
    ("fields of FCM", [], 2500, lambda n: '{"message":{"token":"t","notification":{%s}}}\n' % members(n, "titel")),
    ("a text in a text", [], 2500, lambda n: '{"default":"x","APNS":%s}\n' % json.dumps(aps("alret")(n))),
    ("a broken text in a text", [], 2500, lambda n: '{"payload":%s}\n' % json.dumps(aps("alret")(n).replace('"', "'"))),
    ("lines that continue a broken record", [], 20_000, lambda n: '{"aps":{\n' + '"x":1,\n' * n),
    ("records with findings as SARIF", ["--format", "sarif"], 500, lambda n: aps("alret")(3) * n),
    ("fixes", ["--fix", "--dry-run"], 500, lambda n: aps("content_available")(1) * n),
    ("fixes of one record", ["--fix", "--dry-run"], 500, lambda n: aps("content_available")(n)),
    ("single quotes", ["--fix", "--dry-run"], 2000, lambda n: "{'aps':{'alert':'x',%s}}\n" % members(n, "m#").replace('"', "'")),
]

TEST = [
    ("steps of a scenario", [], 500, lambda n: "Feature: f\n Scenario: s\n" + "  Given a phone\n" * n),
    ("scenarios", [], 200, lambda n: "Feature: f\n" + " Scenario: s\n  Given a phone\n" * n),
    ("examples", [], 200, lambda n: "Feature: f\n Scenario Outline: s\n  Given <x>\n  Examples:\n   |x|\n" + "   |1|\n" * n),
    ("columns of a table", [], 1000, lambda n: "Feature: f\n Scenario Outline: s\n  Given <x0>\n  Examples:\n   |%s|\n   |%s|\n" % (
        "|".join(numbered(n, lambda i: f"x{i}")), "|".join(["1"] * n))),
    ("tags", [], 1000, lambda n: "Feature: f\n " + " ".join(numbered(n, lambda i: f"@t{i}")) + "\n Scenario: s\n  Given a phone\n"),
    ("placeholders in a step", [], 500, lambda n: "Feature: f\n Scenario Outline: s\n  Given %s\n  Examples:\n   |x|\n   |yy|\n" % ("<x>" * n)),
    ("a step of quotes", [], 1000, lambda n: 'Feature: f\n Scenario: s\n  Given a "%s\n' % ('"x" ' * n)),
    ("a doc string", [], 5000, lambda n: 'Feature: f\n Scenario: s\n  Given x\n   """\n' + "   y\n" * n + '   """\n'),
]


def aliases(count):
    """Anchors in keys."""
    entries = ["&a0 {k: v}"] + [f"&a{n} {{*a{n - 1} : 1, [*a{n - 1}]: 2}}" for n in range(1, count)]
    return "lint:\n  exclude:\n" + "".join(f"    - {line}\n" for line in entries)


# Those that the core does not have.
TOOLS = ["schema", "partition"]
# The same for commands that take something else than records.
OTHER = [
    ("aliases of a configuration", ["lint", "--config", "FILE", "/dev/null"], 1000, aliases),
    ("rules of a mapping", ["run", "--set", "wikimedia.mapping=FILE", "/dev/null"], 500, lambda n: (
        "preferences:\n  types:\n" + "".join(f"    - t{i}\n" for i in range(n))
        + "  mapping:\n" + "".join(f"    - {{at: category, like: c{i}, type: t{i}}}\n" for i in range(n)))),
    ("a file of devices", ["run", "--devices", "FILE", "/dev/null"], 1000, lambda n: lines(
        *numbered(n, lambda i: {"device": "ab", "app": news(i), "topics": ["t"]}))),
    ("samples of a schema", ["schema", "infer", "FILE"], 500, lambda n: lines(*numbered(n, lambda i: push(**{f"m{i}": i})))),
    ("divided targets", ["partition", "--parts", "4", "--key-column", "FILE"], 500, lambda n: lines(
        {"deviceTokens": numbered(n, hexadecimal), "messageType": "checkEchoV1", "topic": "t"})),
    ("a traced record", ["trace", "FILE"], 500, aps("alret")),
]


# MARK: Counting


class Cost:
    def __init__(self, pushpipe, by_time):
        self.pushpipe, self.by_time = pushpipe, by_time
        self.floor = SECONDS if by_time else INSTRUCTIONS

    def measure(self, text, make_command, is_refused):
        """Cost and peak memory, in bytes. Each run has files of its own, because some change them."""
        seconds, memory = in_folder(text, make_command, lambda command: self.native(command, is_refused))
        return (seconds if self.by_time else in_folder(text, make_command, self.instructions)), memory

    def native(self, command, is_refused):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in ([2] if is_refused else [0, 1]):
            sys.exit(f"growth: {' '.join(command)} ended with {process.returncode}\n{text.decode(errors='replace')[:2000]}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def instructions(self, command):
        with tempfile.NamedTemporaryFile("r") as log:
            subprocess.run(
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log.name}", *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found = re.search(r"Collected *: *(\d+)", log.read())
        if not found:
            sys.exit(f"growth: valgrind did not count {' '.join(command)}")
        return int(found[1])


def cases(pushpipe, whole):
    """Group, name, size, maker of inputs, and a function that makes the command line from a file and an empty directory."""
    run = [pushpipe, "run", "-q", "--jobs", "1", *CLOCK]
    for name, options, size, make in RUN:
        yield "run", name, size, make, lambda file, _, options=options: [*run, *options, file]
    for name, options, size, make in STORE:
        yield "run", name, size, make, lambda file, folder, options=options: [*run, *options, "--store", f"{folder}/s.db", file]
    for name, options, size, make in LINT:
        yield "lint", name, size, make, lambda file, _, options=options: [
            pushpipe, "lint", "-q", "--jobs", "1", "--config", "/dev/null", *options, file]
    for name, options, size, make in TEST:
        yield "test", name, size, make, lambda file, _, options=options: [whole, "test", *options, file]
    for name, words, size, make in OTHER:
        yield words[0], name, size, make, lambda file, _, words=words: [
            whole if words[0] in TOOLS else pushpipe, *(word.replace("FILE", file) for word in words)]
    for words in (["list"], ["show"], ["events"], ["export", "--complete"], ["prune", "--older-than", "1s"]):
        def command(file, folder, words=words):
            subprocess.run([*run, "--store", f"{folder}/s.db", file], check=True, stdout=subprocess.DEVNULL)
            return [pushpipe, "store", words[0], *words[1:], f"{folder}/s.db"]
        yield "store", words[0], 1000, pushes, command
    yield from commands_of_several_files(pushpipe, whole, run)


def pushes(count):
    return lines(*numbered(count, lambda i: push(device=f"{i % 100:02x}", app=news(i), collapse=f"c{i}")))


def commands_of_several_files(pushpipe, whole, run):
    """The same for commands whose input other commands make."""
    def quiet(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def parts(file, folder):
        quiet(whole, "partition", "-q", "--parts", "2", "--output", f"{folder}/parts", *CLOCK, file)
        return [f"{folder}/parts/part-0000{part}.ndjson" for part in range(2)]

    def generate(file, _):
        with open(file) as text:
            return [pushpipe, "generate", "--count", text.read(), "--event-rate", "0.2"]

    def merge(file, folder):
        reports = [f"{part}.report" for part in parts(file, folder)]
        for report in reports:
            with open(report, "w") as out:
                subprocess.run([*run, "--format", "ndjson", report.removesuffix(".report")], check=True, stdout=out)
        return [whole, "merge", "-q", *reports]

    def store_merge(file, folder):
        stores = [f"{part}.db" for part in parts(file, folder)]
        for store in stores:
            quiet(*run, "--store", store, store.removesuffix(".db"))
        return [whole, "merge", "-q", *stores, "--store", f"{folder}/all.db"]

    def store_import(file, folder):
        quiet(*run, "--store", f"{folder}/s.db", file)
        with open(f"{folder}/export", "w") as out:
            subprocess.run([pushpipe, "store", "export", "--events", f"{folder}/s.db"], check=True, stdout=out)
        return [pushpipe, "store", "import", "-q", f"{folder}/copy.db", f"{folder}/export"]

    def devices(file, folder):
        quiet(*run, "--store", f"{folder}/s.db", file)
        return [pushpipe, "store", "devices", f"{folder}/s.db"]

    def snapshot(file, folder):
        quiet(whole, "snapshot", "--update", file)
        return [whole, "snapshot", "-q", file]

    yield "generate", "records", 2000, str, generate
    yield "merge", "reports of two parts", 1000, pushes, merge
    yield "merge", "stores of two parts", 1000, pushes, store_merge
    yield "store", "import with events", 1000, pushes, store_import
    yield "store", "devices", 1000, lambda n: lines(*numbered(n, lambda i: event("device", app=news(i)))), devices
    yield "snapshot", "an approved file", 1000, pushes, snapshot


# What the command refuses, with status 2, whatever the size. All others end with 0, or with 1 if something is wrong in the input.
REFUSED = {("lint", "aliases of a configuration")}


class Table:
    """Measures cases, as many at a time as there are processors, and prints a row for each, in order."""

    def __init__(self, pushpipe, whole, arguments):
        self.pushpipe, self.whole, self.arguments = pushpipe, whole, arguments
        self.cost = Cost(pushpipe, arguments.time)
        self.failed = []

    def write(self):
        unit = "Seconds" if self.arguments.time else "Million instructions"
        print(f"| Command | Case | KB | {unit} | For twice as much | Ratio | MiB | For twice as much | Ratio |\n"
              "|---|---|---:|---:|---:|---:|---:|---:|---:|")
        every = list(cases(self.pushpipe, self.whole))
        known = {case[:2] for case in every}
        if REFUSED - known:
            sys.exit(f"growth: no case is called {REFUSED - known}")
        chosen = [case for case in every if self.arguments.only in " ".join(case[:2])]
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for row in pool.map(lambda case: self.row(*case), chosen):
                print(row, flush=True)
        return self.failed

    def row(self, group, name, size, make, command):
        size *= self.arguments.scale
        start, single, double = (self.cost.measure(make(count), command, (group, name) in REFUSED) for count in (1, size, 2 * size))
        ratio = max(double[0] - start[0], self.cost.floor) / max(single[0] - start[0], self.cost.floor)
        floor = MEGABYTES << 20
        memory = max(double[1] - start[1], floor) / max(single[1] - start[1], floor)
        if ratio > LIMIT or memory > LIMIT:
            self.failed.append(f"{group}, {name}")
        scale = 1 if self.arguments.time else 1e-6
        return (
            f"| {group} | {name} | {len(make(size)) // 1000} | {(single[0] - start[0]) * scale:.2f} | "
            f"{(double[0] - start[0]) * scale:.2f} | {ratio:.2f} | {single[1] >> 20} | {double[1] >> 20} | {memory:.2f} |")


def in_folder(text, make_command, measure):
    """Measures a command in an empty folder, with the text in a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "input" + (".feature" if text.startswith("Feature") else ".ndjson"))
        with open(file, "w") as out:
            out.write(text)
        return measure(make_command(file, folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help=f"fail when twice the input costs more than {LIMIT} times as much")
    parser.add_argument("--time", action="store_true", help="processor time instead of instructions")
    parser.add_argument("--scale", type=int, default=1, metavar="N", help="inputs N times as large")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose command and name contain WORD")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stripped = []
        # The whole command is that of the tests' build: a ratio hardly depends on optimization.
        for variable, built in [("PUSHPIPE", ".build/release/core/pushpipe"), ("PUSHPIPE_WHOLE", ".build/tests/release/pushpipe")]:
            command = os.environ.get(variable, built)
            if not os.access(command, os.X_OK):
                sys.exit(f"growth: no command {command}; run `make growth`, or set {variable}")
            # Without debug information, because older valgrinds fail on it.
            stripped.append(os.path.join(folder, variable.lower()))
            if subprocess.call(["strip", "--strip-debug", "-o", stripped[-1], command]) != 0:
                sys.exit("growth: strip is missing; install binutils")
        failed = Table(*stripped, arguments).write()
    if arguments.check and failed:
        sys.exit(f"growth: twice the input costs more than {LIMIT} times as much:\n  " + "\n  ".join(failed))


if __name__ == "__main__":
    main()
