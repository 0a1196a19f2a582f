#!/usr/bin/env python3
"""Measures pushpipe and other programs that do the same job. Prints a Markdown report.

Benchmarks/README.md explains the numbers."""

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from harness.measuring import ProgramFailed, Results, describe_file_system, describe_machine, say
from harness.parts import Bench, Plan
from harness.plots import draw_curves
from harness.programs import find_programs
from harness.report import markdown, read_rows, write_rows

PARTS = ("line", "jobs", "store", "store_curve", "scan", "lint", "registered", "startup", "memory", "counts", "curves")

QUICK = Plan(
    records=100_000, rounds=3, slow_rounds=3, store_records=50_000, scan_records=50_000, scan_rounds=5,
    store_curve_records=(100_000, 200_000), lint_records=100_000, registered_devices=100_000, registered_records=100_000,
    startup_rounds=50, curve_records=(100_000, 300_000), curve_devices=(100, 10_000, 100_000), device_records=100_000,
    curve_rounds=3, memory_records=(25_000, 100_000), limit_s=60,
)

EPILOG = """\
parts:
  line         all programs from file to report, with screens in memory
  jobs         pushpipe with one core, two, and so on
  store        all programs with screens in SQLite, and SQLite's C functions alone
  store_curve  the same over the number of records
  scan         only parsing lines
  lint         pushpipe lint and run on the same stream
  registered   pushpipe with many registered devices, and with none
  startup      pushpipe --version
  memory       resident memory without input, and per notification
  counts       instructions per record, under valgrind
  curves       cost per record over the number of records, and of devices

environment:
  PUSHPIPE, SCAN_PUSHPIPE   commands to measure instead of building them
  INSTALLED_PUSHPIPE        the installed command, for its start (default: what make install built last)
  CC, CXX, JQ               compilers for the peers, and jq
  TMPDIR                    the folder for workloads and stores: 4 GB, with --full 40 GB, on an idle disk

Progress goes to stderr. Missing programs are left out, and the report names them. The exit status is 0 when the report was
written, whatever the results.
"""


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="bench.py", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small sizes and few rounds: 5 minutes, not 25")
    size.add_argument("--full", action="store_true", help="the curves over records up to 10 million: hours")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART", help="run this part; may be repeated")
    parser.add_argument("--records", type=positive, metavar="N", help="records of the part `line` (default: 1000000)")
    parser.add_argument("--rounds", type=positive, metavar="N", help="rounds of line, store and scan (default: 5)")
    parser.add_argument("--limit", type=positive, metavar="SECONDS", help="for one run of one program (default: 120)")
    parser.add_argument("--note", metavar="TEXT", help="what else the machine was doing, for every row")
    parser.add_argument("--output", type=Path, default=Path(".build/bench"), metavar="FOLDER",
                        help="for report.md, rows.csv and the curves (default: .build/bench)")
    parser.add_argument("--draw", type=Path, metavar="ROWS", help="draw the curves of these rows without measuring")
    return parser.parse_args()


def positive(text):
    """An integer of at least 1."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def make_plan(arguments):
    """The requested sizes."""
    plan = QUICK if arguments.quick else Plan()
    if arguments.full:
        plan = replace(
            plan, curve_records=(*plan.curve_records, 10_000_000), limit_s=1200,
            store_curve_records=(*plan.store_curve_records, 10_000_000), memory_records=(1_000_000, 10_000_000))
    if arguments.rounds:
        plan = replace(plan, rounds=arguments.rounds, slow_rounds=min(arguments.rounds, plan.slow_rounds))
    if arguments.records:
        plan = replace(plan, records=arguments.records)
    if arguments.limit:
        plan = replace(plan, limit_s=arguments.limit)
    return plan


def main():
    arguments = parse_arguments()
    if arguments.draw:
        results, machine = read_rows(arguments.draw)
        draw_curves(results, arguments.draw.parent, machine)
        return
    parts = [part for part in PARTS if part in (arguments.only or PARTS)]
    plan, results = make_plan(arguments), Results()
    output = arguments.output
    output.mkdir(parents=True, exist_ok=True)
    programs = find_programs(set(parts), results, output / "peers")
    machine = describe_machine() + (f"; {arguments.note}" if arguments.note else "")
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    with tempfile.TemporaryDirectory(prefix="pushpipe-bench-") as folder:
        bench = Bench(plan, programs, results, folder)
        facts = f"Temporary files on {describe_file_system(folder)}. Load before: {load}."
        for part in parts:
            try:
                getattr(bench, f"run_{part}")()
            except ProgramFailed as error:  # from `generate`; without it the part has no input
                results.note(f"The part {part} was given up: {error}.")
    draw_curves(results, output, machine)
    write_rows(output / "rows.csv", results, machine, programs.versions)
    report = markdown(results, machine, programs.versions, facts)
    (output / "report.md").write_text(report)
    say(f"wrote {output}/report.md and rows.csv")
    print(report, end="")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
