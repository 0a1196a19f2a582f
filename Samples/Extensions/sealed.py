#!/usr/bin/env python3
"""A service extension in Python that decrypts messages. Before the phone is unlocked for the first time, it cannot get at its key.

    pushpipe run --extension Samples/Extensions/sealed.py --set extension.keychain=Samples/Extensions/sealed.json payloads.ndjson

Documentation/reference/extension-protocol.md describes the messages.
"""

import base64
import itertools
import json
import os
import plistlib
import sys


def key(locked):
    """The key from the keychain, an item of kSecAttrAccessibleAfterFirstUnlock ("ck"). A lesser class would not do for a locked phone."""
    with open(os.environ["HOME"] + "/Library/Keychains/items.plist", "rb") as file:
        items = plistlib.load(file)
    item = next(item for item in items if item["svce"] == "whisper")
    return None if item["pdmn"] == "ck" and locked == "before-first-unlock" else item["v_Data"]


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
