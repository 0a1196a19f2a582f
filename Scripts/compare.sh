#!/usr/bin/env bash
# Compares two builds of the command: what they print, write and exit with over the samples, the corpora of the tests and generated streams,
# and what a record and a start cost them. Prints each difference, and exits with status 1 if the outputs differ.
#
#     Scripts/compare.sh [--count N] [--only WORD] [--counts | --no-counts] OLD NEW
#
# OLD, NEW        two commands, such as .build/release/pushpipe of two checkouts
# --count N       records in a generated stream          300000
# --only WORD     the cases whose names contain WORD
# --counts        only instructions per record and per start, under callgrind; --no-counts: without them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
home=$PWD

say() { printf 'compare: %s\n' "$*" >&2; }
fail() { say "$@"; exit 2; }

count=300000 only='' outputs=true counts=true
while (($# > 0)); do
    case $1 in
        --count) count=${2?}; shift ;;
        --only) only=${2?}; shift ;;
        --counts) outputs=false ;;
        --no-counts) counts=false ;;
        -*) fail "unknown option $1; see the beginning of Scripts/compare.sh" ;;
        *) break ;;
    esac
    shift
done
(($# == 2)) || fail "usage: Scripts/compare.sh [--count N] [--only WORD] [--counts | --no-counts] OLD NEW"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for side in old new; do
    [[ -x $1 ]] || fail "not a command: $1"
    mkdir -p "$work/bin/$side"
    ln -s "$(realpath "$1")" "$work/bin/$side/pushpipe"
    shift
done

# MARK: Inputs, made once, by the old command

inputs=$work/inputs
mkdir "$inputs"
make_input() {
    "$work/bin/old/pushpipe" generate --count "$2" "${@:3}" >"$inputs/$1.ndjson"
}
make_inputs() {
    make_input uniform "$count" --seed 1 --record-bytes 415
    make_input random "$count" --seed 2 --device-choice uniform --device-count 50000
    make_input mixed "$count" --seed 3 --mix apns=1,gcm=1,fcm=1 --replace-rate 0.4
    make_input events "$count" --seed 4 --event-rate 0.25 --device-count 20000
    make_input malformed "$count" --seed 5 --malformed-rate 0.05 --event-rate 0.05
    make_input small 3000 --seed 6 --malformed-rate 0.02 --event-rate 0.2 --device-count 200
    printf 'a key of the comparison' >"$inputs/key"
}

# MARK: Cases

# case_ NAME SCRIPT: runs SCRIPT for both commands, each in an empty folder, and compares all that it leaves there, its output and its status.
# In SCRIPT `pushpipe` is the command; $samples, $tests and $inputs are folders.
passed=0 differing=()
case_() {
    [[ $1 == *"$only"* ]] || return 0
    local side
    for side in old new; do
        rm -rf "$work/run"
        mkdir "$work/run"
        (
            cd "$work/run"
            # The same folder for both, because messages name files.
            export PATH=$work/bin/$side:$PATH samples=$home/Samples tests=$home/Tests inputs TZ=UTC clock=2026-01-01T12:00:00Z
            export XDG_DATA_HOME=$work/run/data XDG_CACHE_HOME=$work/run/cache
            status=0
            bash -c "$2" >stdout 2>stderr </dev/null || status=$?
            printf '%s\n' "$status" >status
            # Stores are compared by what they export.
            find . \( -name '*.db' -o -name '*.db-*' -o -name 'cache' -o -name 'data' \) -prune -exec rm -rf {} +
            # Durations and rates.
            sed -E -i 's/[0-9.,]+ ?(ns|µs|ms|s|min)\b/TIME/g; s/[0-9.,]+ (records|messages)\/s/RATE/g' stderr
        )
        rm -rf "$work/$side"
        mv "$work/run" "$work/$side"
    done
    if diff -qr "$work/old" "$work/new" >"$work/difference"; then
        passed=$((passed + 1))
    else
        differing+=("$1")
        printf '\n## %s\n' "$1"
        while read -r line; do
            case $line in
                Files*)
                    read -r _ old _ new _ <<<"$line"
                    printf '%s:\n' "${old#"$work"/old/}"
                    { diff "$old" "$new" || true; } | cut -c1-300 | sed -n 1,8p
                    ;;
                *) printf '%s\n' "${line//$work\//}" ;;
            esac
        done <"$work/difference"
    fi
}
export inputs

# Ten requests of each service, then what the gateway has of them. Ids and times that it makes up are left out.
serve_requests() {
    pushpipe serve --listen 127.0.0.1:0 --clock "$clock" --format ndjson >report 2>log &
    local server=$! gateway=''
    until [[ $gateway ]] || ! kill -0 $server 2>/dev/null; do gateway=$(sed -nE 's|.*(http://127\.0\.0\.1:[0-9]+).*|\1|p' log | head -n 1); done
    ask() {
        curl -s -m 20 -o - -w ' %{http_code}\n' "$@" |
            sed -E 's/"(name|message_id|multicast_id|id|at|timestamp|apns-id)":("[^"]*"|[0-9]+)/"\1":0/g; s/(id|Id)=[^"]*/id=/'
    }
    local n payload json=(-H 'content-type: application/json')
    for n in 1 2 3 4 5 6 7 8 9 10; do
        payload='{"aps":{"alert":{"title":"n'$n'","body":"b"},"mutable-content":1}}'
        if ((n == 9)); then payload='{"aps":{"alert":'; fi
        if ((n == 10)); then payload='{"aps":{"alert":"'$(printf '%5000s' x)'"}}'; fi
        ask --http2-prior-knowledge -H "apns-topic: org.example.app" -H 'apns-push-type: alert' -H "apns-collapse-id: c$((n % 3))" \
            -H "apns-id: 00000000-0000-4000-8000-00000000000$((n % 10))" -d "$payload" "$gateway/3/device/ab5$((n % 4))"
        ask "${json[@]}" -d '{"message":{"token":"abc'$n'","notification":{"title":"n'$n'"},"data":{"votes":'$((n % 2 ? 12 : 0))'}}}' "$gateway/v1/projects/demo/messages:send"
        ask "${json[@]}" -d '{"message":{"token":"abc'$n'","notification":{"title":"n'$n'"},"android":{"notification":{"tag":"t"}}}}' "$gateway/v1/projects/demo/messages:send"
        ask "${json[@]}" -H 'authorization: key=k' -d '{"registration_ids":["a'$n'","b"],"collapse_key":"k","data":{"score":"'$n'"}}' "$gateway/fcm/send"
        ask "${json[@]}" -d '[{"to":"ExponentPushToken[a'$n']","title":"n'$n'"},{"to":"b"}]' "$gateway/--/api/v2/push/send"
        ask "${json[@]}" -d '{"deviceTokens":["ab'$n'0"],"messageType":"checkEchoV1","topic":"org.wikimedia.app"}' "$gateway/v1/message/apns"
        ask "${json[@]}" -H 'x-an-app-name: demo' -H 'x-an-app-key: k' -d '{"device":"ios","token":"ab'$n'0","alert":"n'$n'"}' "$gateway/api/v2/push"
        ask "${json[@]}" -d '{"aps":{"alert":"n'$n'"}}' "$gateway/api/v1/lint"
        ask -d "token=ab${n}0&alert=n$n" "$gateway/notification"
    done
    ask --http2-prior-knowledge -d '{"message-storage-policy":1,"push-type":"LiveActivity"}' "$gateway/1/apps/org.example.app/channels" >/dev/null
    for n in status messages devices 'devices/ab51/screens' journal openapi.json rules/apns.topic; do ask "$gateway/api/v1/$n"; done
    kill -TERM $server
    wait $server
    rm -f log
}
export -f serve_requests

compare_streams() {
    local stream jobs
    for stream in uniform random mixed events malformed; do
        for jobs in 1 2; do
            case_ "run $stream, jobs $jobs, in memory" "pushpipe run -q --clock \$clock -j $jobs --format ndjson \$inputs/$stream.ndjson"
            case_ "run $stream, jobs $jobs, with a store" "
                pushpipe run -q --clock \$clock -j $jobs --format ndjson --store a.db \$inputs/$stream.ndjson >report; echo \$?
                pushpipe store export --complete --events --store a.db | sha256sum"
        done
    done
    case_ "run events, resumed after a kill" '
        >report
        pushpipe run -q --clock $clock --format ndjson --store a.db $inputs/events.ndjson >>report & pid=$!
        until (($(stat -c %s report) > 5000000)) || ! kill -0 $pid 2>/dev/null; do :; done
        kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
        pushpipe run -q --clock $clock --format ndjson --store a.db --resume $inputs/events.ndjson >>report; echo $?
        pushpipe store export --complete --store a.db | sha256sum'
}

compare_commands() {
    local file name options
    for file in Samples/*.ndjson Samples/*.txt Samples/Snapshots/*.ndjson; do
        name=${file#Samples/}
        case_ "run $name" "pushpipe run --clock \$clock --rules --screen --format ndjson \$samples/$name"
        case_ "run $name, as text" "pushpipe run --clock \$clock --store a.db --format text \$samples/$name
            pushpipe store show --store a.db --format text; pushpipe store events --store a.db; pushpipe store export --complete --events --store a.db"
        case_ "trace $name" "pushpipe trace --clock \$clock \$samples/$name"
        case_ "lint $name" "pushpipe lint --format ndjson --severity info \$samples/$name; pushpipe lint \$samples/$name; pushpipe lint --show sizes \$samples/$name"
        case_ "emit $name" "pushpipe run -q --clock \$clock --emit all --emit-as envelope \$samples/$name; pushpipe run -q --emit accepted --fit \$samples/$name"
    done
    for file in Tests/Lint/PushLintTests/Corpus/*/; do
        name=$(basename "$file")
        case_ "lint corpus $name" "cd \$tests/Lint/PushLintTests/Corpus/$name; find . -type f | LC_ALL=C sort | xargs pushpipe lint --config /dev/null --format ndjson --severity info"
        case_ "run corpus $name" "cd \$tests/Lint/PushLintTests/Corpus/$name; find . -type f | LC_ALL=C sort | xargs pushpipe run --clock \$clock --format ndjson"
    done
    for file in sarif github gitlab azure junit concise; do
        case_ "lint --format $file" "pushpipe lint --format $file \$samples/every-bad-record.ndjson"
    done
    case_ 'lint --fix' 'for file in $tests/Lint/PushLintTests/Corpus/*/*; do name=${file#"$tests"/Lint/PushLintTests/Corpus/}; cp "$file" "${name//\//-}.json"; done
        pushpipe lint --config /dev/null --fix --dry-run .; pushpipe lint --config /dev/null --fix .'
    case_ 'lint small' 'pushpipe lint --format ndjson --severity info $inputs/small.ndjson'
    for options in '--set input.relaxed' '--fit' '--replace-by /id --set extension.assume-mutable' '--set devices.unknown=reject' '--budget apns-256' '--budget gcm' '--set input.at=/payload' \
        '--set input.skip-prefix' '--set limits.app-pushes-per-minute=5' '--set limits.background-pushes-per-hour=1' '--fail-on error' '--set input.platform=ios' '--provider apns' '--set input.framing=seq'; do
        case_ "run $options" "pushpipe run --clock \$clock --format ndjson $options \$inputs/small.ndjson \$samples/mentions.ndjson \$samples/fcm-v1-apns-block.ndjson"
    done
    for options in tokens content all; do
        case_ "redact $options" "pushpipe run -q --clock \$clock --redact $options --set redact.key-file=\$inputs/key --store a.db --format ndjson \$inputs/small.ndjson
            pushpipe store export --complete --events --store a.db
            pushpipe run -q --redact $options --set redact.key-file=\$inputs/key --emit all \$samples/evening.ndjson \$samples/mentions.ndjson"
    done
    case_ 'store of small' 'pushpipe run -q --clock $clock --store a.db --format none $inputs/small.ndjson
        for form in text ndjson csv; do for what in list show events; do pushpipe store $what --store a.db --format $form; done; done
        for what in devices feedback held; do pushpipe store $what --store a.db; done
        pushpipe store export --complete --events --store a.db >export; pushpipe store import -q --store b.db export; pushpipe store export --complete --events --store b.db
        pushpipe store prune -q --keep 1 --now $clock --store b.db; pushpipe store export --complete --store b.db
        pushpipe trace --seq 17 --store a.db; pushpipe store show --store a.db --format svg; pushpipe store show --store a.db --format html'
    case_ 'divided and merged' 'pushpipe generate --count 3000 --seed 7 >all
        pushpipe partition -q --parts 3 --output parts all; wc -l parts/*
        for part in parts/*.ndjson; do pushpipe run -q --clock $clock --format ndjson --store "${part%.ndjson}.db" $part >"${part%.ndjson}.report"; done
        pushpipe merge -q parts/*.report >merged; pushpipe run -q --clock $clock --format ndjson all | cmp - merged; rm -rf parts'
    for file in Samples/Scenarios/*.feature; do
        case_ "test $(basename "$file")" "pushpipe test --format tap \$samples/Scenarios/$(basename "$file")"
    done
    case_ 'snapshot' 'pushpipe snapshot $samples/Snapshots; pushpipe snapshot --format ndjson $samples/Snapshots'
    case_ 'schema' 'pushpipe schema infer $samples/mentions.ndjson; pushpipe schema events'
    case_ 'explain' 'for word in BadDeviceToken apns.topic Unregistered collapsed silent topic badge delivered no-such-action; do pushpipe explain $word; done; pushpipe explain --rules --format ndjson'
    case_ 'generate' 'pushpipe generate --count 500 --seed 9 --event-rate 0.3 --malformed-rate 0.1; pushpipe generate --register --device-count 20'
    case_ 'serve' serve_requests
}

# MARK: Counts

instructions() {
    local side=$1
    shift
    (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/valgrind" "$work/bin/$side/stripped" "$@" >/dev/null 2>&1) || true
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$work/valgrind"
}

compare_counts() {
    command -v valgrind >/dev/null || fail "valgrind is missing (Scripts/setup.sh valgrind)"
    local side name n=5000 row
    for side in old new; do
        # Without debug information, because older valgrinds fail on it.
        strip --strip-debug -o "$work/bin/$side/stripped" "$(realpath "$work/bin/$side/pushpipe")" 2>/dev/null || ln -s pushpipe "$work/bin/$side/stripped"
    done
    for name in uniform mixed events; do
        head -n $n "$inputs/$name.ndjson" >"$work/$name-once"
        head -n $((2 * n)) "$inputs/$name.ndjson" >"$work/$name-twice"
    done
    head -n 1 "$inputs/uniform.ndjson" >"$work/one"
    printf '\n| Instructions | Old | New | New / old |\n|---|---:|---:|---:|\n'
    print_row() { awk -v name="$1" -v old="$2" -v new="$3" 'BEGIN { printf "| %s | %.0f | %.0f | %.3f |\n", name, old, new, new / old }'; }
    for row in uniform mixed events; do
        for options in '' '--store a.db'; do
            local -A per=()
            for side in old new; do
                local once twice
                rm -f "$work"/a.db*
                # shellcheck disable=SC2086
                once=$(instructions $side run -q --clock 2026-01-01T12:00:00Z --format ndjson -j 1 $options "$work/$row-once")
                rm -f "$work"/a.db*
                # shellcheck disable=SC2086
                twice=$(instructions $side run -q --clock 2026-01-01T12:00:00Z --format ndjson -j 1 $options "$work/$row-twice")
                per[$side]=$(((twice - once) / n))
            done
            print_row "a record, $row${options:+, with a store}" "${per[old]}" "${per[new]}"
        done
    done
    for row in 'run one' 'run -q -j 1 one' 'run -q -j 1 --store a.db one' 'lint one' 'explain BadDeviceToken'; do
        for side in old new; do
            rm -f "$work"/a.db*
            # shellcheck disable=SC2086
            per[$side]=$(instructions $side $row)
        done
        print_row "start: $row" "${per[old]}" "${per[new]}"
    done
}

make_inputs
if $outputs; then
    compare_commands
    compare_streams
    printf '\n%d cases are equal, %d differ%s\n' "$passed" "${#differing[@]}" "${differing[*]:+:}"
    ((${#differing[@]} == 0)) || printf -- '- %s\n' "${differing[@]}"
fi
if $counts; then compare_counts; fi
((${#differing[@]} == 0))
