import PushModel

/// Refusals of the binary interface of APNs. `Acceptance` refuses, and `RecordLinter` reports it.
enum BinaryRules: RuleFamily {
    private static func binary(
        _ rejection: Rejection, _ explanation: String, failing: String = "", passing: String = Example.alert
    ) -> Rule {
        // "the binary interface" begins a sentence here.
        let answer: String = rejection.answer.prefix(1).uppercased() + rejection.answer.dropFirst()
        return Rule(
            rejection.rule, .error, rejection.row.cause.description, "\(explanation) \(answer).", source: .binary,
            failing: failing, passing: passing, scope: failing.isEmpty ? .run : .lint)
    }

    private static func moodle(_ alert: String) -> String {
        #"{"type":"moodle_forumpost","userfrom":"Anna","alert":"\#(alert)"}"#
    }

    static let rules = [
        binary(.binaryProcessingError, "Priority and expiration are numbers in the frame."),
        binary(.binaryMissingDeviceToken, "Every notification has a device token."),
        binary(.binaryMissingPayload, "Every notification has a payload, if only {\"aps\":{}}."),
        binary(.binaryInvalidToken, "A token is bytes, written here as an even number of hexadecimal digits."),
        binary(.binaryInvalidTokenSize, "The interface of 2013 has tokens of 32 bytes."),
        binary(
            .binaryInvalidPayloadSize,
            "Until 2014 a payload had at most 256 bytes, from then on 2048. Moodle's form of 2013 has 256.",
            failing: moodle(String(repeating: "ü", count: 128)), passing: moodle("Week 3")),
    ]
}
