"""Virtual environments for the Python clients, one per file in the folder requirements."""

import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements"


class Missing(Exception):
    """Something that a client needs is not there; the text names it."""


class Environments:
    """Makes each environment when it is first asked for, and keeps it for later runs."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.made = {}

    def python(self, name):
        """The interpreter with the packages of a file; raises `Missing`."""
        if name not in self.made:
            try:
                self.made[name] = self._make(name)
            except Missing as error:
                self.made[name] = error
        found = self.made[name]
        if isinstance(found, Missing):
            raise found
        return found

    def _make(self, name):
        wanted = (REQUIREMENTS / f"{name}.txt").read_text()
        folder = self.folder / name
        python = folder / "bin/python"
        stamp = folder / "requirements.txt"
        if stamp.is_file() and stamp.read_text() == wanted and python.exists():
            return str(python)
        shutil.rmtree(folder, ignore_errors=True)
        self._run([sys.executable, "-m", "venv", str(folder)], "venv (Debian: python3-venv)")
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        try:
            self._run(pip + ["--requirement", str(REQUIREMENTS / f"{name}.txt")], "packages")
        except Missing:
            # Once more, one by one, to name the package.
            for line in wanted.split():
                self._run(pip + [line], line)
        stamp.write_text(wanted)
        return str(python)

    def _run(self, words, what):
        result = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode != 0:
            lines = (result.stderr or result.stdout).strip().splitlines() or ["?"]
            raise Missing(f"cannot install {what}: {lines[-1]}")
