#!/usr/bin/env python3
"""Ends runs at random places, resumes them, and compares what they leave with an undisturbed run.

    Tests/Command/Kills/run.py [--pushpipe PATH] [--kills N] [--seed N] [--keep]

A run of a stream is ended up to eight times and resumed with --resume each time, until it reaches the end of its input. Four in five are
killed (SIGKILL), the others asked to end (SIGTERM, SIGINT). Where comes from the bytes that were read, written to the store's log, or
written to the report, not from the time. Then report and export of the store must be those of an undisturbed run, byte for byte, and
SQLite must find the store sound. Prints a line for each stream.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import streams  # noqa: E402

MOST_KILLS_OF_A_RUN = 8


def disturbed(stream, choice, folder):
    """Runs the stream to its end with interruptions, compares, and returns how many there were."""
    store, report = folder / "store.db", folder / "report.ndjson"
    report.touch()
    kills = 0
    while True:
        words = stream.words(store, choice.randint(1, 3))
        if kills or choice.random() < 0.5:
            words.insert(1, "--resume")
        with open(report, "ab") as output:
            program = subprocess.Popen(
                [stream.pushpipe, *words], stdout=output, stderr=subprocess.PIPE, env={**os.environ, **streams.KEY})
        sent = None
        if kills < MOST_KILLS_OF_A_RUN:
            sent = choice.choice([signal.SIGKILL] * 8 + [signal.SIGTERM, signal.SIGINT])
            wait_for_place(stream, choice, program, store, report)
            program.send_signal(sent)
        errors = program.communicate(timeout=streams.TIME_LIMIT)[1]
        if program.returncode == 0:
            break
        if sent is None or program.returncode not in (-sent, 128 + sent):
            raise streams.Failed(f"{' '.join(words)}: status {program.returncode}: {errors.decode(errors='replace')[-500:]}")
        kills += 1
    streams.same(stream.report, report.read_bytes(), f"{stream.name}: the report after {kills} kills")
    streams.same(stream.export, stream.exported(store), f"{stream.name}: the store's export after {kills} kills")
    streams.check_sound(store, f"{stream.name}: after {kills} kills")
    return kills


def wait_for_place(stream, choice, program, store, report):
    """Returns when the run has read or written as much as was drawn, or has ended."""
    place, end = choice.choice([
        (lambda: position_in(stream.input, program.pid), stream.input.stat().st_size),
        (lambda: size(store.with_name(store.name + "-wal")), stream.log_size),
        (lambda: size(report), len(stream.report)),
    ])
    goal = choice.randrange(end)
    deadline = time.monotonic() + streams.TIME_LIMIT
    while program.poll() is None and place() < goal:
        if time.monotonic() > deadline:
            raise streams.Failed(f"{stream.name}: a run does not get on")


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=streams.COMMAND, help="the command (default: the release build)")
    parser.add_argument("--kills", type=int, default=500, help="how many in all (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="for another series of places (default: 1)")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a run that failed")
    options = parser.parse_args()
    choice = random.Random(options.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="kills."))
    return streams.disturb(work, options, "kills", options.kills, lambda stream, folder: disturbed(stream, choice, folder))


if __name__ == "__main__":
    sys.exit(main())
