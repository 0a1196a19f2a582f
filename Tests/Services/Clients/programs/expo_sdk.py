from harness import answer, main

# RECIPE

from exponent_server_sdk import PushServerError, PushTicketError

with open("expo-token") as file:
    access_token = file.read()


def said(ticket_or_receipt):
    try:
        ticket_or_receipt.validate_response()
    except PushTicketError as error:
        return answer(200, error.push_response.details["error"])
    return answer(200)


def send_all(requests):
    client.session.headers["Authorization"] = "Bearer " + ("another" if requests[0]["expired"] else access_token)
    try:
        tickets = client.publish_multiple([PushMessage(to=one["token"], body=one["alert"]) for one in requests])
    except PushServerError as error:
        return [answer(error.response.status_code, error.errors[0]["code"])] * len(requests)
    receipts = {one.id: one for one in client.check_receipts_multiple([one for one in tickets if one.id])}
    return [said(receipts[one.id] if one.id else one) for one in tickets]


main(lambda request: send_all([request])[0], send_all)
