#!/usr/bin/env bash
# Checks what dependent packages rely on: the products exist on every system, and a plain build fetches nothing that only
# benchmarks need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'check-manifest: %s\n' "$*" >&2; exit 1; }

# A manifest is compiled for the build system, which is not always the target system.
if grep -nE '#if +(os|canImport)\(' Package.swift >&2; then
    fail "Package.swift depends on the system; put the condition into the sources, or into a dependency: .when(platforms:)"
fi

# In the folder of the tests, so that the packages are there only once.
manifest=$(swift package --scratch-path .build/tests dump-package)
for product in PushPipeline PushpipeTesting pushpipe UserNotifications ServiceExtension ServiceExtensionTesting ExtensionRuntime; do
    jq --exit-status --arg name "$product" 'any(.products[]; .name == $name)' <<<"$manifest" >/dev/null ||
        fail "Package.swift has no product $product"
done

# The identities that SwiftPM derives from the dependencies' URLs.
dependencies=$(swift package --scratch-path .build/tests show-dependencies --format json | jq --raw-output '.. | .identity? // empty')
for identity in benchmark; do
    ! grep --quiet --line-regexp "$identity" <<<"$dependencies" || fail "a plain build fetches $identity; guard it with a variable"
done
