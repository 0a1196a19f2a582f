#!/usr/bin/env python3
"""A day of pushes on a Spark cluster: partition, shuffle by device, one `pushpipe run` per part.

    spark-submit pushpipe_job.py --parts 64 --output OUT --clock 2026-01-01T00:00:00Z INPUT... [-- OPTIONS OF pushpipe run]

OUT gets `reports/part-00000.ndjson`, … and `stores/part-00000.sqlite`, …: what `pushpipe merge OUT/reports` and
`pushpipe merge OUT/stores --store` join into the report and the store of one run over everything.

INPUT are files of one record per line, on a file system that every executor sees; their records are numbered in the
order in which the files are named. Spark needs pyarrow and pandas; `pushpipe` must be installed on every executor.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.csv
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# Lines are bytes: a record need not be UTF-8.
PLACED = "part int, seq long, line binary"
RESULT = "part int, records long, seconds double, cpu double"


def arguments():
    words = sys.argv[1:]
    words, rest = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("--parts", type=int, required=True, help="number of parts, at least a few per core")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="a folder that every executor sees")
    parser.add_argument("--clock", default="2026-01-01T00:00:00Z", help="the time of the first record")
    parser.add_argument("--pushpipe", default="pushpipe", help="the command, as the executors find it")
    parser.add_argument("--no-store", action="store_true", help="reports alone")
    return parser.parse_args(words), rest


def feed(process, batches, column):
    """Writes a column of texts to a process, a line each, and closes its input. To be run by a thread of its own."""
    try:
        with process.stdin as pipe:
            for batch in batches:
                lines = batch.column(column).to_pylist()
                if lines:
                    pipe.write(b"\n".join(lines))
                    pipe.write(b"\n")
    except BrokenPipeError:
        # The process says why it ended.
        pass


class Program:
    """A program that is fed by a thread, while the caller reads what it writes."""

    def __init__(self, words, batches, column, output):
        self.errors = tempfile.TemporaryFile()
        self.words = words
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=output, stderr=self.errors)
        self.failure = None
        self.thread = threading.Thread(target=self._feed, args=(batches, column), daemon=True)
        self.thread.start()

    def _feed(self, batches, column):
        try:
            feed(self.process, batches, column)
        except BaseException as error:  # An error of Spark's while it reads its own rows ends the task, not only the thread.
            self.failure = error
            self.process.kill()

    def wait(self):
        """Returns the seconds of processor time that it took; raises an error if it failed."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.thread.join()
        if self.failure:
            raise self.failure
        if self.process.returncode != 0:
            self.errors.seek(0)
            message = self.errors.read().decode(errors="replace").strip()
            raise RuntimeError(f"{' '.join(self.words)}: status {self.process.returncode}: {message}")
        return usage.ru_utime + usage.ru_stime


def rows(stream):
    """The batches of `pushpipe partition --key-column`. Placed records contain no tabs."""
    return pyarrow.csv.open_csv(
        stream,
        read_options=pyarrow.csv.ReadOptions(column_names=["part", "seq", "line"], block_size=4 << 20),
        parse_options=pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False, double_quote=False),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={"part": pyarrow.int32(), "seq": pyarrow.int64(), "line": pyarrow.binary()}
        ),
    )


def partition(pushpipe, parts, firsts, cost):
    """A function from batches of lines to batches of placed records."""

    def place(batches):
        split = TaskContext.get().partitionId()
        words = [pushpipe, "partition", "--by", "device", "--parts", str(parts), "--key-column", "--set", "input.framing=ndjson"]
        words += ["--first-seq", str(firsts[split])]
        if split < len(firsts) - 1:
            words.append("--no-end")
        program = Program(words, batches, 0, subprocess.PIPE)
        try:
            yield from rows(program.process.stdout)
        except pyarrow.ArrowInvalid:
            # It says better what is wrong.
            program.wait()
            raise
        cost.add(program.wait())

    return place


def deliver(pushpipe, clock, output, has_store, options):
    """A function from a part's placed records, in order, to a row about it."""

    def run(batches):
        context = TaskContext.get()
        part = context.partitionId()
        name = f"part-{part:05}"
        # A task may run twice: after a failure, or on two machines at once. Each attempt writes into a folder of its own, and
        # what it has written takes its name at the end, in one step per file. Two attempts write the same bytes.
        attempt = output / "attempts" / f"{name}-{context.taskAttemptId()}"
        attempt.mkdir(parents=True, exist_ok=True)
        report = attempt / f"{name}.ndjson"
        store = attempt / f"{name}.sqlite"
        count = 0

        def counted():
            nonlocal count
            for batch in batches:
                count += batch.num_rows
                yield batch

        words = [pushpipe, "run", "--set", "input.framing=ndjson", "--format", "ndjson", "--clock", clock]
        if has_store:
            words += ["--store", str(store)]
        start = time.monotonic()
        with open(report, "wb") as file:
            program = Program(words + options, counted(), 0, file)
            cpu = program.wait()
        if has_store:
            os.replace(store, output / "stores" / store.name)
        # The report comes last: a part with a report is complete.
        os.replace(report, output / "reports" / report.name)
        shutil.rmtree(attempt)
        yield pyarrow.RecordBatch.from_pydict(
            {"part": [part], "records": [count], "seconds": [time.monotonic() - start], "cpu": [cpu]},
            schema=pyarrow.schema(
                [("part", pyarrow.int32()), ("records", pyarrow.int64()), ("seconds", pyarrow.float64()), ("cpu", pyarrow.float64())]
            ),
        )

    return run


def main():
    options, rest = arguments()
    spark = SparkSession.builder.appName("pushpipe").getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    output = options.output.absolute()
    if (output / "reports").exists():
        sys.exit(f"{output} has reports of an earlier run: name another folder, or remove it")
    for folder in ("reports", "stores", "attempts"):
        (output / folder).mkdir(parents=True)

    # 1. Number the records. Spark reads a file in splits; how many records come before a split is known once all are counted.
    texts = None
    for path in options.inputs:
        text = spark.read.text(path).where(F.col("value").rlike("[^ \\t\\r]")).select(F.col("value").cast("binary"))
        texts = text if texts is None else texts.union(text)
    counts = dict(texts.groupBy(F.spark_partition_id()).count().collect())
    firsts, total = [], 0
    for split in range(texts.rdd.getNumPartitions()):
        firsts.append(total + 1)
        total += counts.get(split, 0)

    # 2. Partition, and shuffle: the part's number is the number of Spark's partition.
    cost = spark.sparkContext.accumulator(0.0)
    place = partition(options.pushpipe, options.parts, firsts, cost)
    placed = texts.mapInArrow(place, PLACED)
    sorted_parts = placed.repartitionById(options.parts, "part").sortWithinPartitions("part", "seq").select("line")

    # 3. One run per part.
    run = deliver(options.pushpipe, options.clock, output, not options.no_store, rest)
    parts = sorted_parts.mapInArrow(run, RESULT).collect()
    shutil.rmtree(output / "attempts")

    # 4. Reports as a DataFrame.
    reports = spark.read.json(str(output / "reports"))
    for row in reports.groupBy("outcome").count().orderBy("outcome").collect():
        print(f"{row['outcome']}\t{row['count']}")
    print(f"records\t{total}")
    print(f"processor time of pushpipe partition\t{cost.value:.1f} s")
    print(f"processor time of pushpipe run\t{sum(row.cpu for row in parts):.1f} s")
    largest = max(parts, key=lambda row: row.records)
    print(f"largest part\t{largest.part}: {largest.records} of {sum(row.records for row in parts)} lines")
    spark.stop()


if __name__ == "__main__":
    main()
