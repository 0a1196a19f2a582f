#!/usr/bin/env python3
"""Divides streams into parts, delivers the parts with what really divides work, and compares with one run of the whole.

    Tests/Line/ScaleOut/run.py [--pushpipe PATH] [--case NAME]... [--records N] [--parts 1,2,7,64] [--kills N] [--venv FOLDER] [--keep]

Cases: shell (xargs), parallel (GNU parallel), columns (sort and awk), redis (a server and consumers that are killed), kafka (kcat and
librdkafka's mock broker, killed too), spark (`local[2]`). What compares is bytes: the merged report with that of one run, and
the export of the merged store with that of one store. A case whose programs are missing is skipped, and named; with CI set, it fails.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SAMPLES = ROOT / "Samples" / "scale-out"
CLOCK = ["--clock", "2026-01-01T00:00:00Z"]
# A program that has not ended by then never will.
TIME_LIMIT = 600
PYTHON_PACKAGES = {"redis": ["redis"], "kafka": ["confluent-kafka"], "spark": ["pyspark", "pyarrow", "pandas<3"]}


class Missing(Exception):
    """A program or package that a case needs."""


class Failed(Exception):
    """What differs."""


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Missing(f"no {tool}")


class Bench:
    """A stream, the report and the export of one run of it, and a folder for parts."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        folder.mkdir()
        self.pushpipe = str(options.pushpipe.absolute())
        self.input = folder / "mixed.ndjson"
        self.report = folder / "one.ndjson"
        store = folder / "one.sqlite"
        made = [self.pushpipe, "generate", "--count", str(options.records), "--event-rate", "0.05", "--malformed-rate", "0.01"]
        made += ["--device-count", str(max(options.records // 50, 10))]
        with open(self.input, "wb") as file:
            generate = subprocess.Popen(made, stdout=subprocess.PIPE)
            subprocess.run([sys.executable, HERE / "mixed.py"], stdin=generate.stdout, stdout=file, check=True)
            generate.wait()
        with open(self.report, "wb") as file:
            self.run("run", "--format", "ndjson", *CLOCK, "--store", store, self.input, stdout=file)
        self.export = self.exported(store)

    def run(self, *words, check=True, **arguments):
        arguments.setdefault("stdout", subprocess.PIPE)
        words = [self.pushpipe, *map(str, words)]
        done = subprocess.run(words, stderr=subprocess.PIPE, timeout=TIME_LIMIT, **arguments)
        if check and done.returncode != 0:
            raise Failed(f"{' '.join(words)}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
        return done.stdout

    def exported(self, store):
        return self.run("store", "export", "--complete", "--events", store)

    def fresh(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def compare(self, reports, stores, what, has_sources=True):
        """Merges reports and stores, and compares with one run; without the places in its file if the parts have none."""
        reports, stores = list(reports), list(stores)
        merged = self.folder / "merged.ndjson"
        with open(merged, "wb") as file:
            self.run("merge", *sorted(reports), stdout=file)
        report = self.report.read_bytes()
        if not has_sources:
            report = re.sub(rb',"source":\{"file":"[^"]*"[^}]*\}|,"at":\{"line":\d+,"column":\d+\}', b"", report)
        same_bytes(report, merged.read_bytes(), f"{what}: the report")
        store = self.folder / "merged.sqlite"
        for rest in self.folder.glob("merged.sqlite*"):
            rest.unlink()
        self.run("merge", *sorted(stores), "--store", store)
        same_bytes(self.export, self.exported(store), f"{what}: the export of the merged store")


def same_bytes(expected, found, what):
    if expected == found:
        return
    left, right = expected.splitlines(), found.splitlines()
    for number, (one, other) in enumerate(zip(left, right), 1):
        if one != other:
            raise Failed(f"{what} differs in line {number}:\n  one run: {one[:300]!r}\n  parts:   {other[:300]!r}")
    raise Failed(f"{what} has {len(right)} lines instead of {len(left)}")


def shell(bench):
    need("xargs")
    for parts in bench.options.parts:
        folder = bench.fresh("shell")
        bench.run("partition", "--by", "device", "--parts", parts, "--output", folder, bench.input)
        names = sorted(folder.glob("part-*.ndjson"))
        if len(names) != parts:
            raise Failed(f"{len(names)} files for {parts} parts")
        script = f'"$0" run --format ndjson {" ".join(CLOCK)} --store "$1.sqlite" "$1" > "$1.report"'
        words = ["xargs", "-P", "2", "-I", "{}", "sh", "-c", script, bench.pushpipe, "{}"]
        subprocess.run(words, input="\n".join(map(str, names)), text=True, check=True, stderr=subprocess.DEVNULL, timeout=TIME_LIMIT)
        bench.compare(folder.glob("*.report"), folder.glob("*.sqlite"), f"{parts} parts")


def columns(bench):
    need("sort", "awk")
    folder = bench.fresh("columns")
    stream = bench.run("partition", "--by", "device", "--parts", 3, "--key-column", bench.input)
    # Whatever order an engine's shuffle leaves.
    lines = stream.splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    run = f'\\"$PUSHPIPE\\" run --format ndjson {" ".join(CLOCK)}'
    program = f"""{{ sub(/^[0-9]+\t[0-9]+\t/, ""); print | ("{run} --store " part ".sqlite > " part ".report") }}"""
    script = f"LC_ALL=C sort -t '\t' -s -k1,1n -k2,2n | LC_ALL=C awk -F '\t' '{{ part = $1 }} {program}'"
    inside = {"cwd": folder, "env": {**os.environ, "PUSHPIPE": str(bench.pushpipe)}}
    subprocess.run(["bash", "-c", script], input=b"".join(lines), check=True, stderr=subprocess.DEVNULL, timeout=TIME_LIMIT, **inside)
    bench.compare(folder.glob("*.report"), folder.glob("*.sqlite"), "columns")


def parallel(bench):
    need("parallel")
    folder = bench.fresh("parallel")
    bench.run("partition", "--by", "device", "--parts", 5, "--output", folder, bench.input)
    run = f'"$PUSHPIPE" run {" ".join(CLOCK)} --format ndjson --store {{.}}.sqlite {{}} > {{.}}.report'
    words = ["parallel", "--will-cite", "-j2", run, ":::", *sorted(part.name for part in folder.glob("part-*.ndjson"))]
    inside = {"cwd": folder, "env": {**os.environ, "PUSHPIPE": str(bench.pushpipe)}}
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL, timeout=TIME_LIMIT, **inside)
    bench.compare(folder.glob("*.report"), folder.glob("*.sqlite"), "parallel")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Killed:
    """Starts a program again and again: it is killed, or what it started is, or both, until it has done its work."""

    def __init__(self, words, report, kills, seed):
        self.words, self.report, self.kills = words, report, kills
        self.choice = random.Random(seed)

    def work(self, total):
        """Returns how often it was killed. The kills come at bytes of the report, spread over what is left, not at times."""
        killed = 0
        deadline = time.monotonic() + TIME_LIMIT
        while time.monotonic() < deadline:
            program = subprocess.Popen(self.words, start_new_session=True, stderr=subprocess.PIPE)
            if killed < self.kills:
                size = self.size()
                goal = size + self.choice.randrange(max((total - size) // (self.kills - killed + 1), 1)) + 1
                while program.poll() is None and self.size() < goal:
                    if time.monotonic() > deadline:
                        break
                if program.poll() is None:
                    self.kill(program)
                    killed += 1
                    program.stderr.close()
                    program.wait()
                    continue
            errors = program.stderr.read().decode(errors="replace")
            if program.wait() == 0:
                return killed
            raise Failed(f"{' '.join(map(str, self.words))}: status {program.returncode}: {errors[-500:]}")
        raise Failed(f"{' '.join(map(str, self.words))} did not end")

    def size(self):
        try:
            return self.report.stat().st_size
        except FileNotFoundError:
            return 0

    def kill(self, program):
        whom = self.choice.randrange(3)
        if whom == 0:
            # Its run reads the end of its input, and commits the rest.
            program.kill()
        elif whom == 1:
            os.killpg(program.pid, signal.SIGKILL)
        else:
            for child in children(program.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            program.kill()


def children(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split()
    return [int(child) for child in found]


def rounds(bench, once):
    """Repeats a case, from the beginning, until there were enough kills: a part may be done before it is killed often."""
    kills = seed = 0
    while True:
        kills += once(bench, max(bench.options.kills - kills, 0), seed)
        seed += 1
        if kills >= bench.options.kills:
            return f"{kills} kills"


def redis(bench):
    return rounds(bench, redis_round)


def redis_round(bench, wanted, seed):
    need("redis-server", "pgrep")
    python = bench.options.environment("redis")
    folder = bench.fresh("redis")
    port = free_port()
    words = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        for line in server.stdout:
            if "eady to accept connections" in line:
                break
        address = f"redis://127.0.0.1:{port}"
        parts = 2
        rows = bench.run("partition", "--by", "device", "--parts", parts, "--key-column", bench.input)
        produce = [python, SAMPLES / "redis" / "producer.py", "--redis", address]
        subprocess.run(list(map(str, produce)), input=rows, check=True, timeout=TIME_LIMIT)
        kills = 0
        for part in range(parts):
            report = folder / f"{part}.ndjson"
            words = [python, SAMPLES / "redis" / "consumer.py", "--part", part, "--store", folder / f"{part}.sqlite"]
            words += ["--report", report, "--redis", address, "--pushpipe", bench.pushpipe, "--", *CLOCK]
            killed = Killed(list(map(str, words)), report, -(-wanted // parts), seed * parts + part)
            kills += killed.work(bench.report.stat().st_size // parts)
        bench.compare(folder.glob("*.ndjson"), folder.glob("*.sqlite"), f"redis, {kills} kills")
        return kills
    finally:
        server.terminate()
        server.wait()


# The mock broker keeps 5 MB of a partition, and drops the oldest messages beyond that.
MOST_KAFKA_RECORDS = 6000


def kafka(bench):
    need("kcat", "jq")
    if bench.options.records > MOST_KAFKA_RECORDS:
        options = argparse.Namespace(**vars(bench.options))
        options.records = MOST_KAFKA_RECORDS
        bench = Bench(options, bench.folder.with_name("short"))
    return rounds(bench, kafka_round)


def kafka_round(bench, wanted, seed):
    python = bench.options.environment("kafka")
    folder = bench.fresh("kafka")
    broker = subprocess.Popen([python, str(HERE / "broker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        address = broker.stdout.readline().strip()
        parts = 2
        rows = bench.run("partition", "--by", "device", "--parts", parts, "--key-column", bench.input).splitlines()
        kills = 0
        for part in range(parts):
            lines = b"\n".join(row.split(b"\t", 2)[2] for row in rows if row.startswith(b"%d\t" % part)) + b"\n"
            produce = ["kcat", "-q", "-b", address, "-P", "-t", "pushes", "-p", str(part)]
            subprocess.run(produce, input=lines, check=True, timeout=TIME_LIMIT)
            report = folder / f"{part}.ndjson"
            words = [SAMPLES / "kafka" / "consume.sh", address, "pushes", part, folder / f"{part}.sqlite", report, *CLOCK]
            os.environ["PUSHPIPE"] = bench.pushpipe
            killed = Killed(list(map(str, words)), report, -(-wanted // parts), seed * parts + part)
            kills += killed.work(bench.report.stat().st_size // parts)
        bench.compare(folder.glob("*.ndjson"), folder.glob("*.sqlite"), f"kafka, {kills} kills")
        return kills
    finally:
        broker.stdin.close()
        broker.wait()


def spark(bench):
    need("java")
    python = bench.options.environment("spark")
    folder = bench.fresh("spark")
    output = folder / "out"
    # Splits of 1 MiB, so that a small input has several.
    environment = os.environ | {"PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python, "SPARK_LOCAL_IP": "127.0.0.1"}
    words = [pathlib.Path(python).parent / "spark-submit", "--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    words += ["--conf", "spark.sql.files.maxPartitionBytes=1048576", "--conf", "spark.sql.files.openCostInBytes=0"]
    words += [SAMPLES / "spark" / "pushpipe_job.py", "--parts", 4, "--output", output, "--pushpipe", bench.pushpipe]
    words += [*CLOCK, bench.input]
    done = subprocess.run(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, timeout=TIME_LIMIT)
    if done.returncode != 0:
        raise Failed(f"spark-submit: status {done.returncode}\n{done.stderr[-3000:]}")
    bench.compare((output / "reports").iterdir(), (output / "stores").glob("*.sqlite"), "spark", has_sources=False)
    outcomes = {}
    for line in bench.report.read_bytes().splitlines():
        outcome = json.loads(line)["outcome"]
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    printed = dict(line.split("\t") for line in done.stdout.splitlines() if "\t" in line)
    counted = {name: printed.get(name) for name in outcomes}
    if {name: str(count) for name, count in outcomes.items()} != counted:
        raise Failed(f"Spark counts {counted}, one run {outcomes}")


CASES = {case.__name__: case for case in (shell, parallel, columns, redis, kafka, spark)}


class Environments:
    """A virtual environment for each case that needs Python packages."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, case):
        python = self.folder / case / "bin" / "python3"
        mark = self.folder / case / "complete"
        if not mark.exists():
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(self.folder / case)], check=True, stdout=sys.stderr)
            words = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON_PACKAGES[case]]
            if subprocess.run(words, stdout=sys.stderr).returncode != 0:
                raise Missing(f"no {' and '.join(PYTHON_PACKAGES[case])}")
            mark.touch()
        return str(python)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pushpipe", type=pathlib.Path, default=ROOT / ".build" / "tests" / "release" / "pushpipe")
    parser.add_argument("--case", action="append", choices=list(CASES), help="one case; may be repeated")
    parser.add_argument("--records", type=int, default=20000)
    parser.add_argument("--parts", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2, 7, 64])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / ".build" / "scale-out")
    parser.add_argument("--keep", action="store_true", help="keep the folder, and print its name")
    options = parser.parse_args()
    options.environment = Environments(options.venv.absolute())
    status = 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pushpipe-scale-out-"))
    try:
        bench = Bench(options, folder / "mixed")
        count = bench.input.read_bytes().count(b"\n")
        for name in options.case or CASES:
            start = time.monotonic()
            try:
                result = CASES[name](bench) or "the same bytes"
            except Missing as missing:
                result = f"skipped: {missing}"
                if os.environ.get("CI"):
                    status = 1
            except (Failed, subprocess.SubprocessError) as failure:
                result, status = f"FAILED: {failure}", 1
            print(f"{name:8} {count} records  {time.monotonic() - start:6.1f} s  {result}", flush=True)
    finally:
        if options.keep:
            print(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
