import json
import os
import re
import shlex
import subprocess

from harness import answer, main, payload

WORDS = shlex.split(os.path.expandvars(r'''
# RECIPE
'''.replace("\\\n", " ")))


def load(requests):
    """All requests in one command, and how many were answered with each class of status."""
    first = requests[0]
    words = list(WORDS)
    words[words.index("-n") + 1] = str(len(requests))
    words[words.index("-m") + 1] = str(len(requests))
    at = next(index for index, word in enumerate(words) if word.startswith("authorization:"))
    words[at] = "authorization: bearer " + os.environ["OLD_TOKEN" if first["expired"] else "TOKEN"]
    at = next(index for index, word in enumerate(words) if word.startswith("apns-topic:"))
    if first["topic"]:
        words[at] = "apns-topic: " + first["topic"]
    else:
        del words[at - 1 : at + 1]
    if first["collapse_id"]:
        words += ["-H", "apns-collapse-id: " + first["collapse_id"]]
    address = words.pop(next(index for index, word in enumerate(words) if word.startswith("https:")))
    with open("push.json", "w") as file:
        json.dump(payload(first), file)
    with open("addresses", "w") as file:
        for request in requests:
            file.write(address.rsplit("/", 1)[0] + "/" + request["token"] + "\n")
    output = subprocess.run(words + ["-i", "addresses"], capture_output=True, text=True).stdout
    found = re.search(r"^status codes: (\d+) 2xx, \d+ 3xx, (\d+) 4xx, (\d+) 5xx", output, re.MULTILINE)
    if not found or "Application protocol: h2" not in output:
        raise RuntimeError(output)
    return [int(number) for number in found.groups()]


def send_all(requests):
    accepted, refused, failed = load(requests)
    if accepted == len(requests):
        return [answer(200)] * accepted
    # h2load says no more than the class of a status.
    if refused == len(requests):
        return [answer(None, None, refused=True)] * refused
    raise RuntimeError(f"{accepted} accepted, {refused} refused, {failed} failed")


main(lambda request: send_all([request])[0], send_all)
