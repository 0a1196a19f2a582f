"""Frames of HTTP/2 as bytes, right or wrong, and what a server does about them. No library, because a library refuses to err."""

import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, PRIORITY_FLAG, ACK = 0x1, 0x4, 0x8, 0x20, 0x1

ERRORS = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
]

TOKEN_PATH = "/3/device/ab12"
BODY = b'{"aps":{"alert":"Hi"}}'


def frame(kind, flags, stream, payload=b"", length=None):
    """A frame; `length` lies about its payload."""
    length = len(payload) if length is None else length
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(value):
    """A string of HPACK without Huffman coding, shorter than 127 + 16384 bytes."""
    value = value.encode("latin-1") if isinstance(value, str) else value
    if len(value) < 127:
        return bytes([len(value)]) + value
    rest = len(value) - 127
    return bytes([127, rest & 0x7F | 0x80, rest >> 7]) + value


def field(name, value):
    """A header, literal and not indexed."""
    return b"\x00" + text(name) + text(value)


def block(*fields):
    return b"".join(field(name, value) for name, value in fields)


PSEUDO = [(":method", "POST"), (":scheme", "http"), (":path", TOKEN_PATH), (":authority", "localhost")]
REGULAR = [("apns-topic", "org.example.news")]
REQUEST = PSEUDO + REGULAR


def settings(*pairs, flags=0, stream=0):
    return frame(SETTINGS, flags, stream, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def headers(stream, fields=REQUEST, flags=END_HEADERS, payload=None):
    return frame(HEADERS, flags, stream, block(*fields) if payload is None else payload)


def data(stream, payload=BODY, flags=END_STREAM):
    return frame(DATA, flags, stream, payload)


def push(stream, fields=REQUEST, payload=BODY):
    """A whole request."""
    return headers(stream, fields) + data(stream, payload)


def number(value):
    return struct.pack(">I", value)


class Connection:
    """A connection without TLS, on which the settings have been exchanged."""

    # A server that says nothing for so many seconds says nothing at all; nothing else waits for it. A debug build on a busy machine takes
    # 13 s for a thousand requests at once.
    TIMEOUT = 60

    def __init__(self, port, own_settings=(), handshake=True):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=self.TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""
        self.frames = []
        if handshake:
            self.send(PREFACE + settings(*own_settings))
            self.until(lambda kind, flags, stream, payload: kind == SETTINGS and not flags & ACK)
            self.send(settings(flags=ACK))

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            # The server has closed. What it said before is still to be read.
            pass

    def next(self):
        """The next frame as (kind, flags, stream, payload), or None at the end."""
        while True:
            if len(self.bytes) >= 9:
                length = int.from_bytes(self.bytes[:3], "big")
                if len(self.bytes) >= 9 + length:
                    kind, flags = self.bytes[3], self.bytes[4]
                    stream = int.from_bytes(self.bytes[5:9], "big") & 0x7FFFFFFF
                    found = (kind, flags, stream, self.bytes[9 : 9 + length])
                    self.bytes = self.bytes[9 + length :]
                    self.frames.append(found)
                    return found
            try:
                more = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError:
                more = b""
            if not more:
                return None
            self.bytes += more

    def until(self, condition):
        """The first frame that meets the condition, or None at the end."""
        while (found := self.next()) is not None:
            if condition(*found):
                return found
        return None

    def ping(self, payload=b"pushpipe"):
        self.send(frame(PING, 0, 0, payload))

    def outcome(self, stream=None):
        """What the server does, as text: `connection NAME`, `closed`, `stream NAME`, `status N`, or `alive`.

        A PING is sent first: when it is answered and nothing else came, what was sent before was ignored. An answer to a
        request comes later than that, so with a stream the wait is for the answer or the reset of that stream.
        """
        self.ping()
        try:
            while (found := self.next()) is not None:
                kind, flags, where, payload = found
                if kind == GOAWAY:
                    return "connection " + name(payload[4:8])
                if kind == RST_STREAM and stream in (None, where):
                    return "stream " + name(payload)
                if kind == HEADERS and where == stream:
                    return "status " + str(status(payload))
                if kind == PING and flags & ACK and stream is None:
                    return "alive"
        except TimeoutError:
            return "silent"
        return "closed"

    def close(self):
        self.socket.close()


def name(code):
    value = int.from_bytes(code, "big")
    return ERRORS[value] if value < len(ERRORS) else str(value)


def status(payload):
    """The status at the beginning of a header block: an entry of the static table, or a literal."""
    table = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
    while payload[0] & 0xE0 == 0x20:
        # A change of the dynamic table's size.
        payload = payload[1:]
    if payload[0] in table:
        return table[payload[0]]
    # A literal with the name `:status` from the static table; its value of three digits, Huffman-coded or not.
    length = payload[1] & 0x7F
    value = payload[2 : 2 + length]
    if not payload[1] & 0x80:
        return int(value)
    bits = "".join(f"{byte:08b}" for byte in value)
    codes = {"00000": "0", "00001": "1", "00010": "2"} | {f"{0b011001 + digit - 3:06b}": str(digit) for digit in range(3, 10)}
    digits, at = "", 0
    while len(digits) < 3:
        for size in (5, 6):
            if bits[at : at + size] in codes:
                digits += codes[bits[at : at + size]]
                at += size
                break
        else:
            break
    return int(digits or 0)
