#!/usr/bin/env bash
# Measures service extensions in their own processes: Xcode's template, built by `pushpipe extension build`, next to the same in Python and
# no extension. They take turns on the same pushes. Prints a table; Benchmarks/README.md explains it.
#
#   RECORDS=200000 ROUNDS=5 PUSHPIPE=path Benchmarks/extensions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

records=${RECORDS-200000}
rounds=${ROUNDS-5}
check_number records
check_number rounds
pushpipe=$(find_pushpipe --whole)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say "building the extension for release"
swift_extension=$("$pushpipe" extension build --configuration release Benchmarks/TemplateExtension)
python_extension=Benchmarks/peers/template_extension.py

# Every push for its own device, and every push for one device: there each has to wait for the one before.
write_pushes() {
    awk -v records="$1" -v devices="$2" 'BEGIN {
        for (i = 0; i < records; i++)
            printf "{\"device\":\"%064x\",\"headers\":{\"apns-topic\":\"org.example.news\",\"apns-push-type\":\"alert\"},\"payload\":{\"aps\":{\"alert\":{\"title\":\"Election night\",\"body\":\"%d of 98 districts counted\"},\"sound\":\"default\",\"mutable-content\":1},\"id\":%d,\"url\":\"https://example.org/news/%d\"}}\n", i % devices, i, i, i
    }'
}
write_pushes "$records" "$records" > "$folder/many.ndjson"
write_pushes "$((records / 4))" 1 > "$folder/one.ndjson"

# Wall-clock seconds of one run.
measure() {
    local start end
    start=$(date +%s%N)
    "$pushpipe" run --format none --quiet "${@:2}" "$folder/$1.ndjson"
    end=$(date +%s%N)
    awk -v ns=$((end - start)) 'BEGIN { printf "%.4f\n", ns / 1e9 }'
}

names=("no extension, many devices" "Swift, many devices" "Swift, many devices, 2 processes" "Swift, one device"
    "Python, many devices" "Python, many devices, 2 processes")
run_case() {
    case $1 in
        0) measure many ;;
        1) measure many --extension "$swift_extension" ;;
        2) measure many --extension "$swift_extension" --set extension.instances=2 ;;
        3) measure one --extension "$swift_extension" ;;
        4) measure many --extension "$python_extension" ;;
        5) measure many --extension "$python_extension" --set extension.instances=2 ;;
    esac
}

for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    for index in "${!names[@]}"; do run_case "$index" >> "$folder/times.$index"; done
done

echo "| | Pushes | Median, s | Pushes a second | µs a push | Fastest, slowest, s |"
echo "|---|---:|---:|---:|---:|---:|"
for index in "${!names[@]}"; do
    count=$records
    ((index == 3)) && count=$((records / 4))
    LC_ALL=C sort -n "$folder/times.$index" | awk -v name="${names[$index]}" -v count="$count" '
        { times[NR] = $1 }
        END {
            median = NR % 2 ? times[(NR + 1) / 2] : (times[NR / 2] + times[NR / 2 + 1]) / 2
            printf "| %s | %d | %.2f | %d | %.1f | %.2f, %.2f |\n", name, count, median, count / median, 1e6 * median / count, times[1], times[NR]
        }'
done
echo
describe_machine
echo
