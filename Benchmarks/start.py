#!/usr/bin/env python3
"""Measures how long a command takes to start and end, in milliseconds.

Each round starts every case once, and `true` as well: its time is that of starting any process. Other work on the machine only adds
time, so the minimum and the median tell more than the mean. Prints Markdown.

    Benchmarks/start.py [--starts N] [--limit MS] COMMAND [COMMAND...]

Measure the installed command (make install DESTDIR=/tmp/stage), which is linked statically: the one that `swift build` makes also loads
the dynamic libraries of Swift.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

RECORD = b'{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"Hi"}}}\n'

# Arguments after the command; RECORD stands for the path of a file of one record.
CASES = [
    ["--version"],
    ["run"],
    ["run", "RECORD"],
    ["run", "--quiet", "--clock", "1793736000", "RECORD"],
    ["lint", "RECORD"],
    ["store", "list", "missing.db"],
    ["--help"],
]


def start(arguments):
    """Wall-clock and processor time of one process, in milliseconds. Its standard streams are /dev/null."""
    streams = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    begin = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=streams)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begin
    if os.WIFSIGNALED(status):
        sys.exit(f"start: {' '.join(arguments)} was ended by signal {os.WTERMSIG(status)}")
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("commands", nargs="+", metavar="COMMAND", help="the command to measure")
    parser.add_argument("--starts", type=positive, default=200, metavar="N", help="starts per case (default: 200)")
    parser.add_argument("--limit", type=float, metavar="MS", help="fail if `run` takes longer, at the minimum")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        with open(record, "wb") as file:
            file.write(RECORD)
        programs = [("true", [shutil.which("true")])]
        for command in options.commands:
            path = shutil.which(command) or sys.exit(f"start: {command} is not a command")
            for case in CASES:
                arguments = [record if argument == "RECORD" else argument for argument in case]
                programs.append((" ".join([command] + case), [path] + arguments))
        times = [[] for _ in programs]
        for _, arguments in programs:
            start(arguments)  # Reads the file from the disk.
        for _ in range(options.starts):
            for (_, arguments), row in zip(programs, times):
                row.append(start(arguments))

    print("| start | minimum | median | 90 % below | processor time, median |")
    print("|---|---:|---:|---:|---:|")
    fastest = {}
    for (name, arguments), row in zip(programs, times):
        walls = sorted(wall for wall, _ in row)
        fastest[name] = walls[0]
        ninth = walls[len(walls) * 9 // 10]
        processor = statistics.median(processor for _, processor in row)
        print(f"| {name} | {walls[0]:.2f} | {statistics.median(walls):.2f} | {ninth:.2f} | {processor:.2f} |")
    if options.limit:
        slow = [name for name, wall in fastest.items() if name.endswith(" run") and wall > options.limit]
        if slow:
            sys.exit(f"start: longer than {options.limit} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
