"""The measurements, part by part. Programs take turns, so that a slow minute affects all of them."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .measuring import ProgramFailed, Row, Usage, count_outcomes, run, say

TRANSACTION_BYTES = 4 << 20  # of input per transaction of pushpipe
RANDOM_DEVICES = 50_000
# Options of `pushpipe generate`, by workload. The first one that was measured decides whether a goal is met.
GENERATED = {
    "random": ("--record-bytes", "415", "--device-choice", "uniform"), "uniform": ("--record-bytes", "415"), "mixed": (),
}
LINE_PROGRAMS = ("pushpipe", "pushpipe-2-cores", "pushpipe-1-core", "collapse_simdjson", "collapse_jansson", "orjson", "jq")
STORE_PROGRAMS = ("pushpipe", "orjson", "store_orjson")
SLOW_PROGRAMS = ("collapse_jansson", "orjson")
CURVE_PROGRAMS = ("pushpipe", "pushpipe-1-core", "collapse_simdjson")


@dataclass(frozen=True)
class Plan:
    """Sizes in records, numbers of rounds, and the time limit of one run in seconds."""

    records: int = 1_000_000
    rounds: int = 5
    slow_rounds: int = 3  # of SLOW_PROGRAMS
    jq_share: int = 10  # jq gets one of this many records, once
    store_records: int = 200_000
    store_curve_records: tuple = (100_000, 300_000, 1_000_000)
    insert_records: int = 1_000_000  # insert_sqlite has all rows in memory, and is not run over more
    lint_records: int = 300_000
    registered_devices: int = 1_000_000
    registered_records: int = 500_000
    scan_records: int = 100_000
    scan_rounds: int = 9  # within a process
    startup_rounds: int = 50
    curve_records: tuple = (100_000, 300_000, 1_000_000)
    curve_devices: tuple = (100, 1_000, 10_000, 100_000, 1_000_000)
    device_records: int = 1_000_000
    curve_rounds: int = 3
    memory_records: tuple = (100_000, 400_000)
    limit_s: int = 120


@dataclass(frozen=True)
class Workload:
    """A file of records."""

    name: str
    path: Path
    records: int
    devices: int
    bytes: int


class Bench:
    """Runs the parts, and collects rows in `results`."""

    def __init__(self, plan, programs, results, folder):
        self.plan, self.programs, self.results, self.folder = plan, programs, results, Path(folder)
        self.report = self.folder / "report"
        self.out = set()  # programs that have failed
        self.workloads = {}

    # MARK: Workloads

    def workload(self, name, records, devices=None, replace_rate=None):
        """A workload. Each is generated once."""
        devices = devices or (RANDOM_DEVICES if name == "random" else 1000)
        key = (name, records, devices, replace_rate)
        if key not in self.workloads:
            say(f"generating {records} {name} records for {devices} devices")
            path = self.folder / f"{'-'.join(map(str, key))}.ndjson"
            options = ["--count", records, "--seed", 1, "--device-count", devices, *GENERATED[name]]
            if replace_rate is not None:
                options += ["--replace-rate", replace_rate]
            run(self.programs.command("generate", *options), path, 10 * self.plan.limit_s)
            os.sync()  # or the first rounds would run while the workload is written to the disk
            self.workloads[key] = Workload(name, path, records, devices, path.stat().st_size)
        return self.workloads[key]

    def drop_workloads(self):
        """Deletes the files, which may be gigabytes."""
        for workload in self.workloads.values():
            workload.path.unlink()
        self.workloads.clear()

    # MARK: Runs

    def takes_part(self, name):
        """Whether a program exists and has not failed."""
        return self.programs.has(name) and name not in self.out

    def attempt(self, name, *arguments, stdin=None):
        """Runs a program once. None when it fails; then it is not run again."""
        try:
            return run(self.programs.command(name, *arguments), self.report, self.plan.limit_s, stdin)
        except ProgramFailed as error:
            self.results.note(f"{name} failed and was not run again: {error}.")
            self.out.add(name)
            return None

    def add(self, part, name, workload, round_, usage, timed="process", label=None):
        """Adds a row."""
        row = Row(
            part, label or name, workload.name, workload.records, workload.devices, workload.bytes, round_,
            usage.wall_s, usage.user_s, usage.system_s, usage.max_rss_kib, usage.other_cpu_s, timed,
        )
        self.results.rows.append(row)
        say(f"{part}, {row.workload}, {row.records} records, {row.devices} devices, {round_}: {row.program} "
            f"{row.wall_s:.3f} s")

    def measure(self, part, name, workload, round_, *options, label=None):
        """Runs a program over a workload, and counts what it found in the first round."""
        if not self.takes_part(name):
            return False
        usage = self.attempt(name, *options, workload.path)
        if usage is None:
            return False
        self.add(part, name, workload, round_, usage, label=label)
        if round_ == 1 and part in ("line", "store"):
            self.count_outcomes(part, name, workload, label)
        return True

    def count_outcomes(self, part, name, workload, label=None):
        """Counts the outcomes in a program's last report."""
        key = (part, f"{workload.name}, {workload.records:,} records", label or name)
        self.results.outcomes[key] = count_outcomes(self.report)

    # MARK: Parts

    def run_line(self):
        """All programs, from file to report file, with screens in memory."""
        plan = self.plan
        for kind in GENERATED:
            workload = self.workload(kind, plan.records)
            small = self.workload(kind, max(plan.records // plan.jq_share, 1))
            for round_ in range(1, plan.rounds + 1):
                for name in LINE_PROGRAMS:
                    if name == "jq":
                        # Also counts pushpipe's outcomes for the same input, untimed.
                        is_done = round_ == 1 and self.measure("line", name, small, round_)
                        if is_done and self.attempt("pushpipe", small.path):
                            self.count_outcomes("line", "pushpipe", small)
                    elif round_ <= plan.slow_rounds or name not in SLOW_PROGRAMS:
                        self.measure("line", name, workload, round_)

    def run_store(self):
        """Screens in an SQLite file. One program's writes are flushed to disk before the next one starts."""
        for kind in GENERATED:
            workload = self.workload(kind, self.plan.store_records)
            for round_ in range(1, self.plan.rounds + 1):
                self.store("store", workload, round_)

    def run_store_curve(self):
        """The same over the number of records."""
        for records in self.plan.store_curve_records:
            workload = self.workload("random", records)
            for round_ in range(1, (self.plan.curve_rounds if records < 1_000_000 else 1) + 1):
                self.store("store-curve", workload, round_)
            self.drop_workloads()

    def store(self, part, workload, round_):
        """A round of all programs that write a store."""
        stores = self.folder / "stores"
        stores.mkdir()
        source = stores / "pushpipe.db"
        for name in STORE_PROGRAMS:
            os.sync()
            self.measure(part, name, workload, round_, "--store", stores / f"{name}.db", label=f"{name} --store")
        if source.exists() and workload.records <= self.plan.insert_records and self.takes_part("insert_sqlite"):
            os.sync()
            self.insert(part, workload, round_, source, stores / "insert.db")
        shutil.rmtree(stores)

    def insert(self, part, workload, round_, source, target):
        """The same row changes with SQLite's own functions. The program measures the time itself."""
        records = max(round(TRANSACTION_BYTES * workload.records / workload.bytes), 1)
        if self.attempt("insert_sqlite", source, target, records):
            seconds = float(self.report.read_text().split()[3])
            self.add(part, "insert_sqlite", workload, round_, Usage(seconds, None, None, None), "its own clock")

    def run_scan(self):
        """Only parsing, for which devices do not matter. The programs measure the time themselves, and print the median round."""
        for kind in ("uniform", "mixed"):
            workload = self.workload(kind, self.plan.scan_records)
            for round_ in range(1, self.plan.rounds + 1):
                for name in ("scan-pushpipe", "scan_simdjson", "scan_jansson"):
                    if name == "scan_jansson" and round_ > 1 or not self.takes_part(name):
                        continue
                    usage = self.attempt(name, workload.path, self.plan.scan_rounds)
                    if usage:
                        _, documents, _, _, median_ns = self.report.read_text().split()
                        if int(documents) != workload.records:
                            self.results.note(f"{name} saw {documents} documents, not {workload.records}.")
                        seconds = float(median_ns) * workload.records / 1e9
                        self.add("scan", name, workload, round_, Usage(seconds, None, None, None), "its own clock")

    def run_startup(self):
        """`pushpipe --version`, and `true` for the cost of a process on this machine."""
        nothing = Workload("none", Path(), 0, 0, 0)
        labels = {"version": "pushpipe --version", "installed": "installed pushpipe --version", "true": "true"}
        for round_ in range(1, self.plan.startup_rounds + 1):
            for name, label in labels.items():
                usage = self.attempt(name) if self.takes_part(name) else None
                if usage:
                    self.results.rows.append(
                        Row("startup", label, nothing.name, 0, 0, 0, round_, usage.wall_s, usage.user_s, usage.system_s,
                            usage.max_rss_kib, usage.other_cpu_s))

    def run_curves(self):
        """The cost per record over the number of records, and over the number of devices."""
        plan = self.plan
        self.run_empty("curve-records", CURVE_PROGRAMS, 5 * plan.curve_rounds)
        for records in plan.curve_records:
            # Short runs vary more, so they are repeated more often for a stable median.
            rounds = plan.curve_rounds * (2 if records <= 100_000 else 1)
            self.take_turns("curve-records", self.workload("random", records), CURVE_PROGRAMS, rounds)
        self.drop_workloads()
        for devices in plan.curve_devices:
            workload = self.workload("random", plan.device_records, devices)
            self.take_turns("curve-devices", workload, CURVE_PROGRAMS, plan.curve_rounds)
            self.drop_workloads()

    def run_jobs(self):
        """pushpipe with one core, two, and so on in powers of two, up to all."""
        cores = os.cpu_count() or 1
        workload = self.workload("random", self.plan.records)
        counts = sorted({1, cores} | {1 << power for power in range(10) if 1 << power <= cores})
        for round_ in range(1, self.plan.rounds + 1):
            for jobs in counts:
                self.measure("jobs", "pushpipe", workload, round_, "--jobs", jobs, label=f"pushpipe --jobs {jobs}")

    def run_lint(self):
        """`lint` and `run` over the same stream on standard input."""
        workload = self.workload("random", self.plan.lint_records)
        for round_ in range(1, self.plan.rounds + 1):
            for name, label in (("pushpipe", "pushpipe run"), ("lint", "pushpipe lint")):
                usage = self.attempt(name, "-", stdin=workload.path) if self.takes_part(name) else None
                if usage:
                    self.add("lint", name, workload, round_, usage, label=label)

    def run_registered(self):
        """With and without registered devices. Runs over empty input say what the registration takes."""
        plan = self.plan
        devices = self.folder / "devices.ndjson"
        options = ("--register", "--device-count", plan.registered_devices, *GENERATED["random"])
        run(self.programs.command("generate", *options), devices, 10 * plan.limit_s)
        empty = self.folder / "empty.ndjson"
        empty.touch()
        nothing = Workload("empty", empty, 0, plan.registered_devices, 0)
        workload = self.workload("random", plan.registered_records, plan.registered_devices)
        for round_ in range(1, plan.rounds + 1):
            for input_ in (nothing, workload):
                self.measure("registered", "pushpipe", input_, round_)
                self.measure("registered", "pushpipe", input_, round_, "--devices", devices, label="pushpipe --devices")
        devices.unlink()
        self.drop_workloads()

    def run_counts(self):
        """Instructions per record, under valgrind."""
        if not shutil.which("valgrind"):
            self.results.note("Without counts: valgrind is missing (Scripts/setup.sh valgrind).")
            return
        script = Path(__file__).resolve().parent.parent / "counts.sh"
        environment = {**os.environ, "PUSHPIPE": self.programs.commands["version"][0]}
        say("counting instructions")
        done = subprocess.run([script], check=False, capture_output=True, text=True, env=environment)
        found = re.search(r"^\| instructions, uniform .*\| *([0-9.]+) \|$", done.stdout, re.MULTILINE)
        if found:
            self.results.instructions = float(found.group(1))
        else:
            self.results.note(f"Without counts: {(done.stderr.strip().splitlines() or ['no output'])[-1]}.")

    def run_memory(self):
        """Resident memory for no input, and for two sizes with ten notifications per device, none of which is replaced."""
        names = [name for name in LINE_PROGRAMS if name != "jq"]
        self.run_empty("memory", (*names, "true"), 3)
        for records in self.plan.memory_records:
            workload = self.workload("random", records, devices=max(records // 10, 1), replace_rate=0)
            # The peers keep payloads: with ten million they need more memory than most machines have.
            self.take_turns("memory", workload, names if records <= 1_000_000 else names[:3], 1)
            if self.attempt("pushpipe", workload.path):
                self.count_kept(records)

    def count_kept(self, records):
        """Counts the notifications and the bytes of their payloads in pushpipe's report."""
        sizes = []
        with open(self.report, "rb") as lines:
            for line in lines:
                if b'"outcome":"delivered"' in line:
                    sizes.append(int(re.search(rb'"bytes":(\d+)', line).group(1)))
        self.results.kept[records] = len(sizes)
        self.results.payload_bytes = sum(sizes) / max(len(sizes), 1)

    def run_empty(self, part, names, rounds):
        """The same programs with empty input."""
        path = self.folder / "empty.ndjson"
        path.touch()
        self.take_turns(part, Workload("empty", path, 0, 0, 0), names, rounds)

    def take_turns(self, part, workload, names, rounds):
        """Round robin."""
        for round_ in range(1, rounds + 1):
            for name in names:
                self.measure(part, name, workload, round_)
