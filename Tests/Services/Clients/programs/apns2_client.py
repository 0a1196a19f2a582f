from harness import answer, main, slow_clock

# RECIPE

from apns2.client import Notification
from apns2.errors import APNsException

clients = {}


def client(request):
    kind = request["expired"]
    if kind not in clients:
        clients[kind] = make_client()
    return clients[kind]


def send(request):
    with slow_clock(request):
        try:
            client(request).send_notification(
                request["token"], Payload(alert=request["alert"]), request["topic"], collapse_id=request["collapse_id"])
        except APNsException as error:
            details = {"timestamp": error.args[0]} if error.args else {}
            return answer(None, type(error).__name__, **details)
    return answer(200)


def send_all(requests):
    batch = [Notification(request["token"], Payload(alert=request["alert"])) for request in requests]
    results = client(requests[0]).send_notification_batch(batch, requests[0]["topic"])
    return [
        answer(200) if results[request["token"]] == "Success" else answer(None, results[request["token"]])
        for request in requests
    ]


main(send, send_all)
