#!/usr/bin/env bash
# Checks what is staged for the next commit, in seconds: the format of Swift files, the syntax of shell scripts, conflict markers, and the
# house rules. It checks the staged contents, not the files in the working tree. Scripts/install-hooks.sh installs it as a Git hook.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
swift=() shell=()
while IFS= read -r -d '' file; do
    case $file in
        *.swift) swift+=("$file") ;;
        *.sh | .ci/run) shell+=("$file") ;;
    esac
done < <(git diff --cached --name-only -z --diff-filter=ACMR)

status=0
git diff --cached --check -- '*.swift' '*.sh' '*.md' Makefile || status=1
if ((${#swift[@]} + ${#shell[@]} > 0)); then
    git checkout-index --prefix="$stage/" -- .swift-format ${swift[@]+"${swift[@]}"} ${shell[@]+"${shell[@]}"}
    cd "$stage"
    for file in ${shell[@]+"${shell[@]}"}; do bash -n "$file" || status=1; done
    if ((${#swift[@]} > 0)); then
        swift format lint --strict --parallel "${swift[@]}" || status=1
    fi
    cd - >/dev/null
fi
Scripts/check-house.sh || status=1
if ((status != 0)); then echo "check-staged: 'make format' fixes the layout; 'git commit --no-verify' skips this check" >&2; fi
exit "$status"
