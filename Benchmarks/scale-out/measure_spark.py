#!/usr/bin/env python3
"""Measures the Spark job of Samples/scale-out/spark: wall time, and where the processor time goes.

    Benchmarks/scale-out/measure_spark.py [--pushpipe PATH] [--records N] [--devices N] [--parts 16] [--workers 1,2]

A worker is a thread of `local[N]`, with the Python process and the pushpipe that it starts. Processor time of `partition` and `run` comes from
the job, that of the engine (the JVM and Python) from looking at its processes twice a second, and what the shuffle takes from Spark's event
log. Needs pyspark, pyarrow and pandas, and 3 KiB of disk per record.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JOB = ROOT / "Samples" / "scale-out" / "spark" / "pushpipe_job.py"


def shuffle(folder):
    """Seconds and bytes of writing and fetching shuffle files, over all tasks."""
    seconds, written = 0.0, 0
    for log in folder.rglob("*"):
        if not log.is_file():
            continue
        for line in log.read_text(errors="replace").splitlines():
            if '"Event":"SparkListenerTaskEnd"' not in line:
                continue
            metrics = json.loads(line).get("Task Metrics", {})
            write, read = metrics.get("Shuffle Write Metrics", {}), metrics.get("Shuffle Read Metrics", {})
            seconds += write.get("Shuffle Write Time", 0) / 1e9 + read.get("Fetch Wait Time", 0) / 1e3
            written += write.get("Shuffle Bytes Written", 0)
    return seconds, written


class Sampler(threading.Thread):
    """The processor time of the processes of a session that are not pushpipe. Their last half second may be missing."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session, self.times, self.is_done = session, {}, threading.Event()

    def run(self):
        while not self.is_done.wait(0.5):
            for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
                try:
                    name, fields = path.read_text().rsplit(")", 1)
                except OSError:
                    continue
                fields = fields.split()
                if int(fields[3]) == self.session and not name.endswith("(pushpipe"):
                    self.times[name, fields[19]] = int(fields[11]) + int(fields[12])

    def seconds(self):
        self.is_done.set()
        self.join()
        return sum(self.times.values()) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pushpipe", default=ROOT / ".build" / "release" / "pushpipe", type=pathlib.Path)
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--devices", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--workers", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2])
    options = parser.parse_args()
    pushpipe = str(options.pushpipe.absolute())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pushpipe-spark-"))
    try:
        stream = folder / "day.ndjson"
        words = [pushpipe, "generate", "--count", options.records, "--device-count", options.devices, "--record-bytes", 415]
        with open(stream, "wb") as file:
            subprocess.run(list(map(str, [*words, "--device-choice", "uniform"])), stdout=file, check=True)
        for workers in options.workers:
            output, events = folder / "out", folder / "events"
            events.mkdir()
            words = ["spark-submit", "--master", f"local[{workers}]", "--driver-memory", "4g"]
            for name, value in {
                "ui.enabled": "false", "eventLog.enabled": "true", "eventLog.dir": events.as_uri(), "local.dir": folder,
                "eventLog.compress": "false", "sql.adaptive.enabled": "false",
            }.items():
                words += ["--conf", f"spark.{name}={value}"]
            words += [JOB, "--parts", options.parts, "--output", output, "--pushpipe", pushpipe, stream]
            environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
            start = time.monotonic()
            process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True, start_new_session=True)
            sampler = Sampler(process.pid)
            sampler.start()
            # Spark passes on what the job writes to either stream as one.
            lines = process.stdout.read()
            if process.wait() != 0:
                sys.exit(lines[-3000:])
            engine = sampler.seconds()
            costs = dict(line.split("\t") for line in lines.splitlines() if "\t" in line and line.startswith("processor time"))
            own = sum(float(cost.split()[0]) for cost in costs.values())
            seconds, written = shuffle(events)
            row = {
                "workers": workers, "records": options.records, "parts": options.parts, "seconds": round(time.monotonic() - start, 1),
                "partition and run cpu": round(own, 1), "engine cpu": round(engine, 1),
                "shuffle seconds": round(seconds, 1), "shuffle bytes": written,
            }
            print(json.dumps(row), flush=True)
            shutil.rmtree(output)
            shutil.rmtree(events)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
