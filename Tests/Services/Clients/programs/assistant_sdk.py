"""Calls every tool of `pushpipe mcp` through the official SDK.

    assistant_sdk.py PUSHPIPE legacy|auto
"""

import asyncio
import os
import pathlib
import sys
import urllib.request

from mcp import Client
from mcp.client.stdio import StdioServerParameters

MISSPELLED = {"aps": {"alert": "Hi", "mutable_content": 1}}
FEATURE = '''Feature: dinner
  Scenario: it is announced
    When the following push arrives:
      """
      {"aps":{"alert":"Dinner"}}
      """
'''


def check(holds, what):
    if not holds:
        sys.exit(f"{what}")


async def main(pushpipe, mode):
    parameters = StdioServerParameters(command=pushpipe, args=["mcp"], env=dict(os.environ))
    async with Client(parameters, mode=mode, read_timeout_seconds=120) as client:

        async def call(tool, **arguments):
            result = await client.call_tool(tool, arguments)
            check(not result.is_error, f"{tool}: {result.content}")
            return result

        tools = {tool.name for tool in (await client.list_tools()).tools}
        check(len(tools) == 11, f"tools: {tools}")

        found = (await call("lint_payload", payload=MISSPELLED)).structured_content
        check([f["rule"] for f in found["findings"]] == ["aps.misspelled-key"] and not found["ok"], f"lint: {found}")
        pathlib.Path("push.json").write_text('{"aps":{"alert":"Hi"}}')
        found = (await call("lint_payload", path="push.json")).structured_content
        check(found["ok"] and not found["findings"], f"lint of a file: {found}")
        outside = await client.call_tool("lint_payload", {"path": "/etc/passwd"})
        check(outside.is_error and "--allow" in outside.content[0].text, f"a file outside: {outside}")

        fixed = (await call("fix_payload", payload=MISSPELLED)).structured_content
        check('"mutable-content":1' in fixed["payload"] and fixed["changed"] and not fixed["findings"], f"fix: {fixed}")
        long = {"aps": {"alert": {"title": "x", "body": "w " * 3000}}}
        fitted = (await call("fit_payload", payload=long)).structured_content
        check(4000 < len(fitted["payload"].strip()) <= 4096, f"fit: {len(fitted['payload'])}")
        check(fitted["report"][0]["findings"][0]["rule"] == "fit.cut", f"fit: {fitted['report']}")
        budget = (await call("budget_report", payload={"aps": {"alert": "Hi"}})).structured_content
        check(budget["messages"][0]["bytes"] == 22, f"budget: {budget}")
        word = (await call("explain", word="aps.misspelled-key")).structured_content
        check(word["text"].startswith("aps.misspelled-key: "), f"explain: {word}")
        unknown = await client.call_tool("explain", {"word": "nix"})
        check(unknown.is_error and "nix" in unknown.content[0].text, f"explain: {unknown}")

        delivered = (await call("deliver", records=[{"aps": {"alert": "Dinner"}}])).structured_content
        check(delivered["report"][0]["outcome"] == "delivered", f"deliver: {delivered}")
        check(delivered["screens"][0]["body"] == "Dinner", f"deliver: {delivered}")
        again = (await call("deliver", records=[])).structured_content
        check(again == {"report": [], "screens": []}, f"a second delivery begins anew: {again}")
        screen = await call("screen", records=[{"aps": {"alert": "Dinner"}}], picture="svg")
        check("Dinner" in screen.content[0].text and screen.content[1].mime_type == "image/svg+xml", f"screen: {screen}")
        scenario = (await call("run_scenario", feature=FEATURE)).structured_content
        check(scenario["passed"], f"scenario: {scenario}")
        extension = 'Feature: a\n  Scenario: b\n    Given the extension "/bin/true"\n'
        refused = (await call("run_scenario", feature=extension)).structured_content
        check(not refused["passed"] and "none is started" in refused["report"], f"an extension: {refused}")

        gateway = (await call("list_messages")).structured_content["gateway"]
        await call("inject_fault", rules=[{"device": "dead*", "reason": "Unregistered"}])
        # HTTP/1.1 is enough for the gateway.
        request = urllib.request.Request(
            f"{gateway}/3/device/ab12", data=b'{"aps":{"alert":"Hi"}}', headers={"apns-topic": "org.example.app"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read()
        waited = (await call("wait_for_message", device="ab12", seconds=30)).structured_content
        check(waited["complete"] and waited["messages"][0]["report"][0]["outcome"] == "delivered", f"wait: {waited}")
        message = (await call("list_messages", id=waited["messages"][0]["id"])).structured_content["message"]
        check(message["request"]["body"] == '{"aps":{"alert":"Hi"}}', f"message: {message}")
        shown = await call("screen", device="ab12")
        check("Hi" in shown.content[0].text, f"screen of the gateway: {shown}")

        resources = {str(resource.uri) for resource in (await client.list_resources()).resources}
        check("pushpipe://reference/formats" in resources, f"resources: {resources}")
        for uri, start in [
            ("pushpipe://reference/formats", "# "), ("pushpipe://rules", "# "),
            ("pushpipe://rules/aps.misspelled-key", "aps.misspelled-key: "),
        ]:
            contents = (await client.read_resource(uri)).contents
            check(contents[0].text.startswith(start), f"{uri}: {contents[0].text[:80]}")


asyncio.run(main(*sys.argv[1:]))
