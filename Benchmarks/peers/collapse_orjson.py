#!/usr/bin/env python3
"""What `pushpipe run FILE` does to the stream of `pushpipe generate`, in Python with orjson.

    collapse_orjson.py FILE >report.ndjson

The names in the report, and its outcomes, are those of Documentation/report.md. This is a peer for a benchmark and not a
second implementation: it holds no header, token or option against a provider's rules, only the size; it reads strict
NDJSON, APNs, GCM and FCM v1, and no gateway's format; a rejection comes without its finding, and badges are not kept.
"""

import sys

from orjson import OPT_APPEND_NEWLINE, JSONDecodeError, dumps, loads

APNS_LIMIT = 4096
VOIP_LIMIT = 5120
TARGET_LIMIT = 4096
TOPIC_LIMIT = 2048

# Status and reason of a message over its limit.
TOO_BIG = {"apns": (413, "PayloadTooLarge"), "gcm": (200, "MessageTooBig"), "fcm": (400, "INVALID_ARGUMENT")}

# None stands for a missing header.
SHOWN_PUSH_TYPES = {None, "alert", "background"}

ALERT_NAMES = (
    ("title", "title"), ("subtitle", "subtitle"), ("body", "body"), ("title_loc_key", "title-loc-key"),
    ("title_loc_args", "title-loc-args"), ("body_loc_key", "loc-key"), ("body_loc_args", "loc-args"),
)

LINES_PER_WRITE = 100


class Malformed(Exception):
    """There is no message in the record: a rule of Documentation/report.md, and a sentence."""


def compact(payload):
    """The payload as JSON text. A copy, because dumps() leaves its result in a larger block than it needs, and kept by
    the hundred thousand that took 3.6 times the memory, and more time as well."""
    return memoryview(dumps(payload)).tobytes()


def utf8_count(text):
    return len(text) if text.isascii() else len(text.encode())


def counted_bytes(members):
    """UTF-8 bytes of keys and values; a value that is not a string counts as its JSON text."""
    count = 0
    if members:
        for key, value in members.items():
            count += utf8_count(key) + (utf8_count(value) if type(value) is str else len(dumps(value)))
    return count


def has_apns_alert(payload):
    aps = payload.get("aps")
    alert = aps.get("alert") if type(aps) is dict else None
    if type(alert) is not dict:
        return type(alert) is str and alert != ""
    get = alert.get
    return bool(
        get("body") or get("title") or get("subtitle")
        or get("loc-key") or get("title-loc-key") or get("subtitle-loc-key")
    )


def has_android_alert(notification):
    get = notification.get
    return bool(get("body") or get("title") or get("body_loc_key") or get("title_loc_key"))


# Each reader returns (provider, devices, app, bytes, limit, identifier or None, is shown, payload to keep).


def read_apns(record):
    if type(record.get("aps")) is dict:
        body = compact(record)
        app = record.get("Simulator Target Bundle", "")
        return "apns", ("default",), app, len(body), APNS_LIMIT, None, has_apns_alert(record), body

    headers = record.get("headers") or {}
    payload = record["payload"]
    if type(payload) is dict:
        # pushpipe counts the bytes as they stand in the line. After loads() they are gone, and compact() is what a sender
        # in Python would count: the same number for compact JSON, a smaller one where the line has white space or an
        # escape that need not be (\/, \u00fc), and a changed one for numbers such as 1.5e2. So a record near its limit
        # can be accepted here and rejected there; and compact() is work that pushpipe need not do.
        body = compact(payload)
    elif type(payload) is str:
        body = payload.encode()
        try:
            payload = loads(body)
        except JSONDecodeError as error:
            raise Malformed("json.syntax", error.msg) from None
        if type(payload) is not dict:
            raise Malformed("record.payload-type", "the payload must be a JSON object")
    else:
        raise Malformed("record.payload-type", "payload must be an object, or a string that holds the exact body")
    push_type = headers.get("apns-push-type")
    return (
        "apns", (record.get("device", "default"),), headers.get("apns-topic", ""), len(body),
        VOIP_LIMIT if push_type == "voip" else APNS_LIMIT, headers.get("apns-collapse-id"),
        push_type in SHOWN_PUSH_TYPES and has_apns_alert(payload), body,
    )


def read_gcm(record, line):
    notification = record.get("notification") or {}
    limit = TARGET_LIMIT
    devices = record.get("registration_ids")
    if not devices:
        target = record.get("to")
        if target is None:
            target = record.get("condition")
            if target is None:
                target = record["notification_key"]
            else:
                limit = TOPIC_LIMIT
        elif target.startswith("/topics/"):
            limit = TOPIC_LIMIT
        devices = (target,)
    return (
        "gcm", devices, record.get("restricted_package_name", ""),
        counted_bytes(notification) + counted_bytes(record.get("data")), limit,
        notification.get("tag") or None, has_android_alert(notification), line,
    )


def read_fcm(record, line):
    message = record["message"]
    notification = message.get("notification") or {}
    data = message.get("data")
    limit = TARGET_LIMIT
    target = message.get("token")
    if target is None:
        target = message.get("topic") or message.get("condition", "default")
        limit = TOPIC_LIMIT
    apns = message.get("apns")
    if apns is not None and "android" not in message and "webpush" not in message:
        headers = apns.get("headers") or {}
        payload = derived_payload(notification, data, apns.get("payload") or {})
        body = compact(payload)
        return (
            "fcm", (target,), headers.get("apns-topic", ""), len(body), limit, headers.get("apns-collapse-id"),
            headers.get("apns-push-type") in SHOWN_PUSH_TYPES and has_apns_alert(payload), body,
        )
    android = message.get("android") or {}
    android_notification = android.get("notification") or {}
    size = (
        counted_bytes(notification) + counted_bytes(data)
        + counted_bytes(android_notification) + counted_bytes(android.get("data"))
    )
    return (
        "fcm", (target,), android.get("restricted_package_name", ""), size, limit,
        android_notification.get("tag") or notification.get("tag") or None,
        has_android_alert(notification) or has_android_alert(android_notification), line,
    )


def derived_payload(notification, data, payload):
    """The APNs payload that FCM would send: what `payload` says wins, then the notification, with data beside aps."""
    aps = dict(payload.get("aps") or {})
    if "alert" not in aps:
        alert = {name: notification[key] for key, name in ALERT_NAMES if notification.get(key)}
        if alert:
            aps["alert"] = alert
    for key, name in (("sound", "sound"), ("badge", "badge"), ("click_action", "category")):
        if name not in aps and key in notification:
            aps[name] = notification[key]
    return {**(data or {}), **payload, "aps": aps}


def read(record, line):
    if type(record) is not dict:
        raise Malformed("record.not-an-object", "a record must be a JSON object")
    if "payload" in record or type(record.get("aps")) is dict:
        return read_apns(record)
    if type(record.get("message")) is dict:
        return read_fcm(record, line)
    if "to" in record or "registration_ids" in record or "condition" in record or "notification_key" in record:
        return read_gcm(record, line)
    raise Malformed("record.unknown-shape", "an object, but none of the known formats")


def run(lines, write):
    shown = {}  # (device, app, identifier): (seq, payload), the oldest first
    reports = []
    seq = 0
    for line in lines:
        seq += 1
        try:
            provider, devices, app, size, limit, identifier, is_shown, payload = read(loads(line), line)
        except JSONDecodeError as error:
            if line.isspace():
                seq -= 1
                continue
            fault = {"rule": "json.syntax", "message": error.msg, "offset": error.pos}
            reports.append(dumps({"seq": seq, "outcome": "malformed", "error": fault}, option=OPT_APPEND_NEWLINE))
            continue
        except Malformed as error:
            fault = {"rule": error.args[0], "message": error.args[1], "offset": 0}
            reports.append(dumps({"seq": seq, "outcome": "malformed", "error": fault}, option=OPT_APPEND_NEWLINE))
            continue

        has_many_targets = len(devices) > 1
        for target, device in enumerate(devices):
            report = {"seq": seq}
            if has_many_targets:
                report["target"] = target
            report["provider"] = provider
            report["device"] = device
            if app:
                report["topic"] = app
            if size > limit:
                report["outcome"] = "rejected"
                report["status"], report["reason"] = TOO_BIG[provider]
                report["bytes"] = size
                report["limit"] = limit
            elif not is_shown:
                report["outcome"] = "silent"
                report["status"] = 200
                report["bytes"] = size
                report["limit"] = limit
            else:
                name = identifier or (f"push-{seq}.{target}" if has_many_targets else f"push-{seq}")
                key = (device, app, name)
                # Taken out and put in again, because a notification that replaces another moves to the top.
                earlier = shown.pop(key, None)
                shown[key] = (seq, payload)
                report["outcome"] = "replaced" if earlier else "delivered"
                report["status"] = 200
                report["bytes"] = size
                report["limit"] = limit
                report["identifier"] = name
                if earlier:
                    report["replaces"] = earlier[0]
            reports.append(dumps(report, option=OPT_APPEND_NEWLINE))
        if len(reports) >= LINES_PER_WRITE:
            write(b"".join(reports))
            reports.clear()
    write(b"".join(reports))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: collapse_orjson.py FILE")
    with open(sys.argv[1], "rb") as source:
        run(source, sys.stdout.buffer.write)
