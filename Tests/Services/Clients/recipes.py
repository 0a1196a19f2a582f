"""The recipes in Documentation/guides/serve-clients.md. What a reader copies is what runs here."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "Documentation/guides/serve-clients.md"
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
# The address of the page, and the line of a program where the recipe goes.
PORT = "2197"
# The same of the binary interface.
BINARY_PORT = "2195"
PLACE = re.compile(r"^ *(#|//) RECIPE$", re.MULTILINE)


def sections():
    """The page's tested sections: title to block of code."""
    text = PAGE.read_text().split("\n## Not tested\n")[0]
    found = {}
    for part in text.split("\n## ")[1:]:
        title, rest = part.split("\n", 1)
        blocks = re.findall(r"^```[a-z]+\n(.*?)^```$", rest, re.MULTILINE | re.DOTALL)
        if len(blocks) != 1:
            raise ValueError(f"{PAGE.name}: '{title}' has {len(blocks)} blocks of code; one is expected")
        found[title] = blocks[0]
    return found


def program(client, port):
    """The text of a client's program, with the recipe of its section in it, for a gateway on this port."""
    recipe = sections()[client.section]
    page_port = BINARY_PORT if client.service == "Binary" else PORT
    if page_port not in recipe:
        raise ValueError(f"{PAGE.name}: the recipe of '{client.section}' does not name port {page_port}")
    text = (PROGRAMS / client.program).read_text()
    if len(PLACE.findall(text)) != 1:
        raise ValueError(f"{client.program} needs one line with RECIPE")
    return PLACE.sub(lambda _: recipe.replace(page_port, str(port)).rstrip("\n"), text)
