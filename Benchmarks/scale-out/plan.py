#!/usr/bin/env python3
"""Works out what a large service's day takes on many machines, from what was measured on one.

    Benchmarks/scale-out/plan.py [--rows FILE] [--pushes 1e10] [--devices 1e9] [--hours 1] [--cores 16] [--seeds 200]

First arithmetic: cores, memory, disk and network, from the rows of `measure.py`. Then a simulation of what arithmetic leaves out:
parts differ in size, machines in speed, and some fail; a scheduler gives the next part to the first free core, and a part that was
lost begins again. It says how much longer the day takes than a perfect division, by the number of parts per core. The same
arguments give the same numbers.
"""

import argparse
import heapq
import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
GIB = 1 << 30


class Measured:
    """Costs per record, from the rows with the most devices."""

    def __init__(self, path):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        self.head, self.rows = rows[0], rows[1:]
        self.devices = max(row["devices"] for row in self.rows)
        parts = max(row.get("parts", 0) for row in self.rows)
        self.parts = parts
        self.records = self.rows[0]["records"]
        one = {row["what"]: row for row in self.rows if row["devices"] == self.devices and row.get("parts") in (None, parts)}
        self.one = one
        self.partition = one["partition"]["cpu"] / self.records
        self.run = one["run of parts"]["cpu"] / self.records
        self.store = one["run --store of parts"]["cpu"] / self.records
        self.merge = one["merge"]["cpu"] / self.records
        self.store_merge = one["store merge"]["cpu"] / self.records
        self.placed_bytes = one["partition"]["bytes"] / self.records
        self.record_bytes = one["run"]["bytes"] / self.records
        self.store_bytes = one["run --store of parts"]["bytes"] / self.records
        # What a part keeps in memory: from the growth between the fewest and the most devices.
        few = min(row["devices"] for row in self.rows)
        small, large = (next(row["MiB"] for row in self.rows if row["what"] == "run" and row["devices"] == n) for n in (few, self.devices))
        self.device_bytes = max(large - small, 1) * (1 << 20) / (self.devices - few)


def arithmetic(measured, options):
    seconds = options.hours * 3600
    pushes, devices = options.pushes, options.devices
    # Sorting and moving rows is the engine's; what it costs here was measured with Spark on this machine.
    each = {"partition": measured.partition, "engine": options.engine, "run --store": measured.store}
    cores = pushes * sum(each.values()) / seconds
    yield "processor time per push, µs", " + ".join(f"{name} {cost * 1e6:.1f}" for name, cost in each.items())
    yield f"cores for {options.hours:g} h, all of them busy all the time", f"{cores:,.0f}"
    yield f"machines with {options.cores} cores", f"{math.ceil(cores / options.cores):,}"
    yield "input, GiB", f"{pushes * measured.record_bytes / GIB:,.0f}"
    yield "shuffle, GiB", f"{pushes * measured.placed_bytes / GIB:,.0f}"
    machines = math.ceil(cores / options.cores)
    yield "network per machine, Gbit/s on average", f"{pushes * measured.placed_bytes * 8 / machines / seconds / 1e9:.2f}"
    yield "stores, GiB, if nothing replaces anything", f"{pushes * measured.store_bytes / GIB:,.0f}"
    yield "memory of all devices, GiB", f"{devices * measured.device_bytes / GIB:,.0f}"
    yield "merge of the reports on one core, h", f"{pushes * measured.merge / 3600:,.1f}"
    yield "merge of the stores on one core, h", f"{pushes * measured.store_merge / 3600:,.1f}"


class Cluster:
    """One day, simulated: a list of parts, machines that take the next one, failures."""

    def __init__(self, options, cost, cores, parts_per_core, seed):
        self.choice = random.Random(seed)
        self.machines = math.ceil(cores / options.cores)
        self.slots = self.machines * options.cores
        self.count = int(self.slots * parts_per_core)
        self.options = options
        self.total = options.pushes * cost

    def sizes(self):
        """Seconds of each part: the pushes of its devices. A device gets a share of pushes that varies by a factor (log-normal);
        the sum over a part's devices varies with the root of their number. One device has more than a part should have."""
        per_part = self.options.devices / self.count
        sigma = self.options.device_spread
        spread = math.sqrt((math.exp(sigma * sigma) - 1) / per_part)
        mean = self.total / self.count
        sizes = [max(self.choice.gauss(mean, mean * spread), 0) for _ in range(self.count)]
        sizes[self.choice.randrange(self.count)] += self.total * self.options.hottest
        return sizes

    def makespan(self):
        speeds = [math.exp(self.choice.gauss(0, self.options.speed_spread)) for _ in range(self.machines)]
        fails = [self.choice.expovariate(1 / (self.options.mtbf * 3600)) for _ in range(self.machines)]
        waiting = self.sizes()
        self.choice.shuffle(waiting)
        # (when it is free, machine); a machine that has failed is back ten minutes later.
        free = [(0.0, machine) for machine in range(self.machines) for _ in range(self.options.cores)]
        heapq.heapify(free)
        end = 0.0
        while waiting:
            now, machine = heapq.heappop(free)
            size = waiting.pop()
            done = now + self.options.start + size * speeds[machine]
            if now <= fails[machine] < done:
                waiting.insert(0, size)
                heapq.heappush(free, (fails[machine] + 600, machine))
                continue
            end = max(end, done)
            heapq.heappush(free, (done, machine))
        return end


def simulate(measured, options):
    cost = measured.partition + options.engine + measured.store
    cores = options.pushes * cost / (options.hours * 3600)
    print("| Parts per core | Parts | Median, × a perfect division | 99th percentile | Devices per part | Memory per core, MiB |")
    print("|---|---|---|---|---|---|")
    for parts_per_core in options.parts_per_core:
        spans = []
        for seed in range(options.seeds):
            cluster = Cluster(options, cost, cores, parts_per_core, seed)
            spans.append(cluster.makespan() / (cluster.total / cluster.slots))
        spans.sort()
        devices = options.devices / cluster.count
        memory = devices * measured.device_bytes / (1 << 20)
        print(
            f"| {parts_per_core:g} | {cluster.count:,} | {spans[len(spans) // 2]:.2f} | {spans[int(len(spans) * 0.99)]:.2f} |"
            f" {devices:,.0f} | {memory:,.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=pathlib.Path, default=HERE / "measured.ndjson", help="what measure.py wrote")
    parser.add_argument("--pushes", type=float, default=1e10)
    parser.add_argument("--devices", type=float, default=1e9)
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--cores", type=int, default=16, help="cores of a machine")
    parser.add_argument("--engine", type=float, default=21.3e-6, help="processor time of the engine per push, in seconds: as measured with Spark")
    parser.add_argument("--start", type=float, default=2, help="seconds to start a part")
    parser.add_argument("--mtbf", type=float, default=1000, help="hours between two failures of a machine")
    parser.add_argument("--speed-spread", type=float, default=0.1, help="sigma of the machines' speeds")
    parser.add_argument("--device-spread", type=float, default=2, help="sigma of the pushes per device")
    parser.add_argument("--hottest", type=float, default=1e-5, help="share of the pushes that one device gets")
    parser.add_argument("--parts-per-core", type=lambda text: [float(word) for word in text.split(",")], default=[1, 2, 4, 8, 16, 32])
    parser.add_argument("--seeds", type=int, default=200)
    options = parser.parse_args()
    measured = Measured(options.rows)
    print("| | |\n|---|---|")
    for name, value in arithmetic(measured, options):
        print(f"| {name} | {value} |")
    print()
    simulate(measured, options)


if __name__ == "__main__":
    main()
