#!/usr/bin/env python3
"""Divides mutated streams, and compares the parts with one run: the merged report, and the complete export of the merged store.

    Tests/Line/ScaleOut/mutated.py [--pushpipe PATH] [--seeds FROM-TO] [--records N] [--keep]

A record that `partition` refuses is left out. Ends with 1 if anything differs.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import mixed

CLOCK = ["--clock", "2026-01-01T00:00:00Z"]
APPS = ["org.example.scores", mixed.APP, "org.b"]
TIME_LIMIT = 600
# Limits and other options of the runs.
LIMITS = [["--set", "devices.unknown=reject"], ["--set", "limits.background-pushes-per-hour=2"], ["--set", "limits.pushes-per-minute=2"], ["--config", "gateway.yml"]]
OTHERS = [["--rules"], ["--redact", "content"]]


class Refused(Exception):
    """partition says that a record's outcome depends on other parts."""


class Failed(Exception):
    """A command that should not have failed."""


def event(choice):
    """Events that make apps known in all ways, and messages whose targets depend on them."""
    device = choice.choice(mixed.GCM[:6] + mixed.APNS[:6])
    app = choice.choice(APPS)
    makers = [
        lambda: {"event": "device", "device": device},
        lambda: {"event": "device", "device": device, "app": app, "state": "foreground"},
        lambda: {"event": "device", "device": device, "app": app},
        lambda: {"event": "device", "device": device, "app": app, "unregistered": choice.random() < 0.5},
        lambda: {"event": "device", "device": device, "online": choice.random() < 0.6},
        lambda: {"event": "subscribe", "device": device, "topic": choice.choice(mixed.TOPICS)},
        lambda: {"event": "tap", "device": device, "app": app},
        lambda: {"event": "open", "device": device, "app": app},
        lambda: {"event": "preference", "device": device, "type": "checkEchoV1", "on": False},
        lambda: {"event": "focus", "device": device, "on": True},
        lambda: {"event": "post", "device": device, "app": app, "title": "x", "body": "y"},
        lambda: {"event": "dismiss", "device": device, "identifier": f"push-{choice.randrange(60)}"},
        lambda: {"to": "/topics/" + choice.choice(mixed.TOPICS), "notification": {"title": "t"}, "restricted_package_name": app},
        lambda: mixed.several(choice),
    ]
    return choice.choice(makers)()


def mutated(choice, value, pool):
    """The value with a change at a random place in it."""
    if isinstance(value, dict) and value:
        key = choice.choice(list(value))
        kind = choice.random()
        if kind < 0.12:
            del value[key]
        elif kind < 0.2:
            value[key] = choice.choice([None, True, 0, -1, "", [], {}, 2**63, "a" * 300, 1e300])
        elif kind < 0.35:
            value[key] = choice.choice(pool)
        else:
            value[key] = mutated(choice, value[key], pool)
        return value
    if isinstance(value, list) and value:
        index = choice.randrange(len(value))
        value[index] = mutated(choice, value[index], pool)
        return value + [value[index]] if choice.random() < 0.2 else value
    if isinstance(value, int) and not isinstance(value, bool) and choice.random() < 0.5:
        return value + choice.choice([-1, 1, 1000, -(10**6), 10**6])
    return choice.choice(pool + ["start", "update", mixed.APP, "news"])


def texts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for element in value for text in texts(element)]
    return [value] if isinstance(value, str) and len(value) < 200 else []


def stream(choice, count):
    records = []
    for _ in range(count):
        kind = choice.random()
        if kind < 0.45:
            records.append(event(choice))
        elif kind < 0.85:
            records.append(mixed.addition(choice))
        else:
            records.append(mixed.alert(choice, choice.choice(mixed.APNS[:6])))
    pool = [text for record in records if isinstance(record, dict) for text in texts(record)]
    lines = []
    for record in records:
        if isinstance(record, bytes):
            lines.append(record)
            continue
        if choice.random() < 0.25:
            record = json.loads(json.dumps(record))
            for _ in range(choice.randrange(1, 3)):
                record = mutated(choice, record, pool)
        lines.append(json.dumps(record, ensure_ascii=False).encode())
        if choice.random() < 0.05:
            lines.append(choice.choice(lines))
    return b"\n".join(lines) + b"\n"


def run(pushpipe, *words, statuses=(0, 1)):
    words = list(map(str, words))
    done = subprocess.run([pushpipe, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIME_LIMIT)
    if done.returncode in statuses:
        return done.stdout
    error = done.stderr.decode(errors="replace")
    raise (Refused if "cannot be divided" in error else Failed)(f"{' '.join(words[:2])}: status {done.returncode}: {error[-400:]}")


def difference(name, one, parts):
    if one == parts:
        return []
    left, right = one.splitlines() + [b"(end)"], parts.splitlines() + [b"(end)"]
    number = next(number for number, (a, b) in enumerate(zip(left, right)) if a != b)
    return [f"{name} differs in line {number + 1}:\n    one run: {left[number][:400]!r}\n    parts:   {right[number][:400]!r}"]


def divide(pushpipe, folder, parts, source):
    """Divides the stream without the records that partition refuses, one after the other; returns how many those are."""
    left_out = 0
    while True:
        try:
            run(pushpipe, "partition", "--quiet", "--parts", parts, "--output", folder / "parts", source)
            return left_out
        except Refused as refusal:
            number = re.search(r"record (\d+) ", str(refusal))
            lines = source.read_bytes().splitlines(keepends=True)
            places = [place for place, line in enumerate(lines) if line.strip()]
            if not number or int(number[1]) > len(places):
                raise
            del lines[places[int(number[1]) - 1]]
            source.write_bytes(b"".join(lines))
            left_out += 1
            shutil.rmtree(folder / "parts", ignore_errors=True)


def compare(pushpipe, folder, seed, count, counts):
    choice = random.Random(seed)
    source = folder / "in.ndjson"
    source.write_bytes(stream(choice, count))
    (folder / "gateway.yml").write_text("airnotifier: {token-life-cycle: true}\n")
    limits = [word for words in LIMITS if choice.random() < 0.15 for word in words]
    limits = [folder / word if word == "gateway.yml" else word for word in limits]
    others = [word for words in OTHERS if choice.random() < 0.2 for word in words]
    if "--redact" in others:
        (folder / "key").write_text("a key of the tests, long enough\n")
        others += ["--set", f"redact.key-file={folder / 'key'}"]
    options = ["--quiet", *CLOCK, *limits]
    parts = 2 + seed % 6
    counts["left out"] += divide(pushpipe, folder, parts, source)
    ndjson = ["--format", "ndjson"]
    report = run(pushpipe, "run", *options, *others, *ndjson, "--store", folder / "one.sqlite", source)
    stores, reports = [], []
    for part in range(parts):
        stores.append(folder / f"{part}.sqlite")
        reports.append(folder / f"{part}.ndjson")
        reports[-1].write_bytes(run(pushpipe, "run", *options, *others, *ndjson, "--store", stores[-1], folder / "parts" / f"part-{part:05}.ndjson"))
    found = difference("the report", report, run(pushpipe, "merge", "--quiet", *reports))
    run(pushpipe, "merge", "--quiet", "--store", folder / "all.sqlite", *stores)
    export = ["store", "export", "--complete", "--events"]
    found += difference("the export", run(pushpipe, *export, folder / "one.sqlite"), run(pushpipe, *export, folder / "all.sqlite"))
    return [f"seed {seed} {' '.join(map(str, limits + others))}: {text}" for text in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pushpipe", default=str(HERE.parents[2] / ".build" / "tests" / "release" / "pushpipe"))
    parser.add_argument("--seeds", default="1-100")
    parser.add_argument("--records", type=int, default=120)
    parser.add_argument("--keep", action="store_true", help="keep the folders of streams that differ, and print their names")
    options = parser.parse_args()
    first, last = map(int, re.fullmatch(r"(\d+)-(\d+)", options.seeds).groups())
    counts = {"records": 0, "streams": 0, "left out": 0, "refused": 0, "different": 0}
    for seed in range(first, last + 1):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="pushpipe-mutated-"))
        try:
            found = compare(options.pushpipe, folder, seed, options.records, counts)
            counts["streams"] += 1
            counts["records"] += (folder / "in.ndjson").read_bytes().count(b"\n")
        except Refused:
            counts["refused"] += 1
            found = []
        except Failed as failure:
            found = [f"seed {seed}: {failure}"]
        if found:
            counts["different"] += 1
            print(*found, *([folder] if options.keep else []), sep="\n", flush=True)
        if not (found and options.keep):
            shutil.rmtree(folder)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(1 if counts["different"] else 0)


if __name__ == "__main__":
    main()
