from harness import answer, main, slow_clock

# RECIPE

from pyapns_client import exceptions

clients = {}


def send(request):
    kind = request["expired"]
    if kind not in clients:
        clients[kind] = make_client()
    notification = IOSNotification(
        IOSPayload(alert=IOSPayloadAlert(body=request["alert"])), topic=request["topic"],
        collapse_id=request["collapse_id"])
    with slow_clock(request):
        try:
            clients[kind].push(notification, request["token"])
        except exceptions.APNSConnectionException:
            raise
        except exceptions.APNSException as error:
            reason = type(error).__name__.removesuffix("Exception")
            return answer(error.status_code, reason)
    return answer(200)


main(send)
