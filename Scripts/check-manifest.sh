#!/usr/bin/env bash
# Checks what a package that depends on this one relies on: the products are there on every system, and a plain build fetches nothing that
# only benchmarks or extension shims need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'check-manifest: %s\n' "$*" >&2; exit 1; }

# A manifest is compiled for the system that builds, which need not be the one that is built for.
if grep -nE '#if +(os|canImport)\(' Package.swift >&2; then
    fail "Package.swift depends on the system; put the condition into the sources, or into a dependency: .when(platforms:)"
fi

manifest=$(swift package dump-package)
for product in PushPipeline pushpipe UserNotifications ServiceExtension ExtensionRuntime; do
    jq --exit-status --arg name "$product" 'any(.products[]; .name == $name)' <<<"$manifest" >/dev/null ||
        fail "Package.swift has no product $product"
done

# Names that SwiftPM gives to dependencies, from their addresses.
dependencies=$(swift package show-dependencies --format json | jq --raw-output '.. | .identity? // empty')
for identity in benchmark swift-crypto; do
    ! grep --quiet --line-regexp "$identity" <<<"$dependencies" || fail "a plain build fetches $identity; guard it with a trait"
done
