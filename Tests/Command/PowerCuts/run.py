#!/usr/bin/env python3
"""Simulates power cuts during runs with a store, resumes the runs, and compares what they leave with an undisturbed run.

    Tests/Command/PowerCuts/run.py [--pushpipe PATH] [--cuts N] [--seed N] [--keep]

A run is recorded: every write, truncation, deletion and sync of its store's files. A cut is a place in the record. What was synced before it
is on the disk; of what came after that, each write is kept, lost, or torn at a sector. From such a disk the run is resumed, often with a record
of its own and another cut, until it reaches the end of its input. Then the export of the store must be that of an undisturbed run, byte for
byte, and SQLite must find the store sound. The report is not compared: nobody syncs standard output. Prints a line for each stream. Linux only.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Kills"))
import streams  # noqa: E402

SECTOR = 512
MOST_CUTS_OF_A_RUN = 4
# The index of the log is in a memory map, and made again from the log.
INDEX = "-shm"


class File:
    """What is known of a file at some place in a record."""

    def __init__(self, synced=None):
        # Nil for a file that is not there.
        self.synced = synced
        # What came after the last sync: a write of bytes or a truncation, each with its offset.
        self.later = []
        # What was there before it was deleted.
        self.deleted = None

    def take(self, operation, offset, data):
        if operation == "sync":
            self.synced, self.later, self.deleted = applied(self.synced, self.later), [], None
        elif operation == "unlink":
            self.synced, self.later, self.deleted = None, [], applied(self.synced, self.later)
        else:
            self.later.append((offset, data))

    def after_cut(self, choice, kept):
        """The bytes on the disk, or None without the file. The probability that a write is kept is `kept`."""
        if self.deleted is not None and not self.later:
            return self.deleted if choice.random() < 0.5 else None
        left = []
        for offset, data in self.later:
            if choice.random() < kept:
                left.append((offset, data))
            elif data is not None and len(data) > SECTOR and choice.random() < 0.3:
                left.append(torn(choice, offset, data))
        return applied(self.synced, left)


def torn(choice, offset, data):
    """Some sectors from the beginning or the end of a write."""
    sectors = choice.randrange(1, -(-len(data) // SECTOR)) * SECTOR
    return (offset, data[:sectors]) if choice.random() < 0.5 else (offset + sectors, data[sectors:])


def applied(content, operations):
    if not operations:
        return content
    found = bytearray(content or b"")
    for offset, data in operations:
        if data is None:
            found = found[:offset] + bytes(max(offset - len(found), 0))
        else:
            if len(found) < offset:
                found += bytes(offset - len(found))
            found[offset:offset + len(data)] = data
    return bytes(found)


def entries(record):
    """The operations of a record: operation, name, offset and bytes."""
    with open(record, "rb") as file:
        while head := file.readline():
            operation, offset, length, name = head.decode().rstrip("\n").split(" ", 3)
            data = file.read(int(length)) if operation == "write" else None
            if not name.endswith(INDEX):
                yield operation, name, int(offset), data


def disturbed(stream, choice, library, folder):
    """Runs the stream to its end with cuts, compares, and returns how many there were."""
    disk, record = folder / "disk", folder / "record"
    disk.mkdir()
    store = disk / "store.db"
    cuts = 0
    for number in range(choice.randint(1, MOST_CUTS_OF_A_RUN)):
        before = {path.name: File(path.read_bytes()) for path in disk.iterdir() if not path.name.endswith(INDEX)}
        record.unlink(missing_ok=True)
        words = stream.words(store, choice.randint(1, 3))
        if number > 0 or choice.random() < 0.5:
            words.insert(1, "--resume")
        stream.run(*words, environment={"LD_PRELOAD": str(library), "RECORDED_FOLDER": os.path.realpath(disk), "RECORD": str(record)})
        if not record.exists():
            if number == 0:
                raise streams.Failed(f"{stream.name}: nothing was recorded; is the command a static one?")
            break
        operations = list(entries(record))
        for operation, name, offset, data in operations[:choice.randint(0, len(operations))]:
            before.setdefault(name, File()).take(operation, offset, data)
        kept = choice.choice([0, 0.5, 0.9, 1])
        shutil.rmtree(disk)
        disk.mkdir()
        for name, file in before.items():
            content = file.after_cut(choice, kept)
            if content is not None:
                (disk / name).write_bytes(content)
        cuts += 1
    stream.run("run", "--resume", *stream.words(store, choice.randint(1, 3))[1:])
    what = f"{stream.name}: the store's export after {cuts} power cuts"
    streams.same(stream.export, stream.exported(store), what)
    streams.check_sound(store, what)
    return cuts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=streams.COMMAND, help="the command (default: the release build)")
    parser.add_argument("--cuts", type=int, default=500, help="how many in all (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="for another series of places (default: 1)")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a run that failed")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="power-cuts."))
    library = work / "writes.so"
    source = pathlib.Path(__file__).with_name("writes.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    choice = random.Random(options.seed)
    return streams.disturb(
        work, options, "power cuts", options.cuts, lambda stream, folder: disturbed(stream, choice, library, folder))


if __name__ == "__main__":
    sys.exit(main())
