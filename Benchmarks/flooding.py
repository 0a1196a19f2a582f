#!/usr/bin/env python3
"""The cost of hostile names and ids relative to random ones, in instructions of the command's own process.

Each case is two files of one shape and size: in one, names, devices or identifiers are crafted from knowledge of the code to collide
in every table; in the other they are random. The cost of a file is that of a run over it, minus that of a run over its first line.
The linter's cases are two files of one kind, one of them twice as large: twice the input may cost 2.3 times as much.
Prints Markdown; with --check, fails when a crafted file costs more than twice as much as the random one, or a file of twice the size more
than 2.3 times as much.

    PUSHPIPE=.build/release/core/pushpipe Benchmarks/flooding.py [--check] [--only WORD]

valgrind counts the instructions, which are nearly the same in each run.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

LIMIT = 2.0
DOUBLING_LIMIT = 2.3
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEX = "0123456789abcdef"
# Objects are repeated until a file has this many members in total, so that every case is large enough to measure.
MEMBERS = 20_000
RECORDS = 8_000

# MARK: Names


def digits(number, count, alphabet=LETTERS):
    text = ""
    for _ in range(count):
        text = alphabet[number % len(alphabet)] + text
        number //= len(alphabet)
    return text


def meeting(count, length):
    """Names of one length that share the two bytes in the middle, which the scanner's filter reads, and otherwise differ as late
    as possible."""
    names = []
    for number in range(count):
        name = ["a"] * length
        places = [place for place in range(length - 2, 0, -1) if place not in (length // 2, length // 2 - 1)]
        for place in places:
            name[place] = LETTERS[number % 26]
            number //= 26
            if number == 0:
                break
        names.append("".join(name))
    return names


def drawn(count, length, source, alphabet=LETTERS):
    names = set()
    while len(names) < count:
        names.add("".join(source.choice(alphabet) for _ in range(length)))
    return sorted(names, key=lambda _: source.random())


def escaped(names):
    """The same names with a leading escape, which disables the filter."""
    return ["\\u0061" + name for name in names]


# MARK: Records


def push(members="", device="ab54", topic="org.example.news", collapse=None, extension=False, text="Hi"):
    headers = f'"apns-topic":"{topic}"' + (f',"apns-collapse-id":"{collapse}"' if collapse else "")
    aps = f'{{"alert":"{text}"' + (',"mutable-content":1' if extension else "") + "}"
    return f'{{"device":"{device}","headers":{{{headers}}},"payload":{{"aps":{aps}{members}}}}}'


def objects(names, repeat):
    """Records with an object of these names, in the given order."""
    members = ",".join(f'"{name}":0' for name in names)
    return [push(f',"data":{{{members}}}')] * repeat


def names_case(count, length, change=lambda names: names):
    source = random.Random(1)
    repeat = max(1, MEMBERS // count)
    return (
        objects(change(meeting(count, length)), repeat),
        objects(change(drawn(count, length, source)), repeat),
    )


def nested_case(outer, inner, length):
    """Objects in an object, so that the outer one's state must be found again after each inner one."""

    def text(names):
        within = ",".join(f'"{name}":0' for name in names[:inner])
        return push(',"data":{' + ",".join(f'"{name}":{{{within}}}' for name in names) + "}")

    repeat = max(1, MEMBERS // (outer * (inner + 1)))
    return [text(meeting(outer, length))] * repeat, [text(drawn(outer, length, random.Random(1)))] * repeat


def same_name(count):
    """One repeated name, compared with names that each occur twice: for both, the first sixteen duplicates are reported."""
    repeat = max(1, MEMBERS // count)
    twice = drawn(count // 2, 12, random.Random(1))
    return objects(["aaaaaaaaaaaa"] * count, repeat), objects(twice + twice, repeat)


def texts_case(length, record, alphabet=HEX):
    """Counters at the start, in the middle and at the end of one text, and in binary across it, compared with random texts."""
    source = random.Random(1)
    width = 4
    quarter = RECORDS // 4
    base = alphabet[0] * length
    texts = []
    for number in range(quarter):
        counter = digits(number, width, alphabet)
        texts.append(counter + base[width:])
        middle = length // 2 - width // 2
        texts.append(base[:middle] + alphabet[1] + counter[1:] + base[middle + width :])
        texts.append(base[: length - width - 1] + alphabet[2] + counter)
        # Only two letters, so that few bits differ.
        texts.append("".join(alphabet[int(digit) + 3] for digit in f"{number:0{length}b}"[-length:]))
    texts = list(dict.fromkeys(texts))
    assert all(len(text) == length for text in texts)
    return [record(text) for text in texts], [record(text) for text in drawn(len(texts), length, source, alphabet)]


def one_custom_id():
    """One id for all notifications. Most start no extension and accumulate; one in 2000 removes them all."""
    source = random.Random(1)

    def record(number, custom):
        return push(f',"story":"{custom}"', extension=number % 2000 == 1999)

    texts = drawn(RECORDS, 12, source)
    return (
        [record(number, "aaaaaaaaaaaa") for number in range(RECORDS)],
        [record(number, texts[number]) for number in range(RECORDS)],
    )


def custom_ids():
    return texts_case(24, lambda text: push(f',"story":"{text}"', extension=True), LETTERS)


CASES = [
    ("6 names of one bit", [], lambda: names_case(6, 12)),
    ("16 names of one bit", [], lambda: names_case(16, 12)),
    ("31 names of one bit", [], lambda: names_case(31, 12)),
    ("32 names of one bit", [], lambda: names_case(32, 12)),
    ("33 names of one bit", [], lambda: names_case(33, 12)),
    ("64 names of one bit", [], lambda: names_case(64, 12)),
    ("5000 names of one bit", [], lambda: names_case(5000, 12)),
    ("32 names of 1000 bytes", [], lambda: names_case(32, 1000)),
    ("33 names of 1000 bytes", [], lambda: names_case(33, 1000)),
    ("16 names with an escape", [], lambda: names_case(16, 12, escaped)),
    ("32 names with an escape", [], lambda: names_case(32, 12, escaped)),
    ("33 names with an escape", [], lambda: names_case(33, 12, escaped)),
    ("32 names of 1000 bytes with an escape", [], lambda: names_case(32, 1000, escaped)),
    ("33 names of 1000 bytes with an escape", [], lambda: names_case(33, 1000, escaped)),
    ("32 objects of 8 names in one", [], lambda: nested_case(32, 8, 12)),
    ("32 times the same name", [], lambda: same_name(32)),
    ("5000 times the same name", [], lambda: same_name(5000)),
    ("the linter: 32 names of one bit", ["lint"], lambda: names_case(32, 12)),
    ("the linter: 5000 names of one bit", ["lint"], lambda: names_case(5000, 12)),
    ("devices", [], lambda: texts_case(64, lambda text: push(device=text))),
    ("devices of 8 bytes", [], lambda: texts_case(8, lambda text: push(device=text))),
    ("apps on one device", [], lambda: texts_case(30, lambda text: push(topic=text), LETTERS)),
    ("identifiers on one screen", [], lambda: texts_case(24, lambda text: push(collapse=text), LETTERS)),
    ("custom ids", ["--replace-by", "story"], custom_ids),
    ("one custom id", ["--replace-by", "story"], one_custom_id),
]

# MARK: Twice the size

ALL_FORMATS = ("text", "ndjson", "sarif", "junit")


def repeated(name, count):
    """An aps with so many members of one name, which may have a number in it."""
    return ",".join(f'"{name}":1'.replace("#", str(number)) for number in range(count))


def aps(name):
    return lambda count: f'{{"aps":{{"alert":"x",{repeated(name, count)}}}}}\n'


def quoted(text):
    return json.dumps(text)


def aliases(count):
    """A configuration whose anchors stand in keys; the linter refuses it."""
    lines = ["&a0 {k: v}"] + [f"&a{n} {{*a{n - 1} : 1, [*a{n - 1}]: 2}}" for n in range(1, count)]
    return "lint:\n  exclude:\n" + "".join(f"    - {line}\n" for line in lines)


# Name, options, the size of the smaller file, and what makes a file of a size.
DOUBLINGS = [
    ("names close to one of aps", [], 2500, aps("alret")),
    ("names in another spelling", [], 2500, aps("content_available")),
    ("names with one prefix", [], 2500, aps("content-available#")),
    ("one name again and again", [], 2500, aps("badge")),
    ("names close to one of alert", [], 2500, lambda n: f'{{"aps":{{"alert":{{"body":"x",{repeated("titel", n)}}}}}}}\n'),
    ("arguments without a key", [], 2500,
     lambda n: f'{{"to":"t","notification":{{{repeated("body_loc_args", n)}}}}}\n'),
    ("headers in capitals", [], 2500,
     lambda n: f'{{"headers":{{{repeated("APNS-TOPIC", n)}}},"payload":{{"aps":{{"alert":"x"}}}}}}\n'),
    ("fields of FCM", [], 2500, lambda n: f'{{"message":{{"token":"t","notification":{{{repeated("titel", n)}}}}}}}\n'),
    ("a text in a text", [], 2500, lambda n: '{"default":"x","APNS":%s}\n' % quoted(aps("alret")(n))),
    ("a broken text in a text", [], 2500, lambda n: '{"payload":%s}\n' % quoted(aps("alret")(n).replace('"', "'"))),
    ("targets", [], 5000, lambda n: '{"registration_ids":[%s],"data":{"from":"x"}}\n' % ",".join(['"t"'] * n)),
    ("brackets without an end", [], 20_000, lambda n: "[" * n),
    ("lines that continue a broken record", [], 20_000, lambda n: '{"aps":{\n' + '"x":1,\n' * n),
    ("blank lines after a record", [], 200_000, lambda n: '{"aps":{}}' + "\n" * n),
    ("records on one line", [], 2000, lambda n: '{"aps":{"badge":"1"}} ' * n),
    ("aliases in a configuration", ["--config"], 2500, aliases),
] + [(f"records with findings as {form}", ["--format", form], 500, lambda n: aps("alret")(3) * n) for form in ALL_FORMATS]


def lint_cost(pushpipe, options, text):
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.write(text)
        file.flush()
        command = [pushpipe, "lint", "-q", "--jobs", "1"]
        if options == ["--config"]:
            return count(command + ["--config", file.name, "/dev/null"], statuses=(2,))
        return count(command + ["--config", "/dev/null", *options, file.name])


def measure_doublings(pushpipe, only):
    """Prints a row for each case, and returns the highest ratio."""
    print("\n| The linter | KB | Million instructions | For twice as much | Ratio |\n|---|---:|---:|---:|---:|")
    worst = 0.0
    for name, options, size, make in DOUBLINGS:
        if only not in name:
            continue
        start = lint_cost(pushpipe, options, make(1))
        single, double = (lint_cost(pushpipe, options, make(n)) - start for n in (size, 2 * size))
        # A refusal costs next to nothing, whatever the size.
        ratio = max(double, 1) / max(single, 1_000_000)
        worst = max(worst, ratio)
        print(
            f"| {name} | {len(make(size)) // 1000} | {single / 1e6:.0f} | {double / 1e6:.0f} | {ratio:.2f} |", flush=True)
    return worst


# MARK: Counting


def count(command, statuses=(0, 1)):
    with tempfile.NamedTemporaryFile("r") as log:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log.name}", *command],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        text = log.read()
    found = re.search(r"Collected *: *(\d+)", text)
    # The linter exits with status 1 when it has findings.
    if done.returncode not in statuses or not found:
        sys.exit(f"flooding: {' '.join(command)} failed\n{done.stderr}{text}")
    return int(found[1])


def cost(pushpipe, arguments, lines):
    command = [pushpipe]
    if arguments[:1] == ["lint"]:
        command += ["lint", "-q", "--format", "ndjson"]
    else:
        command += ["run", "-q", "--jobs", "1", *arguments]
    counts = []
    for part in (lines, lines[:1]):
        with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
            file.write("\n".join(part) + "\n")
            file.flush()
            counts.append(count(command + [file.name]))
    return counts[0] - (counts[1] if len(lines) > 1 else 0)


def measure(pushpipe, only):
    """Prints a row for each case, and returns the highest ratio."""
    print("| Names or ids | Records | MB | Crafted, million instructions | Random | Ratio |\n|---|---:|---:|---:|---:|---:|")
    worst = 0.0
    for name, options, make in CASES:
        if only not in name:
            continue
        crafted, random_lines = make()
        for lines in (crafted[0], random_lines[0]):
            json.loads(lines)
        costs = [cost(pushpipe, options, lines) for lines in (crafted, random_lines)]
        ratio = costs[0] / costs[1]
        worst = max(worst, ratio)
        size = sum(len(line) + 1 for line in crafted) / 1e6
        print(
            f"| {name} | {len(crafted)} | {size:.1f} | {costs[0] / 1e6:.0f} | {costs[1] / 1e6:.0f} | {ratio:.2f} |",
            flush=True)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help=f"fail when a case costs more than {LIMIT} times")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose name contains WORD")
    arguments = parser.parse_args()
    pushpipe = os.environ.get("PUSHPIPE", ".build/release/core/pushpipe")
    if not os.access(pushpipe, os.X_OK):
        sys.exit(f"flooding: no command {pushpipe}; run `make build`, or set PUSHPIPE")
    with tempfile.TemporaryDirectory() as folder:
        # Without debug information, because older valgrinds fail on it.
        stripped = os.path.join(folder, "pushpipe")
        if subprocess.call(["strip", "--strip-debug", "-o", stripped, pushpipe]) != 0:
            sys.exit("flooding: strip is missing; install binutils")
        worst = measure(stripped, arguments.only)
        worst_doubling = measure_doublings(stripped, arguments.only)
    if arguments.check and worst_doubling > DOUBLING_LIMIT:
        sys.exit(f"flooding: twice the input costs {worst_doubling:.2f} times as much; the limit is {DOUBLING_LIMIT}")
    if arguments.check and worst > LIMIT:
        sys.exit(f"flooding: crafted input costs {worst:.2f} times as much as random input; the limit is {LIMIT}")


if __name__ == "__main__":
    main()
