#!/usr/bin/env bash
# Lints with annotations at the lines of the findings. The status is that of `pushpipe lint`.
set -euo pipefail

# PATHS and ARGUMENTS are words; a pattern in them is not expanded.
set -f
# shellcheck disable=SC2086
exec pushpipe lint --quiet --format github $ARGUMENTS -- $PATHS
