#!/usr/bin/env python3
"""Processes the stream of `pushpipe generate` like `pushpipe run FILE`, in Python with orjson.

    collapse_orjson.py FILE >report.ndjson
    collapse_orjson.py --store phone.db FILE >report.ndjson

The names in the report, and its outcomes, are those of Documentation/reference/report.md. This is a peer for a benchmark and not
a second implementation: it checks only the size against a provider's rules, no header, token or option; it reads strict
NDJSON, APNs, GCM and FCM v1, and no gateway's format; a rejection has no finding. Without --store badges are not
stored. With it the tables, indices, pragmas and rows are pushpipe's, but the file must be new.
"""

import argparse
import os
import sqlite3
import sys
import time

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
# With a store a write is a transaction. pushpipe's are 4 MiB of input, some 6,500 to 10,000 records.
LINES_PER_TRANSACTION = 10_000

PRAGMAS = (
    "PRAGMA foreign_keys = OFF", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
    "PRAGMA wal_autocheckpoint = 8000", "PRAGMA cache_size = -16384",
)

# The tables of Sources/DeliveredStore/StoreSchema.swift. Times are milliseconds since the epoch.
SCHEMA = """
    CREATE TABLE center (
        id INTEGER PRIMARY KEY, device TEXT NOT NULL, app TEXT NOT NULL, badge INTEGER, UNIQUE (device, app)
    ) STRICT;
    CREATE TABLE notification (
        id INTEGER PRIMARY KEY, center INTEGER NOT NULL REFERENCES center, seq INTEGER NOT NULL, target INTEGER,
        chosen_identifier TEXT, title TEXT, subtitle TEXT, body TEXT, thread TEXT, badge INTEGER,
        delivered_at INTEGER NOT NULL, payload TEXT NOT NULL
    ) STRICT;
    CREATE INDEX notification_by_center ON notification (center, id);
    CREATE TABLE event (
        id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, center INTEGER NOT NULL REFERENCES center,
        kind TEXT NOT NULL, identifier TEXT NOT NULL
    ) STRICT;
    CREATE INDEX event_by_center ON event (center, id);
    CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), last_sequence INTEGER NOT NULL) STRICT;
    INSERT INTO progress VALUES (1, 0);
"""


class Malformed(Exception):
    """There is no message in the record: a rule of Documentation/reference/report.md, and a sentence."""


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


# Each reader returns (provider, devices, app, bytes, limit, identifier or None, is shown, payload to keep, content).
# The content is what content_of() reads: an APNs payload, or the notifications of an Android message.


def read_apns(record):
    if type(record.get("aps")) is dict:
        body = compact(record)
        app = record.get("Simulator Target Bundle", "")
        return "apns", ("default",), app, len(body), APNS_LIMIT, None, has_apns_alert(record), body, record

    headers = record.get("headers") or {}
    payload = record["payload"]
    if type(payload) is dict:
        # pushpipe counts the bytes in the line. After loads() they are gone, and compact() is what a
        # sender in Python would count: the same number for compact JSON, a smaller one where the line has white space
        # or an escape that need not be (\/, \u00fc), and a changed one for numbers such as 1.5e2. So a record near its
        # limit can be accepted here and rejected there; and compact() is work that pushpipe need not do.
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
        raise Malformed("record.payload-type", "payload must be an object, or a string with the exact body")
    push_type = headers.get("apns-push-type")
    return (
        "apns", (record.get("device", "default"),), headers.get("apns-topic", ""), len(body),
        VOIP_LIMIT if push_type == "voip" else APNS_LIMIT, headers.get("apns-collapse-id"),
        push_type in SHOWN_PUSH_TYPES and has_apns_alert(payload), body, payload,
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
        notification.get("tag") or None, has_android_alert(notification), line, (notification,),
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
            headers.get("apns-push-type") in SHOWN_PUSH_TYPES and has_apns_alert(payload), body, payload,
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
        (notification, android_notification),
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
    raise Malformed("record.unknown-shape", "this object matches no known format")


def content_of(content):
    """(title, subtitle, body, thread, badge) as the store keeps them. A loc-key stands for its text."""
    if type(content) is tuple:
        title = body = None
        for notification in content:
            get = notification.get
            title = get("title", title) or get("title_loc_key")
            body = get("body", body) or get("body_loc_key")
        return title, None, body, None, None
    aps = content["aps"]
    get = aps.get
    alert = get("alert")
    if type(alert) is not dict:
        return None, None, alert, get("thread-id"), get("badge")
    text = alert.get
    return (
        text("title", text("title-loc-key")), text("subtitle", text("subtitle-loc-key")), text("body", text("loc-key")),
        get("thread-id"), get("badge"),
    )


class MemoryScreens:
    """What is shown, in memory."""

    lines_per_write = LINES_PER_WRITE
    keeps_badges = False

    def __init__(self):
        self.shown = {}  # (device, app, identifier): (seq, payload), oldest first

    def show(self, device, app, identifier, seq, target, payload, content, is_chosen):
        """Shows a notification. Returns the number of the record that gave way, or None."""
        key = (device, app, identifier)
        # Removed and inserted again, because a notification that replaces another moves to the top.
        earlier = self.shown.pop(key, None)
        self.shown[key] = (seq, payload)
        return earlier and earlier[0]

    def commit(self, seq):
        """There is nothing to write."""


class StoreScreens:
    """What is shown, in an SQLite file. Changes are collected, and made with executemany() in one transaction."""

    lines_per_write = LINES_PER_TRANSACTION
    keeps_badges = True

    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        for pragma in PRAGMAS:
            self.database.execute(pragma)
        self.database.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        self.shown = {}  # (center, identifier): (seq, order)
        self.centers = {}  # (device, app): id
        self.order = 0
        self.clear()

    def clear(self):
        """Forgets the changes that were made."""
        self.now = time.time_ns() // 1_000_000
        self.new_centers, self.notifications, self.removed, self.events, self.badges = [], [], [], [], {}

    def center(self, device, app):
        """The row id of an app on a device."""
        center = self.centers.get((device, app))
        if center is None:
            center = self.centers[device, app] = len(self.centers) + 1
            self.new_centers.append((center, device, app))
        return center

    def set_badge(self, device, app, badge):
        """Sets the number on an icon."""
        self.badges[self.center(device, app)] = badge

    def show(self, device, app, identifier, seq, target, payload, content, is_chosen):
        """Shows a notification. Returns the number of the record that gave way, or None."""
        center = self.center(device, app)
        self.order += 1
        key = (center, identifier)
        earlier = self.shown.get(key)
        self.shown[key] = (seq, self.order)
        if earlier:
            self.removed.append((earlier[1],))
        title, subtitle, body, thread, badge = content_of(content)
        if badge is not None:
            self.badges[center] = badge
        self.notifications.append((
            self.order, center, seq, target, identifier if is_chosen else None, title, subtitle, body, thread, badge,
            self.now, payload.rstrip(),
        ))
        self.events.append((seq, self.now, center, "replaced" if earlier else "delivered", identifier))
        return earlier and earlier[0]

    def commit(self, seq):
        """Writes what has been collected. `seq` is the number of the last record."""
        execute, executemany = self.database.execute, self.database.executemany
        execute("BEGIN IMMEDIATE")
        executemany("INSERT INTO center (id, device, app) VALUES (?, ?, ?)", self.new_centers)
        # The payload is available as bytes, which the cast declares to be text.
        executemany(
            "INSERT INTO notification VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))", self.notifications
        )
        executemany("DELETE FROM notification WHERE id = ?", self.removed)
        executemany("INSERT INTO event (seq, at, center, kind, identifier) VALUES (?, ?, ?, ?, ?)", self.events)
        executemany("UPDATE center SET badge = ? WHERE id = ?", ((badge, id) for id, badge in self.badges.items()))
        execute("UPDATE progress SET last_sequence = ?", (seq,))
        execute("COMMIT")
        self.clear()

    def close(self):
        self.database.close()


def run(lines, write, screens):
    reports = []
    seq = 0
    for line in lines:
        seq += 1
        try:
            provider, devices, app, size, limit, identifier, is_shown, payload, content = read(loads(line), line)
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
                if screens.keeps_badges and type(content) is dict and "badge" in content["aps"]:
                    screens.set_badge(device, app, content["aps"]["badge"])
            else:
                name = identifier or (f"push-{seq}.{target}" if has_many_targets else f"push-{seq}")
                earlier = screens.show(
                    device, app, name, seq, target if has_many_targets else None, payload, content, bool(identifier)
                )
                report["outcome"] = "replaced" if earlier else "delivered"
                report["status"] = 200
                report["bytes"] = size
                report["limit"] = limit
                report["identifier"] = name
                if earlier:
                    report["replaces"] = earlier
            reports.append(dumps(report, option=OPT_APPEND_NEWLINE))
        if len(reports) >= screens.lines_per_write:
            # In this order, so that everything reported is in the store.
            screens.commit(seq)
            write(b"".join(reports))
            reports.clear()
    screens.commit(seq)
    write(b"".join(reports))


def main():
    parser = argparse.ArgumentParser(description="What `pushpipe run` does, in Python with orjson.")
    parser.add_argument("--store", metavar="FILE", help="keep what is shown in this SQLite file, which must be new")
    parser.add_argument("file", metavar="FILE", help="NDJSON")
    arguments = parser.parse_args()
    if arguments.store and os.path.exists(arguments.store):
        parser.error(f"{arguments.store} is there already")
    with open(arguments.file, "rb") as source:
        if arguments.store:
            screens = StoreScreens(arguments.store)
            run(source, sys.stdout.buffer.write, screens)
            sys.stdout.buffer.flush()
            screens.close()
        else:
            run(source, sys.stdout.buffer.write, MemoryScreens())


if __name__ == "__main__":
    main()
