import json
import os
import shlex
import subprocess

from harness import answer, main, payload

WORDS = shlex.split(os.path.expandvars(r'''
# RECIPE
'''.replace("\\\n", " ")))


def words(request):
    """The recipe's command with the request's address, headers and body in the places of its own."""
    result = list(WORDS)
    result[-1] = result[-1].rsplit("/", 1)[0] + "/" + request["token"]
    at = next(index for index, word in enumerate(result) if word.startswith("authorization:"))
    result[at] = "authorization: bearer " + os.environ["OLD_TOKEN" if request["expired"] else "TOKEN"]
    at = next(index for index, word in enumerate(result) if word.startswith("apns-topic:"))
    result[at] = "apns-topic: " + (request["topic"] or "")
    result[result.index("-d") + 1] = json.dumps(payload(request))
    if request["collapse_id"]:
        result[-1:-1] = ["-H", "apns-collapse-id: " + request["collapse_id"]]
    return result


def send(request):
    end = ["-sS", "--output", "body", "--write-out", "%{http_code} %{http_version}"]
    open("body", "w").close()
    output = subprocess.run(words(request) + end, capture_output=True, text=True)
    if output.returncode != 0:
        raise RuntimeError(output.stderr.strip())
    status, version = output.stdout.split()
    assert version == "2", version
    text = open("body").read()
    body = json.loads(text) if text else {}
    return answer(int(status), body.get("reason"), timestamp=body.get("timestamp"))


def send_all(requests):
    """One command with all requests, at most 300 of them at a time: curl's own limit."""
    every = []
    for request in requests:
        every += words(request)[1:] + ["-sS", "--output", os.devnull, "--write-out", r"%{url} %{http_code}\n", "--next"]
    output = subprocess.run(
        [WORDS[0], "--parallel", "--parallel-max", "300", *every[:-1]], capture_output=True, text=True)
    if output.returncode != 0:
        raise RuntimeError(output.stderr.strip())
    statuses = dict(line.rsplit(" ", 1) for line in output.stdout.splitlines())
    return [answer(int(statuses[words(request)[-1]])) for request in requests]


main(send, send_all)
