#!/usr/bin/env python3
"""Makes what `pip install` and `npm install` take, of an installed tree: registries.py ROOT VERSION OUTPUT-FOLDER.

ROOT has bin/pushpipe and share/pushpipe, as Scripts/install.sh makes them. The output is a Python wheel, and two npm packages: one with the
command for this platform, and one that brings the right platform's package and starts its command. The same input gives the same bytes.

SOURCE_DATE_EPOCH    the time of all files, in seconds since 1970
"""
import base64, hashlib, gzip, io, json, os, platform, re, subprocess, sys, tarfile, time, zipfile
from pathlib import Path

here = Path(__file__).resolve().parent
seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))
summary = "Test push notifications: APNs and FCM payloads, what the services answer, and what the phone shows"
homepage = "https://github.com/pushpipe/pushpipe"


def needed_c_library(command):
    """The newest version of the C library that a command asks for, such as (2, 34)."""
    symbols = subprocess.run(["objdump", "-T", command], check=True, capture_output=True, text=True).stdout
    return max(tuple(map(int, found)) for found in re.findall(r"\(?GLIBC_(\d+)\.(\d+)", symbols))


def wheel_platform(command):
    """The platform in the name of a wheel: https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/."""
    machine = platform.machine()
    if sys.platform == "darwin":
        return f"macosx_{platform.mac_ver()[0].split('.')[0]}_0_{machine}"
    major, minor = needed_c_library(command)
    return f"manylinux_{major}_{minor}_{machine}"


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def licenses_of(root):
    """The license, and those of what is linked into the command."""
    linked = root / "share/doc/pushpipe/licenses"
    texts = {f"linked/{path.relative_to(linked)}": path.read_bytes() for path in files(linked)}
    return {"LICENSE": (here.parent / "LICENSE").read_bytes()} | texts


def make_wheel(root, version, out):
    information = f"pushpipe-{version}.dist-info"
    data = f"pushpipe-{version}.data"
    tag = f"py3-none-{wheel_platform(root / 'bin/pushpipe')}"
    content = {f"{data}/scripts/pushpipe": (root / "bin/pushpipe").read_bytes()}
    for path in files(root / "share/pushpipe") + files(root / "share/man"):
        content[f"{data}/data/{path.relative_to(root)}"] = path.read_bytes()
    licenses = licenses_of(root)
    content |= {f"{information}/licenses/{name}": text for name, text in licenses.items()}
    content[f"{information}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: pushpipe\nVersion: {version}\nSummary: {summary}\nLicense-Expression: Apache-2.0\n"
        + "".join(f"License-File: {name}\n" for name in licenses)
        + f"Project-URL: Homepage, {homepage}\nRequires-Python: >=3.8\n"
    ).encode()
    content[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: pushpipe\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    record = []
    for name, text in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(text)}\n")
    record.append(f"{information}/RECORD,,\n")
    content[f"{information}/RECORD"] = "".join(record).encode()
    with zipfile.ZipFile(out / f"pushpipe-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, text in content.items():
            entry = zipfile.ZipInfo(name, time.gmtime(max(seconds, 315532800))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, text)


def make_npm_package(manifest, content, path):
    manifest |= {
        "description": summary, "homepage": homepage, "license": "Apache-2.0", "repository": f"github:pushpipe/pushpipe"}
    content = {"package.json": json.dumps(manifest, indent=2).encode() + b"\n"} | content
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in content.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime = len(text), seconds
            entry.mode = 0o755 if name.startswith("bin/") else 0o644
            archive.addfile(entry, io.BytesIO(text))
    path.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))


def make_npm_packages(root, version, out):
    system = "darwin" if sys.platform == "darwin" else "linux"
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    content = {"bin/pushpipe": (root / "bin/pushpipe").read_bytes()}
    content |= {str(path.relative_to(root)): path.read_bytes() for path in files(root / "share/pushpipe")}
    content |= licenses_of(root)
    manifest = {"name": f"@pushpipe/{system}-{machine}", "version": version, "os": [system], "cpu": [machine]}
    if system == "linux":
        manifest["libc"] = ["glibc"]
    make_npm_package(manifest, content, out / f"pushpipe-{system}-{machine}-{version}.tgz")

    platforms = ["linux-x64", "linux-arm64", "darwin-arm64"]
    manifest = {
        "name": "pushpipe", "version": version, "bin": {"pushpipe": "bin/pushpipe.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@pushpipe/{name}": version for name in platforms}}
    content = {name: (here.parent / name).read_bytes() for name in ("LICENSE", "README.md")}
    content["bin/pushpipe.js"] = (here / "pushpipe.js").read_bytes()
    make_npm_package(manifest, content, out / f"pushpipe-{version}.tgz")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    root, version, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    make_wheel(root, version, out)
    make_npm_packages(root, version, out)
