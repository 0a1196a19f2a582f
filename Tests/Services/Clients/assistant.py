#!/usr/bin/env python3
"""`pushpipe mcp` with the official SDK for Python as its client, in a session and without one.

    Tests/Services/Clients/assistant.py [--pushpipe PATH] [--venv FOLDER]

The SDK checks each result against the tool's output schema. The status is 1 if anything is not as expected. Without the SDK it is skipped.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from environments import Environments, Missing

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(__file__).resolve().parent / "programs/assistant_sdk.py"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=str(ROOT / ".build/release/pushpipe"))
    parser.add_argument("--venv", default=str(ROOT / ".build/clients"))
    arguments = parser.parse_args()
    try:
        python = Environments(arguments.venv).python("mcp")
    except Missing as error:
        print(f"skipped: {error}")
        return 0
    status = 0
    for mode in ["legacy", "auto"]:
        with tempfile.TemporaryDirectory() as folder:
            pushpipe = os.path.abspath(arguments.pushpipe)
            result = subprocess.run([python, str(PROGRAM), pushpipe, mode], cwd=folder, timeout=300)
        print(f"{'ok  ' if result.returncode == 0 else 'FAIL'} the official SDK, {mode}")
        status |= result.returncode != 0
    return status


if __name__ == "__main__":
    sys.exit(main())
