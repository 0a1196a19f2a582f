#!/usr/bin/env bash
# Writes the findings as SARIF, and names the file in the step's outputs. Findings do not fail this step: the next one reports them.
set -euo pipefail

# PATHS and ARGUMENTS are words; a pattern in them is not expanded.
set -f
file=${RUNNER_TEMP:?}/pushpipe.sarif
status=0
# shellcheck disable=SC2086
pushpipe lint --quiet --format sarif $ARGUMENTS -- $PATHS >"$file" || status=$?
((status <= 1)) || exit "$status"
echo "file=$file" >>"${GITHUB_OUTPUT:?}"
