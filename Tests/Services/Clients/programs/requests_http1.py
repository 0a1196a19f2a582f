import os

from harness import answer, main, payload

# RECIPE


def send(request):
    headers = {"authorization": "bearer " + os.environ["OLD_TOKEN" if request["expired"] else "TOKEN"]}
    if request["topic"]:
        headers["apns-topic"] = request["topic"]
    if request["collapse_id"]:
        headers["apns-collapse-id"] = request["collapse_id"]
    response = push(request["token"], payload(request), headers)
    body = response.json() if response.content else {}
    return answer(response.status_code, body.get("reason"), timestamp=body.get("timestamp"))


main(send)
