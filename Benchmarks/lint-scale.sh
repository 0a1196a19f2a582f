#!/usr/bin/env bash
# Creates a folder of many files and measures `lint` on it next to programs that only walk or search it, as a table on standard output.
# FILES= sets the number of files (100,000), FOLDER= the place of the folder (a temporary one, removed at the end), ROUNDS= how often
# the programs take turns (5); the fastest round counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

FILES=${FILES:-100000}
ROUNDS=${ROUNDS:-5}
check_number FILES
check_number ROUNDS
command -v python3 >/dev/null || fail "there is no python3 (Scripts/setup.sh python3)"
pushpipe=$(realpath "$(find_pushpipe)")
folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/lint-scale.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

say "creating $FILES files"
# A hundred files in each folder, folders three levels deep: 60 payloads, 10 of them with a warning; 5 files of lines of payloads; 20 other
# .json files; 15 files of other kinds, a third of which .gitignore names. Every tenth folder is ignored, and every fifth has a .gitignore.
python3 - "$FILES" <<'PYTHON'
import json, os, sys
files = int(sys.argv[1])
os.makedirs(".git")
with open(".gitignore", "w") as out:
    out.write("*.log\nbuild-*/\n/dist\n!keep.log\nnode_modules/\n")
alert = {"aps": {"alert": {"title": "Bell", "body": "Someone replied to your edit"}, "badge": 3, "sound": "default"}, "id": 7}
good = json.dumps(alert)
silent = json.dumps({"aps": {"thread-id": "talk"}, "id": 7})
lines = (good + "\n") * 10
other = json.dumps({"name": "example", "version": "1.0.0", "scripts": {"test": "true"}, "dependencies": {"left-pad": "1"}})
for start in range(0, files, 100):
    number = start // 100
    name = f"build-{number % 10}" if number % 10 == 9 else f"part-{number % 10}"
    place = f"group-{number // 100}/set-{number // 10 % 10}/{name}"
    os.makedirs(place, exist_ok=True)
    if number % 5 == 0:
        with open(f"{place}/.gitignore", "w") as out:
            out.write("*.tmp\n/scratch/\n")
    for index in range(min(100, files - start)):
        suffix, text = ("json", good) if index < 50 else ("json", silent) if index < 60 else ("ndjson", lines) if index < 65 \
            else ("json", other) if index < 85 else ("log", "line\n") if index < 90 else ("txt", "text\n")
        with open(f"{place}/file-{index}.{suffix}", "w") as out:
            out.write(text)
PYTHON

# Fails unless a program finishes as it should: 0, or 1 for lint and searches that find nothing.
python3 - "$pushpipe" "$ROUNDS" <<'PYTHON'
import os, shutil, subprocess, sys, time
pushpipe, rounds = sys.argv[1], int(sys.argv[2])
programs = [
    ("`find . -type f`", ["find", ".", "-type", "f"]),
    ("`rg --files`", ["rg", "--files"]),
    ("`rg --files -j1`", ["rg", "--files", "-j1"]),
    ("`rg -l aps -g '*.{json,ndjson}'`", ["rg", "-l", "aps", "-g", "*.{json,ndjson}", "."]),
    ("`lint -g '*.none' --set input.allow-empty`, which reads no file", [pushpipe, "lint", "-q", "-g", "*.none", "--set", "input.allow-empty", "."]),
    ("`lint -j1`", [pushpipe, "lint", "-q", "-j1", "."]),
    ("`lint`", [pushpipe, "lint", "-q", "."]),
]
programs = [(name, command) for name, command in programs if shutil.which(command[0])]
best = {}
for _ in range(rounds):
    for name, command in programs:
        before = os.times()
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        after = os.times()
        if done.returncode > 1:
            sys.exit(f"lint-scale: {' '.join(command)} ended with status {done.returncode}")
        used = after.children_user - before.children_user + after.children_system - before.children_system
        best[name] = min(best.get(name, (seconds, used)), (seconds, used))
print("| | Seconds | Processor, s | Seconds per `rg --files -j1` |\n|---|---:|---:|---:|")
unit = best.get("`rg --files -j1`", best["`find . -type f`"])[0]
for name, _ in programs:
    seconds, used = best[name]
    print(f"| {name} | {seconds:.2f} | {used:.2f} | {seconds / unit:.1f} |")
PYTHON
printf '\n%s files in %s folders; %s\n' "$FILES" "$(find . -type d | wc -l | tr -d ' ')" "$(describe_machine)"
