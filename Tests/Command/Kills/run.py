#!/usr/bin/env python3
"""Ends runs at random places, resumes them, and compares what they leave with an undisturbed run.

    Tests/Command/Kills/run.py [--pushpipe PATH] [--kills N] [--seed N] [--keep]

A run of a stream is ended up to eight times and resumed with --resume each time, until it reaches the end of its input. Four in five are
killed (SIGKILL), the others asked to end (SIGTERM, SIGINT). Where comes from the bytes that were read, written to the store's log, or
written to the report, not from the time. Then report and export of the store must be those of an undisturbed run, byte for byte, and
SQLite must find the store sound. Prints a line for each stream.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
CLOCK = ["--clock", "2026-01-01T00:00:00Z"]
# A run that has not ended by then never will.
TIME_LIMIT = 120
MOST_KILLS_OF_A_RUN = 8
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

    def run(self, *words):
        done = subprocess.run([self.pushpipe, *map(str, words)], capture_output=True, timeout=TIME_LIMIT, env={**os.environ, **KEY})
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
        return done

    def exported(self, store):
        return self.run("store", "export", "--complete", "--events", store).stdout

    def disturbed(self, choice, folder):
        """Runs the stream to its end with interruptions, compares, and returns how many there were."""
        store, report = folder / "store.db", folder / "report.ndjson"
        report.touch()
        kills = 0
        while True:
            words = self.words(store, choice.randint(1, 3))
            if kills or choice.random() < 0.5:
                words.insert(1, "--resume")
            with open(report, "ab") as output:
                program = subprocess.Popen(
                    [self.pushpipe, *words], stdout=output, stderr=subprocess.PIPE, env={**os.environ, **KEY})
            sent = None
            if kills < MOST_KILLS_OF_A_RUN:
                sent = choice.choice([signal.SIGKILL] * 8 + [signal.SIGTERM, signal.SIGINT])
                self.wait_for_place(choice, program, store, report)
                program.send_signal(sent)
            errors = program.communicate(timeout=TIME_LIMIT)[1]
            if program.returncode == 0:
                break
            if sent is None or program.returncode not in (-sent, 128 + sent):
                raise Failed(f"{' '.join(words)}: status {program.returncode}: {errors.decode(errors='replace')[-500:]}")
            kills += 1
        same(self.report, report.read_bytes(), f"{self.name}: the report after {kills} kills")
        same(self.export, self.exported(store), f"{self.name}: the store's export after {kills} kills")
        with sqlite3.connect(store) as database:
            found = database.execute("PRAGMA integrity_check").fetchall()
        database.close()
        if found != [("ok",)]:
            raise Failed(f"{self.name}: SQLite finds after {kills} kills: {found[:3]}")
        return kills

    def wait_for_place(self, choice, program, store, report):
        """Returns when the run has read or written as much as was drawn, or has ended."""
        place, end = choice.choice([
            (lambda: position_in(self.input, program.pid), self.input.stat().st_size),
            (lambda: size(store.with_name(store.name + "-wal")), self.log_size),
            (lambda: size(report), len(self.report)),
        ])
        goal = choice.randrange(end)
        deadline = time.monotonic() + TIME_LIMIT
        while program.poll() is None and place() < goal:
            if time.monotonic() > deadline:
                raise Failed(f"{self.name}: a run does not get on")


def size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def position_in(path, pid):
    """How far a process has read a file; 0 where there is no /proc, so that it is ended at once."""
    folder = f"/proc/{pid}/fd"
    try:
        for name in os.listdir(folder):
            if os.path.realpath(f"{folder}/{name}") == os.path.realpath(path):
                with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii") as lines:
                    return int(lines.readline().split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return 0 if os.path.isdir("/proc/self") else sys.maxsize


def same(expected, found, what):
    if expected == found:
        return
    left, right = expected.splitlines(), found.splitlines()
    for number, (one, other) in enumerate(zip(left, right), 1):
        if one != other:
            raise Failed(f"{what} differs in line {number}:\n  undisturbed: {one[:300]!r}\n  resumed:     {other[:300]!r}")
    raise Failed(f"{what} has {len(right)} lines instead of {len(left)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=ROOT / ".build" / "release" / "core" / "pushpipe", help="the command (default: the release build)")
    parser.add_argument("--kills", type=int, default=500, help="how many in all (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="for another series of places (default: 1)")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a run that failed")
    options = parser.parse_args()
    pushpipe = str(pathlib.Path(options.pushpipe).absolute())
    choice = random.Random(options.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="kills."))
    wanted = -(-options.kills // len(STREAMS))
    failed = False
    try:
        for name in STREAMS:
            kills = runs = 0
            try:
                stream = Stream(pushpipe, name, work / name.replace(" ", "-"))
                while kills < wanted:
                    folder = stream.folder / "disturbed"
                    shutil.rmtree(folder, ignore_errors=True)
                    folder.mkdir()
                    kills += stream.disturbed(choice, folder)
                    runs += 1
            except Failed as failure:
                print(f"kills: {failure}", file=sys.stderr)
                failed = True
                break
            shutil.rmtree(stream.folder)
            print(f"{name:<12} {kills:>6} kills {runs:>6} runs  no difference", flush=True)
    finally:
        if failed and options.keep:
            print(f"kills: kept {work}", file=sys.stderr)
        else:
            shutil.rmtree(work)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
