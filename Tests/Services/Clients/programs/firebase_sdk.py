from harness import answer, main

# RECIPE

from firebase_admin.exceptions import FirebaseError


def message(request):
    shown = messaging.AndroidNotification(tag=request["collapse_id"]) if request["collapse_id"] else None
    return messaging.Message(
        token=request["token"], notification=messaging.Notification(body=request["alert"]),
        android=messaging.AndroidConfig(notification=shown) if shown else None)


def refusal(error):
    if error.http_response is None:
        raise error
    named = {messaging.UnregisteredError: "UNREGISTERED", messaging.QuotaExceededError: "QUOTA_EXCEEDED"}
    reason = named.get(type(error), error.code)
    return answer(error.http_response.status_code, reason)


def send(request):
    try:
        messaging.send(message(request))
    except FirebaseError as error:
        return refusal(error)
    return answer(200)


def send_all(requests):
    responses = messaging.send_each([message(request) for request in requests]).responses
    return [answer(200) if each.success else refusal(each.exception) for each in responses]


main(send, send_all)
