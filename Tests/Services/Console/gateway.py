"""A `pushpipe serve` or `pushpipe view` in a process of its own."""

import http.client
import json
import re
import subprocess


class Server:
    def __init__(self, pushpipe, *words):
        self.process = subprocess.Popen(
            [pushpipe, *words, "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if not found:
            raise SystemExit(f"console: {line}{self.process.stderr.read()}")
        self.port = int(found.group(1))
        self.address = f"http://127.0.0.1:{self.port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def stop(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()

    def send(self, method, path, body=None, headers=None):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        self.connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def push(self, payload, device="ab12", app="org.example.news", **headers):
        fields = {"apns-topic": app, **{f'apns-{name.replace("_", "-")}': str(value) for name, value in headers.items()}}
        return self.send("POST", f"/3/device/{device}", payload, fields)[0]

    def records(self, *records):
        return json.loads(self.send("POST", "/api/v1/records", list(records))[1])

    def get(self, path):
        return json.loads(self.send("GET", path)[1])
