#!/usr/bin/env python3
"""Load on `pushpipe serve` and on peers that only answer, over HTTP/2 without TLS, by h2load on one core.

For each server and number of connections: requests per second under full load, and what each costs the server in processor time,
which other work on the machine changes least; then the median and the 99th percentile of the
time to the answer at half of that rate; and the most memory the server has used, before and after. Run by Benchmarks/gateway-speed.sh.

The peers check nothing, keep nothing and report nothing, so the comparison favors them. pushpipe decodes, checks and delivers
each push, writes a report line (to /dev/null), and answers after the commit. Pushes go to 1,000 devices and replace each
other by their collapse id, so that the screens do not grow.
"""

import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

BODY = {"aps": {"alert": {"title": "Election night", "body": "12 of 98 districts are counted"}, "sound": "default"}}
DEVICES = 1000
WARM_UP = 1  # seconds


class Server:
    """A running server: its name, port and process."""

    def __init__(self, name, words, folder, listening, stream):
        self.name = name
        environment = dict(os.environ, XDG_DATA_HOME=str(folder / "data"))
        pipe = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: subprocess.PIPE}
        self.process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, **pipe)
        output = getattr(self.process, stream)
        for line in iter(output.readline, b""):
            match = re.search(listening, line.decode())
            if match:
                self.port = int(match.group(1))
                return
        raise RuntimeError(f"{name} did not start")

    def peak_memory(self):
        """In MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

    def memory(self):
        """Now, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) * 1024

    def processor_time(self):
        """User and system time so far, in seconds."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def pushpipe(path, store):
    words = [path, "serve", "--listen", "127.0.0.1:0", "--format", "ndjson"]
    if store:
        words += ["--store", "phone.db"]
    name = "pushpipe, " + ("SQLite" if store else "memory")
    return lambda folder: Server(name, words, folder, r"http://127\.0\.0\.1:(\d+)", "stderr")


def nghttpd(folder):
    """nghttpd does not tell its port, so it gets one that was free a moment ago, and is asked until it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Server.__new__(Server)
    server.name, server.port = "nghttpd, echo (C)", port
    words = ["nghttpd", "--no-tls", "--address", "127.0.0.1", "--echo-upload", str(port)]
    server.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server
        except ConnectionRefusedError:
            continue
    raise RuntimeError("nghttpd did not start")


def netty(folder):
    jars = [jar for jar in glob.glob("/usr/share/java/netty-*.jar") if not re.search(r"-\d|-all", jar)]
    source = pathlib.Path(__file__).resolve().parent / "peers/NettyMock.java"
    words = ["java", "-cp", ":".join(jars), str(source)]
    return Server("Netty, mock (Java)", words, folder, r"http://127\.0\.0\.1:(\d+)", "stdout")


def nio_echo(path):
    return lambda folder: Server("SwiftNIO, echo", [path], folder, r"http://127\.0\.0\.1:(\d+)", "stdout")


def load(server, folder, connections, in_flight, seconds, rate=None, headers=("apns-collapse-id: count",)):
    """Runs h2load: requests per second, the numbers of answers with 2xx to 5xx, and the sorted times of requests in ms."""
    log = folder / "requests.log"
    log.unlink(missing_ok=True)
    streams = max(1, in_flight // connections)
    words = [
        "h2load", "-D", str(seconds), "--warm-up-time", str(WARM_UP), "-c", str(connections), "-m", str(streams), "-i", "addresses",
        "-d", "push.json", "-H", "apns-topic: org.example.news", *(word for header in headers for word in ("-H", header)),
        "-B", f"http://127.0.0.1:{server.port}", "--log-file", str(log)]
    if rate:
        words += ["--rps", str(max(1, round(rate / connections)))]
    output = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds * 4 + 60).stdout
    speed = re.search(r"finished in .*?, ([\d.]+) req/s", output)
    codes = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", output)
    if not speed or not codes:
        raise RuntimeError(output)
    counts = [int(each) for each in codes.groups()]
    times = sorted(int(line.split("\t")[2]) / 1000 for line in log.read_text().splitlines() if "\t200\t" in line)
    return float(speed.group(1)), counts, times


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pushpipe", required=True, help="the command, a release build")
    parser.add_argument("--nio-echo", help="the echo server of Benchmarks/peers/NIOEcho, a release build")
    parser.add_argument("--seconds", type=int, default=3, help="length of each measurement (default: 3)")
    parser.add_argument("--connections", default="1,10,100,1000", help="numbers of connections (default: 1,10,100,1000)")
    parser.add_argument(
        "--in-flight", type=int, default=1000, help="requests at a time over all connections under full load (default: 1000)")
    parser.add_argument("--json", help="also write the rows to this file")
    options = parser.parse_args()

    makers = [pushpipe(os.path.abspath(options.pushpipe), False), pushpipe(os.path.abspath(options.pushpipe), True)]
    if options.nio_echo:
        makers.append(nio_echo(os.path.abspath(options.nio_echo)))
    if shutil.which("nghttpd"):
        makers.append(nghttpd)
    if shutil.which("java") and os.path.exists("/usr/share/java/netty-codec-http2.jar"):
        makers.append(netty)
    print(f"{'server':<20} {'conns':>5} {'req/s':>9} {'CPU µs':>7} {'2xx':>6} {'p50 ms':>8} {'p99 ms':>8} {'idle MiB':>8} {'peak MiB':>8}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="pushpipe-speed-") as top:
        # Rounds of all servers, so that what else the machine does affects all of them.
        for connections in map(int, options.connections.split(",")):
            for maker in makers:
                folder = pathlib.Path(tempfile.mkdtemp(dir=top))
                (folder / "push.json").write_text(json.dumps(BODY))
                (folder / "addresses").write_text(
                    "".join(f"http://127.0.0.1/3/device/{0xF00000 + each:06x}\n" for each in range(DEVICES)))
                server = maker(folder)
                idle = server.peak_memory()
                try:
                    before = server.processor_time()
                    speed, counts, _ = load(server, folder, connections, options.in_flight, options.seconds)
                    # Also of the requests while it warms up, which are not counted: as many per second.
                    requests = sum(counts) * (options.seconds + WARM_UP) / options.seconds
                    cost = (server.processor_time() - before) / max(1, requests) * 1e6
                    _, counts, times = load(server, folder, connections, options.in_flight, options.seconds, speed / 2)
                    accepted = counts[0] / max(1, sum(counts))
                    row = {
                        "server": server.name, "connections": connections, "requestsPerSecond": round(speed),
                        "processorMicroseconds": round(cost, 1),
                        "accepted": accepted, "p50": percentile(times, 0.5), "p99": percentile(times, 0.99),
                        "idleMiB": idle, "peakMiB": server.peak_memory()}
                finally:
                    server.stop()
                rows.append(row)
                print(
                    f"{row['server']:<20} {connections:>5} {row['requestsPerSecond']:>9,} {cost:>7.1f} {row['accepted']:>6.1%} "
                    f"{row['p50']:>8.2f} {row['p99']:>8.2f} {row['idleMiB']:>8.0f} {row['peakMiB']:>8.0f}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(0 if all(row["accepted"] == 1 for row in rows) else 1)


if __name__ == "__main__":
    main()
