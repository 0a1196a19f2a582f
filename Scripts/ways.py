#!/usr/bin/env python3
"""The ways of one payload through `run`, in memory and with a store, and of one request through `serve`: which of our functions are entered, in
what files, and how often the way changes from one module to another.

    Scripts/ways.py [--list] [--check]

Those of `run` are counted in the release build of the filter, that of `serve` in the build for tests, as far as they have been
made. `--check` fails when one has more files or changes than `Benchmarks/limits.txt` allows: a limit is lowered when a way gets shorter.

The program starts, waits for input, and gets a breakpoint at each of our functions; then the payload or request comes, and each breakpoint is
taken away when it is hit. So a function counts once, where it is first entered. What the compiler made by itself (metadata, witnesses, thunks) does
not count. Linux on x86-64.
"""

import ctypes
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEIZE, INTERRUPT, CONTINUE, GET_REGISTERS, SET_REGISTERS = 0x4206, 0x4207, 7, 12, 13
TRACE_THREADS, ALL_THREADS = 8, 0x40000000
NAMES = "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs"
MADE_BY_COMPILER = re.compile(r"(M[ari]|W[a-zA-Z]|WO\w+|w\w\w?|T[mWqjRA]|[fF][dDE]|WZ|vau|vpfi)+$")
PAYLOAD = b'{"aps":{"alert":{"title":"a","body":"b"}}}\n'
SECONDS_TO_START, SECONDS_TO_END = 1, 1


class Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in NAMES.split()]


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def symbols(*files):
    lines = subprocess.run(["nm", "-A", "--defined-only", *files], capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        file, _, rest = line.rpartition(":")
        fields = rest.split(None, 2)
        if len(fields) == 3 and fields[1] in "Tt":
            yield file, int(fields[0], 16), fields[2]


def our_functions(build, program):
    """Module and file of each function, by its address in the program."""
    home = {}
    for source in [*ROOT.glob("Sources/*/*"), *ROOT.glob("Sources/*/Shims/*")]:
        module = source.name
        # What a file that is gone has left in the build does not count.
        objects = [build / f"{module}.build" / f"{path.name}.o" for path in source.rglob("*.swift")]
        objects = [str(path) for path in objects if path.exists()]
        for file, _, name in symbols(*objects) if objects else []:
            home[name] = (module, pathlib.Path(file).name.removesuffix(".o"))
    return {a: (n, *home[n]) for _, a, n in symbols(str(program)) if n in home and not MADE_BY_COMPILER.search(n)}


class Trace:
    """Stops a process at the first entry of each function."""

    def __init__(self, pid, program, functions):
        self.functions, self.order, self.registers = functions, [], Registers()
        maps = pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines()
        self.base = next(int(line.split("-")[0], 16) for line in maps if str(program) in line)
        threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]
        for thread in threads:
            if LIBC.ptrace(SEIZE, thread, None, TRACE_THREADS):
                raise OSError(ctypes.get_errno(), "no process may be traced here")
            LIBC.ptrace(INTERRUPT, thread, None, None)
            os.waitpid(thread, ALL_THREADS)
        self.memory = open(f"/proc/{pid}/mem", "r+b", buffering=0)
        self.first_bytes = {address: self.exchange(address, b"\xcc") for address in functions}
        for thread in threads:
            LIBC.ptrace(CONTINUE, thread, None, None)

    def exchange(self, address, byte):
        self.memory.seek(self.base + address)
        before = self.memory.read(1)
        self.memory.seek(self.base + address)
        self.memory.write(byte)
        return before

    def handle(self, thread, status):
        stop, number = os.WSTOPSIG(status), 0
        if stop == signal.SIGTRAP and status >> 16 == 0:
            LIBC.ptrace(GET_REGISTERS, thread, None, ctypes.addressof(self.registers))
            address = self.registers.rip - 1 - self.base
            if address in self.first_bytes:
                # Another thread may have been here in the meantime.
                if self.exchange(address, self.first_bytes[address]) == b"\xcc":
                    self.order.append(self.functions[address])
                self.registers.rip -= 1
                LIBC.ptrace(SET_REGISTERS, thread, None, ctypes.addressof(self.registers))
        elif stop != signal.SIGTRAP and status >> 16 == 0:
            number = stop
        LIBC.ptrace(CONTINUE, thread, None, number)

    def follow(self, pid, client=None):
        """To the end of the process, or to a while after the end of a client."""
        end = None
        while end is None or time.monotonic() < end:
            thread, status = os.waitpid(-1, ALL_THREADS | (os.WNOHANG if client else 0))
            if client and thread == client.pid:
                end = time.monotonic() + SECONDS_TO_END
            elif thread and os.WIFSTOPPED(status):
                self.handle(thread, status)
            elif thread == pid:
                break
            elif not thread:
                time.sleep(0.01)
        return self.order


def way_of_run(program, functions, folder, *options):
    command = [program, "run", "--jobs", "1", "--topic", "org.example.app", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(SECONDS_TO_START)
    trace = Trace(process.pid, program, functions)
    process.stdin.write(PAYLOAD)
    process.stdin.close()
    return trace.follow(process.pid)


def way_of_serve(program, functions, folder):
    command = [program, "serve", "--listen", "127.0.0.1:0", "--store", folder + "/phone.db"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    address = re.search(rb"127\.0\.0\.1:\d+", b"".join(itertools.islice(process.stderr, 1))).group(0).decode()
    time.sleep(SECONDS_TO_START)
    trace = Trace(process.pid, program, functions)
    url = f"http://{address}/3/device/{'ab' * 32}"
    headers = ["-H", "apns-topic: org.example.app", "-H", "apns-push-type: alert"]
    client = subprocess.Popen(["curl", "-s", "--http2-prior-knowledge", *headers, "-d", PAYLOAD, url])
    order = trace.follow(process.pid, client)
    process.kill()
    return order


def way_with_store(program, functions, folder):
    return way_of_run(program, functions, folder, "--store", folder + "/phone.db")


# Name, and the build: folder and program.
RELEASE = (".build/release", "pushpipe-core")
TESTS = (".build/tests/release", "pushpipe")
WAYS = [("run", RELEASE, way_of_run), ("run-store", RELEASE, way_with_store), ("serve-store", TESTS, way_of_serve)]


def limits():
    lines = [line.split() for line in (ROOT / "Benchmarks/limits.txt").read_text().splitlines()]
    return {words[0]: int(words[1]) for words in lines if words and words[0].startswith("ways-")}


def main():
    known, exceeded, missing = limits(), [], []
    functions = {}
    for name, (folder, program), follow in WAYS:
        build = (ROOT / folder).resolve()
        program = build / program
        if not program.exists():
            missing.append(f"{name} ({folder})")
            continue
        if program not in functions:
            functions[program] = our_functions(build, program)
        try:
            with tempfile.TemporaryDirectory() as temporary:
                order = follow(program, functions[program], temporary)
        except PermissionError as error:
            sys.exit(f"not counted: {error}" if "--check" not in sys.argv else 0)
        files = len({(module, file) for _, module, file in order})
        modules = len({module for _, module, _ in order})
        changes = sum(a[1] != b[1] for a, b in itertools.pairwise(order))
        print(f"{name}: {len(order)} functions in {files} files of {modules} modules, {changes} changes of module")
        if "--list" in sys.argv:
            print("\n".join(f"  {module}/{file} {function}" for function, module, file in order))
        for what, count in [("files", files), ("changes", changes)]:
            limit = known.get(f"ways-{name}-{what}", 0)
            if count > limit:
                exceeded.append(f"{name}: {count} {what}, {limit} are allowed")
    if missing:
        print("not built: " + ", ".join(missing), file=sys.stderr)
    if "--check" in sys.argv:
        for line in exceeded:
            print(f"FAILED {line} (Benchmarks/limits.txt)", file=sys.stderr)
        sys.exit(1 if exceeded or missing else 0)


main()
