from harness import answer, main

# RECIPE


def send(request):
    message = {"token": request["token"], "notification": {"body": request["alert"]}}
    if request["collapse_id"]:
        message["android"] = {"notification": {"tag": request["collapse_id"]}}
    response = session.post(address, json={"message": message})
    body = response.json()
    if response.status_code == 200:
        assert body["name"].startswith("projects/demo/messages/"), body
        return answer(200)
    details = {detail["@type"].rsplit(".", 1)[-1]: detail for detail in body["error"].get("details", [])}
    # What is refused before FCM sees the message has none of its details.
    reason = details.get("FcmError", {}).get("errorCode") or body["error"]["status"]
    return answer(response.status_code, reason)


main(send)
