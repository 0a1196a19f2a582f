#!/usr/bin/env python3
"""Runs real client libraries against `pushpipe serve`: a table of clients and cases.

    Tests/Services/Clients/run.py [--pushpipe PATH] [--client NAME]... [--short] [--venv FOLDER] [--jars FOLDER]

Each client has a gateway of its own and runs in a process of its own, with the recipe of
Documentation/guides/serve-clients.md in it. The status is 1 if an answer or a report line is not as expected. A client that
cannot be installed is skipped; with --short at least eight must run.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# No folders with compiled modules in the source tree.
sys.dont_write_bytecode = True

from cases import CASES, DEVICES, FAULTS, PUSHES_PER_MINUTE, TOPIC
from catalogue import CLIENTS
from environments import Environments, Missing
from gateway import (
    ACCESS_TOKEN_FILE, ACCOUNT_FILE, BINARY_OPTIONS, KEY_FILE, Gateway, make_key, make_sender_certificate,
    make_service_account, provider_token)
from recipes import PROGRAMS, ROOT, program, sections

LEAST_CLIENTS = 8
# A client that has not ended by then never will.
TIME_LIMIT = 60
TRUST = "trust"
DEFAULT = "default"
# Debian's jars. Others, which no package has, are put into the second folder by hand.
JARS = [pathlib.Path("/usr/share/java"), ROOT / ".build/clients/jars"]
STOP = "stopped"


def command(client, environments, folder, port):
    """Writes a client's program into the folder, and returns the words that run it."""
    for tool in client.tools:
        if not shutil.which(tool):
            raise Missing(f"no {tool}")
    if sys.version_info[:2] > client.newest_python:
        raise Missing("it needs Python {} or older".format(".".join(map(str, client.newest_python))))
    jars = []
    for name in client.jars:
        found = next((place / name for place in JARS if (place / name).exists()), None)
        if not found:
            raise Missing(f"no {name} in {' or '.join(map(str, JARS))}")
        jars.append(str(found))
    path = folder / client.program
    path.write_text(program(client, port))
    if client.program.endswith(".py"):
        shutil.copy(PROGRAMS / "harness.py", folder)
        python = environments.python(client.requirements) if client.requirements else sys.executable
        return [python, path.name]
    if client.program.endswith(".go"):
        subprocess.run(["go", "build", "-o", path.stem, path.name], cwd=folder, check=True)
        return [f"./{path.stem}"]
    return [client.tools[0], *(["--class-path", ":".join(jars)] if jars else []), path.name]


def write_plan(folder, cases):
    plan = [
        {"name": case.name, "together": case.together, "requests": [dataclasses.asdict(one) for one in case.requests]}
        for case in cases
    ]
    (folder / "plan").write_text(json.dumps(plan))
    rows = [
        "\t".join([
            case.name, "together" if case.together else "", one.token, one.topic or "", one.alert, one.collapse_id or "",
            "expired" if one.expired else ""])
        for case in cases for one in case.requests
    ]
    (folder / "plan.tsv").write_text("\n".join(rows))


def send(words, folder, tokens):
    """Runs a program; returns what it says about each case, and why it ended early, if it did."""
    environment = dict(os.environ, **tokens, PYTHONWARNINGS="ignore")
    try:
        result = subprocess.run(
            [*words, "plan"], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            timeout=TIME_LIMIT)
        output, complaint = result.stdout, result.stderr.strip()
    except subprocess.TimeoutExpired as error:
        output, complaint = (error.stdout or b"").decode(), f"still running after {TIME_LIMIT} s"
    answers = {}
    for line in output.splitlines():
        if line.startswith("{"):
            value = json.loads(line)
            answers[value["name"]] = value["answers"]
    return answers, complaint


def difference(answer, expected):
    """What is wrong with an answer, or None. A library may keep the status or the reason to itself."""
    status, reason = expected
    if "error" in answer:
        return answer["error"][:300]
    if answer.get("refused"):
        # The library does not say why.
        return None if 400 <= status < 500 else "refused"
    found = (answer["status"] or status, answer["reason"])
    if found != (status, reason):
        return f"{found[0]} {found[1]} instead of {status} {reason}"
    timestamp = answer.get("timestamp")
    if status == 410 and timestamp is not None:
        # Milliseconds since the epoch, and not in the future.
        if not time.time() * 1000 - 86_400_000 < float(timestamp) <= time.time() * 1000 + 1000:
            return f"the timestamp is {timestamp}"
    return None


def judge(case, answers, lines, repeats):
    """What is wrong with a case, or None. If the client `repeats` it, each request may have several report lines."""
    if answers is None:
        return "no answer"
    if len(answers) != len(case.requests):
        return f"{len(answers)} answers to {len(case.requests)} requests"
    if case.may_fail:
        delivered = {line["device"] for line in lines if line["outcome"] == "delivered"}
        for request, answer in zip(case.requests, answers):
            if "error" not in answer and (difference(answer, (200, None)) or request.token not in delivered):
                return f"{answer} for {request.token}; delivered: {sorted(delivered & {one.token for one in case.requests})}"
        # Two are answered before the first GOAWAY.
        return next((answer["error"] for answer in answers[:2] if "error" in answer), None)
    for answer, expected in zip(answers, case.answers):
        wrong = difference(answer, expected)
        if wrong:
            return wrong
    tokens = {request.token for request in case.requests}
    # Expo's tokens stand for a device.
    outcomes = [line["outcome"] for line in lines if line.get("expo", line.get("device")) in tokens]
    if repeats and set(outcomes) == set(case.outcomes):
        return None
    if outcomes != case.outcomes:
        return f"{len(outcomes)} report lines, {sorted(set(outcomes))}; expected {sorted(set(case.outcomes))}"
    return None


def start(client, pushpipe, environments, folder, is_default=False):
    """A gateway for a client, and the words that run the client against it. Raises `Missing`.

    With `is_default` it has no options but those without which the client could not connect."""
    folder.mkdir()
    # Before the gateway starts, so that nothing has to be ended if it cannot run.
    command(client, environments, folder, 0)
    devices = DEVICES[client.service]
    (folder / "devices.ndjson").write_text("".join(json.dumps(device) + "\n" for device in devices))
    (folder / "faults.json").write_text(json.dumps(FAULTS))
    options = [] if is_default else [
        "--devices", "devices.ndjson", "--set", f"limits.pushes-per-minute={str(PUSHES_PER_MINUTE)}", "--faults", "faults.json"]
    make_key(folder)
    if client.service == "APNs":
        options += [] if is_default else ["--set", f"serve.provider-key={KEY_FILE}"]
    elif client.service == "Binary":
        make_sender_certificate(folder, TOPIC)
        options += BINARY_OPTIONS
    elif client.service == "Expo":
        (folder / ACCESS_TOKEN_FILE).write_text("secret")
        options += [] if is_default else ["--set", "serve.expo-access-token=@" + ACCESS_TOKEN_FILE]
    elif client.service == "FCM":
        make_service_account(folder, 0)
        options += [] if is_default else ["--set", f"serve.service-account={ACCOUNT_FILE}"]
    gateway = Gateway(pushpipe, folder, options)
    try:
        if client.service == "FCM":
            make_service_account(folder, gateway.port)
        port = gateway.binary_port if client.service == "Binary" else gateway.port
        return gateway, command(client, environments, folder, port)
    except BaseException:
        gateway.stop()
        raise


def trial(client, pushpipe, environments, folder):
    """Runs all cases of a client: name of a case to None, or what is wrong. Raises `Missing`."""
    gateway, words = start(client, pushpipe, environments, folder)
    try:
        tokens = {"TOKEN": provider_token(folder), "OLD_TOKEN": provider_token(folder, age=7200)}
        cases = [case for case in CASES[client.service] if case.name not in client.inapplicable]
        write_plan(folder, cases)
        answers, complaint = send(words, folder, tokens)
        lines = gateway.report()
        results = {case.name: judge(case, answers.get(case.name), lines, case.name in client.repeats) for case in cases}
        if TRUST not in client.inapplicable:
            results[TRUST] = distrust(words, gateway, folder, tokens, cases[0])
    finally:
        rest = gateway.stop()
    # The summary counts what the report has; a trap or an error would be here too.
    if gateway.process.returncode != 130:
        results["gateway"] = f"ended with {gateway.process.returncode}: {rest}"
    results[DEFAULT] = with_defaults(client, pushpipe, environments, folder / "default", cases[0])
    if stop := stopping(client):
        results[STOP] = interrupted(client, pushpipe, environments, folder / "stopped", stop)
    if complaint and any(results.values()):
        print(f"{client.name}: {complaint[-2000:]}", file=sys.stderr)
    return results


def with_defaults(client, pushpipe, environments, folder, case):
    """What is wrong with a case when the gateway has its default options, or None."""
    gateway, words = start(client, pushpipe, environments, folder, is_default=True)
    try:
        write_plan(folder, [case])
        answers, complaint = send(words, folder, {"TOKEN": provider_token(folder), "OLD_TOKEN": ""})
        wrong = judge(case, answers.get(case.name), gateway.report(), case.name in client.repeats)
    finally:
        gateway.stop()
    return wrong and f"{wrong} {complaint[-1000:]}".strip()


def stopping(client):
    """The crowd that a client sends while its gateway stops, or None if it sends none."""
    crowd = next((case for case in CASES[client.service] if case.is_crowd), None)
    if not crowd or crowd.name in client.inapplicable or STOP in client.inapplicable:
        return None
    return crowd


def interrupted(client, pushpipe, environments, folder, case):
    """The gateway is told to end while requests are in flight: what it answered is in its report, and nothing is there twice."""
    gateway, words = start(client, pushpipe, environments, folder)
    write_plan(folder, [case])
    environment = dict(os.environ, TOKEN=provider_token(folder), OLD_TOKEN="", PYTHONWARNINGS="ignore")
    # To files, because a pipe that nobody reads would have it wait.
    with open(folder / "output", "w+") as output:
        process = subprocess.Popen(
            [*words, "plan"], cwd=folder, env=environment, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        report = folder / "report.ndjson"
        # The first line is the signal that requests arrive.
        while report.stat().st_size == 0 and process.poll() is None:
            time.sleep(0.005)
        rest = gateway.stop()
        try:
            process.wait(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "the client waits for ever"
        output.seek(0)
        said = [json.loads(line) for line in output if line.startswith("{")]
    if gateway.process.returncode != 130:
        return f"the gateway ended with {gateway.process.returncode}: {rest}"
    delivered = [line["device"] for line in gateway.report() if line["outcome"] == "delivered"]
    if len(delivered) != len(set(delivered)):
        return f"{len(delivered) - len(set(delivered))} pushes were delivered twice"
    for answered in said:
        for request, answer in zip(case.requests, answered["answers"]):
            if answer.get("status") == 200 and request.token not in delivered:
                return f"{request.token} was answered 200 and is not in the report"
            if "error" in answer and request.token in delivered and client.reads_goaway:
                return f"{request.token} was delivered, and the client was told {answer['error']}"
    return None


def distrust(words, gateway, folder, tokens, case):
    """A client that trusts another authority than the gateway's refuses, and sends nothing."""
    before = len(gateway.report())
    words_for_other = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=Another authority", "-keyout", "other.key", "-out", "ca.pem"]
    subprocess.run(words_for_other, cwd=folder, check=True, capture_output=True)
    write_plan(folder, [case])
    answers, complaint = send(words, folder, tokens)
    for answer in answers.get(case.name, []):
        if "error" not in answer:
            return f"sent without trust: {answer}"
    if case.name not in answers and not complaint:
        return "no answer and no complaint"
    return None if len(gateway.report()) == before else "the gateway has a report line"


def print_table(service, results):
    """The clients of a service that ran, and its cases."""
    clients = [client for client in CLIENTS if client.service == service and client.name in results]
    if not clients:
        return
    names = [case.name for case in CASES[service]] + [TRUST, DEFAULT, STOP]
    width = max(len(client.name) for client in CLIENTS)
    print(service.ljust(width), *names, sep="  ")
    for client in clients:
        cells = []
        for name in names:
            is_applicable = stopping(client) if name == STOP else name not in client.inapplicable
            mark = "n.a." if not is_applicable else "✗" if results[client.name].get(name) else "✓"
            cells.append(mark.ljust(len(name)))
        print(client.name.ljust(width), *cells, sep="  ")
    print()
    for client in clients:
        for name, reason in client.inapplicable.items():
            print(f"n.a.: {client.name}, {name}: {reason}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pushpipe", default=str(ROOT / ".build/tests/release/pushpipe"), help="the built command")
    parser.add_argument("--client", action="append", metavar="NAME", help="only this one; can be repeated")
    parser.add_argument("--short", action="store_true", help="the clients of the short run")
    parser.add_argument("--venv", default=str(ROOT / ".build/clients"), help="where the Python packages are kept")
    parser.add_argument("--jars", help="a folder with jars that no package has, such as pushy.jar")
    options = parser.parse_args()
    if options.jars:
        JARS.append(pathlib.Path(options.jars).absolute())

    clients = [client for client in CLIENTS if client.short or not options.short]
    if options.client:
        clients = [client for client in CLIENTS if client.name in options.client]
        unknown = set(options.client) - {client.name for client in CLIENTS}
        if unknown:
            parser.error("no such client: " + ", ".join(sorted(unknown)))
    without = set(sections()) ^ {client.section for client in CLIENTS}
    if without:
        parser.error("a recipe without a client, or a client without a recipe: " + ", ".join(sorted(without)))
    pushpipe = os.path.abspath(options.pushpipe)
    if not os.access(pushpipe, os.X_OK):
        parser.error(f"no command at {pushpipe}: build it, or name it with --pushpipe")

    environments = Environments(options.venv)
    results, skipped = {}, {}
    with tempfile.TemporaryDirectory(prefix="pushpipe-clients-") as folder:
        for client in clients:
            started = time.monotonic()
            try:
                results[client.name] = trial(client, pushpipe, environments, pathlib.Path(folder) / client.name)
                print(f"clients: {client.name}, {time.monotonic() - started:.1f} s", file=sys.stderr)
            except Missing as error:
                skipped[client.name] = str(error)
                print(f"clients: {client.name} is skipped: {error}", file=sys.stderr)

    for service in CASES:
        print_table(service, results)
    for name, error in skipped.items():
        print(f"skipped: {name}: {error}")
    wrong = [(name, case, why) for name, cases in results.items() for case, why in cases.items() if why]
    for name, case, why in wrong:
        print(f"failed: {name}, {case}: {why}")
    passed = sum(not why for cases in results.values() for why in cases.values())
    too_few = options.short and not options.client and len(results) < LEAST_CLIENTS
    if too_few:
        print(f"failed: only {len(results)} clients ran; at least {LEAST_CLIENTS} have to")
    print(f"{passed} passed, {len(wrong) + too_few} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    sys.exit(1 if wrong or too_few else 0)


if __name__ == "__main__":
    main()
