"""Generated streams, what undisturbed runs of them leave, and how that is compared with what others do. For ../PowerCuts/run.py, too."""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMMAND = ROOT / ".build" / "release" / "core" / "pushpipe"
CLOCK = ["--clock", "2026-01-01T00:00:00Z"]
# A run that has not ended by then never will.
TIME_LIMIT = 120
# For digests; any text of 16 bytes.
KEY = {"PUSHPIPE_REDACT_KEY": "sixteen bytes ..."}

# What is generated, and the options of the runs.
STREAMS = {
    # A little more than three transactions of the largest size.
    "large": (["--count", "3400", "--record-bytes", "3900", "--device-count", "200"], []),
    "mixed": (["--count", "20000", "--event-rate", "0.05", "--malformed-rate", "0.02", "--device-count", "500"], []),
    "few devices": (["--count", "12000", "--replace-rate", "0.8", "--device-count", "5"], ["--quiet"]),
    "redacted": (["--count", "8000", "--event-rate", "0.02", "--device-count", "300"], ["--redact", "all"]),
    # A third of the records is over this limit.
    "too long": (["--count", "12000", "--malformed-rate", "0.01", "--device-count", "100"], ["--set", "input.max-record=220"]),
    # Each message has so many lines that a transaction ends every few dozen of them.
    "topics": (None, []),
}


def topics():
    """A thousand devices, and messages to the topic of all and to that of half of them."""
    for device in range(1000):
        topic = json.dumps(["all", "half"] if device % 2 else ["all"])
        yield f'{{"event":"device","device":"device-{device}","platform":"android","topics":{topic}}}'
    for number in range(120):
        topic = "half" if number % 3 else "all"
        notification = f'"notification":{{"title":"News {number}"}},"android":{{"notification":{{"tag":"{number % 7}"}}}}'
        yield f'{{"message":{{"topic":"{topic}",{notification}}}}}'


class Failed(Exception):
    """What differs."""


class Stream:
    """A generated stream, and what an undisturbed run of it leaves."""

    def __init__(self, pushpipe, name, folder):
        words, self.options = STREAMS[name]
        self.pushpipe, self.name, self.folder = pushpipe, name, folder
        folder.mkdir(parents=True)
        self.input = folder / "in.ndjson"
        if words is None:
            self.input.write_text("".join(line + "\n" for line in topics()))
        else:
            self.input.write_bytes(self.run("generate", *words).stdout)
        self.report = self.run(*self.words(folder / "whole.db", 1)).stdout
        self.log_size = (folder / "whole.db").stat().st_size
        self.export = self.exported(folder / "whole.db")

    def words(self, store, jobs):
        return ["run", "--format", "ndjson", *CLOCK, "--jobs", str(jobs), *self.options, "--store", str(store), str(self.input)]

    def run(self, *words, environment={}):
        done = subprocess.run(
            [self.pushpipe, *map(str, words)], capture_output=True, timeout=TIME_LIMIT, env={**os.environ, **KEY, **environment})
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
        return done

    def exported(self, store):
        return self.run("store", "export", "--complete", "--events", store).stdout


def same(expected, found, what):
    if expected == found:
        return
    left, right = expected.splitlines(), found.splitlines()
    for number, (one, other) in enumerate(zip(left, right), 1):
        if one != other:
            raise Failed(f"{what} differs in line {number}:\n  undisturbed: {one[:300]!r}\n  resumed:     {other[:300]!r}")
    raise Failed(f"{what} has {len(right)} lines instead of {len(left)}")


def check_sound(store, what):
    """Has SQLite check a store."""
    with sqlite3.connect(store) as database:
        found = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if found != [("ok",)]:
        raise Failed(f"{what}: SQLite finds {found[:3]}")


def disturb(work, options, what, count, disturbed):
    """Disturbs runs of each stream, `count` times in all, prints a line for each stream, and returns the status.

    `disturbed` takes a stream and an empty folder, and returns how often it has disturbed a run.
    """
    pushpipe = str(pathlib.Path(options.pushpipe).absolute())
    wanted = -(-count // len(STREAMS))
    failed = False
    try:
        for name in STREAMS:
            times = runs = 0
            try:
                stream = Stream(pushpipe, name, work / name.replace(" ", "-"))
                while times < wanted:
                    folder = stream.folder / "disturbed"
                    shutil.rmtree(folder, ignore_errors=True)
                    folder.mkdir()
                    times += disturbed(stream, folder)
                    runs += 1
            except Failed as failure:
                print(f"{what}: {failure}", file=sys.stderr)
                failed = True
                break
            shutil.rmtree(stream.folder)
            print(f"{name:<12} {times:>6} {what} {runs:>6} runs  no difference", flush=True)
    finally:
        if failed and options.keep:
            print(f"{what}: kept {work}", file=sys.stderr)
        else:
            shutil.rmtree(work)
    return 1 if failed else 0
