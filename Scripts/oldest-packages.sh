#!/usr/bin/env bash
# Compiles what imports a package with the oldest version of that package which Package.swift allows, where its range has more than one major
# version: a dependent may be bound to that one by its other packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/setup.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/pushpipe"
cd "$work/pushpipe"
swift package resolve >&2
# A package, its oldest version, and the only target that imports it.
while read -r package version target; do
    swift package resolve "$package" --version "$version" >&2
    swift build --target "$target" >&2
    printf '%s compiles with %s %s\n' "$target" "$package" "$version"
done <<'END'
swift-crypto 3.12.3 PushGatewayTLS
END
