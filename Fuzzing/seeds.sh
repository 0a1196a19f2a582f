#!/usr/bin/env bash
# Writes the seeds of the fuzzer to a folder, one case per file: Fuzzing/seeds.sh FOLDER [TARGET]. They come from the tests' corpora, the
# samples and the documentation, so that there are no copies to keep up to date. Two leading bytes select no options.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$1
target=${2-}
mkdir -p "$folder"
number=0

# Its argument is a case.
seed() {
    number=$((number + 1))
    printf '\0\0%s' "$1" >"$folder/$number"
}

# One case per file, and one case per line.
whole() {
    for file in "$@"; do
        number=$((number + 1))
        { printf '\0\0'; cat "$file"; } >"$folder/$number"
    done
}
lines() {
    local line
    while IFS= read -r line; do
        case $line in '{'*) seed "$line" ;; esac
    done < <(cat "$@")
}

if [[ $target == extension ]]; then
    while IFS= read -r line; do seed "$line"$'\n'; done < <(
        sed -nE 's/^← //p' Documentation/reference/extension-protocol.md | sed 's/"id":7/"id":1/'
        for name in finding getDeliveredNotifications removeDeliveredNotifications removeAllDeliveredNotifications setBadgeCount add \
            getPendingNotificationRequests removePendingNotificationRequests removeAllPendingNotificationRequests timeExpired unreadable; do
            printf '{"method":"%s","id":1,"call":2,"count":3,"message":"m","identifiers":["c1"],"due":null,"every":60,' "$name"
            printf '"request":{"identifier":"c1","content":{"title":"t"}}}\n'
        done
    )
    # A complete conversation: ready, then an answer to each push.
    seed "$(
        printf '{"method":"ready","queue":4}\n'
        for id in 1 2 3 4; do
            printf '{"method":"getDeliveredNotifications","id":%s,"call":%s}\n' "$id" "$id"
            printf '{"method":"contentHandler","id":%s,"content":{"title":"t","body":"b"}}\n{"method":"finished","id":%s}\n' "$id" "$id"
        done
    )"$'\n'
    exit 0
fi

if [[ $target == source ]]; then
    while IFS= read -r file; do
        number=$((number + 1))
        cp "$file" "$folder/$number"
    done < <(find Tests/Apple -name '*.swift' -size -8k | sort)
    exit 0
fi

# Property lists, strings tables and string catalogs: these have no leading option bytes.
if [[ $target == bundle ]]; then
    while IFS= read -r file; do
        number=$((number + 1))
        cp "$file" "$folder/$number"
    done < <(find Samples Tests -name '*.plist' -o -name '*.strings' -o -name '*.xcstrings' -o -name '*.entitlements' -o -name '*.pbxproj' | sort)
    printf '"key" = "te\\"xt";\n/* note */ other = '"'one'"';\n' >"$folder/table"
    printf '\xff\xfe"\0k\0"\0=\0"\0t\0"\0;\0' >"$folder/table-utf16"
    printf '{"sourceLanguage":"en","version":"1.0","strings":{"a %%lld":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"%%1$(n)lld"}},"fr":{"variations":{"plural":{"other":{"stringUnit":{"value":"%%#@x@"}}}},"substitutions":{"x":{"argNum":1,"formatSpecifier":"lld","variations":{"plural":{"other":{"stringUnit":{"value":"%%arg"}}}}}}}}}}}' >"$folder/catalog"
    printf '<?xml version="1.0"?><plist version="1.0"><dict><key>NSExtension</key><dict><key>a</key><string>$(PRODUCT_NAME:lower)</string></dict><key>b</key><array><integer>1</integer><real>1.5</real><true/><date>2026-01-01T00:00:00Z</date><data>YQ==</data></array></dict></plist>' >"$folder/plist"
    printf '{ a = ( b, "c" ); d = <6162>; }' >"$folder/plist-old"
    printf 'bplist00\xd1\x01\x02Qa\xa1\x03Qb\x08\x0b\x0d\x0f\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x11' >"$folder/plist-binary"
    printf 'bplist00\xd1\x01\x02Qa\xa1\x02\x08\x0b\x0d\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0f' >"$folder/plist-in-itself"
    exit 0
fi

# Feature files, preference files and responses of wikis have no option bytes either.
if [[ $target == features ]]; then
    while IFS= read -r file; do
        number=$((number + 1))
        cp "$file" "$folder/$number"
    done < <(find Samples Tests -name '*.feature' | sort)
    exit 0
fi
if [[ $target == preferences ]]; then
    while IFS= read -r text; do
        number=$((number + 1))
        printf '%s\n' "$text" >"$folder/$number"
    done <<'END'
{"version":1,"devices":{"phone":{"permission":"authorized","alerts":true,"registration":"registered","account":"Anna","accounts":{"Anna":{"primaryWiki":"en","wikis":{"en":{"on":["mention","edit-thank"]}}}}}}}
{"version":1,"devices":{"phone":{"permission":"denied","alerts":false,"registration":"failed","registrationError":"no network","accounts":{}}}}
END
    exit 0
fi

# Its argument is a case without options, in which printf resolves the escapes.
plain_seed() { number=$((number + 1)); printf "$1" >"$folder/$number"; }

# A path, and the patterns of an ignore file.
if [[ $target == ignore ]]; then
    plain_seed 'a/b.json\n*.json\n!/a/*\n# all\n'
    plain_seed 'a/b/c\n**/b/\n/a/**/c\na/**\n'
    plain_seed '!a\n\\!a\n[!a-z]?[[:digit:]]\na\\ \n'
    exit 0
fi

# Frames of APNs' binary interface, one of each command. The first two bytes select pieces and limits.
if [[ $target == binary-frames ]]; then
    token='0123456789abcdef0123456789abcdef'
    plain_seed "\\0\\7\\0\\0\\040$token\\0\\2{}\\1\\0\\0\\0\\1\\0\\0\\0\\0\\0\\040$token\\0\\2{}"
    plain_seed "\\0\\7\\2\\0\\0\\0\\72\\1\\0\\040$token\\2\\0\\2{}\\3\\0\\4\\0\\0\\0\\1\\4\\0\\4\\0\\0\\0\\0\\5\\0\\1\\12"
    exit 0
fi

# Fault rules. The first byte selects how the clock goes.
if [[ $target == faults ]]; then
    plain_seed '\0\0- device: ab*\n  every: 3\n  reason: TooManyRequests\n  retry_after: 30\n- rate: 5/10s\n  status: 503\n'
    plain_seed '\1\0faults: [{topic: "org.?", probability: 0.5, seed: 7, after: 1s, for: 2m, times: 2, delay: 250ms, goaway: Shutdown}]\n'
    plain_seed '\2\0{"path":"--/api/*","reset":"REFUSED_STREAM"}\n'
    plain_seed '\3\0- {device: "ExponentPushToken[*]", reason: DeviceNotRegistered}\n- {cut: true}\n- {silence: true}\n- {pause: 1s}\n'
    exit 0
fi

# Lines of the parts of a divided input.
if [[ $target == placed ]]; then
    while IFS= read -r line; do seed "$line"; done <<'END'
"pushpipe-part 1 3 of 64 sources 1a7ea11d6ecc172c"
{"place":{"seq":7,"source":{"file":"a.ndjson","record":3,"line":7,"column":1,"offset":412}},"record":{"device":"ab"}}
{"place":{"seq":7},"base64":"eyJhIjoKMX0="}
{"place":{"seq":8},"record":{"a":[1}}
{"place":{"stream":"pushes/3","offset":"1526919030474-55"},"record":[1]}
{"place":{"seq":8,"too_long":{"offset":65536,"line":1,"column":65537}}}
{ "record" : {"a": 1}, "place": {"end":null,"offset":17,"stream":"p\u002f3","seq":9} }
{"place":{"seq":9,"end":true}}
END
    exit 0
fi

# Lines of logs. The first byte selects where their payloads are.
if [[ $target == log ]]; then
    while IFS= read -r line; do
        seed "$line"
        plain_seed '\1\0'
        printf '%s\n' "$line" >>"$folder/$number"
        plain_seed '\3\0'
        printf '%s\n' "$line" >>"$folder/$number"
    done <<'END'
2026-11-23T10:00:00Z INFO sender: sent {"aps":{"alert":"Hi"}} 3 ms
{"level":"info","payload":{"aps":{"alert":"Hi"}},"time":"2026-11-23T10:00:00Z"}
{"log":"{\"push\":{\"aps\":{\"badge\":1}}}\n","stream":"stdout"}
{"log":"sent payload=\"{\\\"push\\\":{\\\"aps\\\":{}}}\" 3ms\n"}
time="10:00" msg="sent" payload="{\"aps\":{\"alert\":\"Hi\"}}" to="{\"id\":1}"
web-1 | {"message":{"token":"x","data":{"a":"b"}}} {"event":"sent"} {"aps":{"alert":"Hi
{"MESSAGE":"{\"notification\":{\"title\":\"a\"},\"to\":\"t\"}","PRIORITY":"6"}
END
    exit 0
fi

# Lines of an export, one by one and all, and values for each column of a store. The first byte selects the store.
if [[ $target == store ]]; then
    lines=$(cat <<'END'
{"export":1,"last_sequence":20,"last_record_at":"2026-01-01T00:30:00.019Z","redacted":"tokens","redaction_key":"ab"}
{"device":"cd","app":"org.example.news","badge":1}
{"installation":{"device":"ab54","platform":"","online":1,"focus":"{\"apps\":[],\"time_sensitive\":true}","app":"org.example.news","state":"background","authorization":"authorized","alerts":1,"registration":"succeeded","deleted_count":0,"token_standing":"confirmed","token_since":0,"details":"{\"categories\":[{\"id\":\"reply\",\"actions\":[{\"id\":\"yes\"}]}]}"}}
{"installation":{"device":"old","platform":"android","online":0,"app":"a","state":"background","authorization":"authorized","alerts":1,"registration":"succeeded","unregistered_at":1767225600004,"canonical":"pixel","deleted_count":0,"token_standing":"confirmed","token_since":0,"details":"{\"channels\":[{\"id\":\"chats\",\"importance\":\"default\"}],\"topics\":[\"weather\"],\"start_token\":\"ef\"}"}}
{"held":{"seq":19,"target":-1,"device":"pixel","app":"a","accepted_at":1767225600018,"expires_at":1767232800018,"collapse_key":"a","provider":"fcm","platform":"android","topic":"a","bytes":6,"byte_limit":4096,"is_background":0,"payload":"{\"token\":\"pixel\",\"notification\":{\"title\":\"5\"}}"}}
{"live_activity":{"seq":13,"device":"cd","app":"a","identifier":"activity-13","token":"ef","has_own_token":0,"attributes_type":"A","attributes":"{}","content_state":"{\"a\":1}","timestamp":1700000000000,"alert_title":"a","started_at":1767225600012,"updated_at":1767225600012,"hour_start":1767225600012,"hour_count":1}}
{"removal":{"seq":2,"due":51,"device":"ab54","app":"org.example.news","identifier":"push-1"}}
{"seq":10,"device":"cd","app":"a","identifier":"push-10","title":"2","thread":"t","delivered_at":"2026-01-01T00:00:00.009Z","payload":{"aps":{}},"changes":{"title":"b"}}
{"seq":11,"device":"cd","app":"a","identifier":"push-11.3","badge":7,"delivered_at":-1,"payload_text":"{","changes_text":"x"}
{"seq":14,"at":"2026-01-01T00:00:00.013Z","device":"cd","app":"a","kind":"tapped","identifier":"push-9"}
{"end":true}
END
    )
    seed "$lines"
    while IFS= read -r line; do seed "$line"; done <<<"$lines"
    for code in {32..121}; do
        column=$(printf '\\%03o' "$code")
        plain_seed "\\0\\0$column-1\\n"
        plain_seed "\\0\\0${column}9223372036854775807\\n"
        plain_seed "\\0\\0$column{\"a\":[1]}\\n"
        plain_seed "\\0\\0$column\\n"
    done
    exit 0
fi

# Messages of an editor, and a text for edits. The first byte selects which.
if [[ $target == language-server ]]; then
    {
        printf '\0\1'
        while IFS= read -r text; do printf 'Content-Length: %d\r\n\r\n%s' "${#text}" "$text"; done <<'END'
{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.json","languageId":"json","version":1,"text":"{\"aps\":{\"alert\":\"Hi\",\"mutable_content\":1}}"}}}
{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.json","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"text":"x"}]}}
{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.json"},"position":{"line":0,"character":25}}}
{"jsonrpc":"2.0","id":2,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///a.json"},"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"context":{"diagnostics":[],"only":["source"]}}}
{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}
{"jsonrpc":"2.0","id":"x","method":"shutdown"}
{"jsonrpc":"2.0","method":"exit"}
END
    } >"$folder/session"
    printf '\1\1{"aps":\r\n{"alert":"\xf0\x9f\x91\x8d\xc3\xa9"},\n\r"a":1}\n' >"$folder/text"
    exit 0
fi

# Messages of an assistant's program.
if [[ $target == assistant ]]; then
    {
        printf '\0\1'
        cat <<'END'
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}
{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint_payload","arguments":{"payload":[{"aps":{}},"{"],"severity":"info"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"wait_for_message","arguments":{"device":"a b","seconds":60}}}
{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"pushpipe://rules/aps.badge"}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
END
    } >"$folder/session"
    exit 0
fi

# Configurations.
if [[ $target == configuration ]]; then
    plain_seed 'extends: parent\nlint:\n  severity: info\n  select: [aps, ALL]\n  rules: {aps: off}\n  exclude: ["a/**", "!b"]\n'
    plain_seed 'lint:\n  per-file:\n    "/a.json": [aps]\n    "!*.apns": {severity: error, ignore: gcm}\n  budget: apns-voip\n  schemas: [a.json]\n'
    plain_seed 'ignore:\n  - aps\n  - {rule: gcm, record: 3, path: /aps/alert}\n'
    exit 0
fi

# A schema and values, or a pattern.
if [[ $target == schema ]]; then
    while IFS= read -r text; do
        number=$((number + 1))
        printf '%s' "$text" >"$folder/$number"
    done <<'END'
[{"type":["object","integer"],"required":["a"],"properties":{"a":{"minimum":1.5,"multipleOf":0.01}},"additionalProperties":false},{"a":1.5},{"b":2},3]
[{"$defs":{"a":{"$anchor":"x","type":"string"}},"items":{"$ref":"#x"},"prefixItems":[true],"contains":{"const":1},"maxContains":2},[1,"a"],[]]
[{"$id":"https://e/s","$ref":"l","$defs":{"e":{"$dynamicAnchor":"e","type":"string"},"l":{"$id":"l","items":{"$dynamicRef":"#e"},"$defs":{"n":{"$dynamicAnchor":"e"}}}}},["a"],[1]]
[{"allOf":[{"properties":{"a":true}}],"anyOf":[{"required":["a"]},{"patternProperties":{"^x":{"minLength":1}}}],"unevaluatedProperties":false},{"a":1,"xy":""}]
[{"if":{"const":1},"then":{"not":{"enum":[1,"a"]}},"else":{"oneOf":[{"maxLength":2},{"pattern":"^a+$"}]},"unevaluatedItems":false},1,"aaa",[1]]
[{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"minProperties":2}},"propertyNames":{"maxLength":3},"uniqueItems":true},{"a":1,"c":2},[1,1.0]]
[{"$ref":"https://json-schema.org/draft/2020-12/schema"},{"type":"x","properties":{"a":{"$ref":1}}},true]
^(?!-)(?=.*\d)[\w\p{L}-]{1,20}(?<!-)$
(a|b?)*?c{2,}\bx|[^\u{1F600}-\u{1F64F}\s]
END
    exit 0
fi

whole Samples/*.ndjson Samples/*.txt Samples/simulator/*
lines Samples/*.ndjson Documentation/*/*.md README.md
while IFS= read -r file; do whole "$file"; done < <(find Tests/*/*/Corpus -type f ! -name README.md -size -4k | sort)
