#!/usr/bin/env python3
"""A service extension in Python. It makes a communication notification of a chat message, which a Focus that allows its sender lets pass,
and registers what its reader can do.

    pushpipe run --extension Samples/Extensions/chat.py payloads.ndjson

Documentation/reference/extension-protocol.md describes the messages.
"""

import json
import sys

CATEGORY = {"id": "CHAT", "actions": [{"id": "REPLY", "title": "Reply", "text": True}]}


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["method"] != "didReceive":
        continue
    sender = message["request"]["payload"].get("sender", "")
    send({"method": "setNotificationCategories", "id": message["id"], "categories": [CATEGORY]})
    content = {"title": sender, "sender": sender, "categoryIdentifier": CATEGORY["id"]}
    send({"method": "contentHandler", "id": message["id"], "content": content})
