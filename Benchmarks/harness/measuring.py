"""Running one program once, and describing the machine."""

import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path


class ProgramFailed(Exception):
    """A program failed, and is not run again."""


@dataclass(frozen=True)
class Usage:
    """The cost of a run: seconds, and peak resident memory in KiB. `other_cpu_s` are the seconds of all cores that other
    processes used meanwhile; None where the system does not report them."""

    wall_s: float
    user_s: float
    system_s: float
    max_rss_kib: int
    other_cpu_s: float = None


@dataclass
class Row:
    """One run. `wall_s` is of the whole process unless `timed` says otherwise; unknown values are None."""

    part: str
    program: str
    workload: str
    records: int
    devices: int
    input_bytes: int
    round: int
    wall_s: float
    user_s: float = None
    system_s: float = None
    max_rss_kib: int = None
    other_cpu_s: float = None
    timed: str = "process"

    @property
    def ns_per_record(self):
        """Nanoseconds of wall time per record."""
        return self.wall_s * 1e9 / self.records if self.records else 0.0


@dataclass
class Results:
    """All rows, and the other contents of the report."""

    rows: list = field(default_factory=list)
    # (part, description of the workload, program): {outcome: lines of the report}
    outcomes: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    payload_bytes: float = None  # mean of the stored notifications in the memory part
    kept: dict = field(default_factory=dict)  # records: notifications on the screens, in the memory part
    instructions: float = None  # per uniform record, from counts.sh

    def note(self, text):
        """Writes a note to stderr and to the report, once."""
        if text not in self.notes:
            self.notes.append(text)
            say(text)

    def select(self, **wanted):
        """Rows whose members have these values."""
        return [row for row in self.rows if all(getattr(row, name) == value for name, value in wanted.items())]

    def median(self, member, **wanted):
        """The median of a member over the rows selected; None when there are none."""
        values = [getattr(row, member) for row in self.select(**wanted)]
        values = [value for value in values if value is not None]
        return statistics.median(values) if values else None


def say(text):
    """Prints a line of progress."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def run(command, output, limit_s, stdin=None):
    """Runs a command with its standard output in a new file, for at most `limit_s` seconds. Returns a `Usage`. `stdin` is a
    file for its standard input.

    On Linux the peak memory of a process includes its parent's at the start, some 20 MiB of Python; smaller programs
    cannot be distinguished from that."""
    Path(output).unlink(missing_ok=True)  # truncating an old report takes time
    with open(output, "wb") as sink, tempfile.TemporaryFile() as errors, open(stdin or os.devnull, "rb") as source:
        busy = busy_cpu_s()
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(command, stdin=source, stdout=sink, stderr=errors)
        except OSError as error:
            raise ProgramFailed(error.strerror) from error
        killer = threading.Timer(limit_s, os.kill, (process.pid, signal.SIGKILL))
        killer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
            wall = time.perf_counter() - begin
        except BaseException:
            process.kill()
            raise
        finally:
            killer.cancel()
        process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            reason = f"longer than {limit_s} s" if wall >= limit_s else f"status {process.returncode}: {said[0]}"
            raise ProgramFailed(reason)
    rss_kib = used.ru_maxrss // 1024 if sys.platform == "darwin" else used.ru_maxrss
    other = max(busy_cpu_s() - busy - used.ru_utime - used.ru_stime, 0) if busy is not None else None
    return Usage(wall, used.ru_utime, used.ru_stime, rss_kib, other)


def busy_cpu_s():
    """Busy seconds of all cores since the system started, to a hundredth, and the share stolen by the host.

    None if unknown."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = (int(field) for field in fields[:8])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


def count_outcomes(report):
    """Lines of an NDJSON report by outcome. Inside a string the quotes of the pattern would be escaped."""
    counts = {}
    pattern = re.compile(rb'"outcome":"([a-z]+)"')
    with open(report, "rb") as lines:
        for line in lines:
            found = pattern.search(line)
            outcome = found.group(1).decode() if found else "no outcome"
            counts[outcome] = counts.get(outcome, 0) + 1
    return counts


def describe_machine():
    """Processor, cores and system, without the host's name."""
    if sys.platform == "darwin":
        processor = output_of("sysctl", "-n", "machdep.cpu.brand_string")
    else:
        found = re.search(r"^model name\s*: *(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        processor = found.group(1) if found else "unknown processor"
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"{processor}, {os.cpu_count()} cores, {system}, {time.strftime('%Y-%m-%d', time.gmtime())}"


def describe_file_system(folder):
    """The type of a folder's file system."""
    if sys.platform == "darwin":
        device = output_of("df", folder).splitlines()[-1].split()[0]
        found = re.search(rf"^{re.escape(device)} on .* \((\w+)", output_of("mount"), re.MULTILINE)
        return found.group(1) if found else "unknown"
    return (output_of("df", "--output=fstype", folder) or "unknown").splitlines()[-1]


def output_of(*command):
    """The output of a command, trimmed; empty when it fails or is missing."""
    try:
        done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
