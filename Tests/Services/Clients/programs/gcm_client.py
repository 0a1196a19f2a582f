from harness import answer, main

# RECIPE

def send(request):
    response = client.json_request(registration_ids=[request["token"]], notification={"body": request["alert"]}, retries=1)
    errors = list(response.get("errors", {}))
    return answer(200, errors[0] if errors else None)


main(send)
