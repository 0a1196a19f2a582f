"""What the site adds to the pages as they are in the repository: their order, a page for each step of scenarios, and links to files that
are no pages."""
import os
import posixpath
import re

from mkdocs.structure.files import File

REPOSITORY = "https://github.com/pushpipe/pushpipe"
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
STEPS = "Documentation/reference/steps.md"
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+\.md)\)")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def steps():
    """The headings and steps of the page about steps, in order: (given/when/then, text, body)."""
    keyword = None
    for part in re.split(r"^(?=##)", read(STEPS), flags=re.MULTILINE):
        heading, _, body = part.partition("\n")
        if heading.startswith("### "):
            yield keyword, heading[4:], body
        elif heading.startswith("## "):
            keyword = heading[3:]


def step_page(keyword, text):
    words = re.sub(r"[^a-z0-9]+", "-", text.lower().replace("{", "").replace("}", "")).strip("-")
    return f"Documentation/reference/steps/{keyword.lower()}-{words}.md"


def on_config(config):
    """The order of the pages is that of Documentation/README.md; the rules and steps follow their index."""
    sections, current = [], None
    for line in read("Documentation/README.md").splitlines():
        if line.startswith("## "):
            current = []
            sections.append({line[3:].split(":")[0]: current})
        elif current is not None and line.startswith("|"):
            current += [posixpath.normpath("Documentation/" + link) for link in LINK.findall(line.split("|")[1])]
    # A page that is listed twice stands where it is listed first.
    seen = set()
    for section in sections:
        for title, pages in section.items():
            section[title] = [page for page in pages if not (page in seen or seen.add(page))]
    rules = sorted(os.listdir(os.path.join(ROOT, "Documentation/reference/rules")))
    index = "Documentation/reference/rules.md"
    for section in sections:
        for pages in section.values():
            for number, page in enumerate(pages):
                if page == index:
                    pages[number] = {"Rules": [index] + [f"Documentation/reference/rules/{name}" for name in rules]}
                elif page == STEPS:
                    pages[number] = {"Steps": [STEPS] + [step_page(keyword, text) for keyword, text, _ in steps()]}
    project = ["ARCHITECTURE.md", "Benchmarks/README.md", "Samples/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md"]
    if os.environ.get("SITE_HAS_API"):
        sections.append({"Libraries": "api/documentation/"})
    config.nav = [{"Home": ["README.md", "Documentation/README.md"]}, *sections, {"Project": project}]
    return config


def on_files(files, config):
    for keyword, text, body in steps():
        page = f"# {text}\n\n{keyword} · [all steps](../steps.md)\n{body}"
        files.append(File.generated(config, step_page(keyword, text), content=page))
    return files


def llms():
    """The list of pages for assistants (llmstxt.org): what Documentation/README.md says about each, with the address of its page."""
    base = os.environ.get("SITE_URL", "").rstrip("/")
    lines = ["# pushpipe", "", "> A Unix filter for push notifications (APNs, FCM, GCM), and a stand-in for the phone that receives them."]
    lines += ["", "An assistant can call it as tools: see *Let your assistant test its pushes*.", ""]
    for line in read("Documentation/README.md").splitlines():
        row = re.match(r"\| \[([^\]]+)\]\(([^)#\s]+)\.md\)[^|]*\| (.*) \|$", line)
        if line.startswith("## "):
            lines += [line, ""]
        elif row:
            path = posixpath.normpath("Documentation/" + row[2])
            about = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", row[3])
            lines.append(f"- [{row[1]}]({base}/{path}.html): {about}")
        elif not line and lines[-1]:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def on_post_build(config):
    with open(os.path.join(config.site_dir, "llms.txt"), "w", encoding="utf-8") as file:
        file.write(llms())


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    if here == STEPS:
        # The index lists the steps, each of which has a page.
        lines, parts = [markdown[: markdown.index("\n## ")]], None
        for keyword, text, _ in steps():
            if keyword != parts:
                lines.append(f"\n## {keyword}\n")
                parts = keyword
            lines.append(f"- [{text}]({posixpath.relpath(step_page(keyword, text), posixpath.dirname(here))})")
        markdown = "\n".join(lines) + "\n"
    known = {file.src_uri for file in files}

    def address(target):
        """A file of the repository that is no page of the site: its address there."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), target.partition("#")[0]))
        if re.match(r"[a-z]+:|#", target) or path in known or not os.path.exists(os.path.join(ROOT, path)):
            return target
        return f"{REPOSITORY}/{'tree' if os.path.isdir(os.path.join(ROOT, path)) else 'blob'}/main/{path}"

    # Not in code: a fence is left as it is.
    parts = re.split(r"(^```.*?^```[^\n]*$)", markdown, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r'(<a href=")([^":]+)\.md(")', r"\1\2.html\3", parts[number])
        parts[number] = re.sub(r"(\]\()([^)\s]+)(\))", lambda m: m[1] + address(m[2]) + m[3], parts[number])
    return "".join(parts)
