#!/usr/bin/env bash
# Runs bench.py with a Python that has orjson and matplotlib: $PYTHON, or a virtual environment in .build/bench-venv.
# Without network it takes python3 as it is. Arguments are bench.py's: Benchmarks/bench.sh --help
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

venv=.build/bench-venv
python=${PYTHON-}
if [[ -z $python ]]; then
    command -v python3 >/dev/null || fail "there is no python3 (Scripts/setup.sh python3)"
    python=$venv/bin/python
    if ! "$python" -c 'import matplotlib, orjson' 2>/dev/null; then
        say "making $venv with orjson and matplotlib"
        if ! { python3 -m venv "$venv" && "$python" -m pip install --quiet orjson matplotlib; } >&2; then
            say "that failed; going on with python3 as it is (Scripts/setup.sh python3-venv, or PYTHON=)"
            python=python3
        fi
    fi
fi
export PYTHONDONTWRITEBYTECODE=1 # the folder belongs to the repository
exec "$python" Benchmarks/bench.py "$@"
