"""What each client sends, and how the service's documentation says it is answered.

Sources: Apple, "Handling notification responses from APNs" for statuses and reasons, and "Sending notification requests to
APNs" for limits and headers; Apple (archived), "Binary Provider API"; Firebase, "ErrorCode" of FCM v1; Google, "Firebase Cloud Messaging HTTP protocol" for the legacy
one; Airnotifier's sources, api/push.py and api/__init__.py; Expo, "Send notifications with Expo's Push API".
"""

import dataclasses

TOPIC = "org.example.news"


@dataclasses.dataclass
class Request:
    """One push. `expired` asks for a provider token that is two hours old, or for a wrong access token of Expo's."""

    token: str
    # For Airnotifier, the name of the app.
    topic: str | None = TOPIC
    alert: str = "12 of 98 districts"
    # For Android, the tag of the notification.
    collapse_id: str | None = None
    expired: bool = False


@dataclasses.dataclass
class Case:
    """Requests, the answer to each as (status, reason), and the outcome that each has in the report."""

    name: str
    requests: list
    answers: list
    outcomes: list
    # Sent at once, without waiting for answers.
    together: bool = False
    # A client may report errors and send again; what it says was accepted has to be in the report.
    may_fail: bool = False

    @property
    def is_crowd(self):
        """Sent at once, and nothing of it is refused."""
        return self.together and set(self.outcomes) == {"delivered"}


def one(name, request, status, reason, outcome):
    return Case(name, [request], [(status, reason)], [outcome])


DEAD = "dead00"

def crowd(count, token=str):
    return Case(
        f"{count} at once", [Request(token(f"{0xF00000 + number:06x}")) for number in range(count)],
        [(200, None)] * count, ["delivered"] * count, together=True)


def sent_away():
    """Every third push has the connection go away. Libraries differ in what they make of its answer; none may end there."""
    return Case(
        "GOAWAY", [Request(f"90a{number:03x}") for number in range(7)], [(200, None)] * 7, ["delivered"] * 7, may_fail=True)


def twice(status=200):
    return Case(
        "replaced",
        [Request("c011a5", collapse_id="count"), Request("c011a5", collapse_id="count", alert="13 of 98 districts")],
        [(status, None)] * 2, ["delivered", "replaced"])


def whole(token):
    """A token of the binary interface, which has 32 bytes."""
    return token.ljust(64, "0")


def expo(name):
    return f"ExponentPushToken[{name}]"


# The cases of each kind of service.
CASES = {
    "APNs": [
        one("accepted", Request("acce01"), 200, None, "delivered"),
        twice(),
        one("410", Request(DEAD), 410, "Unregistered", "rejected"),
        # 4096 bytes are accepted; this text alone is more.
        one("413", Request("b16b16", alert="x" * 4097), 413, "PayloadTooLarge", "rejected"),
        one("bad token", Request("not-a-token"), 400, "BadDeviceToken", "rejected"),
        one("no topic", Request("707070", topic=None), 400, "MissingTopic", "rejected"),
        one("old JWT", Request("01d01d", expired=True), 403, "ExpiredProviderToken", "rejected"),
        Case(
            "429", [Request("4242ff")] * 3, [(200, None), (200, None), (429, "TooManyRequests")],
            ["delivered", "delivered", "rejected"]),
        crowd(1000),
        # The last one, because aioapns sends what comes at once on the connection that it was just told to leave.
        sent_away(),
    ],
    "FCM": [
        one("accepted", Request("acce01"), 200, None, "delivered"),
        twice(),
        one("404", Request(DEAD), 404, "UNREGISTERED", "rejected"),
        one("too large", Request("b16b16", alert="x" * 4097), 400, "INVALID_ARGUMENT", "rejected"),
        one("bad token", Request("a token"), 400, "INVALID_ARGUMENT", "rejected"),
        Case(
            "429", [Request("4242ff")] * 3, [(200, None), (200, None), (429, "QUOTA_EXCEEDED")],
            ["delivered", "delivered", "rejected"]),
        crowd(100),
        sent_away(),
    ],
    # Every answer is 200; the reason is in the results.
    "GCM": [
        one("accepted", Request("acce01"), 200, None, "delivered"),
        one("dead token", Request(DEAD), 200, "NotRegistered", "rejected"),
        one("too large", Request("b16b16", alert="x" * 4097), 200, "MessageTooBig", "rejected"),
    ],
    # The status of the error, or 0.
    "Binary": [
        one("accepted", Request(whole("acce01")), 0, None, "delivered"),
        one("dead token", Request(whole(DEAD)), 8, "Invalid token", "rejected"),
        one("too large", Request(whole("b16b16"), alert="x" * 2049), 7, "Invalid payload size", "rejected"),
        Case(
            "100 at once", [Request(whole(f"{0xF00000 + number:06x}")) for number in range(100)], [(0, None)] * 100,
            ["delivered"] * 100, together=True),
        # What stands behind the dead token is lost.
        Case(
            "lost", [Request(whole("10511a")), Request(whole(DEAD + "1")), Request(whole("10511b"))],
            [(8, "Invalid token")] * 3, ["delivered", "rejected"], together=True),
        one("again", Request(whole("acce02")), 0, None, "delivered"),
    ],
    "Airnotifier": [
        # A token that is not known is registered first.
        Case("accepted", [Request("acce01")], [(202, None)], ["applied", "delivered"]),
        one("dead token", Request(DEAD), 404, "error response from fcm", "rejected"),
        one("no app", Request("707070", topic=None), 400, "app name is required", "rejected"),
    ],
    # Tickets and receipts come with 200.
    "Expo": [
        one("accepted", Request(expo("acce01")), 200, None, "delivered"),
        one("dead token", Request(expo(DEAD)), 200, "DeviceNotRegistered", "rejected"),
        one("too large", Request(expo("b16b16"), alert="x" * 4097), 200, "MessageTooBig", "rejected"),
        # Of a request that is refused as a whole the report names no token.
        Case("wrong access token", [Request(expo("acce02"), expired=True)], [(401, "UNAUTHORIZED")], []),
        Case(
            "too many", [Request(expo("4242ff"))] * 3, [(200, None), (200, None), (200, "MessageRateExceeded")],
            ["delivered", "delivered", "rejected"]),
        # A request has at most 100.
        crowd(150, expo),
    ],
}

# The gateway refuses more pushes to a token in a minute.
PUSHES_PER_MINUTE = 2

# Rules for `--faults`, see Documentation/reference/gateway-faults.md.
FAULTS = [{"device": "90a*", "every": 3, "goaway": "Shutdown"}]

# Registered before the first request.
DEVICES = {
    "APNs": [{"device": DEAD, "app": TOPIC, "unregistered": True}],
    "FCM": [{"device": DEAD, "platform": "android", "unregistered": True}],
    "GCM": [{"device": DEAD, "platform": "android", "unregistered": True}],
    "Binary": [{"device": whole(dead), "app": TOPIC, "unregistered": True} for dead in (DEAD, DEAD + "1")],
    "Airnotifier": [{"device": DEAD, "platform": "android", "unregistered": True}],
    "Expo": [{"device": DEAD, "platform": "android", "app": TOPIC, "expo": expo(DEAD), "unregistered": True}],
}
