"""Finding and building the measured programs. Missing ones are noted and left out."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .measuring import output_of, say

PEERS = Path(__file__).resolve().parent.parent / "peers"


@dataclass(frozen=True)
class Source:
    """A peer to compile: its library's names for pkg-config, the linker and Debian."""

    file: str
    library: str
    link: str
    package: str


SOURCES = (
    Source("collapse_simdjson.cpp", "simdjson", "-lsimdjson", "libsimdjson-dev"),
    Source("scan_simdjson.cpp", "simdjson", "-lsimdjson", "libsimdjson-dev"),
    Source("collapse_jansson.c", "jansson", "-ljansson", "libjansson-dev"),
    Source("scan_jansson.c", "jansson", "-ljansson", "libjansson-dev"),
    Source("insert_sqlite.c", "sqlite3", "-lsqlite3", "libsqlite3-dev"),
)


@dataclass
class Programs:
    """Commands by name, each without its input, and their versions for the report."""

    commands: dict = field(default_factory=dict)
    versions: list = field(default_factory=list)

    def has(self, name):
        """Whether a program is measured."""
        return name in self.commands

    def command(self, name, *arguments):
        """A command line."""
        return [*self.commands[name], *(str(argument) for argument in arguments)]


def find_programs(parts, results, build_folder):
    """Finds and builds the programs for the parts."""
    programs = Programs()
    pushpipe = find_pushpipe()
    # The peers know no limit of an app.
    quiet = [pushpipe, "run", "--quiet", "--format", "ndjson", "--set", "limits.android-notifications=1000000000"]
    programs.commands |= {"generate": [pushpipe, "generate"], "version": [pushpipe, "--version"]}
    programs.commands |= {"lint": [pushpipe, "lint", "--quiet", "--config", "/dev/null"]}
    if (os.cpu_count() or 1) > 2:  # else it is what all cores are
        programs.commands["pushpipe-2-cores"] = [*quiet, "--jobs", "2"]
    find_installed(programs, results, "startup" in parts)
    programs.commands |= {"pushpipe": quiet, "pushpipe-1-core": [*quiet, "--jobs", "1"], "true": [shutil.which("true")]}
    version = output_of(pushpipe, "--version").split("\n")[0]
    version = version if version.startswith("pushpipe") else f"pushpipe {version}"
    # Builds between two releases have the same version.
    programs.versions.append(f"{version} (SHA-256 {checksum_of(pushpipe)}…)")
    if parts & {"line", "store", "store_curve", "scan", "curves", "memory"}:
        build_peers(programs, results, build_folder)
    if parts & {"line", "store", "store_curve", "memory"}:
        find_orjson(programs, results)
    if "line" in parts:
        find_jq(programs, results)
    if "scan" in parts:
        find_scanner(programs, results)
    return programs


def checksum_of(path):
    """The first digits of a file's SHA-256. Read in pieces, because this process's memory counts in the programs that it starts."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(64 * 1024):
            digest.update(piece)
    return digest.hexdigest()[:12]


def find_pushpipe():
    """$PUSHPIPE, or a release build made now."""
    given = os.environ.get("PUSHPIPE")
    if given:
        if not os.access(given, os.X_OK):
            sys.exit(f"bench: PUSHPIPE is not a command: {given}")
        return str(Path(given).resolve())
    say("building pushpipe for release (PUSHPIPE=path takes one that exists)")
    try:
        built = subprocess.run(["Scripts/release.sh"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"bench: pushpipe cannot be built: {error}")
    return str(Path(built) / "pushpipe")


def find_installed(programs, results, is_needed):
    """$INSTALLED_PUSHPIPE, or the release build, which `make install` installs."""
    given = os.environ.get("INSTALLED_PUSHPIPE", ".build/release/pushpipe")
    if os.access(given, os.X_OK):
        programs.commands["installed"] = [str(Path(given).resolve()), "--version"]
    elif is_needed:
        results.note("Without the installed command: there is none (make install DESTDIR=.build/stage).")


def find_scanner(programs, results):
    """$SCAN_PUSHPIPE, or a build made now."""
    given = os.environ.get("SCAN_PUSHPIPE", "")
    if given and os.access(given, os.X_OK):
        programs.commands["scan-pushpipe"] = [str(Path(given).resolve())]
        return
    say("building scan-pushpipe (SCAN_PUSHPIPE=path takes one that exists)")
    build = ["swift", "build", "-c", "release"]
    try:
        command = [*build, "--product", "scan-pushpipe"]
        environment = {**os.environ, "PUSHPIPE_BENCHMARKS": "1"}
        subprocess.run(command, check=True, stdout=sys.stderr, env=environment)
        shown = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True)
        programs.commands["scan-pushpipe"] = [str(Path(shown.stdout.strip()) / "scan-pushpipe")]
    except (OSError, subprocess.CalledProcessError) as error:
        results.note(f"Without pushpipe's scanner: scan-pushpipe could not be built ({error}).")


def build_peers(programs, results, folder):
    """Compiles the peers in C and C++."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        name = Path(source.file).stem
        error = compile_peer(source, folder / name)
        if error:
            results.note(f"Without {name}: {error}. Needed: a compiler, and Scripts/setup.sh {source.package}.")
        else:
            programs.commands[name] = [str(folder / name)]
    for library in dict.fromkeys(source.library for source in SOURCES):
        version = output_of("pkg-config", "--modversion", library)
        if version:
            programs.versions.append(f"{library} {version}")
    programs.versions.append(output_of(os.environ.get("CXX", "c++"), "--version").split("\n")[0])


def compile_peer(source, target):
    """Returns the reason for a failure, or None."""
    is_cpp = source.file.endswith(".cpp")
    compiler = os.environ.get("CXX" if is_cpp else "CC", "c++" if is_cpp else "cc")
    found = output_of("pkg-config", "--cflags", "--libs", source.library)
    flags = ["-O3", "-std=c++17" if is_cpp else "-std=c11", "-Wall", "-Wextra"]
    command = [*shlex.split(compiler), *flags, str(PEERS / source.file), "-o", str(target)]
    command += shlex.split(found or source.link)
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except OSError as error:
        return f"{compiler} cannot be run: {error.strerror}"
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return None if done.returncode == 0 else (errors or ["the compiler failed"])[0].split("error: ")[-1]


def find_orjson(programs, results):
    """The current interpreter, if it has orjson."""
    query = "import orjson, platform, sqlite3 as s; "
    query += "print(platform.python_version(), orjson.__version__, s.sqlite_version)"
    versions = output_of(sys.executable, "-c", query).split()
    if len(versions) != 3:
        results.note(f"Without orjson: the interpreter does not have it ({Path(sys.executable).name} -m pip install orjson).")
        return
    programs.commands["orjson"] = [sys.executable, str(PEERS / "collapse_orjson.py")]
    if (PEERS / "store_orjson.py").exists():
        programs.commands["store_orjson"] = [sys.executable, str(PEERS / "store_orjson.py")]
    programs.versions.append("Python {}, orjson {}, its SQLite {}".format(*versions))


def find_jq(programs, results):
    """$JQ, or jq."""
    jq = shutil.which(os.environ.get("JQ", "jq"))
    if not jq:
        results.note("Without jq: it is missing (Scripts/setup.sh jq).")
        return
    programs.commands["jq"] = [jq, "-ncR", "-f", str(PEERS / "collapse.jq")]
    programs.versions.append(output_of(jq, "--version"))
