#!/usr/bin/env python3
"""The template extension in Python: adds a word to the title."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "didReceive":
        alert = message["request"]["payload"]["aps"]["alert"]
        answer = {"method": "contentHandler", "id": message["id"], "content": {"title": alert["title"] + " [modified]"}}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
