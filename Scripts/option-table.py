#!/usr/bin/env python3
"""Writes the table of all options, by command, from the command's own description of its arguments.

    Scripts/option-table.py Documentation/reference/options.md

Finds pushpipe in PATH. With --check nothing is written; the status is 1 when the page differs."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

INTRODUCTION = """# Options

Every option of every command, made by `make options` from what `pushpipe help COMMAND` says. An option that means
something else to another command has a row for each. What is no option is [a setting](configuration.md).

Sizes are bytes with an optional unit: `64K` and `64KiB` are 65,536, `64kB` is 64,000; M and G likewise. NDJSON is one JSON
value a line. `-h`, `--help` and `--version` are options of all commands.

| Option | Value | Meaning | Commands |
|---|---|---|---|
"""
EVERYWHERE = {"help", "version"}


def options(command, path, found):
    """Adds the options of a command and those below it: names, value and meaning to commands."""
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional" or not argument.get("shouldDisplay", True):
            continue
        names = argument["names"]
        if any(name["name"] in EVERYWHERE for name in names):
            continue
        # The short name first, as in the help.
        names = sorted(names, key=lambda name: name["kind"] != "short")
        shown = ", ".join(("-" if name["kind"] == "short" else "--") + name["name"] for name in names)
        value = "" if argument["kind"] == "flag" else f"`<{argument.get('valueName', 'value')}>`".replace("|", "\\|")
        found.setdefault((shown, value, meaning(argument)), []).append(" ".join(path))
    for child in command.get("subcommands", []):
        if child["commandName"] != "help" and child.get("shouldDisplay", True):
            options(child, path + [child["commandName"]], found)


def meaning(argument):
    """The words of the help, with values and default as it has them."""
    text = argument.get("abstract") or ""
    facts = []
    if values := argument.get("allValues"):
        facts.append("values: " + ", ".join(values))
    if "defaultValue" in argument and argument["kind"] != "flag":
        facts.append("default: " + argument["defaultValue"])
    if facts:
        text += f" ({'; '.join(facts)})"
    return re.sub(r"([|<*_])", r"\\\1", text)


def page():
    description = subprocess.run(["pushpipe", "--experimental-dump-help"], check=True, capture_output=True).stdout
    found = {}
    options(json.loads(description)["command"], [], found)
    rows = sorted(found.items(), key=lambda row: next(name for name in row[0][0].split(", ") if name.startswith("--")))
    return INTRODUCTION + "".join(
        f"| `{names}` | {value} | {text} | {', '.join(f'`{command}`' for command in commands)} |\n"
        for (names, value, text), commands in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = page()
    if not arguments.check:
        arguments.page.write_text(text)
    elif arguments.page.read_text() != text:
        sys.exit(f"{arguments.page} is not what the command says: run make options")


if __name__ == "__main__":
    main()
