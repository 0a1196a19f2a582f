#!/usr/bin/env bash
# Installs a Git hook that runs Scripts/check-staged.sh before each commit. An existing hook stays.
# `Scripts/install-hooks.sh --remove` removes ours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hook=$(git rev-parse --git-path hooks)/pre-commit
line='exec Scripts/check-staged.sh'
is_ours() { [[ -e $hook ]] && grep -qxF "$line" "$hook"; }

if [[ ${1-} == --remove ]]; then
    if is_ours; then rm -v "$hook"; fi
    exit 0
fi
if [[ -e $hook ]] && ! is_ours; then
    echo "hooks: $hook already exists; add this line to it: Scripts/check-staged.sh" >&2
    exit 1
fi
mkdir -p "$(dirname "$hook")"
printf '#!/bin/sh\n%s\n' "$line" >"$hook"
chmod +x "$hook"
echo "hooks: $hook runs Scripts/check-staged.sh before each commit" >&2
