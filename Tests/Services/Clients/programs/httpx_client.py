import os

from harness import answer, main_async, payload

# RECIPE


async def send(request):
    headers = {"authorization": "bearer " + os.environ["OLD_TOKEN" if request["expired"] else "TOKEN"]}
    if request["topic"]:
        headers["apns-topic"] = request["topic"]
    if request["collapse_id"]:
        headers["apns-collapse-id"] = request["collapse_id"]
    response = await client.post("/3/device/" + request["token"], json=payload(request), headers=headers)
    assert response.http_version == "HTTP/2", response.http_version
    body = response.json() if response.content else {}
    return answer(response.status_code, body.get("reason"), timestamp=body.get("timestamp"))


main_async(send, client.aclose)
