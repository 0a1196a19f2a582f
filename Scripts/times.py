#!/usr/bin/env python3
"""What README's two commands take from a clean clone of the last commit, and what it goes to: build steps and tests.

    Scripts/times.py [run] [test] [suites]     without a word, all of them

run, test   wall and processor time of `make run` and `make test`, and of each module's compilation
suites      the fast tests one after the other, by module and the slowest ones; after test

Prints Markdown. Packages are fetched before the clock starts. Times mean little without their machine, so each also stands in multiples of
what swift-argument-parser takes there. Processor time hardly depends on what else the machine does; wall time does, so the machine's load
stands at the top.
"""

import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

# What the times are multiples of: a release build of it.
YARDSTICK = ("https://github.com/apple/swift-argument-parser", "1.8.2")
ROOT = pathlib.Path(__file__).resolve().parent.parent
# Runs a compiler and writes down its processor time, and for which module.
WRAPPER = r"""#!/bin/bash
real=%s
TIMEFORMAT='%%U %%S'
note=$TIMES_LOG.$$
{ time "$real" "$@" 2>&3; } 3>&2 2>"$note"
status=$?
what=compile name='' out='' previous=''
for word in "$@"; do
    case $previous in
        -module-name) name=$word ;;
        -o) out=$word ;;
    esac
    case $word in -emit-executable | -emit-library) what=link ;; esac
    previous=$word
done
if [[ -z $name && $out == *.build/* ]]; then name=${out%%.build/*}; name=${name##*/}; fi
printf '%%s %%s %%s\n' "$(<"$note")" "$what" "${name:-other}" >>"$TIMES_LOG"
rm -f "$note"
exit $status
"""


def say(text):
    print(f"times: {text}", file=sys.stderr, flush=True)


class Clone:
    """A clean clone, and compilers that say what they take."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, self.package], check=True)
        tools = folder / "tools"
        (tools / "bin").mkdir(parents=True)
        self.environment = dict(os.environ)
        for name, variable in [("swiftc", "SWIFT_EXEC"), ("clang", "CC")]:
            real = pathlib.Path(shutil.which(name))
            wrapper = tools / "bin" / name
            wrapper.write_text(WRAPPER % real)
            wrapper.chmod(0o755)
            self.environment[variable] = str(wrapper)
            if name == "swiftc":
                # SwiftPM finds the toolchain's libraries beside its compiler.
                (tools / "lib").symlink_to(real.resolve().parent.parent / "lib")
        say("fetching packages")
        subprocess.run(["swift", "package", "resolve"], cwd=self.package, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.package / ".build")
        address, version = YARDSTICK
        clone = ["git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--branch", version, address]
        subprocess.run([*clone, folder / "yardstick"], check=True)
        self.unit = self.measure("swift", "build", "-c", "release", package=folder / "yardstick")[:2]

    def measure(self, *command, log=None, package=None):
        """Wall seconds, processor seconds, and the output."""
        environment = {**self.environment, "TIMES_LOG": str(log or self.folder / "log")}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command, cwd=package or self.package, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            print(done.stdout[-3000:] + done.stderr[-3000:], file=sys.stderr)
            sys.exit(f"times: {' '.join(command)} failed")
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return time.monotonic() - start, processor, done.stdout + done.stderr


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def steps(log, most=20):
    found = collections.Counter()
    for line in log.read_text().splitlines():
        user, system, what, name = line.split(" ", 3)
        found[f"{what} {name}"] += float(user) + float(system)
    print("\n| Step | Processor seconds |\n|---|---:|")
    for name, seconds in found.most_common(most):
        print(f"| {name} | {seconds:.0f} |")
    print(f"| {max(len(found) - most, 0)} others | {sum(s for _, s in found.most_common()[most:]):.0f} |")
    print(f"| all | {sum(found.values()):.0f} |")


def command(clone, target):
    log = clone.folder / f"{target}.log"
    say(f"make {target}")
    wall, processor, output = clone.measure("make", target, log=log)
    tests = re.findall(r"Test run with .* after ([0-9.]+) seconds", output)
    rest = f", of which the tests {minutes(float(tests[-1]))}" if tests else ""
    multiples = f"{processor / clone.unit[1]:.1f} times swift-argument-parser's, and {wall / clone.unit[0]:.1f} times its wall time"
    print(f"\n## make {target}\n\nWall {minutes(wall)}{rest}; processor {processor:.0f} s, which is {multiples}.")
    steps(log)


def suites(clone):
    say("the fast tests, one after the other")
    bundle = clone.package / ".build/tests/release/pushpipePackageTests.xctest"
    events = clone.folder / "events"
    words = ["--testing-library", "swift-testing", "--no-parallel", "--quiet", "--skip", "SlowTests/", "--event-stream-version", "0"]
    clone.measure(str(bundle), *words, "--event-stream-output-path", str(events))
    started, tests = {}, {}
    for line in events.open(errors="replace"):
        event = json.loads(line).get("payload", {})
        name, at = event.get("testID"), event.get("instant", {}).get("absolute")
        if event.get("kind") == "testStarted":
            started[name] = at
        elif event.get("kind") == "testEnded" and name in started and ".swift:" in name:
            tests[name] = at - started[name]
    modules = collections.Counter()
    for name, seconds in tests.items():
        modules[name.split(".")[0]] += seconds
    print("\n## The tests, one after the other\n\n| Module | Seconds |\n|---|---:|")
    for name, seconds in modules.most_common(15):
        print(f"| {name} | {seconds:.1f} |")
    print(f"| all | {sum(modules.values()):.1f} |\n\n| Test | Seconds |\n|---|---:|")
    for name, seconds in sorted(tests.items(), key=lambda test: -test[1])[:25]:
        print(f"| {name.split('/')[0]}: {name.split('/')[1].split('(')[0]} | {seconds:.1f} |")


def main():
    words = sys.argv[1:] or ["run", "test", "suites"]
    unknown = set(words) - {"run", "test", "suites"}
    if unknown:
        sys.exit(f"times: unknown word {unknown.pop()}; there are run, test and suites")
    processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    print(f"{processor.group(1) if processor else 'unknown processor'}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}. {version}.")
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(pathlib.Path(folder))
        wall, processor = clone.unit
        print(f"\nA release build of swift-argument-parser {YARDSTICK[1]}: wall {wall:.0f} s, processor {processor:.0f} s.")
        for word in words:
            if word == "suites":
                suites(clone)
            else:
                command(clone, word)


main()
