#!/usr/bin/env bash
# Checks the manifest. Dependent packages rely on products that exist on every system, and on a plain build that fetches nothing that only
# benchmarks need. A target declares only modules that its files import; the build itself refuses an import that is not declared.
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

# Every target with the modules that it declares. A command is run and not imported, and CPushAuthorities does its work when it is loaded.
declared() {
    PUSHPIPE_BENCHMARKS=1 swift package --scratch-path .build/tests dump-package | jq --raw-output '
        (reduce .targets[] as $target ({}; .[$target.name] = $target.type)) as $types
        | .targets[] | select(.type != "system" and .type != "plugin")
        | .name as $name | .path as $path
        | .dependencies[] | (.byName // .target // .product)[0]
        | select($types[.] != "executable" and . != "CPushAuthorities") | [$name, $path, .] | @tsv'
}
unused=$(
    while IFS=$'\t' read -r target path module; do
        grep --recursive --quiet --extended-regexp "(import|include) .*\b$module\b" "$path" || printf '\n%s: %s' "$target" "$module"
    done < <(declared)
)
[[ -z $unused ]] || fail "Package.swift declares what no file of the target imports:$unused"
