#!/usr/bin/env python3
"""Writes the tables of the keys of .pushpipe.yml and of the gateway's configuration, from the schemas that the command prints.

    Scripts/configuration-table.py Documentation/reference/configuration.md

Finds pushpipe in PATH. With --check nothing is written; the status is 1 when the page differs."""

import argparse
import json
import pathlib
import subprocess
import sys

INTRODUCTION = """# The configuration's keys

Every key of `.pushpipe.yml`, of a file next to a payload, and of the file of `serve --config`, made by
`make configuration` from the schemas that `pushpipe config schema` and `pushpipe config schema gateway` print.
[The linter](../guides/lint.md#configuration) and [the gateway](gateway.md#a-configuration-file) have examples. All keys are optional
except where the table says so; an empty value means the same as no key. An unknown key is an error.
"""
HEAD = "\n| Key | Value | Meaning |\n|---|---|---|\n"
LISTS = {
    "rules": "a rule, or a list of rules",
    "patterns": "a pattern, or a list of patterns",
    "suppressions": "a rule or a mapping, or a list of them",
}
NAMES = {"rule": "a rule: an id, a group, or `ALL`", "schema": "a file, or a mapping", "suppression": "a rule, or a mapping"}


class Table:
    def __init__(self, schema):
        self.definitions = schema.get("$defs", {})
        self.rows = []

    def resolved(self, schema):
        reference = schema.get("$ref")
        return self.definitions[reference.rsplit("/", 1)[1]] if reference else schema

    def value(self, schema):
        """What may stand there, in words."""
        name = schema.get("$ref", "").rsplit("/", 1)[-1]
        if name:
            return LISTS.get(name) or NAMES[name]
        if "enum" in schema:
            return ", ".join(f"`{json.dumps(choice) if choice is False else choice}`" for choice in schema["enum"] if choice is not None)
        if "anyOf" in schema:
            choices = [self.value(choice) for choice in schema["anyOf"] if choice != {"type": "null"}]
            return ", or ".join(dict.fromkeys(choices))
        kind = schema["type"]
        if isinstance(kind, list):
            # Null is the empty value, which the introduction describes.
            kind = next(name for name in kind if name != "null")
        if kind == "boolean":
            return "`true` or `false`"
        if kind == "array":
            return "a list: " + self.value(schema["items"])
        if kind == "string":
            return "text"
        if kind == "integer":
            return f"a whole number from {schema['minimum']}"
        if "properties" in schema or kind == "object":
            others = schema.get("additionalProperties")
            names = schema.get("propertyNames")
            if isinstance(others, dict) and names:
                return f"a mapping of rules to one of {self.value(others)}"
            return "a mapping"
        raise ValueError(f"no words for {schema}")

    def add(self, path, schema, required=()):
        """Adds the keys of an object, and those below them."""
        for key, inner in schema.get("properties", {}).items():
            needed = " Required." if key in schema.get("required", []) else ""
            place = f"{path}{key}"
            meaning = inner.get("description", "")
            self.rows.append(f"| `{place}` | {self.value(inner)} | {meaning}{needed} |\n")
            self.add_below(place, inner)

    def add_below(self, place, schema):
        """Adds the keys of mappings in a value: its own, those of a list's elements, and those below names of any kind."""
        schema = self.resolved(schema)
        if "properties" in schema:
            self.add(place + ".", schema)
        others = schema.get("additionalProperties")
        if isinstance(others, dict) and not schema.get("propertyNames"):
            self.add_below(place + ".PATTERN", others)
        seen = []
        for choice in schema.get("anyOf", []) + [schema["items"]] if "items" in schema else schema.get("anyOf", []):
            choice = self.resolved(choice)
            choice = self.resolved(choice["items"]) if "items" in choice else choice
            if choice not in seen:
                seen.append(choice)
                self.add_below(place, choice)


def printed(name):
    return json.loads(
        subprocess.run(["pushpipe", "config", "schema", name], check=True, capture_output=True).stdout)


def page():
    schema = printed("lint")
    beside = {"ignore": schema["properties"].pop("ignore")}
    text = INTRODUCTION
    for title, keys in [
        ("`.pushpipe.yml`", schema), ("A file next to a payload", {"properties": beside}),
        ("The file of `serve --config`", printed("gateway")),
    ]:
        table = Table(schema if title != "The file of `serve --config`" else keys)
        table.add("", keys)
        rows = list(dict.fromkeys(table.rows))
        text += f"\n## {title}\n" + HEAD + "".join(rows)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = page()
    if not arguments.check:
        arguments.page.write_text(text)
    elif arguments.page.read_text() != text:
        sys.exit(f"{arguments.page} is not what the command says: run make configuration")


if __name__ == "__main__":
    main()
