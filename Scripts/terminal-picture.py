#!/usr/bin/env python3
"""Runs commands in a pseudo-terminal and draws their output as an SVG.

    Scripts/terminal-picture.py Documentation/pictures/quickstart.txt Documentation/pictures/quickstart.svg

Each line of the first file is a shell command. It runs in an empty folder with a link to Samples, and finds pushpipe in PATH. A command that
ends with the comment `# when "TEXT" press q` has a terminal of its own, which is drawn as it is when the text is on it. With --check nothing
is written; the status is 1 when the picture differs from the commands' current output."""

import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

WIDTH, HEIGHT, MARGIN, TOP = 8.2, 19, 20, 46  # size of a cell, and space around the text, in points
COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea", "2": "#8b949e"}
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")
PRESS = re.compile(r'(.*?) +# when "(.*)" press (.)$')
# Of a command that draws on the whole terminal: where a frame begins, and where a line ends that is shorter than a row.
HOME, END_OF_LINE = "\x1b[H", "\x1b[K"
ROWS, COLUMNS = 24, 76
# In seconds, for a command that shows nothing more.
TIME_LIMIT = 30


def run(command, folder):
    """The output of a command on a terminal, both streams."""
    primary, secondary = pty.openpty()
    child = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=secondary, stderr=secondary,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"})
    os.close(secondary)
    output = b""
    while True:
        try:
            piece = os.read(primary, 65536)
        except OSError:  # on Linux: the other end is closed
            piece = b""
        if not piece:
            break
        output += piece
    os.close(primary)
    child.wait()
    return output.decode().replace("\r\n", "\n").splitlines()


def is_whole(frame):
    """True if a frame has all its lines. The last one is shorter than a row."""
    return frame.count("\n") == ROWS - 1 and frame.endswith(END_OF_LINE)


def screen(command, folder, text, key):
    """What a command shows on the whole terminal when a text is on it. Presses a key then, which ends the command."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ["TERM"] = "xterm-256color"
        os.execvp("bash", ["bash", "-c", command])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    output, frame = b"", None
    while True:
        if not select.select([terminal], [], [], TIME_LIMIT)[0]:
            os.kill(pid, signal.SIGTERM)
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # on Linux: the other end is closed
            piece = b""
        if not piece:
            break
        output += piece
        frames = output.decode(errors="ignore").split(HOME)[1:]
        if frame is None and frames and is_whole(frames[-1]) and text in frames[-1]:
            frame = frames[-1].replace(END_OF_LINE, "").split("\r\n")
            os.write(terminal, key.encode())
    os.close(terminal)
    os.waitpid(pid, 0)
    if frame is None:
        raise SystemExit(f"terminal-picture: {command} never showed {text!r}")
    return frame


def columns(text):
    """Cells that a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def spans(line):
    """The runs of one style in a line: first column, text, styles."""
    column, styles, position = 0, [], 0
    for match in [*SEQUENCE.finditer(line), None]:
        text = line[position:match.start() if match else len(line)]
        # Blanks at both ends move the run instead of stretching it.
        if text.strip():
            yield column + columns(text) - columns(text.lstrip()), text.strip(), styles
        column += columns(text)
        if match:
            position = match.end()
            codes = [code for code in match.group(1).split(";") if code not in ("", "0")]
            styles = styles + codes if codes else []


def draw(lines):
    """The whole picture."""
    rows, most = [], 0
    for number, line in enumerate(lines):
        for column, text, styles in spans(line):
            most = max(most, column + columns(text))
            color = next((f' fill="{COLORS[style]}"' for style in styles if style in COLORS), "")
            weight = ' font-weight="bold"' if "1" in styles else ""
            # An explicit length keeps columns aligned in any monospaced font.
            rows.append(
                f'<text x="{MARGIN + column * WIDTH:.1f}" y="{TOP + number * HEIGHT + 14}"'
                f' textLength="{columns(text) * WIDTH:.1f}"{color}{weight}>{html.escape(text, quote=False)}</text>')
    width, height = most * WIDTH + 2 * MARGIN, TOP + len(lines) * HEIGHT + MARGIN
    dots = "".join(f'<circle cx="{x}" cy="20" r="6" fill="{color}"/>'
                   for x, color in ((22, "#ff5f57"), (42, "#febc2e"), (62, "#28c840")))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">',
        f'<rect width="100%" height="100%" rx="10" fill="#0d1117"/>{dots}',
        '<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace"'
        ' font-size="13.5" xml:space="preserve">',
        *rows, "</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare without writing")
    parser.add_argument("commands", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    arguments = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        samples = pathlib.Path(__file__).resolve().parent.parent / "Samples"
        os.symlink(samples, pathlib.Path(folder, "Samples"))
        for command in arguments.commands.read_text().splitlines():
            found = PRESS.match(command)
            if found:
                lines += screen(found[1], folder, found[2], found[3])
            else:
                lines += ([""] if lines else []) + [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m", *run(command, folder)]
    picture = draw(lines)
    if not arguments.check:
        arguments.picture.write_text(picture)
    elif arguments.picture.read_text() != picture:
        print(f"{arguments.picture} differs from its commands' output: run make pictures", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
