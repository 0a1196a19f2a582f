#!/usr/bin/env python3
"""Sends `pushpipe serve` what RFC 9113 (HTTP/2) and RFC 7541 (HPACK) allow and forbid, and compares what it does.

    Tests/Services/Clients/conformance.py [--pushpipe PATH] [--only TEXT] [--port PORT]

An error of a stream may be treated as one of the connection, a connection may be closed without GOAWAY (RFC 9113, 5.4.1),
and a malformed request may be answered before it is reset (8.1.1). Everything else has to be as the RFC says.
"""

import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True

from http2 import *

PROBES = []


def probe(section, title, *accepted):
    """Adds a probe: a function of a connection that returns an outcome. `accepted` are outcomes, see `Connection.outcome`."""

    def add(function):
        PROBES.append((section, title, accepted, function))
        return function

    return add


def connection(*names):
    return (*("connection " + each for each in names), "closed")


def stream(*names):
    return (*("stream " + each for each in names), *connection(*names))


def malformed(*more):
    """A malformed request: a stream error, or an answer of 400."""
    return (*stream("PROTOCOL_ERROR"), "status 400", *more)


def simple(section, title, accepted, bytes, watched=None):
    """A probe that sends bytes and looks what happens, to a stream if it is given."""

    @probe(section, title, *accepted)
    def _(c):
        c.send(bytes)
        return c.outcome(watched)


ALIVE = ("alive",)
ACCEPTED = ("status 200",)

# MARK: The beginning of a connection


@probe("3.4", "the server's preface is a SETTINGS frame", "settings")
def _(c, port):
    with_nothing = Connection(port, handshake=False)
    with_nothing.send(PREFACE + settings())
    found = with_nothing.next()
    return "settings" if found and found[0] == SETTINGS and not found[1] & ACK else str(found)


@probe("3.4", "an invalid preface", "closed", "http/1.1")
def _(c, port):
    other = Connection(port, handshake=False)
    other.send(b"INVALID CONNECTION PREFACE\r\n\r\n")
    while more := other.socket.recv(4096):
        if more.startswith(b"HTTP/1.1 400"):
            return "http/1.1"
    return "closed"


@probe("3.4", "a preface that is followed by a frame other than SETTINGS", *connection("PROTOCOL_ERROR"))
def _(c, port):
    other = Connection(port, handshake=False)
    other.send(PREFACE + frame(PING, 0, 0, b"12345678"))
    return other.outcome()


@probe("3.4", "a request before the settings are acknowledged", *ACCEPTED)
def _(c, port):
    other = Connection(port, handshake=False)
    other.send(PREFACE + settings() + push(1))
    return other.outcome(1)


# MARK: Frames

simple("4.1", "a frame of an unknown type is ignored", ALIVE, frame(0xFA, 0xFF, 0, b"12345678"))
simple("4.1", "undefined flags are ignored", ALIVE, frame(PING, 0xFE, 0, b"12345678"))
simple("4.1", "a reserved bit is ignored", ALIVE, frame(PING, 0, 0x80000000, b"12345678"))
simple("4.2", "DATA of 16,384 bytes", ("status 413",), headers(1) + data(1, b"x" * 16384), 1)
simple(
    "4.2", "DATA longer than SETTINGS_MAX_FRAME_SIZE", stream("FRAME_SIZE_ERROR"), headers(1) + data(1, b"x" * 16385), 1)
simple(
    "4.2", "HEADERS longer than SETTINGS_MAX_FRAME_SIZE", connection("FRAME_SIZE_ERROR"),
    headers(1, payload=block(*REQUEST, ("x", "y" * 16000), ("x", "y" * 1000))), 1)
simple("4.3", "an invalid header block", connection("COMPRESSION_ERROR"), headers(1, payload=b"\x40\xff\xff\xff\xff\xff"))
simple(
    "4.3", "PRIORITY inside a header block", connection("PROTOCOL_ERROR"),
    headers(1, flags=0) + frame(PRIORITY, 0, 1, number(0) + b"\x10"))
simple(
    "4.3", "HEADERS of another stream inside a header block", connection("PROTOCOL_ERROR"), headers(1, flags=0) + headers(3))

# MARK: Streams

simple("5.1", "DATA on an idle stream", connection("PROTOCOL_ERROR", "STREAM_CLOSED"), data(1))
simple("5.1", "RST_STREAM on an idle stream", connection("PROTOCOL_ERROR"), frame(RST_STREAM, 0, 1, number(8)))
simple("5.1", "WINDOW_UPDATE on an idle stream", connection("PROTOCOL_ERROR"), frame(WINDOW_UPDATE, 0, 1, number(100)))
simple(
    "5.1", "CONTINUATION on an idle stream", connection("PROTOCOL_ERROR"),
    frame(CONTINUATION, END_HEADERS, 1, block(*REQUEST)))
simple("5.1", "PRIORITY on an idle stream", ALIVE, frame(PRIORITY, 0, 1, number(0) + b"\x10"))


def second(section, title, accepted, first, then):
    """What comes on stream 1 after the request and its answer."""

    @probe(section, title, *accepted)
    def _(c):
        c.send(first)
        if first.endswith(data(1)) or first[4] & END_STREAM:
            c.until(lambda kind, flags, where, payload: where == 1 and flags & END_STREAM)
        c.send(then)
        return c.outcome()


RESET = headers(1) + frame(RST_STREAM, 0, 1, number(8))
for title, first in [("after its answer", push(1)), ("after its reset", RESET)]:
    closed = connection("STREAM_CLOSED") + ("stream STREAM_CLOSED",)
    # A server may ignore frames that may have been sent before the reset arrived; nobody reset these.
    second("5.1", f"DATA on a stream {title}", closed, first, data(1))
    second(
        "5.1", f"HEADERS on a stream {title}", closed + ("connection PROTOCOL_ERROR",), first,
        headers(1, flags=END_HEADERS | END_STREAM))
    second(
        "5.1", f"CONTINUATION on a stream {title}", connection("STREAM_CLOSED", "PROTOCOL_ERROR"), first,
        frame(CONTINUATION, END_HEADERS, 1, b""))
second("5.1", "WINDOW_UPDATE on a stream after its answer", ALIVE, push(1), frame(WINDOW_UPDATE, 0, 1, number(100)))
second("5.1", "RST_STREAM on a stream after its answer", ALIVE, push(1), frame(RST_STREAM, 0, 1, number(0)))
second("5.1", "PRIORITY on a stream after its answer", ALIVE, push(1), frame(PRIORITY, 0, 1, number(0) + b"\x10"))


@probe("5.1", "RST_STREAM on each of 1,000 streams after its answer, as libcurl sends it", "status 200")
def _(c):
    for number_ in range(1000):
        identifier = 2 * number_ + 1
        c.send(push(identifier))
        found = c.until(lambda kind, flags, where, payload: kind == GOAWAY or where == identifier and flags & END_STREAM)
        if found is None or found[0] == GOAWAY:
            if found is None:
                return "closed"
            last = int.from_bytes(found[3][:4], "big")
            return f"connection {name(found[3][4:8])}, last stream {last}, after {number_} answers"
        c.send(frame(RST_STREAM, 0, identifier, number(5)))
    c.send(push(2001))
    return c.outcome(2001)


simple("5.1.1", "an even stream identifier", connection("PROTOCOL_ERROR"), headers(2))
simple("5.1.1", "a lower stream identifier than before", connection("PROTOCOL_ERROR", "STREAM_CLOSED"), push(5) + push(3))
simple("5.1.1", "stream identifiers with gaps", ACCEPTED, push(1001), 1001)


@probe("5.1.2", "more streams than SETTINGS_MAX_CONCURRENT_STREAMS", *stream("PROTOCOL_ERROR", "REFUSED_STREAM"))
def _(c):
    offered = next(payload for kind, flags, where, payload in c.frames if kind == SETTINGS)
    pairs = [struct.unpack(">HI", offered[at : at + 6]) for at in range(0, len(offered), 6)]
    limit = dict(pairs)[3]
    c.ping()
    c.until(lambda kind, flags, *_: kind == PING)
    c.send(b"".join(headers(2 * each + 1) for each in range(limit + 1)))
    return c.outcome(2 * limit + 1)


# A server may take this for a rapid reset attack; it must not stop serving others, which the end of the run looks at.
@probe("5.1", "RST_STREAM on each of 1,000 streams before its answer", "alive", *connection("ENHANCE_YOUR_CALM"))
def _(c):
    for number_ in range(1000):
        c.send(headers(2 * number_ + 1) + frame(RST_STREAM, 0, 2 * number_ + 1, number(8)))
    return c.outcome()


@probe("5.1.2", "as many streams as allowed, all answered", "1000 answers")
def _(c):
    c.ping()
    c.until(lambda kind, flags, *_: kind == PING)
    c.send(b"".join(headers(2 * each + 1) for each in range(1000)))
    c.send(b"".join(data(2 * each + 1) for each in range(1000)))
    answers = set()
    while len(answers) < 1000:
        found = c.until(lambda kind, flags, where, payload: kind in (HEADERS, GOAWAY))
        if found is None or found[0] == GOAWAY:
            return f"{len(answers)} answers, then the end"
        if status(found[3]) == 200:
            answers.add(found[2])
    return "1000 answers"


# RFC 9113 deprecates priorities (5.3) and no longer says that a stream depending on itself is an error.
simple(
    "5.3.2", "HEADERS that depend on their own stream", ("status 200", *stream("PROTOCOL_ERROR")),
    headers(1, flags=END_HEADERS | PRIORITY_FLAG, payload=number(1) + b"\x10" + block(*REQUEST)) + data(1), 1)


@probe("5.4.1", "the connection is closed after GOAWAY", "closed")
def _(c):
    c.send(frame(PING, 0, 0, b"1234"))
    while c.next() is not None:
        pass
    return "closed"


# Less would make the client send again what was answered. 2^31-1 excludes none (6.8).
@probe("5.4.1", "GOAWAY names a stream no lower than the last one that was answered", "stream 3", "stream 2147483647")
def _(c):
    c.send(push(1) + push(3))
    ended = set()
    while ended != {1, 3}:
        found = c.until(lambda kind, flags, where, payload: where in (1, 3) and flags & END_STREAM)
        ended.add(found[2])
    c.send(frame(PING, 0, 0, b"1234"))
    found = c.until(lambda kind, *_: kind == GOAWAY)
    return "stream " + str(int.from_bytes(found[3][:4], "big") & 0x7FFFFFFF) if found else "closed without GOAWAY"


simple(
    "5.5", "a frame of an unknown type inside a header block", connection("PROTOCOL_ERROR"),
    headers(1, flags=0) + frame(0xFA, 0, 0, b"1"))

# MARK: Frame types

simple("6.1", "DATA on stream 0", connection("PROTOCOL_ERROR"), data(0))
simple("6.1", "DATA with padding as long as its payload", connection("PROTOCOL_ERROR"), headers(1) + data(1, b"\x05abcd", PADDED))
simple("6.1", "DATA with valid padding", ACCEPTED, headers(1) + data(1, b"\x04" + BODY + b"\0" * 4, PADDED | END_STREAM), 1)
simple("6.1", "DATA with END_STREAM alone", ("status 400",), headers(1) + data(1, b""), 1)
simple("6.2", "HEADERS on stream 0", connection("PROTOCOL_ERROR"), headers(0))
simple(
    "6.2", "HEADERS with padding longer than its payload", connection("PROTOCOL_ERROR"),
    headers(1, flags=END_HEADERS | PADDED, payload=b"\xff" + block(*REQUEST)[:20]))
simple(
    "6.2", "HEADERS with padding and priority", ACCEPTED,
    headers(1, flags=END_HEADERS | PADDED | PRIORITY_FLAG, payload=b"\x03" + number(0) + b"\x10" + block(*REQUEST) + b"\0" * 3)
    + data(1), 1)
simple("6.3", "PRIORITY on stream 0", connection("PROTOCOL_ERROR"), frame(PRIORITY, 0, 0, number(0) + b"\x10"))
simple("6.3", "PRIORITY of 4 bytes", stream("FRAME_SIZE_ERROR"), headers(1) + frame(PRIORITY, 0, 1, number(0)))
simple("6.4", "RST_STREAM on stream 0", connection("PROTOCOL_ERROR"), frame(RST_STREAM, 0, 0, number(8)))
simple("6.4", "RST_STREAM of 3 bytes", connection("FRAME_SIZE_ERROR"), headers(1) + frame(RST_STREAM, 0, 1, b"\0\0\0"))
simple("6.5", "an acknowledgement of SETTINGS with a payload", connection("FRAME_SIZE_ERROR"), settings((1, 0), flags=ACK))
simple("6.5", "SETTINGS on a stream", connection("PROTOCOL_ERROR"), settings((3, 100), stream=1))
simple("6.5", "SETTINGS of 3 bytes", connection("FRAME_SIZE_ERROR"), frame(SETTINGS, 0, 0, b"\0\3\0"))
simple("6.5.2", "SETTINGS_ENABLE_PUSH of 2", connection("PROTOCOL_ERROR"), settings((2, 2)))
simple("6.5.2", "SETTINGS_INITIAL_WINDOW_SIZE of 2^31", connection("FLOW_CONTROL_ERROR"), settings((4, 1 << 31)))
simple("6.5.2", "SETTINGS_MAX_FRAME_SIZE of 16,383", connection("PROTOCOL_ERROR"), settings((5, 16383)))
simple("6.5.2", "SETTINGS_MAX_FRAME_SIZE of 2^24", connection("PROTOCOL_ERROR"), settings((5, 1 << 24)))
simple("6.5.2", "an unknown setting is ignored", ALIVE, settings((0xFA, 1)))
simple("6.5.2", "SETTINGS_HEADER_TABLE_SIZE of 0", ACCEPTED, settings((1, 0)) + push(1), 1)
simple("6.5.2", "SETTINGS_MAX_CONCURRENT_STREAMS of 0 limits the server alone", ACCEPTED, settings((3, 0)) + push(1), 1)


@probe("6.5.3", "SETTINGS are acknowledged", "acknowledged")
def _(c):
    c.until(lambda kind, flags, *_: kind == SETTINGS and flags & ACK)
    c.send(settings((4, 65535)))
    return "acknowledged" if c.until(lambda kind, flags, *_: kind == SETTINGS and flags & ACK) else "closed"


# Without a topic: the answer has a body, which needs a window.
WITH_BODY = headers(1, PSEUDO, END_HEADERS) + data(1)


@probe("6.5.3", "of two values of one setting the last counts", "1 byte")
def _(c):
    c.send(settings((4, 100), (4, 1)) + WITH_BODY)
    found = c.until(lambda kind, flags, where, payload: kind == DATA and where == 1)
    return f"{len(found[3])} byte" if found else "closed"


simple(
    "6.6", "PUSH_PROMISE by a client", connection("PROTOCOL_ERROR"),
    frame(PUSH_PROMISE, END_HEADERS, 1, number(2) + block(*REQUEST)))


@probe("6.7", "PING is answered with its own payload", "the same")
def _(c):
    c.ping(b"\x00\x01\xfe\xff5678")
    found = c.until(lambda kind, flags, *_: kind == PING and flags & ACK)
    return "the same" if found and found[3] == b"\x00\x01\xfe\xff5678" else str(found)


@probe("6.7", "an acknowledgement of a PING is not answered", "not answered")
def _(c):
    c.send(frame(PING, ACK, 0, b"unasked!"))
    c.ping(b"question")
    found = c.until(lambda kind, flags, *_: kind == PING)
    return "not answered" if found and found[3] == b"question" else str(found)


simple("6.7", "PING on a stream", connection("PROTOCOL_ERROR"), frame(PING, 0, 1, b"12345678"))
simple("6.7", "PING of 6 bytes", connection("FRAME_SIZE_ERROR"), frame(PING, 0, 0, b"123456"))
simple("6.8", "GOAWAY on a stream", connection("PROTOCOL_ERROR"), frame(GOAWAY, 0, 1, number(0) * 2))
simple("6.9", "WINDOW_UPDATE of 0 for the connection", connection("PROTOCOL_ERROR"), frame(WINDOW_UPDATE, 0, 0, number(0)))
simple("6.9", "WINDOW_UPDATE of 0 for a stream", stream("PROTOCOL_ERROR"), headers(1) + frame(WINDOW_UPDATE, 0, 1, number(0)))
simple("6.9", "WINDOW_UPDATE of 3 bytes", connection("FRAME_SIZE_ERROR"), frame(WINDOW_UPDATE, 0, 0, b"\0\0\1"))
simple(
    "6.9.1", "a window of the connection beyond 2^31-1", connection("FLOW_CONTROL_ERROR"),
    frame(WINDOW_UPDATE, 0, 0, number(0x7FFFFFFF)) * 2)
simple(
    "6.9.1", "a window of a stream beyond 2^31-1", stream("FLOW_CONTROL_ERROR"),
    headers(1) + frame(WINDOW_UPDATE, 0, 1, number(0x7FFFFFFF)) * 2)


@probe("6.9.1", "more DATA than the window of a stream", *stream("FLOW_CONTROL_ERROR"), "status 413")
def _(c):
    c.send(headers(1))
    for _ in range(70):
        c.send(data(1, b"x" * 16384, 0))
    return c.outcome(1)


@probe("8.1", "the answer to a body of 2 MB is complete before its stream is reset", "status 413, a body, NO_ERROR")
def _(c):
    # As much as the windows allow, until the server resets the stream.
    c.send(headers(1))
    windows, left, found = {0: 65535, 1: 65535}, 2_000_000, []
    while True:
        size = min(16384, left, *windows.values())
        if size > 0:
            c.send(data(1, b"x" * size, 0))
            left -= size
            windows = {where: window - size for where, window in windows.items()}
            if min(left, *windows.values()) > 0:
                continue
        frame = c.next()
        if frame is None:
            return "closed"
        kind, flags, where, payload = frame
        if kind == WINDOW_UPDATE:
            windows[where] += int.from_bytes(payload, "big")
        elif kind == HEADERS:
            found.append(f"status {status(payload)}")
        elif kind == DATA:
            found.append("a body" if flags & END_STREAM else "a part of a body")
        elif kind == RST_STREAM:
            return ", ".join([*found, name(payload)])


@probe("6.9.1", "a window of 1 byte is kept to", "1 byte")
def _(c):
    c.send(settings((4, 1)) + WITH_BODY)
    found = c.until(lambda kind, flags, where, payload: kind == DATA and where == 1)
    return f"{len(found[3])} byte" if found else "closed"


@probe("6.9.2", "a smaller initial window changes open streams, and a larger one lets the rest come", "all of it")
def _(c):
    c.send(settings((4, 0)) + WITH_BODY)
    c.until(lambda kind, flags, where, payload: kind == HEADERS and where == 1)
    c.send(settings((4, 5)))
    parts = c.until(lambda kind, flags, where, payload: kind == DATA and where == 1)[3]
    c.send(settings((4, 65535)))
    while True:
        found = c.until(lambda kind, flags, where, payload: kind == DATA and where == 1)
        if found is None:
            return "closed"
        parts += found[3]
        if found[1] & END_STREAM:
            return "all of it" if parts == b'{"reason":"MissingTopic"}' else str(parts)


simple(
    "6.9.2", "an initial window beyond 2^31-1 while a stream is open", connection("FLOW_CONTROL_ERROR"),
    headers(1) + settings((4, 0x80000000)))
whole = block(*REQUEST)
simple(
    "6.10", "a header block in three frames", ACCEPTED,
    headers(1, flags=0, payload=whole[:10]) + frame(CONTINUATION, 0, 1, whole[10:30])
    + frame(CONTINUATION, END_HEADERS, 1, whole[30:]) + data(1), 1)
simple(
    "6.10", "CONTINUATION on stream 0", connection("PROTOCOL_ERROR"),
    headers(1, flags=0) + frame(CONTINUATION, END_HEADERS, 0, b""))
simple(
    "6.10", "CONTINUATION of another stream", connection("PROTOCOL_ERROR"),
    headers(1, flags=0) + frame(CONTINUATION, END_HEADERS, 3, b""))
simple(
    "6.10", "CONTINUATION after END_HEADERS", connection("PROTOCOL_ERROR"),
    headers(1) + frame(CONTINUATION, END_HEADERS, 1, whole))
simple(
    "6.10", "CONTINUATION after DATA", connection("PROTOCOL_ERROR"),
    headers(1) + data(1, b"{", 0) + frame(CONTINUATION, END_HEADERS, 1, whole))
simple("6.10", "DATA inside a header block", connection("PROTOCOL_ERROR"), headers(1, flags=0) + data(1))
simple("7", "RST_STREAM with an unknown code", ALIVE, headers(1) + frame(RST_STREAM, 0, 1, number(0xFFFF)))
simple(
    "7", "GOAWAY with an unknown code", ("alive", "closed", "connection NO_ERROR"),
    frame(GOAWAY, 0, 0, number(0) + number(0xFFFF)))

# MARK: Requests


def request(section, title, accepted, fields, trailers=None, payload=BODY):
    end = data(1, payload) if trailers is None else data(1, payload, 0) + headers(1, trailers, END_HEADERS | END_STREAM)
    simple(section, title, accepted, headers(1, fields) + end, 1)


def without(name):
    return [each for each in REQUEST if each[0] != name]


simple(
    "8.1", "HEADERS in the middle of a request", malformed(), headers(1) + data(1, b"{", 0) + headers(1, [("x", "y")], END_HEADERS)
    + data(1, b"}"), 1)
request("8.1", "trailers", ACCEPTED, REQUEST, [("x-checksum", "1")])
request("8.1", "pseudo-headers in trailers", malformed(), REQUEST, [(":method", "POST")])
request("8.1.1", "content-length of the body", ACCEPTED, REQUEST + [("content-length", str(len(BODY)))])
request("8.1.1", "content-length greater than the body", malformed(), REQUEST + [("content-length", "100")])
request("8.1.1", "content-length less than the body", malformed(), REQUEST + [("content-length", "1")])
simple(
    "8.1.1", "content-length less than the body in two frames", malformed(),
    headers(1, REQUEST + [("content-length", "10")]) + data(1, BODY[:8], 0) + data(1, BODY[8:]), 1)
request("8.1.1", "content-length that is not a number", malformed(), REQUEST + [("content-length", "many")])
request(
    "8.1.1", "two different values of content-length", malformed(),
    REQUEST + [("content-length", str(len(BODY))), ("content-length", "1")])
simple(
    "8.1.1", "content-length with END_STREAM on HEADERS", malformed(),
    headers(1, REQUEST + [("content-length", "5")], END_HEADERS | END_STREAM), 1)
request("8.2.1", "a header in upper case", malformed(), REQUEST + [("X-TEST", "ok")])
request("8.2.1", "a header with a space in its name", malformed(), REQUEST + [("x test", "ok")])
# An HPACK decoder may find it first.
request("8.2.1", "a header without a name", malformed("connection COMPRESSION_ERROR"), REQUEST + [("", "ok")])
for character, word in [("\0", "NUL"), ("\r", "CR"), ("\n", "LF")]:
    request("8.2.1", f"a value with {word}", malformed(), REQUEST + [("x-test", f"a{character}b")])
# "SHOULD be treated as malformed"; servers in use take it.
request("8.2.1", "a value that begins with a space", malformed("status 200"), REQUEST + [("x-test", " a")])
for header in ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]:
    request("8.2.2", f"the header {header}", malformed(), REQUEST + [(header, "keep-alive")])
request("8.2.2", "te other than trailers", malformed(), REQUEST + [("te", "trailers, deflate;q=0.5")])
request("8.2.2", "te: trailers", ACCEPTED, REQUEST + [("te", "trailers")])
request("8.3", "an unknown pseudo-header", malformed(), PSEUDO + [(":test", "ok")] + REGULAR)
request("8.3", "the pseudo-header of a response", malformed(), PSEUDO + [(":status", "200")] + REGULAR)
request("8.3", "a pseudo-header after a header", malformed(), REGULAR + PSEUDO)
for missing in [":method", ":scheme", ":path"]:
    request("8.3.1", f"no {missing}", malformed(), without(missing))
for twice in PSEUDO:
    request("8.3.1", f"{twice[0]} twice", malformed(), [twice] + REQUEST)
request(
    "8.3.1", "an empty :path", malformed(),
    [(":method", "POST"), (":scheme", "http"), (":path", "")] + REGULAR)
request("8.3.1", "no :authority, but host", ACCEPTED, without(":authority") + [("host", "localhost")])
request(
    "8.3.1", "neither :authority nor host", (*ACCEPTED, "status 400", *stream("PROTOCOL_ERROR")),
    without(":authority"))
request(
    "8.5", "CONNECT with a path", malformed("status 405"),
    [(":method", "CONNECT"), (":scheme", "http"), (":path", "/"), (":authority", "a:1")])

# MARK: HPACK


def compression(section, title, payload, accepted=connection("COMPRESSION_ERROR")):
    simple("HPACK " + section, title, accepted, headers(1, payload=payload) + data(1), 1)


compression("2.3.3", "an index beyond both tables", whole + b"\xff\x80\x01")
compression("4.2", "a table size update at the end of a block", whole + b"\x20")
# `a` is 00011; the rest has to be at most seven ones.
compression("5.2", "a Huffman code with padding of more than 7 bits", whole + b"\x00\x01x\x82\x1f\xff")
compression("5.2", "a Huffman code padded with zeros", whole + b"\x00\x01x\x81\x18")
compression("5.2", "a Huffman code with EOS", whole + b"\x00\x01x\x84\xff\xff\xff\xfc")
compression("6.1", "index 0", whole + b"\x80")
compression("6.3", "a table size update beyond SETTINGS_HEADER_TABLE_SIZE", b"\x3f\xe1\xff\x03" + whole)
compression("6.3", "a table size update to 0", b"\x20" + whole, ACCEPTED)
compression("5.1", "an integer that never ends", whole + b"\x00\x7f" + b"\xff" * 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=".build/tests/release/pushpipe", help="the built command")
    parser.add_argument("--only", default="", help="only probes whose title or section contains this")
    parser.add_argument("--port", type=int, help="probe the server on this port of 127.0.0.1 instead")
    parser.add_argument("--verbose", action="store_true", help="a line per probe")
    options = parser.parse_args()
    gateway = None
    with tempfile.TemporaryDirectory(prefix="pushpipe-http2-") as folder:
        if options.port is None:
            from gateway import Gateway

            gateway = Gateway(os.path.abspath(options.pushpipe), folder)
        port = options.port or gateway.port
        passed, failed = 0, 0
        for section, title, accepted, function in PROBES:
            if options.only not in title and options.only != section:
                continue
            c = Connection(port)
            try:
                takes_port = function.__code__.co_argcount == 2
                outcome = function(c, port) if takes_port else function(c)
            except TimeoutError:
                outcome = "silent"
            except Exception as error:
                outcome = f"{type(error).__name__}: {error}"
            c.close()
            if outcome in accepted:
                passed += 1
            else:
                failed += 1
            if options.verbose or outcome not in accepted:
                mark = "✓" if outcome in accepted else "✗"
                print(f"{mark} {section}, {title}: {outcome}" + ("" if outcome in accepted else f"; expected {' | '.join(accepted)}"))
        if gateway:
            # It has to be well after all this.
            c = Connection(port)
            c.send(push(1))
            alive = c.outcome(1) == "status 200"
            c.close()
            rest = gateway.stop()
            if not alive or gateway.process.returncode != 130:
                failed += 1
                print(f"✗ the gateway does not serve any more: {rest}")
        print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
