import PayloadJSON
import PushFiles
import PushModel
import PushRuns
import PushSystem

/// Who may use Google's services: which assertions of service accounts get an access token, and which requests need one.
///
/// Source: Google, "Using OAuth 2.0 for server to server applications".
final class GoogleAccess {
    private enum Policy {
        /// Nothing is looked at.
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

        /// In records. FCM has no error code for the last two; the one here has their status.
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

        /// The same of the Topics API. The permission that it names is not known, so these are Google's general words.
        var wordsAboutTopics: String? {
            if case .project = self { "The caller does not have permission" } else { words }
        }
    }

    private struct Grant {
        /// In epoch seconds.
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
    /// By access token.
    private var issued: [String: Grant] = [:]
    private static let mostIssued = 10_000
    /// In seconds.
    static let lifetime = 3599
    private static let longestAssertion = 3600.0
    /// Clocks differ.
    private static let skew = 300.0

    /// Takes every request, and every assertion that is well-formed and fresh.
    init() { policy = .wellFormed }

    /// - Parameter path: the file of a service account, as Google's console makes it, or its public key in PEM; nil to check no signature.
    /// - Throws: `RunError` for a file that has no such key.
    init(isOff: Bool, path: String?, _ signatures: SignatureKeys) throws(RunError) {
        guard let path, !isOff else {
            policy = isOff ? .open : .wellFormed
            return
        }
        guard let key = Self.key(in: try FileBytes.readConfiguration(path), signatures) else {
            throw RunError("\(path): neither a service account in JSON nor an RSA key in PEM")
        }
        policy = .signed(key.check, key.account)
    }

    private static func key(
        in bytes: [UInt8], _ signatures: SignatureKeys
    ) -> (check: SignatureCheck, account: Account)? {
        let file = JSONWebToken.members(of: bytes, "private_key", "client_email", "project_id")
        let text = file?["private_key"] ?? String(decoding: bytes, as: UTF8.self)
        return signatures.rs256(text).map {
            ($0, Account(email: file?["client_email"], project: file?["project_id"]))
        }
    }

    var demandsCredentials: Bool { if case .signed = policy { true } else { false } }

    /// True if a request has an access token that was issued, or needs none.
    ///
    /// - Parameter now: epoch seconds.
    func admits(_ request: GatewayRequest, now: Double) -> Bool { denial(of: request, to: nil, now: now) == nil }

    /// Why a request is not let through; nil if it is.
    ///
    /// - Parameters:
    ///   - project: in the request's path; nil if that names none. A number is not compared: the file of the account has the name alone.
    ///   - now: epoch seconds.
    func denial(of request: GatewayRequest, to project: String?, now: Double) -> Denial? {
        guard case .signed(_, let account) = policy else { return nil }
        guard let header = request.header("authorization") else { return .missing }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer", let grant = issued[String(words[1])],
            now < grant.end
        else { return .invalid }
        if !grant.isForMessages { return .scope }
        guard let project, let own = account.project, project != own, !project.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return .project(project)
    }

    /// True if a request of the legacy protocol has a server key, or an access token that was issued, or needs none. Server keys are not
    /// known here, so any is taken.
    ///
    /// - Parameter now: epoch seconds.
    func admitsLegacy(_ request: GatewayRequest, now: Double) -> Bool {
        let header = request.header("authorization") ?? ""
        return (header.hasPrefix("key=") && header.utf8.count > "key=".utf8.count) || admits(request, now: now)
    }

    /// Why an assertion gets no access token; nil if it gets one.
    ///
    /// - Parameter now: epoch seconds.
    func refusal(ofAssertion text: String, now: Double) -> Refusal? {
        if case .open = policy { return nil }
        guard let token = JSONWebToken(text), token.header["alg"] == "RS256", let issuer = token.claims["iss"] else {
            return .malformed
        }
        if case .signed(let check, let account) = policy {
            if let email = account.email, email != issuer { return .account }
            guard check(token.signature, token.signed) else { return .signature }
        }
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
    /// - Parameters:
    ///   - isForMessages: false for one with the scopes of other services.
    ///   - now: epoch seconds.
    func issue(isForMessages: Bool = true, now: Double) -> String {
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
