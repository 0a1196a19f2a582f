<?php
// RECIPE

foreach (json_decode(file_get_contents($argv[1]), true) as $case) {
    $answers = [];
    foreach ($case["requests"] as $request) {
        $handle = push($request["token"], $request["alert"], $request["topic"] ?? "");
        $text = curl_exec($handle);
        if ($text === false) {
            $answers[] = ["error" => curl_error($handle)];
            continue;
        }
        $body = json_decode($text ?: "{}", true);
        $answers[] = ["status" => curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "reason" => $body["error"] ?? null];
    }
    echo json_encode(["name" => $case["name"], "answers" => $answers]), "\n";
}
