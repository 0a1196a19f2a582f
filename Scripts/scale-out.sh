#!/usr/bin/env bash
# Streams divided into parts and delivered by what divides work in real life: xargs, GNU parallel, Redis, Kafka's clients and Spark.
# Tests/Line/ScaleOut/README.md says more. Python packages go into .build/scale-out. Arguments go to Tests/Line/ScaleOut/run.py.
#
#   Scripts/scale-out.sh --short    fewer records, parts and kills, and without Spark: what CI runs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# Where there is no apt-get, a case whose programs are not installed is skipped.
if command -v apt-get >/dev/null; then
    Scripts/setup.sh python3 redis-server kcat parallel jq procps
    if [[ " $* " != *" --short "* ]]; then Scripts/setup.sh openjdk-17-jre-headless; fi
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
fi

arguments=()
for word in "$@"; do
    if [[ $word == --short ]]; then
        arguments+=(--records 6000 --parts 1,7 --kills 8)
        for case in shell parallel columns redis kafka; do arguments+=(--case "$case"); done
    else
        arguments+=("$word")
    fi
done

pushpipe=$(build_command)
Tests/Line/ScaleOut/run.py --pushpipe "$pushpipe" ${arguments[@]+"${arguments[@]}"}
# Streams whose records are mutated; `make scale-out SCALEFLAGS=--short` is what CI runs.
seeds=1-2000
[[ " $* " != *" --short "* ]] || seeds=1-20
Tests/Line/ScaleOut/mutated.py --pushpipe "$pushpipe" --seeds "$seeds"
