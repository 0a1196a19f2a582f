#!/usr/bin/env python3
"""Writes a software bill of materials (CycloneDX 1.5, JSON) of the command to standard output.

    swift package show-dependencies --format json > dependencies.json
    Scripts/sbom.py --version 0.2.0 --dependencies dependencies.json

Lists the packages in the versions that SwiftPM resolved, and what comes from the system: the Swift runtime, jansson, SQLite, zlib
and the C++ runtime. SOURCE_DATE_EPOCH gives the time, so that the same commit has the same file.
"""
import argparse
import datetime
import json
import os
import re
import subprocess
import uuid


def output_of(*command):
    """The standard output of a command; empty if it fails or is missing."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def package_component(package):
    location = re.sub(r"\.git$", "", package["url"])
    path = re.sub(r"^https?://", "", location)
    purl = f"pkg:swift/{path}@{package['version']}"
    return {
        "type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl,
        "externalReferences": [{"type": "vcs", "url": location}],
    }


def system_component(name, version, license_id):
    component = {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version}
    return component | {"licenses": [{"license": {"id": license_id}} if " " not in license_id else {"expression": license_id}]}


def system_components():
    swift = re.search(r"Swift version (\S+)", output_of("swift", "--version"))
    found = [
        ("swift-runtime", swift and swift.group(1), "Apache-2.0 WITH Swift-exception"),
        ("jansson", output_of("pkg-config", "--modversion", "jansson"), "MIT"),
        ("sqlite", output_of("pkg-config", "--modversion", "sqlite3"), "blessing"),
        ("zlib", output_of("pkg-config", "--modversion", "zlib"), "Zlib"),
        ("libstdc++", output_of("dpkg-query", "-W", "-f=${Version}", "libstdc++6"), "GPL-3.0-only WITH GCC-exception-3.1"),
    ]
    return [system_component(name, version, license_id) for name, version, license_id in found if version]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--dependencies", required=True)
    arguments = parser.parse_args()
    with open(arguments.dependencies, encoding="utf-8") as file:
        tree = json.load(file)

    components, edges = {}, {}

    def visit(package):
        component = package_component(package)
        components[component["bom-ref"]] = component
        edges[component["bom-ref"]] = sorted({visit(child) for child in package["dependencies"]})
        return component["bom-ref"]

    root = f"pkg:swift/github.com/pushpipe/pushpipe@{arguments.version}"
    direct = {visit(package) for package in tree["dependencies"]}
    for component in system_components():
        components[component["bom-ref"]] = component
        edges[component["bom-ref"]] = []
        direct.add(component["bom-ref"])
    edges[root] = sorted(direct)

    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": root, "name": "pushpipe", "version": arguments.version, "purl": root,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [components[key] for key in sorted(components)],
        "dependencies": [{"ref": key, "dependsOn": edges[key]} for key in sorted(edges)],
    }
    # A name from the contents, and not a random one.
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))}"
    print(json.dumps(document, indent=2, sort_keys=True))


main()
