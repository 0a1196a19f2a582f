#!/usr/bin/env bash
# Makes the Python wheel and the npm packages, installs them into fresh environments without a network, and uses the command there.
#
#   Scripts/registries.sh            with the build for tests: what CI runs
#   Scripts/registries.sh FOLDER     with what Scripts/dist.sh has made
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'registries: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

Scripts/setup.sh python3 nodejs npm binutils
python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -nE 's/.*static let current = "([^"]+)".*/\1/p' Sources/Lint/PushLint/Reports/ToolVersion.swift)

if [[ ${1-} ]]; then
    made=$(cd "$1" && pwd)
else
    source Scripts/test-flags.sh
    root=$work/root
    install -d "$root/bin" "$root/share/pushpipe/Sources/Apple"
    built=$(build_command)
    strip -o "$root/bin/pushpipe" "$built" 2>/dev/null || cp "$built" "$root/bin/pushpipe"
    cp -R Sources/Apple/{CPushAuthorities,UserNotifications,ExtensionRuntime,Shims} "$root/share/pushpipe/Sources/Apple/"
    made=$work/made
    mkdir "$made" "$work/again"
    Packaging/registries.py "$root" "$version" "$made"
    Packaging/registries.py "$root" "$version" "$work/again"
    diff -r "$made" "$work/again" >&2 || fail "the same files give other bytes"
fi

# try COMMAND...: uses an installed command as a pipe, a check and a server.
try() {
    local report status=0 server
    [[ $("$@" --version | head -n 1) == "$version" ]] || fail "$*: --version is not $version"
    report=$(echo '{"aps":{"alert":"Dinner is ready"}}' | "$@" run --quiet)
    [[ $report == *'"outcome":"delivered"'* ]] || fail "$*: run: $report"
    echo '{"aps":{"alert":"x","mutable_content":1}}' | "$@" lint --quiet >"$work/log" 2>&1 || status=$?
    ((status == 1)) || fail "$*: lint ends with status $status: $(<"$work/log")"
    # A signal to what was installed reaches the command, which then stops in order.
    "$@" serve --listen 127.0.0.1:0 >"$work/serve" 2>&1 &
    server=$!
    while ! grep -q 127.0.0.1: "$work/serve"; do kill -0 "$server" || fail "$*: serve: $(<"$work/serve")"; sleep 0.1; done
    kill -TERM "$server"
    status=0
    wait "$server" || status=$?
    ((status == 143)) || fail "$*: serve ends with status $status after SIGTERM: $(<"$work/serve")"
}

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$made" pushpipe
try "$work/python/bin/pushpipe"
[[ $("$work/python/bin/pushpipe" --version) == *"$work/python/share/pushpipe"* ]] || fail "the wheel has no extension sources"
"$work/python/bin/pip" uninstall --quiet --disable-pip-version-check --yes pushpipe
[[ ! -e $work/python/bin/pushpipe ]] || fail "pip leaves the command"
say "pip installs and removes $(cd "$made" && echo *.whl)"

mkdir "$work/node"
echo '{"private":true}' >"$work/node/package.json"
packages=("$made"/pushpipe-*-"$version".tgz)
(cd "$work/node" && npm install --offline --silent --no-audit --no-fund "${packages[@]}" "$made/pushpipe-$version.tgz")
try "$work/node/node_modules/.bin/pushpipe"
rm -r "$work"/node/node_modules/@pushpipe
status=0
"$work/node/node_modules/.bin/pushpipe" --version 2>"$work/log" || status=$?
((status == 2)) && grep -q 'is not installed' "$work/log" || fail "without the platform's package: status $status, $(<"$work/log")"
say "npm installs $(basename "${packages[0]}") and pushpipe-$version.tgz"
