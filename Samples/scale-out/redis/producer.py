#!/usr/bin/env python3
"""Puts a day of pushes into Redis streams, one stream per part.

    pushpipe partition --parts 8 --key-column day.ndjson | producer.py [--redis redis://localhost]

The streams are `pushes:0`, `pushes:1`, …; each entry has one field, `line`, for `consumer.py`.
"""

import argparse
import itertools
import sys

import redis

BATCH = 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--redis", default="redis://localhost:6379")
    client = redis.Redis.from_url(parser.parse_args().redis)
    # Bytes: a record need not be UTF-8.
    while batch := list(itertools.islice(sys.stdin.buffer, BATCH)):
        pipe = client.pipeline(transaction=False)
        for row in batch:
            part, _, line = row.rstrip(b"\n").split(b"\t", 2)
            pipe.xadd(b"pushes:" + part, {"line": line})
        pipe.execute()


if __name__ == "__main__":
    main()
