#!/usr/bin/env python3
"""Writes the constants of RuleID, one for each rule that the command lists.

    Scripts/rule-ids.py Sources/Lint/PushLint/Catalogue/RuleID+Constants.swift

Finds pushpipe in PATH."""

import json
import pathlib
import subprocess
import sys

HEAD = """// `make rules` writes this file from the rules, and a test compares them.

extension RuleID {
"""
UPPER = {"id", "json", "utf8", "ttl", "https", "fcm"}


def name(rule):
    """apns.bad-collapse-id → apnsBadCollapseID"""
    first, *rest = rule.replace(".", "-").split("-")
    return first + "".join(word.upper() if word in UPPER else word.capitalize() for word in rest)


def constants(lines):
    text = HEAD
    for rule in map(json.loads, lines):
        text += f'    /// `{rule["id"]}`: {rule["title"]}.\n'
        text += f'    public static let {name(rule["id"])} = RuleID(known: "{rule["id"]}")\n'
    return text + "}\n"


if __name__ == "__main__":
    printed = subprocess.run(["pushpipe", "explain", "--rules", "--format", "ndjson"], check=True, capture_output=True).stdout
    pathlib.Path(sys.argv[1]).write_text(constants(printed.decode().splitlines()))
