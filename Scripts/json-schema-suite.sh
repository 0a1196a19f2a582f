#!/usr/bin/env bash
# Fetches the official JSON-Schema-Test-Suite into .build/json-schema-suite, from the source package of python-jsonschema on PyPI, which
# contains it. Its cases are not committed. OfficialSuiteSlowTests calls this and runs the cases that draft 2020-12 requires.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Fixed, so that the number of cases is too.
version=4.26.0
folder=.build/json-schema-suite

if [[ -d $folder/tests/draft2020-12 ]]; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-binary :all: --no-deps --dest "$work" "jsonschema==$version" >&2
tar -xzf "$work/jsonschema-$version.tar.gz" -C "$work"
mkdir -p .build
rm -rf "$folder"
mv "$work/jsonschema-$version/json" "$folder"
