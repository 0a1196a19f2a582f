import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

/// Device tokens, the hexadecimal form of bytes.
struct DeviceTokenRules: RuleCheck {
    static let rules = [tokenForm, tokenLength]
    let run: LintRun

    func check(_ node: LintNode) {
        guard let string = node.string, string.count > 0 else { return }
        if !string.hasEscapes, string.count >= 64, DeviceToken.isHexadecimalBytes(string.raw) { return }
        let token = string.string
        let count = token.utf8.count
        if !Self.isHexadecimal(token) {
            checkOtherForm(token, node)
        } else if !count.isMultiple(of: 2) {
            reportForm("the token has \(count) hexadecimal digits; it must have an even number", node)
        } else if count < 64 {
            report(Self.tokenLength, "the token has \(count) digits, and most have 64", at: node)
        }
    }

    private static func isHexadecimal(_ text: String) -> Bool { text.utf8.allSatisfy { $0.hexadecimalDigit != nil } }

    static let tokenLength = Rule(
        "apns.token-length", .info, "a device token of an unusual length",
        "Device tokens have 64 digits today, those of Live Activities more. Apple says not to assume a length; libraries do.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert""#, Example.alert, device: "00fc13adff785122"),
        passing: Example.alertRequest)

    static let tokenForm = Rule(
        "apns.token-form", .error, "a device token that is not the hexadecimal form of bytes",
        "The token in the path is the hexadecimal form of its bytes. Printed as data it has < > and spaces; Base64 and FCM's tokens are something else. APNs answers 400 BadDeviceToken.",
        source: .responses,
        failing: Example.request(
            #""apns-push-type":"alert""#, Example.alert,
            device: "<00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0>"),
        passing: Example.alertRequest, isFixable: true)

    private func reportForm(_ message: String, _ node: LintNode, edits: [TextEdit] = []) {
        report(Self.tokenForm, "\(message); APNs answers 400 BadDeviceToken", at: node, edits: edits)
    }

    private func checkOtherForm(_ token: String, _ node: LintNode) {
        let bare = String(decoding: token.utf8.filter { !" <>".utf8.contains($0) }, as: UTF8.self)
        if bare != token, !bare.isEmpty, Self.isHexadecimal(bare) {
            reportForm(
                "the token is printed as data, with <, > or spaces", node, edits: [TextEdit(node.range, "\"\(bare)\"")])
        } else if token.contains(":APA91") || token.utf8.count > 120 && token.contains(":") {
            reportForm("this looks like a registration token of FCM, not a device token", node)
        } else if token.utf8.count == 44, token.hasSuffix("=") {
            reportForm("this looks like Base64; APNs wants the bytes in hexadecimal", node)
        }
    }
}

/// `authorization: bearer <JWT>`.
struct ProviderTokenRules: RuleCheck {
    static let rules = [providerToken]
    let run: LintRun

    static let providerToken = Rule(
        "apns.provider-token", .error, "a provider token that APNs does not accept",
        "authorization is bearer and a JSON Web Token: alg ES256, kid and iss of 10 characters, iat in seconds and at most an hour old. APNs answers 403 InvalidProviderToken to a token that is not valid. Of the signature only the form is checked here, and the age is not.",
        source: .token, failing: Example.alertRequest(#""authorization":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln""#),
        passing: Example.alertRequest)

    /// Reports the faults for which `serve` refuses a token, too. Of the signature only the form is checked, and the age is not: a file of payloads may be old.
    func check(_ node: LintNode) {
        // An empty header has a rule of its own.
        guard let value = node.swiftString, !value.isEmpty else { return }
        func report(_ message: String) { self.report(Self.providerToken, message, at: node) }
        guard let token = ProviderToken.text(inAuthorization: value) else {
            return report("the value is \"bearer\", a space, and the token")
        }
        do throws(ProviderToken.Faults) { _ = try ProviderToken(token) } catch { error.messages.forEach(report) }
    }
}
