#!/usr/bin/env python3
"""Makes an object file with a smaller copy of the data of ICU, which Foundation on Linux brings: 34 MB, most of it texts of other languages
and tables of old encodings. The command uses no other language than English in what it writes, and no other encoding than UTF-8.

    Scripts/icu-data.py lib_FoundationICU.a icu-data.o

Prints the name of the data's symbol. The linker takes the object instead of the archive's member with `--wrap=SYMBOL`, because the object calls it
`__wrap_SYMBOL`. The data are as ICU describes them in `udata.h` and `ucmndata.h`: a header, then a table of names and offsets, then the items.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# Items without which ICU does not start, or that Foundation uses for any language: shared tables, normalization, the root of each kind of
# table, English, and rules for breaking text, without dictionaries.
KEPT = re.compile(
    r"[^/]*/(?:"
    r"(?:pool|root|en|en_US|en_001|res_index|langInfo|likelySubtags|supplementalData|numberingSystems|plurals|pluralRanges|dayPeriods"
    r"|keyTypeData|metadata|metaZones|timezoneTypes|windowsZones|zoneinfo64|icuver|icustd|genderList|grammaticalFeatures|units"
    r"|currencyNumericCodes|tzdbNames)\.res"
    r"|[^/]*\.(?:nrm|icu|spp)"
    r"|(?:curr|lang|region|unit|zone|coll|rbnf)/(?:pool|root|en|en_US|en_001|res_index|supplementalData|tzdbNames|ucadata)\.(?:res|icu)"
    r"|brkitr/(?:[^/]*\.brk|(?:root|en|en_US|res_index)\.res)"
    r")")


def subset(data):
    """The same data with the kept items alone."""
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("icu-data: this is not a file of ICU's data")
    count = struct.unpack_from("<I", data, header)[0]
    table = [struct.unpack_from("<II", data, header + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in table[1:]] + [len(data) - header]
    items = []
    for (name, start), end in zip(table, ends):
        name = data[header + name:data.index(b"\0", header + name)]
        if KEPT.fullmatch(name.decode()):
            items.append((name, data[header + start:header + end]))
    names = b"".join(name + b"\0" for name, _ in items)
    # Offsets count from the table on, and items begin at multiples of 16.
    name_offset = 4 + 8 * len(items)
    padding = b"\0" * (-(name_offset + len(names)) % 16)
    item_offset = name_offset + len(names) + len(padding)
    entries, bodies = [], []
    for name, item in items:
        item += b"\0" * (-len(item) % 16)
        entries.append(struct.pack("<II", name_offset, item_offset))
        bodies.append(item)
        name_offset += len(name) + 1
        item_offset += len(item)
    return b"".join([data[:header], struct.pack("<I", len(items)), *entries, names, padding, *bodies])


def main():
    archive, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        member = "icu_packaged_data.cpp.o"
        subprocess.run(["ar", "x", str(pathlib.Path(archive).resolve()), member], cwd=folder, check=True)
        symbols = subprocess.run(["nm", "--defined-only", member], cwd=folder, check=True, capture_output=True, text=True).stdout
        symbol = re.search(r"\b(icudt\d+_dat)\b", symbols)[1]
        subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", member, "all.dat"], cwd=folder, check=True)
        kept = subset(pathlib.Path(folder, "all.dat").read_bytes())
        pathlib.Path(folder, "kept.dat").write_bytes(kept)
        name = f"__wrap_{symbol}"
        source = f'.section .rodata\n.balign 16\n.globl {name}\n.type {name}, %object\n{name}:\n.incbin "kept.dat"\n.size {name}, . - {name}\n'
        source += '.section .note.GNU-stack,"",%progbits\n'
        pathlib.Path(folder, "icu.s").write_text(source)
        subprocess.run(["clang", "-c", "icu.s", "-o", "icu.o"], cwd=folder, check=True)
        pathlib.Path(output).write_bytes(pathlib.Path(folder, "icu.o").read_bytes())
        print(symbol)


main()
