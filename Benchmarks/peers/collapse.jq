# Processes the stream of `pushpipe generate` like `pushpipe run FILE`, as far as jq sensibly can.
#
#     jq -ncR -f collapse.jq FILE >report.ndjson
#
# -R passes each line as a string, because a malformed line among parsed input would end the run. The limits of
# collapse_orjson.py apply here too, and these: FCM for iOS devices is measured and shown as for Android; a payload is
# measured by tojson, which may rewrite numbers; jq 1.6 accepts some text that is not JSON.

def shown_push_type: . == null or . == "alert" or . == "background";

def nonempty: type == "string" and . != "";

def has_apns_alert:
  (.aps | if type == "object" then .alert else null end)
  | if type == "object"
    then any(.body, .title, .subtitle, ."loc-key", ."title-loc-key", ."subtitle-loc-key"; nonempty)
    else nonempty
    end;

def has_android_alert: any(.body, .title, .body_loc_key, .title_loc_key; nonempty);

# Bytes of keys and values; a value that is not a string counts as its JSON text.
def counted_bytes:
  if . == null then 0
  else reduce to_entries[] as $member (0;
    . + ($member.key | utf8bytelength)
      + ($member.value | if type == "string" then . else tojson end | utf8bytelength))
  end;

def apns:
  if has("payload") | not then
    tojson as $body
    | {provider: "apns", devices: ["default"], app: (."Simulator Target Bundle" // ""),
       bytes: ($body | utf8bytelength), limit: 4096, shown: has_apns_alert, payload: $body}
  else
    (.headers // {}) as $headers
    | $headers."apns-push-type" as $type
    | (.payload | if type == "string" then . else tojson end) as $body
    | (.payload | if type == "string" then fromjson else . end
       | if type == "object" then . else error("payload must be an object") end) as $payload
    | {provider: "apns", devices: [.device // "default"], app: ($headers."apns-topic" // ""),
       bytes: ($body | utf8bytelength), limit: (if $type == "voip" then 5120 else 4096 end),
       identifier: $headers."apns-collapse-id",
       shown: (($type | shown_push_type) and ($payload | has_apns_alert)), payload: $body}
  end;

def gcm($line):
  (.registration_ids // [.to // .condition // .notification_key]) as $devices
  | {provider: "gcm", devices: $devices, app: (.restricted_package_name // ""),
     bytes: ((.notification | counted_bytes) + (.data | counted_bytes)),
     limit: (if (.to // "" | startswith("/topics/")) or (.to == null and has("condition")) then 2048 else 4096 end),
     identifier: .notification.tag, shown: (.notification // {} | has_android_alert), payload: $line};

def fcm($line):
  .message
  | (.android.notification // {}) as $android
  | {provider: "fcm", devices: [.token // .topic // .condition // "default"],
     app: (.android.restricted_package_name // ""),
     bytes: ([.notification, .data, $android, .android.data] | map(counted_bytes) | add),
     limit: (if has("token") then 4096 else 2048 end),
     identifier: ($android.tag // .notification.tag // .apns.headers."apns-collapse-id"),
     shown: ((.notification // {} | has_android_alert) or ($android | has_android_alert)
             or (.apns.payload // {} | has_apns_alert)),
     payload: $line};

def message($line):
  if type != "object" then error("a record must be a JSON object")
  elif has("payload") or (.aps | type == "object") then apns
  elif .message | type == "object" then fcm($line)
  elif has("to") or has("registration_ids") or has("condition") or has("notification_key") then gcm($line)
  else error("this object matches no known format")
  end;

def too_big:
  {apns: {status: 413, reason: "PayloadTooLarge"},
   gcm: {status: 200, reason: "MessageTooBig"},
   fcm: {status: 400, reason: "INVALID_ARGUMENT"}}[.];

# The messages of a line, one for each target, each with the part of the report that does not depend on the screens, and,
# if it is to be shown, with its key on the screen.
def messages($seq; $line):
  (try ($line | fromjson | message($line)) catch {error: .}) as $message
  | if $message.error then
      {report: {seq: $seq, outcome: "malformed", error: {message: $message.error}}}
    else
      ($message.devices | length > 1) as $many
      | range($message.devices | length) as $target
      | $message.devices[$target] as $device
      | ({seq: $seq} + (if $many then {target: $target} else {} end)
         + {provider: $message.provider, device: $device}
         + (if $message.app == "" then {} else {topic: $message.app} end)) as $head
      | {bytes: $message.bytes, limit: $message.limit} as $size
      | if $message.bytes > $message.limit then
          {report: ($head + {outcome: "rejected"} + ($message.provider | too_big) + $size)}
        elif $message.shown | not then
          {report: ($head + {outcome: "silent", status: 200} + $size)}
        else
          ($message.identifier // "push-\($seq)\(if $many then ".\($target)" else "" end)") as $name
          | {key: "\($device)\u0000\($message.app)\u0000\($name)", payload: $message.payload,
             report: ($head + {outcome: "delivered", status: 200} + $size + {identifier: $name})}
        end
    end;

# The state is one flat object from keys to [seq, payload, seq of the replaced notification]. jq changes an object in
# place only while nothing else refers to it, which setpath with a path of one name preserves; an enclosing object, or a
# reduce over the targets inside, made every step copy the whole object, and the time quadratic.
foreach (foreach (inputs | select(. != "")) as $line (0; . + 1; messages(.; $line))) as $message ({};
  if $message.key then
    .[$message.key][0] as $earlier
    | setpath([$message.key]; [$message.report.seq, $message.payload, $earlier])
  else . end;
  (if $message.key then .[$message.key][2] else null end) as $earlier
  | $message.report
  | if $earlier then .outcome = "replaced" | .replaces = $earlier else . end)
