#!/usr/bin/env bash
# Builds what a release consists of, for the machine it runs on, into .build/dist: an archive, a Debian package, a Python wheel, two npm
# packages, a software bill of materials (CycloneDX) and checksums; on macOS the wheel and the npm packages alone. The same commit with the same compiler and libraries gives the same bytes; RELEASING.md names
# what the bytes depend on.
#
#   Scripts/dist.sh                  anew
#   Scripts/dist.sh --unless-made    only if there is none since the last commit
#
# SOURCE_DATE_EPOCH    the time of all files, in seconds since 1970; by default that of the commit
# MAX_MIB              the largest size of the command, in MiB; by default the limit in RELEASING.md
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'dist: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

isLinux=false
if [[ $(uname) == Linux ]]; then isLinux=true; fi
made=$(stat -c %Y .build/dist/SHA256SUMS 2>/dev/null || echo 0)
if [[ ${1-} == --unless-made ]] && ((made > $(git log -1 --format=%ct))); then
    printf '%s\n' .build/dist
    exit 0
fi
if $isLinux; then Scripts/setup.sh dpkg-dev binutils python3; else Scripts/setup.sh python3; fi

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
export TZ=UTC LC_ALL=C.UTF-8
umask 022
version=$(sed -nE 's/.*static let current = "([^"]+)".*/\1/p' Sources/Lint/PushLint/Reports/ToolVersion.swift)
machine=$(uname -m)
name=pushpipe-$version-linux-$machine
out=.build/dist
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# MARK: Files

DESTDIR=$root PREFIX=/usr Scripts/install.sh >&2
documents=$root/usr/share/doc/pushpipe
install -d "$documents"
install -m 644 README.md CHANGELOG.md LICENSE "$documents"
# What is linked into the command: each package's license and notice.
for package in .build/checkouts/*/; do
    for file in "$package"LICENSE* "$package"NOTICE*; do
        [[ -f $file ]] || continue
        install -d "$documents/licenses/$(basename "$package")"
        install -m 644 "$file" "$documents/licenses/$(basename "$package")/$(basename "$file")"
    done
done
if ! $isLinux; then
    Packaging/registries.py "$root/usr" "$version" "$out"
    printf '%s\n' "$out"
    exit 0
fi
# The same for what comes from the system and the compiler.
system_license() {
    [[ -s $2 ]] || fail "the license of $1 is missing: $2"
    install -D -m 644 "$2" "$documents/licenses/$1/$(basename "$2")"
}
system_license jansson /usr/share/doc/libjansson-dev/copyright
system_license zlib /usr/share/doc/zlib1g-dev/copyright
system_license sqlite /usr/share/doc/libsqlite3-dev/copyright
system_license 'libstdc++' '/usr/share/doc/libstdc++6/copyright'
system_license swift-runtime "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/share/swift/LICENSE.txt"
# The versions of the packages: a later build takes the same with this file in place.
install -m 644 Package.resolved "$documents/Package.resolved"

command_file=$root/usr/bin/pushpipe
size=$(stat -c %s "$command_file")
say "$(printf '%s has %d bytes (%d MiB)' pushpipe "$size" $((size / 1048576)))"
((size <= ${MAX_MIB:-64} * 1048576)) || fail "the command has more than ${MAX_MIB:-64} MiB"
# Nothing but the C library may be loaded from the system.
loaded=$(objdump -p "$command_file" | awk '$1 == "NEEDED" && $2 !~ /^(libc|libm|ld-linux-.*)\.so/ { print $2 }')
! objdump -p "$command_file" | grep -qE '^ *(RPATH|RUNPATH) ' || fail "the command loads libraries from a folder of its own"
[[ -z $loaded ]] || fail "the command loads libraries that may be missing: ${loaded//$'\n'/ }"

# MARK: Bill of materials

sbom=$out/$name.cdx.json
swift package show-dependencies --format json >"$work/dependencies.json" 2>/dev/null
Scripts/sbom.py --version "$version" --dependencies "$work/dependencies.json" >"$sbom"
install -m 644 "$sbom" "$documents/sbom.cdx.json"
Scripts/check-sbom.py --bom "$sbom" --command "$command_file" --resolved Package.resolved --checkouts .build/checkouts \
    --licenses "$documents/licenses"

# MARK: Archive

mkdir "$work/archive"
cp -a "$root/usr" "$work/archive/$name"
find "$work/archive" "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
tar --directory "$work/archive" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" |
    gzip -9n >"$out/$name.tar.gz"

# MARK: Packages

Packaging/registries.py "$root/usr" "$version" "$out"
Packaging/debian/build.sh "$root" "$version" "$out"

(cd "$out" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
ls -l "$out" >&2
printf '%s\n' "$out"
