#!/usr/bin/env bash
# Streams divided into parts and delivered by what divides work in real life: xargs, GNU parallel, Redis, Kafka's clients and Spark.
# Tests/Line/ScaleOut/README.md says more. Python packages go into .build/scale-out. Arguments go to Tests/Line/ScaleOut/run.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# Where there is no apt-get, a case whose programs are not installed is skipped.
if command -v apt-get >/dev/null; then
    Scripts/setup.sh python3 redis-server kcat parallel jq procps openjdk-17-jre-headless
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
fi

pushpipe=$(build_command)
Tests/Line/ScaleOut/run.py --pushpipe "$pushpipe" "$@"
# Streams whose records are mutated.
Tests/Line/ScaleOut/mutated.py --pushpipe "$pushpipe" --seeds 1-2000
