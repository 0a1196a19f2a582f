"""What each client sends, and how Apple documents the answer.

Sources: Apple, "Handling notification responses from APNs" for statuses and reasons, and "Sending notification requests to
APNs" for limits and headers.
"""

import dataclasses

TOPIC = "org.example.news"


@dataclasses.dataclass
class Request:
    """One push. `expired` asks for a provider token that is two hours old."""

    token: str
    topic: str | None = TOPIC
    alert: str = "12 of 98 districts"
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


def one(name, request, status, reason, outcome):
    return Case(name, [request], [(status, reason)], [outcome])


DEAD = "dead00"
CROWD = 1000

CASES = [
    one("accepted", Request("acce01"), 200, None, "delivered"),
    Case(
        "replaced",
        [Request("c011a5", collapse_id="count"), Request("c011a5", collapse_id="count", alert="13 of 98 districts")],
        [(200, None)] * 2, ["delivered", "replaced"]),
    one("410", Request(DEAD), 410, "Unregistered", "rejected"),
    # 4096 bytes are accepted; this text alone is more.
    one("413", Request("b16b16", alert="x" * 4097), 413, "PayloadTooLarge", "rejected"),
    one("bad token", Request("not-a-token"), 400, "BadDeviceToken", "rejected"),
    one("no topic", Request("707070", topic=None), 400, "MissingTopic", "rejected"),
    one("old JWT", Request("01d01d", expired=True), 403, "ExpiredProviderToken", "rejected"),
    Case(
        "1000 at once", [Request(f"{0xF00000 + number:06x}") for number in range(CROWD)],
        [(200, None)] * CROWD, ["delivered"] * CROWD, together=True),
]

# Registered before the first request.
DEVICES = [{"device": DEAD, "app": TOPIC, "unregistered": True}]
