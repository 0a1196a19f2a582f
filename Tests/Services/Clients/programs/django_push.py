from harness import answer, main, slow_clock

# RECIPE

import logging

from django.core.management import call_command
from push_notifications.exceptions import APNSError

logging.disable()
# It marks dead tokens in its table of devices.
call_command("migrate", verbosity=0)


def send(request):
    with slow_clock(request):
        try:
            apns_send_message(
                request["token"], request["alert"], creds=credentials, collapse_id=request["collapse_id"])
        except APNSError as error:
            reason = str(error).rsplit(": ", 1)[-1]
            if reason.endswith("Error") or " " in reason:
                raise
            return answer(None, reason)
    return answer(200)


main(send)
