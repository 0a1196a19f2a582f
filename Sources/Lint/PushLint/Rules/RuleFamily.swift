import PayloadJSON
import PushModel

/// The rules about one part of a request. Their words, examples, checks and fixes stand together.
///
/// A rule without a check here is reported by the decoder, an emulated service or a run.
protocol RuleFamily {
    /// In any order: the catalogue sorts them by id.
    static var rules: [Rule] { get }
}

/// A family with checks of its own. A value is made for a call, and reports to the run that asks.
protocol RuleCheck: RuleFamily {
    var run: LintRun { get }
}

extension RuleCheck {
    /// Adds a finding to those of the run.
    func report(
        _ rule: Rule, _ message: @autoclosure () -> String, at place: some FindingPlace,
        edits: @autoclosure () -> [TextEdit] = []
    ) { run.report(rule, message(), at: place, edits: edits()) }

    /// Reports a value of the wrong kind, with an edit if only the quotes are wrong.
    func reportKind(_ rule: Rule, _ node: LintNode, _ name: String, expected: String, answer: String = "") {
        report(
            rule, "\(name) must be \(expected), not \(node.kindName)\(answer)", at: node,
            edits: expected == "a string" ? node.quotedNumber : expected == "a number" ? node.bareNumber : [])
    }

    /// Reports what is not an array of strings.
    func checkArguments(_ rule: Rule, _ name: @autoclosure () -> String, _ value: LintNode) {
        guard value.kind == .array else { return reportKind(rule, value, name(), expected: "an array of strings") }
        value.forEachElement { element in
            guard !element.isString else { return }
            report(rule, "\(name()) takes strings, not \(element.kindName)", at: element, edits: element.quotedNumber)
        }
    }
}

/// Parts of the examples that several families use.
enum Example {
    static let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    static let alert = #"{"aps":{"alert":"Polls close at 18:00"}}"#

    /// An envelope. `headers` are members beside the topic.
    static func request(
        _ headers: String, _ payload: String, topic: String = "org.example.news", device: String = token
    ) -> String { #"{"device":"\#(device)","headers":{"apns-topic":"\#(topic)",\#(headers)},"payload":\#(payload)}"# }

    static let alertRequest = request(#""apns-push-type":"alert""#, alert)

    /// An alert with one more header.
    static func alertRequest(_ header: String) -> String { request(#""apns-push-type":"alert","# + header, alert) }

    static let fcmData = fcm(#""data":{"score":"12"}"#)

    static func aps(_ members: String) -> String { #"{"aps":{"# + members + "}}" }
    static func alert(_ members: String) -> String { aps(#""alert":{"# + members + "}") }
    static func fcm(_ message: String) -> String { #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","# + message + "}}" }
    static func expo(_ members: String) -> String {
        #"{"to":"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]","# + members + "}"
    }
    static func gcm(_ members: String) -> String { #"{"to":"cXwZ9kT3R0m:APA91bHun4","# + members + "}" }
}
