#!/usr/bin/env bash
# Checks the rules of this repository that no compiler checks. Prints one line per violation; the status is 1 if there is any.
#
# - A module imports only modules above it in Package.swift, which has them by district.
# - No public declaration of a library has a type that points into memory, unless its name says `unsafe`.
# - A Swift file in Sources has at most 800 lines.
# - A test is in a suite whose name ends in `Tests`. If it ends in `SlowTests`, `make soak` runs it, and otherwise `make test`.
# - No test waits for a duration; a test waits for a signal.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

max_file_lines=800

status=0
violation() {
    printf '%s\n' "$*" >&2
    status=1
}
# Reads violations, one per line.
violations() {
    local line
    while IFS= read -r line; do violation "$line"; done
}

# MARK: Modules

# Each target of a district with its place in Package.swift.
rows() {
    awk '
        /district\($/ { inside = 1 }
        inside && match($0, /name: "[A-Za-z-]+"/) && !/package:/ { print substr($0, RSTART + 7, RLENGTH - 8), ++row }
        /^    \]\)/ { inside = 0 }
    ' Package.swift
}

# Each import in the Swift files of Sources: file, importing module, imported module. The shims count as one module.
imports() {
    find Sources -name '*.swift' -print0 | xargs -0 awk '
        match($0, /^ *(@[A-Za-z_]+(\([A-Za-z]+\))? +)*((public|package|internal|fileprivate|private) +)?import +/) {
            words = substr($0, RLENGTH + 1)
            n = split(words, part, " ")
            name = part[1] ~ /^(struct|class|enum|protocol|func|typealias|let|var)$/ ? part[2] : part[1]
            sub(/\..*/, "", name)
            split(FILENAME, folder, "/")
            print FILENAME, folder[3] == "Shims" ? "ExtensionBuild" : folder[3], name
        }
    '
}

violations < <(
    awk '
        NR == FNR { row[$1] = $2; next }
        !($2 in row) { if (!unknown[$2]++) print $1 ": Package.swift has no target " $2 " in a district"; next }
        $3 in row && $2 != $3 && row[$3] >= row[$2] {
            print $1 ": " $2 " imports " $3 ", which is not above it in Package.swift"
        }
    ' <(rows) <(imports)
)

# MARK: Interfaces

# Apple's interfaces are as Apple made them. A declaration goes on until its parentheses close.
violations < <(
    find Sources -name '*.swift' ! -path '*/Apple/UserNotifications/*' ! -path '*/Apple/Shims/*' -print0 | xargs -0 awk '
        FNR == 1 { open = 0; text = "" }
        open > 0 || /^ *(@[A-Za-z]+(\([^)]*\))? +)*(public|open) / {
            if (!open) { text = ""; place = FILENAME ":" FNR }
            text = text $0
            open += gsub(/\(/, "(") - gsub(/\)/, ")")
            if (open <= 0) sub(/\{.*/, "", text)
            if (open <= 0 && text ~ /Unsafe(Mutable)?(Raw)?(Buffer)?Pointer|OpaquePointer/ && text !~ /(func|var|let) [^:(<]*[uU]nsafe|\(unsafe/)
                print place ": a public declaration with an unsafe pointer"
        }
    '
)

# MARK: Files

violations < <(
    find Sources -name '*.swift' -print0 | xargs -0 wc -l | awk -v max="$max_file_lines" '
        $2 != "total" && $1 > max { print $2 ": " $1 " lines; at most " max " are allowed" }
    '
)

# swift-format knows no JavaScript.
violations < <(
    awk 'length > 160 { print FILENAME ":" FNR ": a line of " length " columns; at most 160 are allowed" }' Sources/Pictures/CPushConsolePage/Page/*.js
)

# MARK: Tests

violations < <(
    find Tests Fuzzing/FuzzTargetTests -name '*.swift' -print0 | xargs -0 awk '
        # Linux-only code is indented below `#if os(Linux)`.
        FNR == 1 { suite = ""; isIndented = /^#if/ }
        isIndented { sub(/^    /, "") }
        match($0, /^((@[A-Za-z]+(\([^)]*\))? +)|(package|public|private|fileprivate|final|indirect) +)*(struct|class|enum|actor|extension) +[A-Za-z0-9_]+/) {
            n = split(substr($0, 1, RLENGTH), part, " ")
            suite = part[n]
            if (suite ~ /Slow/ && suite !~ /SlowTests$/) print FILENAME ":" FNR ": name the slow suite " suite " ...SlowTests"
        }
        /^ *@Test/ {
            if (/^@Test/) print FILENAME ":" FNR ": a test outside of a suite"
            else if (suite !~ /Tests$/) print FILENAME ":" FNR ": the name of the suite " suite " does not end in Tests"
        }
    '
)

# An extension that never answers is a program that sleeps. These tests start such programs.
violations < <(
    grep -rnE --include='*.swift' '\bu?sleep ?\(|\bsleep [0-9]|(Thread|Task)\.sleep|asyncAfter' Tests |
        grep -vE '^Tests/(Apple/(ExtensionHostingTests|ServiceExtensionTests|ExtensionProbe)|Command/CommandTests/Extension[A-Za-z]*\.swift)' |
        sed 's/$/ : a test waits for a duration/' || true
)

exit "$status"
