#!/usr/bin/env python3
"""Consumes one part of a day of pushes from a Redis stream, and survives being killed at any time.

    consumer.py --part 3 --store part-3.sqlite --report part-3.ndjson [--redis redis://localhost] [-- OPTIONS OF pushpipe run]

The entries of the stream `pushes:3` have a field `line`: a line of `pushpipe partition --key-column`, which `producer.py` puts
there. Each goes to one `pushpipe run` with the name of the stream and its own id, which the store keeps in the transaction of the
delivery. So the store alone says where to go on; what the consumer group says to be pending is compared with it and acknowledged.
"""

import argparse
import fcntl
import json
import subprocess
import sys

import redis

GROUP = "pushpipe"
BATCH = 500


def arguments():
    words = sys.argv[1:]
    words, rest = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", type=int, required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--report", required=True, help="report lines are appended to this file")
    parser.add_argument("--redis", default="redis://localhost:6379")
    parser.add_argument("--pushpipe", default="pushpipe")
    return parser.parse_args(words), rest


def number(entry):
    """The id of an entry, as two numbers that can be compared."""
    first, second = entry.split("-")
    return int(first), int(second)


def is_end(line):
    """Whether a line is the last one of its part. A payload may say `end`, too."""
    return b'"end":true' in line and json.loads(line)["place"].get("end", False)


class Part:
    """A stream, the store that it fills, and the run between them."""

    def __init__(self, options, rest):
        self.stream = f"pushes:{options.part}"
        self.redis = redis.Redis.from_url(options.redis, decode_responses=False)
        self.options = options
        # The run inherits the lock: if only this consumer is killed, its successor waits until the run has committed the rest.
        self.lock = open(options.store + ".lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.committed = self.stored_offset()
        words = [options.pushpipe, "run", "--resume", "--store", options.store, "--format", "ndjson", *rest]
        # A file, and not a pipe: after a kill, `--resume` completes it after its last whole byte.
        with open(options.report, "ab") as report:
            self.run = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=report, pass_fds=[self.lock.fileno()])

    def is_complete(self):
        """Whether the store has everything up to the line that ends the part."""
        last = self.redis.xrange(self.stream, self.committed, self.committed)
        return any(is_end(fields[b"line"]) for _, fields in last)

    def stored_offset(self):
        """The id of the last entry whose deliveries are committed."""
        words = [self.options.pushpipe, "store", "offsets", "--format", "ndjson", self.options.store]
        output = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        offsets = {line["stream"]: line["offset"] for line in map(json.loads, output.splitlines())}
        return offsets.get(self.stream, "0-0")

    def acknowledge(self):
        """Acknowledges what the store has. What it does not have stays pending, and comes again after a kill."""
        self.committed = self.stored_offset()
        while True:
            pending = self.redis.xpending_range(self.stream, GROUP, "-", self.committed, BATCH)
            if not pending:
                return
            self.redis.xack(self.stream, GROUP, *[entry["message_id"] for entry in pending])

    def send(self, entries):
        """Sends entries to the run. Returns whether the last one ends the part."""
        lines = []
        for entry, fields in entries:
            place = b'{"place":{"stream":"%s","offset":"%s",' % (self.stream.encode(), entry)
            lines.append(fields[b"line"].replace(b'{"place":{', place, 1) + b"\n")
        self.run.stdin.write(b"".join(lines))
        self.run.stdin.flush()
        return bool(lines) and is_end(lines[-1])

    def read(self, after, wait):
        found = self.redis.xreadgroup(GROUP, "consumer", {self.stream: after}, count=BATCH, block=wait)
        return found[0][1] if found else []

    def consume(self):
        try:
            self.redis.xgroup_create(self.stream, GROUP, id="0", mkstream=True)
        except redis.ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise
        self.acknowledge()
        if self.is_complete():
            return
        # What an earlier consumer got and did not commit comes first.
        position = self.committed
        while entries := self.read(position, None):
            position = entries[-1][0].decode()
            if self.send([entry for entry in entries if number(entry[0].decode()) > number(self.committed)]):
                return
        sent = 0
        while True:
            entries = self.read(">", 1000)
            if self.send(entries):
                return
            sent += len(entries)
            if not entries or sent >= 4 * BATCH:
                sent = 0
                self.acknowledge()


def main():
    options, rest = arguments()
    part = Part(options, rest)
    try:
        part.consume()
        part.run.stdin.close()
    except BrokenPipeError:
        # The run has ended, and said why. Start this consumer again: it goes on where the store ends.
        pass
    status = part.run.wait()
    part.acknowledge()
    sys.exit(status)


if __name__ == "__main__":
    main()
