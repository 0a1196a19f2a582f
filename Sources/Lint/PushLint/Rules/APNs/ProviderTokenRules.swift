import PayloadJSON
import PushDecoding
import PushModel

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
