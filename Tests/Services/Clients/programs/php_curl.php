<?php
// RECIPE

function prepare(array $request): CurlHandle
{
    $token = getenv($request["expired"] ? "OLD_TOKEN" : "TOKEN");
    $body = json_encode(["aps" => ["alert" => $request["alert"]]]);
    $handle = push($request["token"], $body, $token, $request["topic"] ?? "");
    if ($request["collapse_id"] !== null) {
        $headers = ["authorization: bearer $token", "apns-topic: " . $request["topic"],
            "apns-collapse-id: " . $request["collapse_id"]];
        curl_setopt($handle, CURLOPT_HTTPHEADER, $headers);
    }
    return $handle;
}

function answer(CurlHandle $handle, ?string $text): array
{
    if (curl_errno($handle) !== 0) {
        return ["error" => curl_error($handle)];
    }
    if (curl_getinfo($handle, CURLINFO_HTTP_VERSION) !== CURL_HTTP_VERSION_2_0) {
        return ["error" => "not HTTP/2"];
    }
    $body = json_decode($text ?: "{}", true);
    return ["status" => curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "reason" => $body["reason"] ?? null,
        "timestamp" => $body["timestamp"] ?? null];
}

function sendAll(array $requests): array
{
    $multi = curl_multi_init();
    curl_multi_setopt($multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt($multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1);
    $handles = array_map("prepare", $requests);
    foreach ($handles as $handle) {
        curl_setopt($handle, CURLOPT_PIPEWAIT, true);
        curl_multi_add_handle($multi, $handle);
    }
    do {
        curl_multi_exec($multi, $running);
        if ($running > 0) {
            curl_multi_select($multi);
        }
    } while ($running > 0);
    while ($info = curl_multi_info_read($multi)) {
        if ($info["result"] !== CURLE_OK) {
            throw new RuntimeException(curl_strerror($info["result"]));
        }
    }
    return array_map(fn ($handle) => answer($handle, curl_multi_getcontent($handle)), $handles);
}

foreach (json_decode(file_get_contents($argv[1]), true) as $case) {
    if ($case["together"]) {
        $answers = sendAll($case["requests"]);
    } else {
        $answers = [];
        foreach ($case["requests"] as $request) {
            $handle = prepare($request);
            $text = curl_exec($handle);
            $answers[] = answer($handle, $text === false ? null : $text);
        }
    }
    echo json_encode(["name" => $case["name"], "answers" => $answers]), "\n";
}
