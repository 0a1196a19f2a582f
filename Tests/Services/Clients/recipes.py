"""The recipes in Documentation/guides/serve-clients.md and in recipes.md. What a reader copies is what runs here."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = pathlib.Path(__file__).resolve().parent
PAGES = [ROOT / "Documentation/guides/serve-clients.md", FOLDER / "recipes.md"]
PROGRAMS = FOLDER / "programs"
# The port of the pages, and the line of a program where the recipe goes.
PORT = "2197"
# The port of the binary interface.
BINARY_PORT = "2195"
PLACE = re.compile(r"^ *(#|//) RECIPE$", re.MULTILINE)


def sections():
    """The tested sections of the pages: title to block of code."""
    found = {}
    for page in PAGES:
        for part in page.read_text().split("\n## Not tested\n")[0].split("\n## ")[1:]:
            title, rest = part.split("\n", 1)
            blocks = re.findall(r"^```[a-z]+\n(.*?)^```$", rest, re.MULTILINE | re.DOTALL)
            if len(blocks) != 1:
                raise ValueError(f"{page.name}: '{title}' has {len(blocks)} blocks of code; one is expected")
            found[title] = blocks[0]
    return found


def program(client, port):
    """The text of a client's program, with the recipe of its section in it, for a gateway on this port."""
    recipe = sections()[client.section]
    page_port = BINARY_PORT if client.service == "Binary" else PORT
    if page_port not in recipe:
        raise ValueError(f"the recipe of '{client.section}' does not name port {page_port}")
    text = (PROGRAMS / client.program).read_text()
    if len(PLACE.findall(text)) != 1:
        raise ValueError(f"{client.program} needs one line with RECIPE")
    return PLACE.sub(lambda _: recipe.replace(page_port, str(port)).rstrip("\n"), text)
