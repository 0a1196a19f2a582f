"""What the Python programs share. A program is a recipe of the guide, then its own lines, then a call of `main`.

The plan is a JSON file: a list of cases with `name`, `together` and `requests`. A program prints a JSON line per case, with
the name and `answers`: for each request its `status` and `reason`, as far as the library says, or an `error`.
"""

import asyncio
import contextlib
import json
import sys
import time


def load_plan():
    with open(sys.argv[1]) as file:
        return json.load(file)


def payload(request):
    return {"aps": {"alert": request["alert"]}}


@contextlib.contextmanager
def slow_clock(request):
    """The clock that a library issues provider tokens by: two hours slow if the request wants an expired one."""
    right = time.time
    if request["expired"]:
        time.time = lambda: right() - 7200
    try:
        yield
    finally:
        time.time = right


def answer(status=None, reason=None, **more):
    return {"status": status, "reason": reason, **more}


def failure(error):
    return {"error": f"{type(error).__name__}: {error}"}


def main(send, send_all=None):
    """Runs a plan with `send(request)`, an answer, and `send_all(requests)`, a list of answers in the same order."""
    def guarded(request):
        try:
            return send(request)
        except Exception as error:
            return failure(error)

    for case in load_plan():
        try:
            answers = send_all(case["requests"]) if case["together"] else [guarded(each) for each in case["requests"]]
        except Exception as error:
            answers = [failure(error)] * len(case["requests"])
        print(json.dumps({"name": case["name"], "answers": answers}), flush=True)


def main_async(send, close=None):
    """Runs a plan with the coroutine `send(request)`."""

    async def guarded(request):
        try:
            return await send(request)
        except Exception as error:
            return failure(error)

    async def run():
        for case in load_plan():
            if case["together"]:
                answers = await asyncio.gather(*(guarded(request) for request in case["requests"]))
            else:
                answers = [await guarded(request) for request in case["requests"]]
            print(json.dumps({"name": case["name"], "answers": answers}), flush=True)
        if close:
            await close()

    asyncio.run(run())
