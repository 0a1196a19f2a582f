from harness import answer, main

# RECIPE

from pyfcm.errors import FCMNotRegisteredError, FCMServerError, InvalidDataError


def send(request):
    config = {"notification": {"tag": request["collapse_id"]}} if request["collapse_id"] else None
    try:
        client.notify(fcm_token=request["token"], notification_body=request["alert"], android_config=config)
    except FCMNotRegisteredError:
        return answer(404, "UNREGISTERED")
    except InvalidDataError as error:
        # It raises this for failures of its own too.
        if "INVALID_ARGUMENT" not in str(error) and "invalid argument" not in str(error):
            raise
        return answer(400, "INVALID_ARGUMENT")
    except FCMServerError as error:
        if "429" not in str(error):
            raise
        return answer(429, "QUOTA_EXCEEDED")
    return answer(200)


main(send)
