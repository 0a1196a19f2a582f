package import PushModel

/// A sentence of FCM about a message that its parser has read and that it refuses.
///
/// `run` has them in its report's `answer`, and `serve` in the bodies of its answers. Only published ones are here; where two
/// texts were published for one cause, it is the newer one.
package struct FCMSentence: Sendable {
    package enum Cause: Sendable, CaseIterable {
        case noTarget, malformedToken, reservedKey, collapseID, tooBigForAndroid, tooBigForIOS
    }

    package let cause: Cause
    /// The path of the field in FCM's answer; empty if it names none.
    package let field: StaticString
    /// Followed by the name that it is about, if there is one.
    package let text: StaticString
    /// Where somebody has published it.
    package let source: StaticString

    private init(_ cause: Cause, at field: StaticString, _ text: StaticString, _ source: StaticString) {
        self.cause = cause
        self.field = field
        self.text = text
        self.source = source
    }

    /// One row for each cause, in their order. The fields of a reserved key and of the collapse id are not confirmed.
    package static let table = [
        FCMSentence(.noTarget, at: "message", "Recipient of the message is not set.", "pushiko, FCM responses"),
        FCMSentence(
            .malformedToken, at: "message.token", "The registration token is not a valid FCM registration token",
            "firebase-admin-dotnet issue 45"),
        FCMSentence(.reservedKey, at: "message.data", "Invalid data payload key: ", "firebase-php issue 574"),
        FCMSentence(
            .collapseID, at: "message.apns.headers",
            "The length of [apns-collapse-id] header must not exceed [64] bytes.", "ha-llmvision issue 545"),
        // Its details are those in reown-com/push-server pull request 346.
        FCMSentence(.tooBigForAndroid, at: "", "Android message is too big", "firebase-admin-go issue 580"),
        FCMSentence(.tooBigForIOS, at: "", "iOS message is too big", "firebase-admin-go issue 580"),
    ]

    /// The sentence about a cause, as a finding has it.
    ///
    /// - Parameter name: the name that it is about; empty for none.
    package static func detail(_ cause: Cause, _ name: String = "", at field: String? = nil) -> Finding.Detail? {
        table.first { $0.cause == cause }.map {
            .fcmError(field: field ?? $0.field.description, description: $0.text.description + name)
        }
    }

    /// The sentence about a message over its limit. Of one for a browser none is published: it is that for Android.
    package static func tooBig(for platform: Platform) -> Finding.Detail? {
        detail(platform == .ios ? .tooBigForIOS : .tooBigForAndroid)
    }
}
