import PushFiles
import PushJSON
import PushModel
import PushSystem

/// Who may use Google's services: which assertions of service accounts get an access token, and which requests need one.
///
/// Source: Google, "Using OAuth 2.0 for server to server applications".
final class GoogleAccess {
    private enum Policy {
        /// Neither assertions nor access tokens are looked at.
        case open
        /// An assertion has to be well-formed and fresh; requests need no access token.
        case wellFormed
        /// An assertion has to be signed with this key, and requests need an access token.
        case signed(SignatureCheck, Account)
    }

    /// The members of a service account's file besides its key; a key in PEM has none.
    private struct Account {
        var email: String?
        var project: String?
    }

    /// Why a request is not let through.
    enum Denial: Equatable {
        case missing
        case invalid
        /// The token is for other services.
        case scope
        case project(String)

        /// The rejection in records. FCM has no error code for the last two; the one here has their status.
        var rejection: Rejection {
            switch self {
            case .missing, .invalid: .fcmUnauthenticated
            case .scope, .project: .senderIdMismatch
            }
        }

        /// Google's words; nil for the general ones of the rejection. Those about a project are observed of FCM, in many reports.
        var words: String? {
            switch self {
            case .missing:
                """
                Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other \
                valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.
                """
            case .invalid: nil
            case .scope: "Request had insufficient authentication scopes."
            case .project(let name):
                """
                Permission 'cloudmessaging.messages.create' denied on resource \
                '//cloudresourcemanager.googleapis.com/projects/\(name)' (or it may not exist).
                """
            }
        }

        /// Google's words in the Topics API. The permission that it names is not known, so these are the general words.
        var wordsAboutTopics: String? {
            if case .project = self { "The caller does not have permission" } else { words }
        }
    }

    private struct Grant {
        /// The time at which it expires, in epoch seconds.
        var end: Double
        var isForMessages: Bool
    }

    /// Source: discovery document of FCM v1, `scopes` of its methods.
    private static let scopes: Set<Substring> = [
        "https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/firebase.messaging",
    ]

    /// Why an assertion gets no token, in Google's words.
    enum Refusal: String {
        case malformed = "Bad Request"
        case signature = "Invalid JWT Signature."
        case time = """
            Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp \
            values in the JWT claim.
            """
        case account = "Invalid grant: account not found"
        /// Source: google-auth-library-python issue 217.
        case scope = "Empty or missing scope not allowed."

        /// The name of the error. Source: RFC 6749, section 5.2.
        var error: String { self == .scope ? "invalid_scope" : "invalid_grant" }
    }

    private let policy: Policy
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds
    /// Epoch seconds.
    private var now: Double { Double(wallMilliseconds()) / 1000 }
    /// The grants by their access tokens.
    private var issued: [String: Grant] = [:]
    private static let mostIssued = 10_000
    /// How long an access token is good, in seconds.
    static let lifetime = 3599
    private static let longestAssertion = 3600.0
    /// Clocks differ.
    private static let skew = 300.0

    /// Takes every request, and every assertion that is well-formed and fresh.
    init() { policy = .wellFormed }

    /// - Parameter path: the file of a service account, as Google's console makes it, or its public key in PEM; nil to check no signature.
    /// - Throws: `PlainError` for a file that has no such key.
    init(isOff: Bool, path: String?, _ signatures: SignatureKeys) throws(PlainError) {
        guard let path, !isOff else {
            policy = isOff ? .open : .wellFormed
            return
        }
        guard let key = Self.key(in: try FileBytes.readConfiguration(path), signatures) else {
            throw PlainError("\(path): neither a service account in JSON nor an RSA key in PEM")
        }
        policy = .signed(key.check, key.account)
    }

    private static func key(
        in bytes: [UInt8], _ signatures: SignatureKeys
    ) -> (check: SignatureCheck, account: Account)? {
        let file = bytes.texts("private_key", "client_email", "project_id", of: JSONWebToken.text)
        let text = file?["private_key"] ?? String(decoding: bytes, as: UTF8.self)
        return signatures.rs256(text).map {
            ($0, Account(email: file?["client_email"], project: file?["project_id"]))
        }
    }

    var demandsCredentials: Bool { if case .signed = policy { true } else { false } }

    /// True if a request has an access token that was issued, or needs none.
    func admits(_ request: GatewayRequest) -> Bool { denial(of: request, to: nil) == nil }

    /// Why a request is not let through; nil if it is.
    ///
    /// - Parameter project: in the request's path; nil if that names none. A number is not compared: the file of the account has the name
    ///   alone.
    func denial(of request: GatewayRequest, to project: String?) -> Denial? {
        guard case .signed(_, let account) = policy else { return nil }
        guard request.header("authorization") != nil else { return .missing }
        guard let token = request.bearerToken, let grant = issued[token], now < grant.end else { return .invalid }
        if !grant.isForMessages { return .scope }
        guard let project, let own = account.project, project != own, !project.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return .project(project)
    }

    /// True if a request of the legacy protocol has a server key, or an access token that was issued, or needs none. Server keys are not
    /// known here, so any is taken.
    func admitsLegacy(_ request: GatewayRequest) -> Bool {
        let header = request.header("authorization") ?? ""
        return (header.hasPrefix("key=") && header.utf8.count > "key=".utf8.count) || admits(request)
    }

    /// Why an assertion gets no access token; nil if it gets one.
    func refusal(ofAssertion text: String) -> Refusal? {
        if case .open = policy { return nil }
        guard let token = JSONWebToken(text), token.header["alg"] == "RS256", let issuer = token.claims["iss"] else {
            return .malformed
        }
        if case .signed(let check, let account) = policy {
            if let email = account.email, email != issuer { return .account }
            guard check(token.signature, token.signed) else { return .signature }
        }
        let now = now
        guard let from = token.claims["iat"].flatMap({ Double($0) }),
            let to = token.claims["exp"].flatMap({ Double($0) }),
            from <= now + Self.skew, to >= now - Self.skew, to - from <= Self.longestAssertion, to >= from
        else { return .time }
        return demandsCredentials && Self.words(token.claims["scope"]).isEmpty ? .scope : nil
    }

    /// True if an access token for an assertion is good for messages. Google issues one for any scope, and FCM refuses it.
    func isForMessages(assertion text: String) -> Bool {
        guard demandsCredentials else { return true }
        return Self.words(JSONWebToken(text)?.claims["scope"]).contains(where: Self.scopes.contains)
    }

    private static func words(_ scope: String?) -> [Substring] {
        (scope ?? "").split { $0 == " " || $0 == "," }
    }

    /// A new access token.
    ///
    /// - Parameter isForMessages: false for one with the scopes of other services.
    func issue(isForMessages: Bool = true) -> String {
        let now = now
        var random = SystemRandomNumberGenerator()
        let digits = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let token = "ya29.\(digits)"
        if issued.count >= Self.mostIssued {
            issued = issued.filter { now < $0.value.end }
            if issued.count >= Self.mostIssued { issued.removeAll() }
        }
        issued[token] = Grant(end: now + Double(Self.lifetime), isForMessages: isForMessages)
        return token
    }
}

/// A JSON Web Token, as far as it can be read without a key. Source: RFC 7519, RFC 7515.
struct JSONWebToken {
    /// The members that are needed here, as text.
    let header: [String: String]
    let claims: [String: String]
    /// The signed text: the first two parts with the period between them.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil if the text is not a token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64URL.bytes(parts[0])?.texts("alg", "kid", of: Self.text),
            let claims = Base64URL.bytes(parts[1])?.texts("iss", "aud", "iat", "exp", "scope", of: Self.text),
            let signature = Base64URL.bytes(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// The contents of a string, or another value as it is written.
    static func text(_ value: JSONView) -> String? { value.string?.string ?? value.text.string }
}

/// The answers of Google's front ends, before a service sees the request.
enum GoogleAnswer {
    /// A page of HTML, for a path that no service has. Its text is not Google's.
    static let notFound = GatewayAnswer(
        status: 404, headers: [HeaderField("content-type", "text/html; charset=UTF-8")],
        body: Array(
            """
            <!DOCTYPE html>
            <html lang=en>
            <title>Error 404 (Not Found)</title>
            <p>The requested URL was not found on this server.</p>

            """.utf8))

    /// An error of the older services: `{"error":"NOT_FOUND"}`.
    static func error(_ status: Int, _ text: String) -> GatewayAnswer {
        GatewayAnswer(status: status, json: #"{"error":\#(text)}"#)
    }

    /// An error with nothing but the general words of Google's services.
    ///
    /// - Parameter name: of `google.rpc.Code`.
    static func error(_ status: Int, _ name: String, _ message: String) -> GatewayAnswer {
        GatewayAnswer(
            status: status, json: #"{"error":{"code":\#(status),"message":\#(message),"status":\#(name)}}"#)
    }

    /// Bytes before and after the place of an error that the parser quotes.
    private static let contextBytes = 20

    /// The words of Google's parser about a body that is not JSON. They are those of the parser's published ancestor,
    /// `json_stream_parser.cc` in protocolbuffers/protobuf; that FCM's uses them is not confirmed.
    ///
    /// - Parameter offset: of the error, in bytes.
    static func syntaxError(in body: [UInt8], at offset: Int) -> String {
        let place = min(max(offset, 0), body.count)
        let start = max(place - contextBytes, 0)
        let context = body[start..<min(place + contextBytes, body.count)]
        let reason = place == body.count ? "Unexpected end of string." : "Unexpected token."
        let mark = String(repeating: " ", count: place - start) + "^"
        return "Invalid JSON payload received. \(reason)\n\(String(decoding: context, as: UTF8.self))\n\(mark)"
    }
}

/// The endpoint at which service accounts get access tokens: `POST /token`.
///
/// Sources: Google, "Using OAuth 2.0 for server to server applications"; RFC 6749, section 5.2; RFC 7523.
final class OAuthService: GatewayService {
    private let access: GoogleAccess

    /// The newest path first; files of service accounts that are in use name the others.
    private static let paths: Set<String> = ["/token", "/oauth2/v4/token", "/o/oauth2/token"]
    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    init(_ access: GoogleAccess) { self.access = access }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard Self.paths.contains(request.path) else { return nil }
        guard request.method == "POST" else { return .answer(GoogleAnswer.notFound) }
        guard !request.isTooLarge else { return .answer(Self.error("invalid_request", "The body is too large")) }
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
        if let refusal = access.refusal(ofAssertion: assertion) {
            return .answer(Self.error(refusal.error, refusal.rawValue))
        }
        let token = access.issue(isForMessages: access.isForMessages(assertion: assertion))
        return .answer(
            GatewayAnswer(
                status: 200,
                json: #"{"access_token":\#(token),"expires_in":\#(GoogleAccess.lifetime),"token_type":"Bearer"}"#))
    }

    private static func error(_ name: String, _ description: String) -> GatewayAnswer {
        GatewayAnswer(status: 400, json: #"{"error":\#(name),"error_description":\#(description)}"#)
    }
}
