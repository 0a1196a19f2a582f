#!/usr/bin/env python3
"""A service extension in Python. It names who mentions you, and replaces its earlier notification of the same conversation.

    pushpipe run --extension Samples/Extensions/mention.py payloads.ndjson

Documentation/reference/extension-protocol.md describes the messages.
"""

import itertools
import json
import sys
import time

calls = itertools.count(1)


def send(message):
    print(json.dumps(message), flush=True)


def receive():
    """The next message. The program ends when there are no more pushes."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def delivered(push):
    """What the app shows on the push's device."""
    call = next(calls)
    send({"method": "getDeliveredNotifications", "id": push, "call": call})
    while True:
        message = receive()
        if message["method"] == "answer" and message["call"] == call:
            return message["notifications"]


def did_receive(push, request):
    payload = request["payload"]
    conversation = payload.get("conversation")
    earlier = [
        notification["identifier"]
        for notification in delivered(push)
        if conversation is not None and notification["payload"].get("conversation") == conversation
    ]
    if earlier:
        send({"method": "removeDeliveredNotifications", "id": push, "identifiers": earlier})
        # The removal happens in the background: check until it is done.
        while set(earlier) & {notification["identifier"] for notification in delivered(push)}:
            time.sleep(0.01)
    content = {"threadIdentifier": str(conversation)}
    if sender := payload.get("sender"):
        content["title"] = f"{sender} mentioned you"
        content["interruptionLevel"] = "time-sensitive"
    send({"method": "contentHandler", "id": push, "content": content})


while True:
    message = receive()
    if message["method"] == "didReceive":
        did_receive(message["id"], message["request"])
