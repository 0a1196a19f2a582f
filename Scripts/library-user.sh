#!/usr/bin/env bash
# Tests Samples/LibraryUser, outside of this repository, as a package of a user: it depends on a clone of this commit by URL and version. The
# version's tag is in that clone alone. Checks that mistakes do not compile there (Scripts/mistakes.sh). Compiles the libraries from nothing, which takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/setup.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --bare . "$work/pushpipe"
git -C "$work/pushpipe" -c user.name=release -c user.email=release@example.org tag 0.2.0 "$(git rev-parse HEAD)"
cp -R Samples/LibraryUser "$work/"
rm -rf "$work/LibraryUser/.build"
export PUSHPIPE_URL=file://$work/pushpipe
start=$SECONDS
swift test --package-path "$work/LibraryUser" --cache-path "$work/cache" "$@"
Scripts/mistakes.sh "$work/LibraryUser/.build/debug"
printf 'library-user: everything built and tested in %d s\n' $((SECONDS - start)) >&2
