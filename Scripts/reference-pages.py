#!/usr/bin/env python3
"""Writes the reference pages of rules, answers, words and steps from the lists that the command prints as NDJSON, and that of the
gateway's API from its OpenAPI document.

    Scripts/reference-pages.py rules answers words steps api

Writes into Documentation/reference. Finds pushpipe in PATH. With --check nothing is written; the status is 1 when a page differs."""

import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys

REFERENCE = pathlib.Path(__file__).resolve().parent.parent / "Documentation" / "reference"
# Columns of prose. Examples, links to sources and tables may be wider.
WIDTH = 120
# The most characters of an example to show. A longer one is only about its length.
EXAMPLE = 600

# The subject of each group of rules.
GROUPS = {
    "airnotifier": "Requests to Airnotifier, a gateway for APNs and FCM.",
    "alert": "The member `alert` of `aps`: what the user reads.",
    "android": "What Android devices do with notifications during `pushpipe run`.",
    "apns": "Requests to APNs: headers, path, device token, and what APNs answers.",
    "aps": "The member `aps` of a payload for Apple's devices.",
    "binary": "What the binary interface of APNs answers.",
    "event": "Events of devices and apps in the input of `pushpipe run`.",
    "expo": "Messages to Expo's push service.",
    "extension": "What a service extension does during `pushpipe run`.",
    "fcm": "Messages of FCM's HTTP v1 interface.",
    "fit": "What `pushpipe run --fit` shortens.",
    "gcm": "Messages of the protocol that GCM and FCM had before, which is shut down.",
    "json": "JSON as such: what makes a text malformed, or reads differently from one reader to the next.",
    "live-activity": "Pushes that start, update and end Live Activities.",
    "payload": "Payloads as a whole, whatever their provider.",
    "record": "Records: what `pushpipe` can read at all.",
    "schema": "Contracts of your own, as JSON Schemas.",
    "simulator": "Files that `xcrun simctl push` takes.",
    "sns": "Messages of Amazon SNS.",
    "config": "What a project says to the linter.",
}


@functools.cache
def printed(*arguments):
    output = subprocess.run(["pushpipe", *arguments, "--format", "ndjson"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in output.decode().splitlines()]


def escaped(text):
    return re.sub(r"([\\*_<>\[\]|`])", r"\\\1", text)


def wrapped(paragraph):
    """Breaks a paragraph into lines. No line begins with a word that would make it a heading or a list."""
    lines = []
    for word in paragraph.split():
        begins_block = word[0] in "#+-=~" or (word[0].isnumeric() and word[-1] in ".)")
        if lines and (len(lines[-1]) + 1 + len(word) <= WIDTH or begins_block):
            lines[-1] += " " + word
        else:
            lines.append(word)
    return "\n".join(lines)


# MARK: - Rules


def group(rule):
    return rule["id"].split(".")[0]


def rule_index(rules):
    groups = list(dict.fromkeys(map(group, rules)))
    text = "# Rules\n\n" + wrapped(
        f"What `pushpipe lint` and `run` check: {len(rules)} rules. `error`: a service refuses the message, or what was meant is certainly lost. "
        "`warning`: it has no effect, or is unreliable. `info`: worth a look. `pushpipe explain RULE` explains one of them."
    ) + "\n\n`make rules` writes this page and the pages of the rules.\n\n"
    text += wrapped("Groups: " + " · ".join(f"[`{name}`](#{name})" for name in groups)) + "\n"
    for name in groups:
        text += f"\n## {name}\n\n{wrapped(GROUPS[name])}\n\n| Rule | Severity | Fixable | Title |\n|---|---|---|---|\n"
        for rule in rules:
            if group(rule) == name:
                fixable = "yes" if rule["fixable"] else ""
                text += f"| [`{rule['id']}`](rules/{rule['id']}.md) | {rule['severity']} | {fixable} | {escaped(rule['title'])} |\n"
    return text


def example(title, record):
    if not record:
        return ""
    # What is cut inside is not JSON.
    language = "json" if len(record) <= EXAMPLE else "text"
    if len(record) > EXAMPLE:
        half = EXAMPLE // 2
        record = f"{record[:half]} … {len(record) - 2 * half} characters … {record[-half:]}"
    return f"\n## {title}\n\n```{language}\n{record}\n```\n"


def rule_page(rule, siblings):
    """A rule's page, amid the rules of its group."""
    name = rule["id"]
    position = siblings.index(rule)
    of_run = rule["reportedBy"] == "run"
    reporter = ""
    if group(rule) == "schema":
        reporter = " Reported by `pushpipe lint` with a schema."
    elif of_run:
        reporter = " Reported by `pushpipe run`."
    fixable = ", fixable with `--fix`" if rule["fixable"] else ""
    links = [f"[all rules of `{group(rule)}`](../rules.md#{group(rule)})"]
    for word, place in ("previous", position - 1), ("next", position + 1):
        if 0 <= place < len(siblings):
            links.append("{0}: [`{1}`]({1}.md)".format(word, siblings[place]["id"]))
    text = f"# {name}\n\n" + wrapped(f"**{rule['severity']}**{fixable}: {escaped(rule['title'])}.{reporter}") + "\n\n"
    text += f"{wrapped(escaped(rule['explanation']))}\n\nSource: [{escaped(rule['source'])}]({rule['url']})\n"
    text += example("Breaks the rule", rule["failing"]) + example("Satisfies it", rule["passing"]) + "\n"
    if not of_run or group(rule) == "extension":
        way = "In" if of_run else f"With `pushpipe lint --ignore {name}`, or in"
        text += f"## Switch it off\n\n{way} `.pushpipe.yml`:\n\n"
        text += f"```yaml\nlint:\n  ignore: [{name}]\n```\n\n"
    return text + wrapped(" · ".join(links)) + "\n"


def rules():
    listed = printed("explain", "--rules")
    unknown = set(GROUPS) ^ set(map(group, listed))
    if unknown:
        sys.exit(f"{sys.argv[0]}: GROUPS does not fit the rules: {', '.join(sorted(unknown))}")
    pages = {"rules.md": rule_index(listed)}
    for rule in listed:
        siblings = [other for other in listed if group(other) == group(rule)]
        pages[f"rules/{rule['id']}.md"] = rule_page(rule, siblings)
    return pages


# MARK: - Answers and words

ANSWERS = """# Answers

Every answer of an emulated service, and how it is known. Made by `make answers`, from the tables that `run` and `serve` answer by.

| | |
|---|---|
| `documented` | the vendor's document, or the service's own source code, says so |
| `observed` | somebody got this answer, and no document says so |
| `assumed` | neither is known: it is what seems likely, or does the least harm |

Did a service answer something else? [Compare your sender's log](../guides/answers.md), and report the difference.

## Statuses and reasons

What is accepted is answered with status 200, and by Airnotifier with 202. `pushpipe explain REASON` prints a row.

| Service | Status | Reason | Cause | What to do | | Source |
|---|---|---|---|---|---|---|
"""
CASES = """
`binary` is [APNs' interface of 2013](gateway-others.md#apns-binary-interface); its statuses are those of an error packet.

## Cases in which the answer is less certain

The statuses and reasons above are words that the services have. Whether they have them for a certain request is another question:

| Service | Request | Answer | | Source |
|---|---|---|---|---|
"""
WORDS = """# Words

The words by which reports, the journal and events say what happened, and the members and values of events. Made by `make words`, from the
tables that `run`, `serve` and `explain` use. `pushpipe explain WORD` prints a row; [answers](answers.md) have the words of the services.

## Of reports and of the journal

A word may stand at several places: as an `outcome`, as the `reason` of that outcome, as the value of a member of
[the report](report.md), as the `kind` of a line of the [journal](store.md#views), or in an answer of `FCM` or its SDKs.

| Place | Word | Meaning |
|---|---|---|
"""
MEMBERS = """
## Members of events

[Device events](events.md) says more about each. Where nothing else is said, a member that is absent leaves what was known.

| Member | Events | Value | Meaning |
|---|---|---|---|
"""
VALUES = """
## Values of members of events

| Member | Value | Meaning |
|---|---|---|
"""


def table(kind, form):
    """A row for each line of a kind."""
    lines = (line for line in printed("explain") if line.get("kind") == kind)
    return "".join("| " + form.format(**{name: cell(name, value) for name, value in line.items()}) + " |\n" for line in lines)


def cell(name, value):
    if name == "events":
        return ", ".join(f"`{event}`" for event in value)
    text = str(value).replace("|", "\\|")
    return text.replace("its words", "[its words](#values-of-members-of-events)") if name == "value" else text


def answers():
    text = ANSWERS + table("answer", "`{service}` | {status} | `{reason}` | {cause} | {advice} | {certainty} | {source}")
    return {"answers.md": text + CASES + table("case", "`{service}` | {request} | {answer} | {certainty} | {source}")}


def words():
    text = WORDS + table("word", "`{place}` | [`{word}`](../{page}) | {meaning}")
    text += MEMBERS + table("member", "`{member}` | {events} | {value} | {meaning}")
    return {"words.md": text + VALUES + table("value", "`{member}` | `{word}` | {meaning}")}


# MARK: - Steps

STEPS = """# The steps of `pushpipe test`

Written by `make steps`. Only the text of a step matters; `Given`, `When`, `Then`, `And`, `But` or `*` may precede it.
`{string}` is a text in double or single quotes, `{int}` and `{float}` are numbers, `{word}` is a word without spaces.
Letters in parentheses are optional, and of words with / between them one is written. How to run scenarios: [scenarios.md](../guides/scenarios.md).
"""


def steps():
    text = STEPS
    listed = printed("test", "--list-steps")
    for keyword in "Given", "When", "Then":
        text += f"\n## {keyword}\n"
        for step in listed:
            if step["keyword"] == keyword:
                text += f"\n### {step['pattern']}\n\n{step['summary']}\n\n```gherkin\n{step['example']}\n```\n"
    return {"steps.md": text}


# MARK: - The gateway's API

API = """# Requests of the gateway's API

Written by `make api` from the OpenAPI document that `GET /api/v1/openapi.json` answers. [The gateway's API](gateway-api.md) says how to wait,
what is kept, and who may use it.
"""


def api():
    document = json.loads((REFERENCE.parents[1] / "Sources/Services/CPushAPIDescription/openapi.json").read_text())

    def resolved(value):
        while "$ref" in value:
            value = functools.reduce(lambda part, name: part[name], value["$ref"].split("/")[1:], document)
        return value

    def members(schema):
        """The members of an object, each with those of what is in it."""
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            return f" ([{name}](#{name.lower()}))"
        if "allOf" in schema:
            return "".join(map(members, schema["allOf"]))
        if "items" in schema:
            return members(schema["items"])
        listed = [f"`{name}`{described(inner)}" for name, inner in schema.get("properties", {}).items()]
        return f": {', '.join(listed)}" if listed else ""

    def described(schema):
        inner = members(schema)
        text = schema.get("description", "") or ", ".join(map(str, schema.get("enum", [])))
        nested = f" ({inner[2:]})" if inner.startswith(": ") else inner
        return nested or (f" ({text[0].lower()}{text[1:].rstrip('.')})" if text else "")

    def item(sentence):
        return wrapped(f"- {sentence}").replace("\n", "\n  ") + "\n"

    text = API
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            text += f"\n## {method.upper()} {path}\n\n{wrapped(escaped(operation['summary']))}\n\n"
            for parameter in map(resolved, operation.get("parameters", [])):
                schema = resolved(parameter["schema"])
                bounds = [f"{schema['default']} by default"] if schema.get("default") else []
                bounds += [f"at most {schema['maximum']}"] if bounds and "maximum" in schema else []
                note = f" ({', '.join(bounds)})" if bounds else ""
                text += item(f"`{parameter['name']}`: {escaped(parameter['description'].rstrip('.'))}{note}.")
            for status, answer in operation["responses"].items():
                for kind, content in resolved(answer).get("content", {}).items():
                    if status != "default":
                        text += item(f"{status}, `{kind}`{members(content['schema'])}.")
    for name, schema in document["components"]["schemas"].items():
        text += f"\n## {name}\n\n{wrapped(members(schema).lstrip(': '))}\n"
    return {"api.md": text}


def main():
    makers = {"rules": rules, "answers": answers, "words": words, "steps": steps, "api": api}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", choices=makers)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.pages:
        pages = makers[name]()
        if name == "rules":
            for stray in set(REFERENCE.glob("rules/*.md")) - {REFERENCE / path for path in pages}:
                sys.exit(f"{stray} is of no rule: delete it")
        for path, text in pages.items():
            if not arguments.check:
                (REFERENCE / path).write_text(text)
            elif not (REFERENCE / path).exists() or (REFERENCE / path).read_text() != text:
                sys.exit(f"{REFERENCE / path} is not what the command says: run make {name}")


if __name__ == "__main__":
    main()
