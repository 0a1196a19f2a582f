#!/usr/bin/env bash
# Prints the public declarations of the library products, one a line: module, name, declaration. A release freezes them.
#
#   Scripts/public-symbols.sh [PRODUCT]...    all libraries without a PRODUCT
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh
source Scripts/symbol-graph.sh

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
modules=$(swift package dump-package | jq -r --args '.products[] | select(.type.library)
    | select($ARGS.positional == [] or (.name | IN($ARGS.positional[]))) | .targets[]' "$@")
# With the modules that come along when one is imported.
while more=$(for module in $modules; do
    if [[ -f $(echo Sources/*/"$module"/Exports.swift) ]]; then
        sed -nE 's/^@_exported public import ([a-z]+ )?([A-Za-z]+).*/\2/p' Sources/*/"$module"/Exports.swift
    fi
done | grep -vxF "$modules"); do modules+=$'\n'$more; done
for module in $(sort -u <<<"$modules"); do
    build --target "$module"
    symbol_graph "$module" "$graphs"
done
jq -r '.module.name as $in | .symbols[]
    | [$in, (.pathComponents | join(".")), (.declarationFragments | map(.spelling) | add | gsub("\\s+"; " "))] | @tsv' \
    "$graphs"/*.json | LC_ALL=C sort -u
