import PayloadJSON
import PushModel
import PushPipeline

/// Airnotifier's answers, in its own words. Source: airnotifier, `api/__init__.py`, `api/push.py`.
enum AirnotifierAnswer {
    private static let headers = [HeaderField("content-type", "application/json; charset=utf-8")]

    static func empty(_ status: Int) -> GatewayAnswer { GatewayAnswer(status: status, headers: headers) }

    static func object(_ status: Int, _ name: StaticString, _ text: String) -> GatewayAnswer {
        var out = ByteBuffer(capacity: 256)
        out.append("{\"")
        out.append(name)
        out.append("\":")
        out.appendJSONString(text)
        out.append("}")
        return GatewayAnswer(status: status, headers: headers, body: out.copy)
    }

    static func error(_ status: Int, _ text: String) -> GatewayAnswer { object(status, "error", text) }

    static func refusal(_ rejection: Rejection) -> GatewayAnswer {
        error(rejection.row.status, rejection.reason)
    }

    /// A value of JSON.
    static func json(_ status: Int, _ bytes: [UInt8]) -> GatewayAnswer {
        GatewayAnswer(status: status, headers: headers, body: bytes)
    }
}

/// How Airnotifier answers a push, from what became of its record.
struct AirnotifierPushAnswer: AnswerDraft {
    /// The push service's name in an error.
    var isForAPNs = false
    var maintainsTokens = false
    /// The request's record that decides; an earlier one may register its token. Nil if any will do.
    var deciding: Int?
    var accepted = AirnotifierAnswer.empty(202)
    private(set) var result: GatewayAnswer?

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard result == nil, deciding == nil || record == deciding else { return }
        if deciding != nil, let failure = line.decodeFailure, failure.rule != "record.nothing-to-send" {
            // What Python's parser says about it.
            result = AirnotifierAnswer.error(500, failure.message)
        } else if deciding != nil, let rejection = line.refusal {
            result = answer(to: rejection)
        } else {
            result = accepted
        }
    }

    private func answer(to rejection: Rejection) -> GatewayAnswer {
        if rejection.row.speaker.description == "airnotifier" { return AirnotifierAnswer.refusal(rejection) }
        let isDead = rejection == .fcmUnregistered || rejection == .unregistered
        // Its answer to Moodle, which then forgets the device. Source: Moodle, `message_output_airnotifier.php`.
        if isDead, maintainsTokens { return AirnotifierAnswer.error(404, "Unregistered token") }
        if isForAPNs { return AirnotifierAnswer.error(400, "error response from apns") }
        return AirnotifierAnswer.error(rejection.row.status, "error response from fcm")
    }

    func answer() -> GatewayAnswer { result ?? AirnotifierAnswer.error(500, "the push was not processed") }
}
