#!/usr/bin/env bash
# Makes a release a second time, from a clone in another folder with the same versions of packages, and compares it with .build/dist. Names
# what differs; the status is 1 if anything does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

Scripts/dist.sh --unless-made >/dev/null
first=$PWD/.build/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/another folder"
cd "$work/another folder"
git checkout --quiet --detach "$(git -C "$OLDPWD" rev-parse HEAD)"
mkdir -p "$work/first"
tar -xzf "$first"/*.tar.gz -C "$work/first" --strip-components=1
cp "$work/first/share/doc/pushpipe/Package.resolved" .
second=$PWD/$(Scripts/dist.sh)

status=0
for file in "$first"/*; do
    if cmp --silent "$file" "$second/$(basename "$file")"; then
        printf 'same       %s\n' "$(basename "$file")"
    else
        printf 'different  %s\n' "$(basename "$file")"
        status=1
    fi
done
if ((status)); then
    mkdir "$work/second"
    tar -xzf "$second"/*.tar.gz -C "$work/second" --strip-components=1
    diff --recursive --brief "$work/first" "$work/second" || true
    for section in $(objdump --section-headers "$work/first/bin/pushpipe" | awk '$1 ~ /^[0-9]+$/ { print $2 }'); do
        cmp --silent <(objcopy --dump-section "$section=/dev/stdout" "$work/first/bin/pushpipe" /dev/null 2>/dev/null) \
            <(objcopy --dump-section "$section=/dev/stdout" "$work/second/bin/pushpipe" /dev/null 2>/dev/null) ||
            printf 'the command differs in %s\n' "$section"
    done
fi
exit "$status"
