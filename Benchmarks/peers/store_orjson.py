#!/usr/bin/env python3
"""Keeps the notifications of a stream in one SQLite table, as a script would: orjson, and `insert or replace`.

    store_orjson.py --store phone.db FILE >report.ndjson

Reads and reports like collapse_orjson.py, which is next to it. One row a notification, no index beyond the primary key, no journal,
no badges, no table of devices: this is the least that a script can do, and less than pushpipe does. What a notification
replaces is looked up in memory; the file must be new.
"""

import argparse
import os
import sqlite3
import sys

from collapse_orjson import LINES_PER_TRANSACTION, content_of, run

PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA cache_size = -16384")

SCHEMA = """
    CREATE TABLE notification (
        device TEXT NOT NULL, app TEXT NOT NULL, identifier TEXT NOT NULL, seq INTEGER NOT NULL, title TEXT, subtitle TEXT,
        body TEXT, thread TEXT, badge INTEGER, payload TEXT NOT NULL, PRIMARY KEY (device, app, identifier)
    )
"""


class RowScreens:
    """What is shown, a row a notification."""

    lines_per_write = LINES_PER_TRANSACTION
    keeps_badges = False

    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        for pragma in PRAGMAS:
            self.database.execute(pragma)
        self.database.execute(SCHEMA)
        self.shown = {}  # (device, app, identifier): seq
        self.rows = []

    def show(self, device, app, identifier, seq, target, payload, content, is_chosen):
        """Shows a notification. Returns the number of the record that gave way, or None."""
        key = (device, app, identifier)
        earlier = self.shown.get(key)
        self.shown[key] = seq
        self.rows.append((*key, seq, *content_of(content), payload.rstrip()))
        return earlier

    def commit(self, seq):
        """Writes the rows since the last commit."""
        self.database.execute("BEGIN IMMEDIATE")
        self.database.executemany(
            "INSERT OR REPLACE INTO notification VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))", self.rows
        )
        self.database.execute("COMMIT")
        self.rows.clear()

    def close(self):
        self.database.close()


def main():
    parser = argparse.ArgumentParser(description="Keep notifications in one SQLite table.")
    parser.add_argument("--store", metavar="FILE", required=True, help="the SQLite file, which must be new")
    parser.add_argument("file", metavar="FILE", help="NDJSON")
    arguments = parser.parse_args()
    if os.path.exists(arguments.store):
        parser.error(f"{arguments.store} is there already")
    with open(arguments.file, "rb") as source:
        screens = RowScreens(arguments.store)
        run(source, sys.stdout.buffer.write, screens)
        sys.stdout.buffer.flush()
        screens.close()


if __name__ == "__main__":
    main()
