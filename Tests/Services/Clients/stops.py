#!/usr/bin/env python3
"""A crowd of pushes while the gateway stops, or its connections go away: which of those that were delivered were not answered.

A client does as Go's does: it opens no stream after GOAWAY, waits for those up to the last one that the frame names, and sends again
what came after it or was reset with REFUSED_STREAM. So a push that is in the report and not answered would be sent twice.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading

from http2 import (
    ACK, BODY, GOAWAY, HEADERS, PING, PSEUDO, REGULAR, RST_STREAM, Connection, data, frame, headers, number, status)

FAULTS = '[{"every": 50, "goaway": "Shutdown"}]'
REFUSED = number(7)


class Sender(threading.Thread):
    """Sends pushes on one connection, so many at once, until it goes away."""

    def __init__(self, port, number, at_once, most, progress):
        super().__init__()
        self.connection = Connection(port)
        self.number, self.at_once, self.most, self.progress = number, at_once, most, progress
        self.answered, self.retryable, self.lost = set(), set(), set()
        self.codes = []
        self.reset = None

    def push(self, stream):
        fields = [(name, f"/3/device/{self.token(stream)}" if name == ":path" else value) for name, value in PSEUDO]
        return headers(stream, fields + REGULAR) + data(stream, BODY)

    def token(self, stream):
        return f"{self.number:04x}{stream:08x}"

    def run(self):
        open_streams = set(range(1, 2 * self.at_once, 2))
        self.connection.send(b"".join(self.push(stream) for stream in sorted(open_streams)))
        following, is_ending = 2 * self.at_once + 1, False
        while True:
            try:
                found = self.next()
            except ConnectionResetError as error:
                self.reset = error
                found = None
            if found is None:
                break
            kind, flags, stream, payload = found
            if kind == PING and not flags & ACK:
                self.connection.send(frame(PING, ACK, 0, payload))
            elif kind == GOAWAY:
                is_ending = True
                self.codes.append(int.from_bytes(payload[4:8], "big"))
                last = int.from_bytes(payload[:4], "big") & 0x7FFFFFFF
                late = {stream for stream in open_streams if stream > last}
                self.retryable |= late
                open_streams -= late
            elif stream in open_streams and kind in (HEADERS, RST_STREAM):
                open_streams.discard(stream)
                if kind == HEADERS and status(payload) == 200:
                    self.answered.add(stream)
                elif kind == RST_STREAM and payload == REFUSED:
                    self.retryable.add(stream)
                else:
                    self.lost.add(stream)
                self.progress.set()
                if not is_ending and following < 2 * self.most:
                    open_streams.add(following)
                    self.connection.send(self.push(following))
                    following += 2
                elif not open_streams:
                    break
        self.lost |= open_streams
        self.connection.close()

    def next(self):
        """Tells a reset by the system from an end, which `Connection` does not."""
        connection = self.connection
        while len(connection.bytes) < 9 or len(connection.bytes) < 9 + int.from_bytes(connection.bytes[:3], "big"):
            more = connection.socket.recv(65536)
            if not more:
                return None
            connection.bytes += more
        return connection.next()


def crowd(pushpipe, folder, connections, at_once, most, faults):
    """What is wrong, as texts."""
    from gateway import Gateway

    options = []
    if faults:
        path = os.path.join(folder, "faults.json")
        with open(path, "w") as file:
            file.write(FAULTS)
        options = ["--faults", path]
    gateway = Gateway(os.path.abspath(pushpipe), os.path.join(folder, "gateway"), options)
    progress = threading.Event()
    senders = [Sender(gateway.port, number, at_once, most, progress) for number in range(connections)]
    for sender in senders:
        sender.start()
    if not faults:
        # Requests are on their way in both directions.
        progress.wait(60)
        gateway.process.send_signal(signal.SIGTERM)
    for sender in senders:
        sender.join()
    rest = gateway.stop()
    reported = {line["device"] for line in gateway.report()}
    answered = {sender.token(stream) for sender in senders for stream in sender.answered}
    codes = sorted({code for sender in senders for code in sender.codes})
    silent = sum(not sender.codes for sender in senders)
    resets = sum(sender.reset is not None for sender in senders)
    lost = sum(len(sender.lost) for sender in senders)
    print(f"{len(reported)} reported, {len(answered)} answered, {lost} without an answer, {silent} connections without GOAWAY, "
          f"{resets} reset; codes {codes}")
    wrong = []
    if reported - answered:
        wrong.append(f"{len(reported - answered)} of {len(reported)} delivered pushes were not answered")
    if lost:
        wrong.append(f"{lost} pushes were neither answered nor refused")
    if answered - reported:
        wrong.append(f"{len(answered - reported)} answered pushes are not in the report")
    if codes not in ([], [0]):
        wrong.append(f"GOAWAY with codes {codes}")
    if silent and not faults or resets:
        wrong.append(f"{silent} connections ended without GOAWAY, {resets} with a reset")
    return [f"{text} {rest}" for text in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=".build/tests/release/pushpipe", help="the built command")
    parser.add_argument("--connections", type=int, default=30)
    parser.add_argument("--at-once", type=int, default=100, help="pushes in flight on a connection")
    parser.add_argument("--most", type=int, default=2000, help="pushes on a connection, at most")
    options = parser.parse_args()
    wrong = []
    for faults in (False, True):
        with tempfile.TemporaryDirectory(prefix="pushpipe-stops-") as folder:
            wrong += crowd(options.pushpipe, folder, options.connections, options.at_once, options.most, faults)
    for text in wrong:
        print(f"✗ {text}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
