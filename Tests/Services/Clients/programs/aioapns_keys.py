import logging

from harness import answer, main_async, payload, slow_clock

# RECIPE

logging.disable()
clients = {}


async def send(request):
    # A client keeps its provider token for half an hour, so the expired one is another client's. Without a topic
    # aioapns does not start; an empty one is not sent by others either.
    kind = request["expired"]
    with slow_clock(request):
        if kind not in clients:
            clients[kind] = make_client()
            clients[kind].pool.max_connections = 1
            clients[kind].pool.max_connection_attempts = 2
        result = await clients[kind].send_notification(NotificationRequest(
            request["token"], payload(request), collapse_key=request["collapse_id"]))
    return answer(int(result.status), result.description, timestamp=result.timestamp)


main_async(send)
