import PayloadJSON
import PushSystem

/// The endpoint at which service accounts get access tokens: `POST /token`.
///
/// Sources: Google, "Using OAuth 2.0 for server to server applications"; RFC 6749, section 5.2; RFC 7523.
final class OAuthService: GatewayService {
    private let access: GoogleAccess
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    /// The newest path first; files of service accounts that are in use name the others.
    private static let paths: Set<String> = ["/token", "/oauth2/v4/token", "/o/oauth2/token"]
    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    init(_ access: GoogleAccess) { self.access = access }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard Self.paths.contains(request.path) else { return nil }
        guard request.method == "POST" else { return .answer(GoogleAnswer.notFound(request)) }
        guard !request.isTooLarge else { return .answer(Self.error("invalid_request", "The body is too large")) }
        let now = Double(wallMilliseconds()) / 1000
        let form = FormFields(request.body)
        guard let grantType = form["grant_type"] else {
            return .answer(Self.error("invalid_request", "Missing required parameter: grant_type"))
        }
        guard grantType == Self.grantType else {
            return .answer(Self.error("unsupported_grant_type", "Invalid grant_type: \(grantType)"))
        }
        guard let assertion = form["assertion"] else {
            return .answer(Self.error("invalid_request", "Missing required parameter: assertion"))
        }
        if let refusal = access.refusal(ofAssertion: assertion, now: now) {
            return .answer(Self.error(refusal.error, refusal.rawValue))
        }
        let token = access.issue(isForMessages: access.isForMessages(assertion: assertion), now: now)
        return .answer(
            GatewayAnswer(status: 200) { out in
                out.append("{\"access_token\":")
                out.appendJSONString(token)
                out.appendMember("expires_in", GoogleAccess.lifetime)
                out.appendMember("token_type", "Bearer")
                out.append("}")
            })
    }

    private static func error(_ name: String, _ description: String) -> GatewayAnswer {
        GatewayAnswer(status: 400) { out in
            out.append("{\"error\":")
            out.appendJSONString(name)
            out.appendMember("error_description", description)
            out.append("}")
        }
    }
}
