#!/usr/bin/env python3
"""Compares a bill of materials with what was built: the versions that the command says it is linked with, the packages that SwiftPM has checked
out, and the licenses beside it. Ends with 1, and names each difference.

    Scripts/check-sbom.py --bom BOM --command PUSHPIPE --resolved Package.resolved --checkouts .build/checkouts --licenses FOLDER
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.strip()


def identity(location):
    """SwiftPM's name of a package: the last part of its address, in lower case."""
    return re.sub(r"\.git$", "", location.rstrip("/")).rsplit("/", 1)[-1].lower()


def packages(components):
    return {identity(entry["externalReferences"][0]["url"]): entry for entry in components if entry.get("purl", "").startswith("pkg:swift/")}


def check_packages(components, resolved, checkouts):
    listed = packages(components)
    pins = {pin["identity"]: pin["state"] for pin in json.loads(resolved.read_text())["pins"]}
    folders = {folder.name.lower(): folder for folder in checkouts.iterdir() if folder.is_dir()}
    for name in sorted(listed.keys() - pins.keys()):
        yield f"{name} is in the bill, and not in {resolved}"
    for name in sorted(folders.keys() & pins.keys() - listed.keys()):
        yield f"{name} is checked out, and not in the bill"
    for name in sorted(listed.keys() & pins.keys()):
        version = pins[name].get("version")
        if listed[name]["version"] != version:
            yield f"{name} is {listed[name]['version']} in the bill, and {version} in {resolved}"
        if name not in folders:
            yield f"{name} is in the bill, and not checked out"
            continue
        commit = output_of("git", "-C", folders[name], "rev-parse", "HEAD")
        if commit != pins[name]["revision"]:
            yield f"{name} {version} is commit {pins[name]['revision'][:12]}, and {commit[:12]} is checked out"
        if output_of("git", "-C", folders[name], "status", "--porcelain", "--untracked-files=no"):
            yield f"{name}: the files that are checked out have been changed"


def check_system(components, command):
    """`pushpipe --version` asks the libraries themselves."""
    said = output_of(command, "--version")
    versions = {entry["name"]: entry["version"] for entry in components if "purl" not in entry}
    for name, pattern in (("sqlite", r"SQLite (\d[\d.]*\d)"), ("jansson", r"jansson (\d[\d.]*\d)")):
        linked = re.search(pattern, said)
        if not linked:
            yield f"the command does not say which {name} it is linked with"
        elif versions.get(name) != linked.group(1):
            yield f"{name} is {versions.get(name)} in the bill, and the command is linked with {linked.group(1)}"
    for name in ("swift-runtime", "libstdc++", "zlib"):
        if not versions.get(name):
            yield f"{name} is not in the bill"


def check_licenses(components, licenses):
    folders = {folder.name.lower(): folder for folder in licenses.iterdir() if folder.is_dir()}
    for entry in components:
        name = identity(entry["externalReferences"][0]["url"]) if "externalReferences" in entry else entry["name"]
        files = list(folders[name.lower()].iterdir()) if name.lower() in folders else []
        if not any(file.stat().st_size > 0 for file in files):
            yield f"{name} has no license in {licenses}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("bom", "command", "resolved", "checkouts", "licenses"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    options = parser.parse_args()
    components = json.loads(options.bom.read_text())["components"]
    problems = [*check_packages(components, options.resolved, options.checkouts)]
    problems += [*check_system(components, options.command.absolute()), *check_licenses(components, options.licenses)]
    for problem in problems:
        print(f"bill of materials: {problem}", file=sys.stderr)
    print(f"bill of materials: {len(components)} components, {len(problems)} problems", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
