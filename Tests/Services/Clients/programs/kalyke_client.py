import datetime

from harness import answer, main_async, payload

# RECIPE

import kalyke.clients.apns
from kalyke.exceptions import ApnsProviderException


class SlowClock(datetime.datetime):
    @classmethod
    def now(cls):
        return datetime.datetime.now() - datetime.timedelta(hours=2)


async def send(request):
    kalyke.clients.apns.datetime = SlowClock if request["expired"] else datetime.datetime
    config = ApnsConfig(topic=request["topic"], collapse_id=request["collapse_id"])
    try:
        await client.send_message(request["token"], payload(request), config)
    except ApnsProviderException as error:
        return answer(None, type(error).__name__)
    return answer(200)


main_async(send)
