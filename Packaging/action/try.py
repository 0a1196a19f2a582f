#!/usr/bin/env python3
"""Runs the shell steps of action.yml one after the other, as GitHub's runner would, and leaves out those that use another action.

    Packaging/action/try.py --folder REPOSITORY --temporary FOLDER [INPUT=VALUE]...
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

import yaml


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--temporary", required=True)
    parser.add_argument("inputs", nargs="*")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    action = yaml.safe_load((root / "action.yml").read_text())
    inputs = {name: value["default"] for name, value in action["inputs"].items()}
    for text in arguments.inputs:
        name, _, value = text.partition("=")
        if name not in inputs:
            sys.exit(f"action.yml has no input '{name}'")
        inputs[name] = value

    def filled(text):
        """The text with the values of inputs for `${{ inputs.NAME }}`."""
        return re.sub(r"\$\{\{ *inputs\.([a-z-]+) *\}\}", lambda match: inputs[match[1]], text)

    paths, outputs = (pathlib.Path(arguments.temporary, name) for name in ("github-path", "github-output"))
    for file in (paths, outputs):
        file.write_text("")
    for step in action["runs"]["steps"]:
        condition = re.fullmatch(r"inputs\.([a-z-]+) == '([^']*)'", step.get("if", "inputs.sarif == '" + inputs["sarif"] + "'"))
        if not condition:
            sys.exit(f"this condition is not known here: {step['if']}")
        if inputs[condition[1]] != condition[2] or "uses" in step:
            continue
        environment = os.environ | {
            "GITHUB_ACTION_PATH": str(root), "GITHUB_PATH": str(paths), "GITHUB_OUTPUT": str(outputs),
            "RUNNER_TEMP": arguments.temporary,
            "PATH": ":".join([*reversed(paths.read_text().split()), os.environ["PATH"]]),
        } | {name: filled(value) for name, value in step.get("env", {}).items()}
        # The command of `shell: bash`.
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])], cwd=arguments.folder, env=environment)
        if result.returncode:
            sys.exit(result.returncode)


main()
