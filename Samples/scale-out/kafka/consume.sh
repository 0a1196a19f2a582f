#!/usr/bin/env bash
# Consumes one partition of a Kafka topic, up to its end, and may be killed at any time: start it again.
#
#   consume.sh BROKER TOPIC PARTITION STORE REPORT [OPTIONS OF pushpipe run]
#
# The messages are lines of `pushpipe partition --key-column`, without the first two columns. Each goes to one `pushpipe run` with the
# name of its partition and its offset, which the store keeps in the transaction of the delivery; so the store alone says where to go
# on. The report is appended to a file, which `--resume` completes after a kill.
set -euo pipefail
broker=$1 topic=$2 partition=$3 store=$4 report=$5
shift 5
pushpipe=${PUSHPIPE:-pushpipe}

# A run that has lost its kcat commits the rest first.
exec 9>"$store.lock"
flock 9

next=beginning
if [[ -e $store ]]; then
    offset=$("$pushpipe" store offsets --format ndjson "$store" |
        jq -r --arg stream "$topic/$partition" 'select(.stream == $stream) | .offset')
    [[ -z $offset ]] || next=$((offset + 1))
fi

# The length of each message comes along, because a kcat that is killed leaves half a line.
kcat -q -C -b "$broker" -t "$topic" -p "$partition" -o "$next" -e -f "%o %S %s\n" |
    LC_ALL=C awk -v stream="$topic/$partition" '{
        line = substr($0, length($1) + length($2) + 3)
        if (length(line) != $2) exit
        # The first line of a part has no place.
        if (!sub(/^[{]"place":[{]/, "", line)) { print line; next }
        printf "{\"place\":{\"stream\":\"%s\",\"offset\":%s,%s\n", stream, $1, line
    }' |
    "$pushpipe" run --resume --store "$store" --format ndjson "$@" >>"$report"
