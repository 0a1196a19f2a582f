#!/usr/bin/env python3
"""Measures what a plan for many machines needs: how fast parts are made, delivered and merged, and what they take.

    Benchmarks/scale-out/measure.py [--pushpipe PATH] [--records N] [--devices 1000,100000,1000000] [--parts 1,8,64] [--out rows.ndjson]

Each row has wall and processor time in seconds, the largest memory in MiB, and bytes. One program runs at a time; `run` uses one core
(`--jobs 1`), as a worker of an engine does. Needs some 3 KiB of disk per record. `plan.py` reads the rows.
"""

import argparse
import filecmp
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

CLOCK = ["--clock", "2026-01-01T00:00:00Z"]
RECORD_BYTES = 415


def measured(words, output=None):
    start = time.monotonic()
    with open(output or os.devnull, "wb") as file:
        process = subprocess.Popen(list(map(str, words)), stdout=file, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {errors.decode(errors='replace')}")
    return {
        "seconds": round(time.monotonic() - start, 3),
        "cpu": round(usage.ru_utime + usage.ru_stime, 3),
        "MiB": round(usage.ru_maxrss / 1024),
    }


def size(paths):
    return sum(path.stat().st_size for path in paths)


class Measurement:
    def __init__(self, options, folder):
        self.options, self.folder, self.rows = options, folder, []
        self.pushpipe = options.pushpipe

    def add(self, what, row, **more):
        row = {"what": what, "records": self.options.records, **more, **row}
        if row["cpu"]:
            row["records/cpu s"] = round(row["records"] / row["cpu"])
        self.rows.append(row)
        print(json.dumps(row), flush=True)

    def measure(self, devices):
        stream = self.folder / "stream.ndjson"
        words = ["generate", "--count", self.options.records, "--device-count", devices, "--record-bytes", RECORD_BYTES]
        subprocess.run(list(map(str, [self.pushpipe, *words, "--device-choice", "uniform"])), stdout=open(stream, "wb"), check=True)
        run = [self.pushpipe, "run", "--jobs", 1, "--format", "ndjson", *CLOCK]
        whole = self.folder / "whole.ndjson"
        self.add("run", measured([*run, stream], whole), devices=devices, bytes=size([stream]))
        store = self.folder / "whole.sqlite"
        self.add("run --store", measured([*run, "--store", store, stream]), devices=devices, bytes=size([store]))
        for parts in self.options.parts:
            self.divide(run, stream, whole, devices, parts)
        for path in self.folder.glob("whole*"):
            path.unlink()

    def divide(self, run, stream, whole, devices, parts):
        folder = self.folder / "parts"
        row = measured([self.pushpipe, "partition", "--by", "device", "--parts", parts, "--output", folder, stream])
        names = sorted(folder.glob("part-*.ndjson"))
        self.add("partition", row, devices=devices, parts=parts, bytes=size(names))
        rows = [measured([*run, name], name.with_suffix(".report")) for name in names]
        self.add("run of parts", self.total(rows), devices=devices, parts=parts)
        rows = [measured([*run, "--store", name.with_suffix(".sqlite"), name]) for name in names]
        stores = sorted(folder.glob("*.sqlite"))
        self.add("run --store of parts", self.total(rows), devices=devices, parts=parts, bytes=size(stores))
        merged = self.folder / "merged.ndjson"
        self.add("merge", measured([self.pushpipe, "merge", *sorted(folder.glob("*.report"))], merged), devices=devices, parts=parts)
        # Not read into memory here: a child's largest memory begins with that of its parent.
        if not filecmp.cmp(merged, whole, shallow=False):
            sys.exit("the merged report differs from that of one run")
        store = self.folder / "merged.sqlite"
        row = measured([self.pushpipe, "merge", *stores, "--store", store])
        self.add("store merge", row, devices=devices, parts=parts, bytes=size([store]))
        shutil.rmtree(folder)
        merged.unlink()
        for path in self.folder.glob("merged.sqlite*"):
            path.unlink()

    @staticmethod
    def total(rows):
        return {
            "seconds": round(sum(row["seconds"] for row in rows), 3), "cpu": round(sum(row["cpu"] for row in rows), 3),
            "MiB": max(row["MiB"] for row in rows), "longest": max(row["seconds"] for row in rows),
        }


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pushpipe", default=".build/release/pushpipe")
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--devices", type=numbers, default=[1000, 100_000, 1_000_000])
    parser.add_argument("--parts", type=numbers, default=[1, 8, 64])
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pushpipe-scale-"))
    try:
        measurement = Measurement(options, folder)
        for devices in options.devices:
            measurement.measure(devices)
    finally:
        shutil.rmtree(folder)
    if options.out:
        head = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "record bytes": RECORD_BYTES}
        options.out.write_text("".join(json.dumps(row) + "\n" for row in [head, *measurement.rows]))


if __name__ == "__main__":
    main()
