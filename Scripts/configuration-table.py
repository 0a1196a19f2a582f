#!/usr/bin/env python3
"""Writes the page about settings: an introduction, and a table of the keys of each section, from the schema that the command prints.

    Scripts/configuration-table.py Documentation/reference/configuration.md

Finds pushpipe in PATH. With --check nothing is written; the status is 1 when the page differs."""

import argparse
import json
import pathlib
import subprocess
import sys

INTRODUCTION = """# Settings

What is rarely typed is not an option, but a key of the configuration:

```yaml
# .pushpipe.yml
input:
  at: /log/payload
limits:
  pushes-per-minute: 60
lint:
  severity: info
```

- The file is the `.pushpipe.yml` in the working directory, or else the nearest one above. With `extends: parent` the
  next one above applies, too; the nearer one wins. The linter reads its own keys, those of [`lint`](#lint), from the
  file that is [nearest to each payload](../guides/lint.md#configuration).
- `--config FILE` reads another file instead, `--config /dev/null` none.
- `--set KEY=VALUE` (repeatable; for true, `--set KEY`) sets one key, whatever the file says, but none of `lint`.
- **A key with an asterisk counts only in `--config` and `--set`.** Such keys start programs, open addresses, or read
  and write other files, and a `.pushpipe.yml` that is found may come from a stranger's checkout. There they are
  reported and ignored.
- Names of files are relative to the configuration, in `--set` to the working directory.
- Sizes have [the units of options](options.md); times are `500ms`, `1.5s`, `5m`, or a number of seconds.
- An empty value means the same as no key. An unknown key or a wrong value is an error with line and column.
- `pushpipe config show` lists what is set, and where; `pushpipe config keys` all keys but the linter's, as below;
  `pushpipe config schema` prints a JSON Schema for editors.
"""
HEAD = "\n| Key | Value | Meaning |\n|---|---|---|\n"
LISTS = {
    "rules": "a rule, or a list of rules",
    "patterns": "a pattern, or a list of patterns",
    "suppressions": "a rule or a mapping, or a list of them",
}
UNIONS = {
    ("string", "integer"): "a size",
    ("string", "number"): "a time",
    ("string", "array"): "text, or a list of texts",
    ("string", "array", "object"): "`GROUP=FILE`, a list of these, or a mapping of groups to files",
}
NAMES = {"rule": "a rule: an id, a group, or `ALL`", "schema": "a file, or a mapping", "suppression": "a rule, or a mapping"}


class Table:
    def __init__(self, definitions, restricted):
        self.definitions = definitions
        self.restricted = restricted
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
            kinds = [name for name in kind if name != "null"]
            if len(kinds) > 1:
                return UNIONS[tuple(kinds)]
            kind = kinds[0]
        if kind == "boolean":
            return "`true` or `false`"
        if kind == "array":
            return "a list: " + self.value(schema["items"])
        if kind == "string":
            return "text"
        if kind == "integer":
            most = f" to {schema['maximum']}" if "maximum" in schema else ""
            return f"a whole number from {schema['minimum']}{most}"
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
            meaning = inner.get("description", "").replace("*", "\\*")
            mark = " \\*" if place in self.restricted else ""
            self.rows.append(f"| `{place}`{mark} | {self.value(inner)} | {meaning}{needed} |\n")
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


def printed(*words):
    return subprocess.run(["pushpipe", "config", *words], check=True, capture_output=True, text=True).stdout


def restricted():
    """The keys that `config keys` marks with an asterisk."""
    lines = [line.split()[0] for line in printed("keys").splitlines() if line.startswith("  ")]
    return {word[:-1] for word in lines if word.endswith("*")}


def page():
    schema = json.loads(printed("schema"))
    sections = schema["properties"]
    beside = sections.pop("ignore")
    marked = restricted()
    first = Table({}, marked)
    first.add("", {"properties": {"extends": sections.pop("extends")}})
    text = INTRODUCTION + HEAD + "".join(first.rows)
    for name, section in {**sections, "A file next to a payload": {"properties": {"ignore": beside}}}.items():
        table = Table(schema.get("$defs", {}), marked)
        table.add(f"{name}." if name in sections else "", section)
        words = section.get("description")
        text += f"\n## {name}\n" + (f"\n{words}\n" if words else "") + HEAD + "".join(dict.fromkeys(table.rows))
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
