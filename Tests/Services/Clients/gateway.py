"""Runs `pushpipe serve` in a folder of its own, with a key and tokens for its clients."""

import base64
import json
import os
import pathlib
import re
import signal
import subprocess
import time

KEY_FILE = "AuthKey_ABC123DEFG.p8"
ACCOUNT_FILE = "service-account.json"
SENDER_FILE = "sender.pem"
# The access token of Expo's SDKs.
ACCESS_TOKEN_FILE = "expo-token"
BINARY_OPTIONS = ["--set", "serve.binary-gateway=127.0.0.1:0"]


def run(words, **options):
    """The standard output of a command; a failure raises with its standard error."""
    result = subprocess.run(words, capture_output=True, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{words[0]} failed: {result.stderr.decode(errors='replace').strip()}")
    return result.stdout


def make_key(folder):
    """A key as Apple issues them: EC P-256, PKCS #8."""
    key = run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"])
    (folder / KEY_FILE).write_bytes(run(["openssl", "pkcs8", "-topk8", "-nocrypt"], input=key))


def make_sender_certificate(folder, topic):
    """A certificate and its key, as Apple issued them to senders: the subject's user id is the topic."""
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/UID={topic}/CN=Sender"]
    key = folder / "sender-key.pem"
    certificate = run([*words, "-keyout", str(key)])
    (folder / SENDER_FILE).write_bytes(certificate + key.read_bytes())


def make_service_account(folder, port):
    """A service account as Google's console makes it, whose tokens come from the gateway. Keeps the key that is there."""
    path = folder / ACCOUNT_FILE
    if path.exists():
        account = json.loads(path.read_text())
    else:
        key = run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]).decode()
        account = {
            "type": "service_account", "project_id": "demo", "private_key_id": "1", "private_key": key,
            "client_email": "sender@demo.iam.gserviceaccount.com", "client_id": "1"}
    account["token_uri"] = f"https://127.0.0.1:{port}/token"
    path.write_text(json.dumps(account))


def provider_token(folder, age=0):
    """A JSON Web Token, signed with ES256, that was issued `age` seconds ago."""

    def text(part):
        return base64.urlsafe_b64encode(part).rstrip(b"=")

    header = {"alg": "ES256", "kid": "ABC123DEFG"}
    claims = {"iss": "DEF123GHIJ", "iat": int(time.time()) - age}
    signed = b".".join(text(json.dumps(part).encode()) for part in (header, claims))
    der = run(["openssl", "dgst", "-sha256", "-sign", str(folder / KEY_FILE)], input=signed)
    # SEQUENCE { INTEGER r, INTEGER s }, each shorter than 128 bytes; JSON Web Tokens have r and s of 32 bytes each.
    numbers, at = b"", 2
    for _ in range(2):
        length = der[at + 1]
        numbers += der[at + 2 : at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + length
    return (signed + b"." + text(numbers)).decode()


# A shell starts jobs in the background with SIGINT ignored, and what is ignored stays so in every program that is started from there: the
# gateway would not hear of its end.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Gateway:
    """A running gateway. Its folder has `ca.pem` and the key for its clients."""

    def __init__(self, pushpipe, folder, options=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"))
        authority = run([pushpipe, "serve", "--print-ca"], env=environment)
        (self.folder / "ca.pem").write_bytes(authority)
        words = [pushpipe, "serve", "--listen", "127.0.0.1:0", "--format", "ndjson", "--store", "phone.db", *options]
        with open(self.folder / "report.ndjson", "wb") as report:
            self.process = subprocess.Popen(
                words, cwd=self.folder, env=environment, stdout=report, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.pid = self.process.pid
        # The first line says where it listens, as soon as it does.
        line = self.process.stderr.readline().decode()
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if not match:
            self.process.wait()
            raise RuntimeError(f"pushpipe serve did not start: {line}{self.process.stderr.read().decode()}")
        self.port = int(match.group(1))
        if BINARY_OPTIONS[1] in options:
            self.binary_port = int(self.process.stderr.readline().decode().rsplit(":", 1)[1])

    def report(self):
        """All report lines. A line is written before its request is answered."""
        text = (self.folder / "report.ndjson").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def peak_memory(self):
        """The most memory that it has used so far, in KiB, on Linux; otherwise 0."""
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        match = re.search(r"VmHWM:\s+(\d+)", status)
        return int(match.group(1)) if match else 0

    def stop(self):
        """Ends it as Ctrl-C would, and returns what it wrote to standard error after the first line."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, rest = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, rest = self.process.communicate()
        return rest.decode(errors="replace")
