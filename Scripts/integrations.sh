#!/usr/bin/env bash
# Tries what other tools read: lints the Dockerfile with hadolint, runs the steps of action.yml as GitHub would, except those that need
# its service, and has pre-commit run the hooks in a sample repository.
#
# PUSHPIPE_COMMAND    the command; by default a release build made now
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'integrations: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

Scripts/setup.sh python3 curl
tools=.build/packaging-tools
if [[ ! -x $tools/bin/python ]]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
    python3 -m venv "$tools"
fi
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement Packaging/requirements.txt
tools=$PWD/$tools
command_file=${PUSHPIPE_COMMAND:-$(Scripts/release.sh)/pushpipe}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$command_file")" "$work/bin/pushpipe"
export PATH=$work/bin:$PATH

# MARK: Dockerfile

"$tools/bin/hadolint" Dockerfile
say "hadolint has nothing to say about the Dockerfile"

# MARK: Bill of materials

for file in .build/dist/*.cdx.json; do
    [[ -f $file ]] || continue
    "$tools/bin/python" -c '
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1], encoding="utf-8").read())
sys.exit(str(error) if error else 0)' "$file" || fail "$file is not CycloneDX 1.5"
    say "$(basename "$file") is valid CycloneDX 1.5"
done

# MARK: Action

# A repository with a payload that has an error, and one that has none.
sample=$work/sample
mkdir -p "$sample/payloads"
echo '{"aps":{"alert":"Late count","mutable_content":1}}' >"$sample/payloads/wrong.json"
echo '{"aps":{"alert":"Dinner is ready"}}' >"$sample/payloads/right.json"
action() { "$tools/bin/python" Packaging/action/try.py --folder "$sample" --temporary "$work" "$@"; }

action paths=payloads/right.json >"$work/log" || fail "the action fails without an error: $(<"$work/log")"
if action paths=payloads >"$work/log"; then fail "the action succeeds in spite of an error"; fi
grep -q '^::error .*file=payloads/wrong.json,line=1.*mutable_content' "$work/log" || fail "no annotation: $(<"$work/log")"
grep -q 'aps.misspelled-key' "$work/pushpipe.sarif" || fail "SARIF does not have the finding"
action paths=payloads 'arguments=--ignore aps' sarif=false >"$work/log" || fail "the action ignores its arguments: $(<"$work/log")"
say "the steps of action.yml annotate, write SARIF and fail as they should"

# With a release instead of an installed command: what the action downloads is checked against its checksum.
machine=$(uname -m)
if [[ $(uname) == Linux ]]; then
    version=$(pushpipe --version | head -n 1)
    name=pushpipe-$version-linux-$machine
    release=$work/releases/$version
    mkdir -p "$release" "$work/$name/bin"
    cp -L "$work/bin/pushpipe" "$work/$name/bin/"
    tar -C "$work" -czf "$release/$name.tar.gz" "$name"
    (cd "$release" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
    rm "$work/bin/pushpipe"
    export RELEASES=file://$work/releases
    action paths=payloads/right.json "version=$version" >"$work/log" || fail "the action cannot install a release: $(<"$work/log")"
    echo more >>"$release/$name.tar.gz"
    if action paths=payloads/right.json "version=$version" >"$work/log" 2>&1; then fail "the action installs an archive with another checksum"; fi
    if action paths=payloads/right.json 'version=0.2.0; true' >"$work/log" 2>&1; then fail "the action takes any text for a version"; fi
    ln -s "$(realpath "$command_file")" "$work/bin/pushpipe"
    say "action.yml installs a release, and refuses one with another checksum"
fi

# MARK: pre-commit

hooks=$work/hooks
mkdir "$hooks"
cp .pre-commit-hooks.yaml pyproject.toml "$hooks/"
# In place of the registry: a wheel of the command.
mkdir -p "$work/root/bin" "$work/wheels"
strip -o "$work/root/bin/pushpipe" "$(realpath "$command_file")" 2>/dev/null || cp -L "$command_file" "$work/root/bin/pushpipe"
Packaging/registries.py "$work/root" "$(pushpipe --version | head -n 1)" "$work/wheels"
export PIP_FIND_LINKS=$work/wheels
repository() { git -C "$1" -c user.name=sample -c user.email=sample@example.org "${@:2}"; }
git -C "$hooks" init --quiet --initial-branch main
repository "$hooks" add .
repository "$hooks" commit --quiet --message hooks
cat >"$sample/.pre-commit-config.yaml" <<END
repos:
  - repo: file://$hooks
    rev: $(git -C "$hooks" rev-parse HEAD)
    hooks:
      - id: pushpipe-lint
      - id: pushpipe-test
END
cp Samples/Scenarios/replacement-by-tag.feature "$sample/"
git -C "$sample" init --quiet --initial-branch main
repository "$sample" add .
# Its clones go into a folder of their own, which is removed.
export PRE_COMMIT_HOME=$work/pre-commit
try_hooks() { (cd "$sample" && "$tools/bin/pre-commit" run --all-files --color never); }
if try_hooks >"$work/log" 2>&1; then fail "pre-commit passes in spite of an error"; fi
grep -q '^pushpipe lint\.*Failed' "$work/log" || fail "pre-commit: pushpipe-lint found nothing: $(<"$work/log")"
grep -q '^pushpipe test\.*Passed' "$work/log" || fail "pre-commit: pushpipe-test does not pass: $(<"$work/log")"
repository "$sample" rm --quiet --force payloads/wrong.json
sed -i.old 's/Then .*/Then the phone is on fire/' "$sample/replacement-by-tag.feature"
repository "$sample" add --update
if try_hooks >"$work/log" 2>&1; then fail "pre-commit passes in spite of a scenario that fails"; fi
grep -q '^pushpipe lint\.*Passed' "$work/log" || fail "pre-commit: pushpipe-lint does not pass: $(<"$work/log")"
grep -q '^pushpipe test\.*Failed' "$work/log" || fail "pre-commit: pushpipe-test found nothing: $(<"$work/log")"
say "pre-commit runs both hooks"
