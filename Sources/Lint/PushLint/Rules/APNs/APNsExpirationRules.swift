import PayloadJSON
import PushModel

/// `apns-expiration`, a time in seconds since 1970.
struct APNsExpirationRules: RuleCheck {
    static let rules = [expirationMilliseconds, expirationRelative, expirationPast]
    let run: LintRun

    func check(_ node: LintNode) {
        guard let seconds = Int64(node.swiftString ?? node.source) else { return }
        if seconds > 100_000_000_000 {
            report(
                Self.expirationMilliseconds,
                "\(seconds) seconds are the year \(Self.year(ofSeconds: seconds)); these look like milliseconds",
                at: node, edits: [TextEdit(node.range, node.isString ? "\"\(seconds / 1000)\"" : "\(seconds / 1000)")])
        } else if seconds > 0, seconds < 1_000_000_000 {
            report(
                Self.expirationRelative,
                "\(seconds) seconds since the epoch are in \(Self.year(ofSeconds: seconds)); the header takes a time, not a duration",
                at: node)
        } else if seconds < 0 || seconds > 0 && seconds < Self.firstDay {
            report(
                Self.expirationPast,
                seconds < 0
                    ? "a negative time lies before 1970; 0 means one attempt, without storage"
                    : "\(seconds) seconds since the epoch are in \(Self.year(ofSeconds: seconds)), before APNs began",
                at: node)
        }
    }

    /// 17 June 2009, when iPhone OS 3.0 brought APNs.
    private static let firstDay: Int64 = 1_245_196_800

    static let expirationPast = Rule(
        "apns.expiration-past", .warning, "an expiration before there was APNs",
        "apns-expiration is a time in seconds since 1970, or 0 for one attempt without storage. What APNs does with a negative time, or one long past, is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"-1""#),
        passing: Example.alertRequest(#""apns-expiration":"0""#))

    static let expirationMilliseconds = Rule(
        "apns.expiration-milliseconds", .warning, "an expiration in milliseconds",
        "apns-expiration is a time in seconds since 1970. In milliseconds it lies millennia ahead, and the push is kept for as long as APNs keeps any, 30 days.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"1730761200000""#),
        passing: Example.alertRequest(#""apns-expiration":"1730761200""#), isFixable: true)
    static let expirationRelative = Rule(
        "apns.expiration-relative", .warning, "an expiration that looks like a duration",
        "apns-expiration is a time in seconds since 1970, not a time to live. What APNs does with a time long past is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"3600""#),
        passing: Example.alertRequest(#""apns-expiration":"0""#))

    /// A rough calendar: years of 365.2425 days since 1970.
    private static func year(ofSeconds seconds: Int64) -> Int64 { 1970 + seconds / 31_556_952 }
}
