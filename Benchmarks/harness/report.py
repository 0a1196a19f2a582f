"""The report: goals, programs, outcomes, raw rows."""

import csv
import statistics
from dataclasses import asdict, dataclass, fields

from .measuring import Results, Row
from .parts import GENERATED

MIB = 1024  # KiB
SHARED_CORES = 0.15  # of one core that others may use before a run counts as disturbed


@dataclass(frozen=True)
class Goal:
    """What must be reached, what should be, and the measurements by workload. Higher is better for ratios of speed, lower for
    everything else."""

    name: str
    must: float
    goal: float
    unit: str
    is_high_good: bool
    measured: dict

    def verdict(self):
        """The first measured workload decides."""
        value = next((value for value in self.measured.values() if value is not None), None)
        if value is None:
            return "not measured"
        for word, bound in (("PASS, goal", self.goal), ("PASS", self.must)):
            if value >= bound if self.is_high_good else value <= bound:
                return word
        return "missed"


def speed(results, part, program, peer):
    """A program's speed relative to the peer, per record, by workload: a ratio of medians of this run."""

    def ratio(workload):
        ours = results.median("ns_per_record", part=part, program=program, workload=workload)
        theirs = results.median("ns_per_record", part=part, program=peer, workload=workload)
        return theirs / ours if ours and theirs else None

    return {workload: ratio(workload) for workload in GENERATED}


def costs(results, part, program, member):
    """Nanoseconds per record by number of records or devices, minus the time for empty input."""
    start = results.median("wall_s", part="curve-records", program=program, workload="empty") or 0.0
    rows = [row for row in results.select(part=part, program=program) if row.records]
    points = {}
    for size in sorted({getattr(row, member) for row in rows}):
        chosen = [row for row in rows if getattr(row, member) == size]
        wall = statistics.median(row.wall_s for row in chosen)
        points[size] = (wall - start) * 1e9 / chosen[0].records
    return points


def growth(points):
    """The highest cost relative to the smallest size; None for fewer than two points."""
    return max(points.values()) / points[min(points)] if len(points) > 1 else None


def kept_bytes(results, program):
    """Bytes of memory per notification on a screen, from two sizes. With its payload, where a program keeps that."""
    sizes = sorted(results.kept)
    wanted = {"part": "memory", "program": program, "workload": "random"}
    memory = [results.median("max_rss_kib", records=size, **wanted) for size in sizes]
    if len(sizes) != 2 or None in memory or memory[0] <= floor_kib(results):
        return None
    return (memory[1] - memory[0]) * 1024 / (results.kept[sizes[1]] - results.kept[sizes[0]])


def floor_kib(results):
    """The memory that cannot be distinguished from a new process's own."""
    return 1.05 * (results.median("max_rss_kib", part="memory", program="true") or 0)


def span(points):
    """The range of a curve, for the name of a goal."""
    return f"{min(points):,} to {max(points):,}" if points else "–"


def scaling(results, jobs):
    """Records per second with so many cores, relative to one."""
    one = results.median("wall_s", part="jobs", program="pushpipe --jobs 1")
    many = results.median("wall_s", part="jobs", program=f"pushpipe --jobs {jobs}")
    return one / many if one and many else None


def lint_speed(results):
    """Records per second of `lint`, relative to `run`."""
    run, lint = (results.median("wall_s", part="lint", program=f"pushpipe {name}") for name in ("run", "lint"))
    return run / lint if run and lint else None


def registered_cost(results):
    """Time per record with registered devices, relative to none. Without the registration, which empty input shows."""

    def cost(program):
        empty, whole = (
            results.median("wall_s", part="registered", program=program, workload=workload)
            for workload in ("empty", "random"))
        return whole - empty if empty and whole else None

    many, none = cost("pushpipe --devices"), cost("pushpipe")
    return many / none if many and none and none > 0 else None


def goals(results):
    """What the project set itself, with the measurements: the first workload of GENERATED that was measured decides."""
    records = costs(results, "curve-records", "pushpipe", "records")
    stored = costs(results, "store-curve", "pushpipe --store", "records")
    start = (results.median("wall_s", part="startup", program="installed pushpipe --version")
             or results.median("wall_s", part="startup", program="pushpipe --version"))
    two = "pushpipe-2-cores" if results.select(program="pushpipe-2-cores") else "pushpipe"

    def at_random(value):
        return {"random": value}

    def faster(name, must, goal, *what):
        return Goal(name, must, goal, "×", True, speed(results, *what))

    return [
        faster("`run`, two cores / Python + orjson", 10, 20, "line", two, "orjson"),
        faster("`run`, two cores / C++ + simdjson on one", 3, 6, "line", two, "collapse_simdjson"),
        faster("`run`, one core / C++ + simdjson", 2, 3, "line", "pushpipe-1-core", "collapse_simdjson"),
        Goal("`--jobs 2` / `--jobs 1`", 1.6, 1.9, "×", True, at_random(scaling(results, 2))),
        faster("`--store` / Python + orjson + sqlite3, one table", 1.5, 3, "store", "pushpipe --store", "store_orjson --store"),
        faster("`--store` / raw `sqlite3` C inserts of the same rows", 0.9, 1.2, "store", "pushpipe --store", "insert_sqlite"),
        Goal(f"growth of cost, memory, {span(records)} records", 1.3, 1.15, "×", False, at_random(growth(records))),
        Goal(f"growth of cost, store, {span(stored)} records", 1.3, 1.15, "×", False, at_random(growth(stored))),
        Goal(f"{registered_count(results)} registered devices / none", 1.3, 1.15, "×", False,
             at_random(registered_cost(results))),
        Goal("instructions per record, uniform", 6000, 4500, "", False, {"uniform": results.instructions}),
        Goal("`lint` on a stream / `run` on the same", 0.3, 0.6, "×", True, at_random(lint_speed(results))),
        Goal("start of the installed command", 5, 3, "ms", False, {"any": start and start * 1e3}),
        Goal("memory per notification on a screen, without a store", 100, 100, "bytes", False,
             at_random(kept_bytes(results, "pushpipe"))),
    ]


def other_goals(results):
    """Goals of earlier versions."""
    devices = costs(results, "curve-devices", "pushpipe", "devices")
    empty = results.median("max_rss_kib", part="memory", program="pushpipe", workload="empty")
    return [
        Goal("scanner / simdjson DOM", 0.6, 1, "×", True, speed(results, "scan", "scan-pushpipe", "scan_simdjson")),
        Goal("`--store` / orjson with pushpipe's tables and indexes", 5, 10, "×", True,
             speed(results, "store", "pushpipe --store", "orjson --store")),
        Goal(f"growth of cost, {span(devices)} devices", 1.5, 1.2, "×", False, {"random": growth(devices)}),
        Goal("memory without input", 64, 32, "MiB", False, {"any": empty and empty / MIB}),
    ]


def registered_count(results):
    """The number of registered devices."""
    rows = results.select(part="registered", workload="random")
    return f"{rows[0].devices:,}" if rows else "many"


def number(value, digits=2):
    """A number for a table; a dash for None."""
    return "–" if value is None else f"{value:,.{digits}f}"


def table(head, rows):
    """A Markdown table, the first column aligned left and the others right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def goal_table(chosen):
    """Goals, and whether this run met them."""
    rows = []
    for goal in chosen:
        sign = "≥" if goal.is_high_good else "≤"
        values = [goal.measured.get(workload) for workload in GENERATED]
        if "any" in goal.measured:
            values[0] = goal.measured["any"]
        rows.append([goal.name, *map(number, values), goal.unit, f"{sign} {goal.must:g}", f"{sign} {goal.goal:g}",
                     goal.verdict()])
    return table(["", *GENERATED, "", "Must", "Goal", "Met"], rows)


def program_row(results, part, workload, program, base):
    """A row of medians."""
    rows = results.select(part=part, workload=workload, program=program)

    def median(member):
        return results.median(member, part=part, workload=workload, program=program)

    cost, memory, first = median("ns_per_record"), median("max_rss_kib"), rows[0]
    share = [number(median(member)) for member in ("wall_s", "user_s", "system_s")]
    return [
        program, len(rows), f"{first.records:,}", *share, number(cost / 1e3, 3), f"{1e9 / cost:,.0f}",
        number(first.input_bytes / first.records * 1e3 / cost, 0), number(memory and memory / MIB, 0),
        number(cost / base if base else None),
    ]


def program_tables(results):
    """All programs of the line, the store and the scanners."""
    parts = [("line", "pushpipe", "What is shown in memory"), ("store", "pushpipe --store", "What is shown in SQLite"),
             ("scan", "scan-pushpipe", "Scanning alone")]
    head = ["", "Runs", "Records", "Wall s", "User s", "System s", "µs per record", "Records/s", "MB/s", "Max RSS MiB",
            "× pushpipe"]
    for part, base_program, title in parts:
        for workload in GENERATED:
            selected = results.select(part=part, workload=workload)
            if not selected:
                continue
            base = results.median("ns_per_record", part=part, workload=workload, program=base_program)
            names = dict.fromkeys(row.program for row in selected)
            yield f"### {title}, {workload}, {selected[0].input_bytes / selected[0].records:.0f} bytes per record\n"
            yield table(head, [program_row(results, part, workload, name, base) for name in names]) + "\n"


def outcome_tables(results):
    """The outcomes of each program."""
    for part, workload in dict.fromkeys(key[:2] for key in results.outcomes):
        found = {key[2]: counts for key, counts in results.outcomes.items() if key[:2] == (part, workload)}
        outcomes = sorted({outcome for counts in found.values() for outcome in counts})
        rows = [[name, *(f"{counts.get(outcome, 0):,}" for outcome in outcomes)] for name, counts in found.items()]
        yield f"### Outcomes, {part}, {workload}\n"
        yield table(["", *outcomes], rows) + "\n"
        base = next((counts for name, counts in found.items() if name.startswith("pushpipe")), None)
        differing = [name for name, counts in found.items() if base and counts != base]
        if differing:
            yield f"**They differ:** {', '.join(differing)} counted other outcomes than pushpipe.\n"


def contention(results):
    """A warning when the machine was not idle. Short runs are left out: the system counts hundredths of a second."""
    rows = [row for row in results.rows if row.other_cpu_s is not None and row.wall_s >= 0.05]
    shared = [row for row in rows if row.other_cpu_s > SHARED_CORES * row.wall_s + 0.02]
    if len(shared) <= len(rows) / 20:
        return ""
    return (f"**The machine was busy.** In {len(shared)} of {len(rows)} runs other processes used more than "
            f"{SHARED_CORES:.0%} of a core. Programs that use all cores lose most; "
            "measure again before believing a ratio.\n")


CURVES = (
    ("curve-records", "records", "without a store"), ("curve-devices", "devices", "without a store"),
    ("store-curve", "records", "with a store"),
)


def curve_tables(results):
    """Nanoseconds per record over the number of records and of devices."""
    for part, member, store in CURVES:
        names = list(dict.fromkeys(row.program for row in results.select(part=part) if row.records))
        if names:
            points = {name: costs(results, part, name, member) for name in names}
            sizes = sorted(set().union(*points.values()))
            rows = [[f"{size:,}", *(number(points[name].get(size), 0) for name in names)] for size in sizes]
            yield f"### Nanoseconds per record by number of {member}, {store}, minus the time for empty input\n"
            yield table([member.capitalize(), *names], rows) + "\n"


def jobs_table(results):
    """Speed by number of cores."""
    names = list(dict.fromkeys(row.program for row in results.select(part="jobs")))
    if not names:
        return
    rows = []
    for name in names:
        jobs = int(name.split()[-1])
        wall, user = (results.median(member, part="jobs", program=name) for member in ("wall_s", "user_s"))
        records = results.select(part="jobs", program=name)[0].records
        rows.append([jobs, number(wall, 3), number(user, 3), f"{records / wall:,.0f}", number(scaling(results, jobs))])
    yield "### Speed by number of cores, random\n"
    yield table(["Cores", "Wall s", "User s", "Records/s", "× one core"], rows) + "\n"


def pair_tables(results):
    """lint and run; registered devices and none."""
    for part, title in (("lint", "`lint` and `run` on the same stream, random"),
                        ("registered", "With registered devices, and with none")):
        rows = []
        for workload, program in dict.fromkeys((row.workload, row.program) for row in results.select(part=part)):
            chosen = {"part": part, "workload": workload, "program": program}
            row = results.select(**chosen)[0]
            rows.append([program, f"{row.records:,}", *(number(results.median(member, **chosen), 3)
                         for member in ("wall_s", "user_s")), number(results.median("max_rss_kib", **chosen) / MIB, 0)])
        if rows:
            yield f"### {title}\n"
            yield table(["", "Records", "Wall s", "User s", "Max RSS MiB"], rows) + "\n"


def memory_table(results):
    """Resident memory by program."""
    names = [name for name in dict.fromkeys(row.program for row in results.select(part="memory")) if name != "true"]
    if not names:
        return

    def mebibytes(name, **wanted):
        value = results.median("max_rss_kib", part="memory", program=name, **wanted)
        sign = "≤ " if value and name != "true" and value <= floor_kib(results) else ""
        return sign + number(value and value / MIB, 1)

    sizes = sorted(results.kept)
    rows = [
        [name, mebibytes(name, workload="empty"),
         *(mebibytes(name, workload="random", records=size) for size in sizes), number(kept_bytes(results, name), 0)]
        for name in names
    ]
    head = ["", "No input", *(f"{size:,} records" for size in sizes), "Bytes per notification"]
    yield "### Max RSS in MiB, random, ten notifications per device, nothing replaced\n"
    yield table(head, rows)
    yield (f"\nThe payloads, which the peers keep, have {number(results.payload_bytes, 0)} bytes on average. Less than "
           f"{mebibytes('true')} MiB cannot be seen: a process starts with the memory of its parent.\n")


def markdown(results, machine, versions, facts):
    """The whole report."""
    lines = ["# Benchmark of pushpipe\n", f"{machine}. {', '.join(versions)}. {facts}\n"]
    lines += [text for text in [contention(results)] if text]
    lines += ["## Side by side\n", goal_table(goals(results)), "\n## Older goals\n", goal_table(other_goals(results))]
    lines += ["\nEach × of speed is how many times as fast, per record, by medians of this run. `random`, 50,000 devices "
              "chosen uniformly, decides where it was measured. Goals are reported and gate nothing.\n", "## Programs\n"]
    lines += [*program_tables(results), *jobs_table(results), *pair_tables(results), *outcome_tables(results),
              *curve_tables(results), *memory_table(results)]
    if results.select(program="jq"):
        lines.append("jq ran once, over fewer records, as the tables say; compare its cost per record.\n")
    if results.select(part="store"):
        lines.append("insert_sqlite takes the time itself: from opening its file to closing it.\n")
    lines += [f"- {note}" for note in results.notes]
    return "\n".join(lines) + "\n"


def write_rows(path, results, machine, versions):
    """The raw rows. Each names its machine; a comment names the versions of the programs."""
    with open(path, "w", newline="") as out:
        out.write(f"# {', '.join(versions)}\n")
        writer = csv.DictWriter(out, [*(field.name for field in fields(Row)), "machine"], lineterminator="\n")
        writer.writeheader()
        writer.writerows({**rounded(row), "machine": machine} for row in results.rows)


def read_rows(path):
    """The rows of a file that `write_rows` wrote, and its machine."""
    results, machine = Results(), ""
    with open(path, newline="") as source:
        for values in csv.DictReader(line for line in source if not line.startswith("#")):
            machine = values.pop("machine")
            members = {field.name: field.type for field in fields(Row)}
            results.rows.append(Row(**{name: members[name](text) if text else None for name, text in values.items()}))
    return results, machine


def rounded(row):
    """The members of a row, times to a microsecond."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(row).items()}
