#!/usr/bin/env python3
"""A service extension in Python that decrypts messages. Before the phone is unlocked for the first time, it cannot get at its key.

    pushpipe run --extension Samples/Extensions/sealed.py payloads.ndjson

Documentation/reference/extension-protocol.md describes the messages.
"""

import base64
import itertools
import json
import sys


def key(locked):
    """The key from the keychain, an item of kSecAttrAccessibleAfterFirstUnlock. A lesser class would not do for a locked phone."""
    return None if locked == "before-first-unlock" else b"whisper"


def opened(box, secret):
    """Stands for a real cipher."""
    return bytes(a ^ b for a, b in zip(base64.b64decode(box), itertools.cycle(secret))).decode()


for line in sys.stdin:
    message = json.loads(line)
    if message["method"] != "didReceive":
        continue
    answer = {"method": "contentHandler", "id": message["id"]}
    box = message["request"]["payload"].get("box")
    secret = key(message.get("locked"))
    if box and secret:
        answer["content"] = {"body": opened(box, secret)}
    # Without content, the phone shows what the sender wrote: a text that reveals nothing.
    print(json.dumps(answer), flush=True)
