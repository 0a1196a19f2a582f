#!/usr/bin/env bash
# Installs missing build dependencies from the system's package manager: jansson, SQLite, zlib, pkg-config, and git, with which
# SwiftPM fetches packages. Swift itself is checked, not installed.
# Further packages can be named: Scripts/setup.sh jq valgrind
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# The manifest's first line is the only place that gives the required Swift version.
check_swift() {
    local needed found
    needed=$(sed -nE '1s|^// swift-tools-version: *([0-9]+\.[0-9]+).*|\1|p' Package.swift)
    command -v swift >/dev/null || fail "Swift $needed or later is needed: https://www.swift.org/install"
    found=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p')
    found=${found:-0.0}
    if ((${found%.*} < ${needed%.*} || (${found%.*} == ${needed%.*} && ${found#*.} < ${needed#*.}))); then
        fail "Swift $needed or later is needed, but this is $found: https://www.swift.org/install"
    fi
}

# Looks for the tool or library before asking the package manager, because it may be installed in another way.
is_present() {
    case $1 in
        libjansson-dev | jansson) pkg-config --exists jansson 2>/dev/null ;;
        libsqlite3-dev | sqlite) pkg-config --exists sqlite3 2>/dev/null ;;
        zlib1g-dev | zlib) pkg-config --exists zlib 2>/dev/null ;;
        *) command -v "$1" >/dev/null || is_installed "$1" ;;
    esac
}

# For a package without a command of the same name.
is_installed() {
    case $manager in
        apt) [[ $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) == "install ok installed" ]] ;;
        brew) brew list --versions "$1" >/dev/null 2>&1 ;;
        *) return 1 ;;
    esac
}

# A container usually runs as root and has no sudo.
as_root() {
    if [[ $(id -u) == 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "not root, and sudo is missing; run as root: $*"
    fi
}

if command -v apt-get >/dev/null; then
    manager=apt
    packages=(git libjansson-dev libsqlite3-dev pkg-config zlib1g-dev)
elif command -v brew >/dev/null; then
    manager=brew
    packages=(git jansson sqlite pkg-config)
else
    manager=none
    packages=(git jansson sqlite pkg-config zlib)
fi

check_swift
missing=()
for package in "${packages[@]}" "$@"; do
    is_present "$package" || missing+=("$package")
done
((${#missing[@]} > 0)) || exit 0

# The package manager's output goes to stderr, so that the standard output of `make run` is pushpipe's alone.
case $manager in
    apt)
        say "installing ${missing[*]} with apt-get"
        options=(-q -o DPkg::Lock::Timeout=300)
        # `apt-get update` does not wait for another one.
        exec 8>"${TMPDIR:-/tmp}/pushpipe-setup-$(id -u).lock"
        if command -v flock >/dev/null; then flock 8; fi
        as_root apt-get "${options[@]}" update >&2
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get "${options[@]}" install -y --no-install-recommends "${missing[@]}" >&2
        ;;
    brew)
        say "installing ${missing[*]} with Homebrew"
        brew install "${missing[@]}" >&2
        ;;
    none)
        say "no apt-get and no Homebrew; install with this system's package manager: ${missing[*]}"
        fail "(for jansson, SQLite 3 and zlib, the development files: headers and pkg-config files)"
        ;;
esac
