#!/usr/bin/env python3
"""Says which components of a bill of materials have newer versions or known advisories, according to a file. Opens no connection.

    Scripts/advisories.py BOM DATABASE...

A database is JSON, an array or one object a line, of two kinds of objects: advisories in the OSV format (https://ossf.github.io/osv-schema/), whose
packages are named by ecosystem `SwiftURL` and address, or by name for libraries of the system; and `{"name":…,"version":…}`, the newest version
of a component by its name or address. Ends with 1 if there is an advisory, and with 0 if there are only newer versions.
"""

import json
import pathlib
import re
import sys


def version_key(text):
    """Orders versions as Semantic Versioning does: numbers by value, and a prerelease before its release. None for what has no number."""
    numbers = re.match(r"\D*(\d+(?:\.\d+)*)(-[0-9A-Za-z.-]+)?", text)
    if not numbers:
        return None
    parts = [int(part) for part in numbers.group(1).split(".")]
    return ([*parts, 0, 0, 0][: max(3, len(parts))], 0 if numbers.group(2) else 1, numbers.group(2) or "")


def name_of(text):
    """An address without what makes no difference."""
    return re.sub(r"\.git$", "", re.sub(r"^(https?://|pkg:swift/)", "", text.strip().lower()).rstrip("/"))


def names(component):
    found = {name_of(component["name"])}
    found |= {name_of(reference["url"]) for reference in component.get("externalReferences", [])}
    return found


def is_in(key, events):
    """True if a version is in a range of OSV: from each `introduced` to the next `fixed`, or to `last_affected`."""
    def limit_of(text):
        return ([0, 0, 0], 0, "") if text == "0" else version_key(text)

    steps = [(limit_of(text), kind) for event in events for kind, text in event.items()]
    affected = False
    for limit, kind in sorted(step for step in steps if step[0]):
        if kind == "introduced" and key >= limit:
            affected = True
        elif (kind == "fixed" and key >= limit) or (kind == "last_affected" and key > limit):
            affected = False
    return affected


def is_affected(version, entry):
    key = version_key(version)
    if version in entry.get("versions", []):
        return True
    ranges = [found for found in entry.get("ranges", []) if found.get("type") in ("SEMVER", "ECOSYSTEM")]
    # An advisory that names no versions is about all of them.
    if not ranges and not entry.get("versions"):
        return True
    return key is not None and any(is_in(key, found["events"]) for found in ranges)


def read(path):
    text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    return found if isinstance(found, list) else [found]


def findings(components, entries):
    for component in sorted(components, key=lambda component: component["name"].lower()):
        own, version = names(component), component["version"]
        title = f"{component['name']} {version}"
        for entry in entries:
            for affected in entry.get("affected", []):
                if name_of(affected.get("package", {}).get("name", "")) in own and is_affected(version, affected) and not entry.get("withdrawn"):
                    aliases = ", ".join(entry.get("aliases", []))
                    yield True, f"{title}: {entry['id']}{f' ({aliases})' if aliases else ''}: {entry.get('summary', 'no summary')}"
                    break
            if "affected" in entry or name_of(entry.get("name", "")) not in own:
                continue
            newest, key = version_key(entry["version"]), version_key(version)
            if newest and key and newest > key:
                yield False, f"{title}: {entry['version']} is newer"


def main():
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} BOM DATABASE...")
    components = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["components"]
    entries = [entry for path in sys.argv[2:] for entry in read(pathlib.Path(path))]
    found = list(findings(components, entries))
    for _, text in found:
        print(text)
    advisories = sum(is_advisory for is_advisory, _ in found)
    print(f"{len(components)} components, {len(entries)} entries: {advisories} advisories, {len(found) - advisories} newer versions", file=sys.stderr)
    sys.exit(1 if advisories else 0)


if __name__ == "__main__":
    main()
