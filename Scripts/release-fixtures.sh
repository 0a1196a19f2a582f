#!/usr/bin/env bash
# Keeps what the version to be released writes, in Tests/Command/CommandTests/Releases/VERSION: a store, a report, a configuration and findings.
# Tests read them with every later version. RELEASING.md says when to run this.
#
# PUSHPIPE_COMMAND    the command; by default a release build made now
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pushpipe=$(realpath "${PUSHPIPE_COMMAND:-$(Scripts/release.sh)/pushpipe}")
version=$("$pushpipe" --version | head -n 1)
folder=Tests/Command/CommandTests/Releases/$version
rm -rf "$folder"
mkdir -p "$folder"
cat Samples/night-flight.ndjson Samples/quickstart.ndjson >"$folder/input.ndjson"
cp Samples/every-bad-record.ndjson "$folder/lint.ndjson"
cat >"$folder/pushpipe.yml" <<'END'
lint:
  severity: info
  disable: [json.comment]
  enable: [aps.category-without-alert]
  rules:
    aps.nothing-visible: error
    aps: warning
  per-file:
    "legacy/**": [gcm, json]
    "*.apns":
      select: [aps, alert]
  files: ["*.push"]
  exclude:
    - old/
  budget: apns-voip
END
cd "$folder"
"$pushpipe" run --quiet --clock 2026-11-03T20:00:00Z --store store.db input.ndjson >report.ndjson
"$pushpipe" store export --complete --events store.db >export.ndjson
# Findings are errors here, so the status is 1.
"$pushpipe" lint --quiet --format ndjson --config pushpipe.yml lint.ndjson >findings.ndjson || (($? == 1))
rm -f store.db-*
ls -l
