from harness import answer, main

# RECIPE

# How long the library waits for an error, in seconds.
service._connection.session.read_tail_timeout = 0.5


def send_all(requests):
    """One message, whose alert is that of the first request."""
    tokens = [request["token"] for request in requests]
    result = service.send(Message(tokens, alert=requests[0]["alert"]))
    wrong = list(result.failed.values()) + result.errors
    return [answer(wrong[0][0], wrong[0][1]) if wrong else answer(0) for _ in requests]


main(lambda request: send_all([request])[0], send_all)
