#!/usr/bin/env python3
"""What a store costs `pushpipe serve`: the 99th percentile of the time to the answer, and the memory of a notification that stays,
once what is kept in memory is full.

One run sends the same load to a gateway without a store, and to one with a store on a disk, at the same time. Nothing replaces anything.
With --check it fails if the percentile with the store is more than twice that without, or a notification takes more than 40 bytes.

    Benchmarks/gateway_store.py --pushpipe .build/release/pushpipe [--rate 15000] [--seconds 60] [--folder DISK] [--check]

Needs h2load, two cores for the gateways and two more for the load; on fewer cores take a lower rate. A folder on tmpfs measures no disk.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

from gateway_speed import BODY, load, percentile, pushpipe

CONNECTIONS, IN_FLIGHT = 10, 1000
MOST_TIMES, MOST_BYTES = 2, 40


def measure(make, folder, options):
    """The 99th percentile in ms, answers, and bytes of memory for each."""
    folder.mkdir()
    (folder / "push.json").write_text(json.dumps(BODY))
    (folder / "addresses").write_text("".join(f"http://127.0.0.1/3/device/{number:08x}\n" for number in range(options.devices)))
    server = make(folder)
    try:
        # What a gateway keeps of its store is full then: some 200,000 notifications, and pages of the file.
        load(server, folder, CONNECTIONS, IN_FLIGHT, options.seconds, options.rate, headers=())
        before = server.memory()
        _, counts, times = load(server, folder, CONNECTIONS, IN_FLIGHT, options.seconds, options.rate, headers=())
        after = server.memory()
    finally:
        server.stop()
    return server.name, percentile(times, 0.99), sum(counts), counts[0], max(0, after - before) / max(1, counts[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pushpipe", required=True, help="the command, a release build")
    parser.add_argument("--rate", type=int, default=15000, help="requests per second to each gateway (default: 15000)")
    parser.add_argument("--seconds", type=int, default=60, help="default: 60")
    parser.add_argument("--devices", type=int, default=10000, help="default: 10000")
    parser.add_argument("--folder", default=".", help="where the store is made; on a disk")
    parser.add_argument("--check", action="store_true", help="fail beyond the limits")
    options = parser.parse_args()
    command = os.path.abspath(options.pushpipe)
    with tempfile.TemporaryDirectory(prefix="pushpipe-gateway-", dir=options.folder) as folder:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [
                pool.submit(measure, pushpipe(command, store), pathlib.Path(folder).resolve() / name, options)
                for name, store in (("memory", False), ("store", True))]
        rows = [run.result() for run in runs]
    print("| | p99, ms | Requests | Accepted | Bytes a notification |\n|---|---:|---:|---:|---:|")
    for name, late, count, accepted, size in rows:
        print(f"| {name} | {late:.1f} | {count:,} | {accepted:,} | {size:.0f} |")
    wrong = []
    if rows[1][1] > MOST_TIMES * rows[0][1]:
        wrong.append(f"the 99th percentile with a store is more than {MOST_TIMES} times that without")
    if rows[1][4] > MOST_BYTES:
        wrong.append(f"a notification takes more than {MOST_BYTES} bytes with a store")
    if any(row[2] != row[3] for row in rows):
        wrong.append("not every push was accepted")
    for text in wrong:
        print(text, file=sys.stderr)
    sys.exit(1 if options.check and wrong else 0)


if __name__ == "__main__":
    main()
