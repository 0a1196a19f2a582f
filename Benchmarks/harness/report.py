"""The report: goals, programs, outcomes, raw rows."""

import csv
from dataclasses import asdict, dataclass, fields

from .measuring import Results, Row
from .parts import GENERATED

MIB = 1024  # KiB
SHARED_CORES = 0.15  # of one core that others may use before a run counts as disturbed


@dataclass(frozen=True)
class Goal:
    """A goal and its measurements, by workload. Higher is better for ratios of speed, lower for everything else."""

    name: str
    goal: float
    aim: float
    unit: str
    is_high_good: bool
    measured: dict

    def verdict(self):
        """The value of the first measured workload."""
        value = next((value for value in self.measured.values() if value is not None), None)
        if value is None:
            return "not measured"
        for word, bound in (("aim", self.aim), ("goal", self.goal)):
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
    rows = results.select(part=part, program=program, workload="uniform")
    points = {}
    for size in sorted({getattr(row, member) for row in rows}):
        wall = results.median("wall_s", part=part, program=program, workload="uniform", **{member: size})
        points[size] = (wall - start) * 1e9 / next(row.records for row in rows if getattr(row, member) == size)
    return points


def growth(points):
    """The highest cost relative to the smallest size; None for fewer than two points."""
    return max(points.values()) / points[min(points)] if len(points) > 1 else None


def kept_bytes(results, program):
    """Bytes of memory per stored notification without its payload, from two sizes."""
    sizes = sorted(results.kept)
    wanted = {"part": "memory", "program": program, "workload": "uniform"}
    memory = [results.median("max_rss_kib", records=size, **wanted) for size in sizes]
    if len(sizes) != 2 or None in memory or memory[0] <= floor_kib(results):
        return None
    return (memory[1] - memory[0]) * 1024 / (results.kept[sizes[1]] - results.kept[sizes[0]]) - results.payload_bytes


def floor_kib(results):
    """The memory that cannot be distinguished from a new process's own."""
    return 1.05 * (results.median("max_rss_kib", part="memory", program="true") or 0)


def span(points):
    """The range of a curve, for the name of a goal."""
    return f"{min(points):,} to {max(points):,}" if points else "–"


def goals(results):
    """All goals with their measurements."""
    records = costs(results, "curve-records", "pushpipe", "records")
    devices = costs(results, "curve-devices", "pushpipe", "devices")
    empty = results.median("max_rss_kib", part="memory", program="pushpipe", workload="empty")
    start = results.median("wall_s", part="startup", program="pushpipe --version")

    def only_uniform(value):
        return {"uniform": value}

    def faster(name, goal, aim, *what):
        return Goal(name, goal, aim, "×", True, speed(results, *what))

    return [
        faster("`run`, all cores / orjson", 12, 25, "line", "pushpipe", "orjson"),
        faster("`run`, all cores / simdjson", 2.5, 6, "line", "pushpipe", "collapse_simdjson"),
        faster("`run`, 1 core / simdjson", 1.5, 3, "line", "pushpipe-1-core", "collapse_simdjson"),
        faster("scanner / simdjson DOM", 0.6, 1, "scan", "scan-pushpipe", "scan_simdjson"),
        faster("`run --store` / orjson with SQLite", 5, 10, "store", "pushpipe --store", "orjson --store"),
        faster("`run --store` / SQLite's C functions", 0.7, 1, "store", "pushpipe --store", "insert_sqlite"),
        Goal(f"growth of cost, {span(records)} records", 1.5, 1.2, "×", False, only_uniform(growth(records))),
        Goal(f"growth of cost, {span(devices)} devices", 1.5, 1.2, "×", False, only_uniform(growth(devices))),
        Goal("memory without input", 64, 32, "MiB", False, only_uniform(empty and empty / MIB)),
        Goal("memory per stored notification, without its payload", 160, 96, "bytes", False,
             only_uniform(kept_bytes(results, "pushpipe"))),
        Goal("start of `pushpipe --version`", 15, 5, "ms", False, only_uniform(start and start * 1e3)),
    ]


def number(value, digits=2):
    """A number for a table; a dash for None."""
    return "–" if value is None else f"{value:,.{digits}f}"


def table(head, rows):
    """A Markdown table, the first column aligned left and the others right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def goal_table(results):
    """The goals, and whether this run met them."""
    rows = []
    for goal in goals(results):
        sign = "≥" if goal.is_high_good else "≤"
        measured = [number(goal.measured.get(workload)) for workload in GENERATED]
        rows.append([goal.name, *measured, goal.unit, f"{sign} {goal.goal:g}", f"{sign} {goal.aim:g}", goal.verdict()])
    return table(["", *GENERATED, "", "Goal", "Aim", "Met"], rows)


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


def curve_tables(results):
    """Nanoseconds per record over the number of records and of devices."""
    for part, member in (("curve-records", "records"), ("curve-devices", "devices")):
        names = list(dict.fromkeys(row.program for row in results.select(part=part, workload="uniform")))
        if names:
            points = {name: costs(results, part, name, member) for name in names}
            rows = [[f"{size:,}", *(number(points[name].get(size), 0) for name in names)] for size in points[names[0]]]
            yield f"### Nanoseconds per record by number of {member}, uniform, minus the time for empty input\n"
            yield table([member.capitalize(), *names], rows) + "\n"


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
         *(mebibytes(name, workload="uniform", records=size) for size in sizes), number(kept_bytes(results, name), 0)]
        for name in names
    ]
    head = ["", "No input", *(f"{size:,} records" for size in sizes), "Bytes per notification without payload"]
    yield "### Max RSS in MiB, uniform, nothing replaced\n"
    yield table(head, rows)
    yield (f"\nThe payloads have {number(results.payload_bytes, 0)} bytes on average. Less than "
           f"{mebibytes('true')} MiB cannot be seen: a process starts with the memory of its parent.\n")


def markdown(results, machine, versions, facts):
    """The whole report."""
    lines = ["# Benchmark of pushpipe\n", f"{machine}. {', '.join(versions)}. {facts}\n"]
    lines += [text for text in [contention(results)] if text]
    lines += ["## Goals\n", goal_table(results)]
    lines += ["\nEach × is how many times as fast, per record, by medians of this run; "
              "`uniform` decides.\n", "## Programs\n"]
    lines += [*program_tables(results), *outcome_tables(results), *curve_tables(results), *memory_table(results)]
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
