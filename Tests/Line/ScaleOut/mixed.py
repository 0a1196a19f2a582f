#!/usr/bin/env python3
"""Adds to a generated stream what concerns several devices, everybody or nobody: requests with many targets, messages to topics, gateways'
formats, tokens of Expo's, clocks, phones that come and go, records that are broken.

    pushpipe generate --count 100000 --event-rate 0.05 --malformed-rate 0.01 | mixed.py --seed 1 > mixed.ndjson

The same input and seed give the same bytes everywhere. About one line in eight is added.
"""

import argparse
import json
import random
import sys

APNS = [f"{number:08x}" * 8 for number in range(0x11AB0000, 0x11AB0000 + 60)]
GCM = [f"d{number}abcdefgh:APA91b{'x' * 20}{number}" for number in range(60)]
TOPICS = ["rovers", "united", "weather"]
APP = "org.example.sport"
# 2026-01-01T00:00:00Z, the clock of the runs.
START = 1767225600


def token(choice):
    text = choice.choice(APNS)
    # The case of hexadecimal digits makes no other device.
    return text.upper() if choice.random() < 0.3 else text


def alert(choice, device, **headers):
    headers = {"apns-topic": APP, "apns-push-type": "alert", **headers}
    return {"device": device, "headers": headers, "payload": {"aps": {"alert": f"Goal {choice.randrange(10**6)}"}}}


def several(choice):
    """A request with several targets."""
    kind = choice.randrange(5)
    targets = choice.sample(GCM, choice.randrange(1, 9))
    note = {"title": "Cup draw", "body": f"At {choice.randrange(24)}:00"}
    if kind == 0:
        return {"registration_ids": targets, "notification": note, "collapse_key": "draw"}
    if kind == 1:
        return {"registration_ids": targets + targets[:1] + [7, ""], "notification": note, "time_to_live": 60}
    if kind == 2:
        return {"deviceTokens": [token(choice) for _ in range(choice.randrange(1, 6))], "messageType": "checkEchoV1", "topic": "org.wikimedia.wikipedia"}
    if kind == 3:
        return {"deviceTokens": targets, "messageType": "checkEchoV1"}
    text = {"aps": {"alert": f"Order {choice.randrange(10**6)}"}}
    return {"default": "Order", "APNS": json.dumps(text), "GCM": json.dumps({"notification": {"title": "Order"}})}


def topics(choice):
    """Messages to topics that nobody subscribes to: subscriptions end `partition`."""
    topic = choice.choice(TOPICS)
    note = {"title": f"{topic} {choice.randrange(10**6)}"}
    kind = choice.randrange(3)
    if kind == 0:
        return {"to": "/topics/" + topic, "notification": note}
    if kind == 1:
        return {"message": {"topic": topic, "notification": note, "android": {"ttl": f"{choice.randrange(100)}s"}}}
    return {"condition": f"'{topic}' in topics && !('weather' in topics)", "notification": note, "priority": "high"}


def life(choice):
    """What happens to phones."""
    device = choice.choice(GCM + APNS)
    kind = choice.randrange(10)
    if kind < 3:
        return {"event": "device", "device": device, "online": kind > 0, "app": APP if device in APNS else "org.example.scores"}
    if kind == 3:
        return {"event": "clock", "advance": choice.choice(["1s", "90s", "1h", "3d"])}
    if kind == 4:
        return {"event": "device", "device": device, "unregistered": True}
    if kind == 5:
        return {"event": "device", "device": device, "state": choice.choice(["foreground", "background", "force-quit"])}
    if kind == 6:
        return {"event": choice.choice(["clear", "tap", "dismiss"]), "device": device}
    if kind == 7:
        return {"event": "device", "device": device, "registration": "registered", "unregistered": False}
    if kind == 8:
        payload = {"aps": {"content-available": 1}}
        headers = {"apns-topic": APP, "apns-push-type": "background", "apns-priority": "5"}
        return {"device": token(choice), "headers": headers, "payload": payload}
    expires = START + choice.randrange(-10, 10**6)
    return alert(choice, token(choice), **{"apns-expiration": str(expires), "apns-collapse-id": f"m{choice.randrange(4)}"})


def expo(choice):
    """Messages to tokens of Expo's that no event has named."""
    tokens = [f"ExponentPushToken[{number}]" for number in range(8)]
    to = choice.choice(tokens) if choice.random() < 0.7 else choice.sample(tokens, 3)
    return {"to": to, "title": f"Goal {choice.randrange(10**6)}", "ttl": choice.randrange(1000)}


def broken(choice):
    """Bytes that are no record, or one with unusual spaces."""
    return choice.choice([
        b'{"aps":{"alert":"not closed"}',
        b'{"aps":{"alert":"\xff\xfe"}}',
        b"[1,2]",
        b"Apache",
        b'{"unknown":"shape"}',
        b'{"event":"nothing"}',
        b'{"device":"11ab0000",\t"payload":\t{"aps":{"alert":"tab"}}}',
        b'  {"aps":{"alert":"no device"}}  ',
        b'{"registration_ids":[],"data":{}}',
        json.dumps({"registration_ids": [f"t{number}" for number in range(1001)], "data": {}}).encode(),
        json.dumps(alert(choice, token(choice)) | {"payload": {"aps": {"alert": "x" * 5000}}}).encode(),
        b'{"place":{"seq":1},"data":"an app of ours"}',
        b'{"place":"Paris","end":true,"aps":{"alert":"an app of ours"}}',
    ])


def addition(choice):
    kind = choice.randrange(11)
    if kind < 4:
        return several(choice)
    if kind < 6:
        return topics(choice)
    if kind < 9:
        return life(choice)
    return broken(choice) if kind == 9 else expo(choice)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    choice = random.Random(options.seed)
    write = sys.stdout.buffer.write
    for line in sys.stdin.buffer:
        write(line)
        while choice.random() < 0.125:
            added = addition(choice)
            if isinstance(added, dict):
                added = json.dumps(added, ensure_ascii=choice.random() < 0.5, separators=choice.choice([(",", ":"), (", ", ": ")])).encode()
            write(added + b"\n")


if __name__ == "__main__":
    main()
