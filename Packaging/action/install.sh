#!/usr/bin/env bash
# Installs the release $VERSION for the rest of a job, unless a pushpipe is installed already. Its archive has to have the checksum that
# the release names.
#
# RELEASES    where releases are; by default those of the repository
set -euo pipefail

if command -v pushpipe >/dev/null; then
    pushpipe --version
    exit 0
fi
[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "::error::version: '$VERSION' is not a version such as 0.2.0"; exit 1; }
[[ $(uname) == Linux ]] || { echo "::error::releases are for Linux; install pushpipe with Homebrew first"; exit 1; }

name=pushpipe-$VERSION-linux-$(uname -m)
releases=${RELEASES:-https://github.com/pushpipe/pushpipe/releases/download}
folder=${RUNNER_TEMP:?}/pushpipe
mkdir -p "$folder"
for file in "$name.tar.gz" SHA256SUMS; do
    curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" "$releases/$VERSION/$file"
done
(cd "$folder" && grep -F "  $name.tar.gz" SHA256SUMS | sha256sum --check --strict)
tar -xzf "$folder/$name.tar.gz" -C "$folder"
echo "$folder/$name/bin" >>"${GITHUB_PATH:?}"
"$folder/$name/bin/pushpipe" --version
