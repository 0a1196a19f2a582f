import Crypto
import Foundation
import PushRuns
import PushSystem
import ServiceTestSupport
import Testing
import _CryptoExtras

@testable import PushGateway
@testable import PushGatewayTLS
@testable import PushServices

/// Sources: Google, "Using OAuth 2.0 for server to server applications"; RFC 7523.
struct GoogleAccessTests {
    private static let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)
    private static let now = 1_800_000_000

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private static func assertion(
        by key: _RSA.Signing.PrivateKey? = key, issuer: String = "push@demo.iam.gserviceaccount.com",
        from: Int = now, seconds: Int = 3600, algorithm: String = "RS256",
        scope: String? = "https://www.googleapis.com/auth/firebase.messaging"
    ) throws -> String {
        let scope = scope.map { #","scope":"\#($0)""# } ?? ""
        let header = base64(Data(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8))
        let claims = base64(
            Data(
                #"{"iss":"\#(issuer)","aud":"http://127.0.0.1/token","iat":\#(from),"exp":\#(from + seconds)\#(scope)}"#
                    .utf8))
        let signed = Data("\(header).\(claims)".utf8)
        let signature = try #require(key).signature(for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
        return "\(header).\(claims).\(base64(signature.rawRepresentation))"
    }

    private static func form(_ fields: [(String, String)]) -> GatewayRequest {
        let body = fields.map { "\($0)=\($1.replacingOccurrences(of: ":", with: "%3A"))" }.joined(separator: "&")
        return GatewayRequest(
            method: "POST", path: "/token",
            headers: [HeaderField("content-type", "application/x-www-form-urlencoded")], body: Array(body.utf8))
    }

    private static func token(_ assertion: String) -> GatewayRequest {
        form([("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)])
    }

    /// A session at the time of the assertions.
    private func trial(_ access: GoogleAccess) -> SessionTrial {
        let (oauth, fcm) = (OAuthService(access), FCMService(access))
        access.wallMilliseconds = { Int64(Self.now) * 1000 }
        return SessionTrial(services: [fcm, oauth])
    }

    /// Access by a service account in a file, as Google's console makes it.
    private func demanding(_ write: (_RSA.Signing.PrivateKey) throws -> String = Self.account) throws -> GoogleAccess {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try write(#require(Self.key)).write(to: file, atomically: true, encoding: .utf8)
        return try GoogleAccess(isOff: false, path: file.path, .crypto)
    }

    private static func account(_ key: _RSA.Signing.PrivateKey) throws -> String {
        let object = [
            "type": "service_account", "project_id": "demo", "client_email": "push@demo.iam.gserviceaccount.com",
            "private_key": key.pemRepresentation,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    private let push = #"{"message":{"token":"t"}}"#

    @Test func `a service account gets a token that is good for an hour`() throws {
        let trial = trial(try demanding())
        let answer = try trial.answer(Self.token(try Self.assertion()))
        #expect(answer.status == 200)
        #expect(answer.object["token_type"] as? String == "Bearer")
        #expect(answer.object["expires_in"] as? Int == 3599)
        let token = try #require(answer.object["access_token"] as? String)
        #expect(try trial.answer(send(push, headers: [("authorization", "Bearer \(token)")])).status == 200)
        #expect(try trial.answer(send(push, headers: [("authorization", "Bearer \(token)x")])).status == 401)
    }

    @Test func `a request without an issued token is 401, with a report line that run repeats`() throws {
        let trial = trial(try demanding())
        let answer = try trial.answer(send(push))
        #expect(answer.status == 401)
        let error = try #require(answer.object["error"] as? [String: Any])
        #expect(error["status"] as? String == "UNAUTHENTICATED")
        #expect(error["code"] as? Int == 401)
        let words =
            "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other "
        #expect((error["message"] as? String)?.hasPrefix(words + "valid authentication credential. ") == true)
        #expect(
            trial.lines.first?.contains(#""device":"t","outcome":"rejected","status":401,"reason":"UNAUTHENTICATED""#)
                == true)
    }

    @Test func `a token that was not issued has words of its own`() throws {
        let trial = trial(try demanding())
        for header in ["Bearer ya29.other", "Bearer", "key=AAAA"] {
            let answer = try trial.answer(send(push, headers: [("authorization", header)]))
            #expect(answer.status == 401)
            let error = try #require(answer.object["error"] as? [String: Any])
            #expect(
                (error["message"] as? String)?.hasPrefix("Request had invalid authentication credentials. ") == true)
        }
    }

    /// google-auth-library-python issue 217.
    @Test(arguments: [nil, "", " "])
    func `an assertion without a scope is an invalid scope`(scope: String?) throws {
        let answer = try trial(try demanding()).answer(Self.token(try Self.assertion(scope: scope)))
        #expect(answer.status == 400)
        #expect(answer.object["error"] as? String == "invalid_scope")
        #expect(answer.object["error_description"] as? String == "Empty or missing scope not allowed.")
        #expect(try trial(GoogleAccess()).answer(Self.token(try Self.assertion(scope: scope))).status == 200)
    }

    private func pushed(
        with scope: String, to project: String = "demo", _ access: GoogleAccess
    ) throws -> (answer: GatewayAnswer, line: String) {
        let trial = trial(access)
        let token = try trial.answer(Self.token(try Self.assertion(scope: scope))).object["access_token"] as? String
        let header = ("authorization", "Bearer \(token ?? "")")
        return (try trial.answer(send(push, to: project, headers: [header])), trial.lines.last ?? "")
    }

    /// Source: discovery document of FCM v1, `scopes`. The words are observed of FCM.
    @Test func `a token is for the services of its scopes`() throws {
        let google = "https://www.googleapis.com/auth/"
        for scope in ["firebase.messaging", "cloud-platform", "drive \(google)firebase.messaging"] {
            #expect(try pushed(with: google + scope, try demanding()).answer.status == 200, "\(scope)")
        }
        for scope in ["drive", "firebase.messaging.more", "drive \(google)userinfo.email"] {
            let (answer, line) = try pushed(with: google + scope, try demanding())
            #expect(answer.status == 403)
            let error = try #require(answer.object["error"] as? [String: Any])
            #expect(error["status"] as? String == "PERMISSION_DENIED")
            #expect(error["message"] as? String == "Request had insufficient authentication scopes.")
            #expect(error["details"] == nil)
            #expect(line.contains(#""outcome":"rejected","status":403,"reason":"SENDER_ID_MISMATCH""#))
        }
    }

    @Test func `an account sends for its own project`() throws {
        let scope = "https://www.googleapis.com/auth/firebase.messaging"
        #expect(try pushed(with: scope, to: "demo", try demanding()).answer.status == 200)
        // The project's number, which the file does not have.
        #expect(try pushed(with: scope, to: "123456789012", try demanding()).answer.status == 200)
        let (answer, line) = try pushed(with: scope, to: "other", try demanding())
        #expect(answer.status == 403)
        let error = try #require(answer.object["error"] as? [String: Any])
        #expect(error["status"] as? String == "PERMISSION_DENIED")
        #expect(
            error["message"] as? String
                == "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/other' (or it may not exist)."
        )
        #expect(line.contains(#""reason":"SENDER_ID_MISMATCH""#))
        #expect(
            try pushed(with: scope, to: "other", try demanding { $0.publicKey.pemRepresentation }).answer.status == 200)
    }

    /// Google's general words: which permission the Topics API names is not known.
    @Test func `the Topics API names no permission for sending`() throws {
        let access = try demanding()
        let (oauth, topics) = (OAuthService(access), InstanceIDService(access))
        access.wallMilliseconds = { Int64(Self.now) * 1000 }
        let trial = SessionTrial(services: [topics, oauth])
        let token = try trial.answer(Self.token(try Self.assertion())).object["access_token"] as? String ?? ""
        let answer = try trial.answer(
            GatewayRequest(
                method: "GET", path: "/v1/projects/other/registrations/t/topicSubscriptions",
                headers: [HeaderField("authorization", "Bearer \(token)")], body: []))
        #expect(answer.status == 403)
        let error = try #require(answer.object["error"] as? [String: Any])
        #expect(error["status"] as? String == "PERMISSION_DENIED")
        #expect(error["message"] as? String == "The caller does not have permission")
    }

    @Test func `the legacy protocol needs a server key then, and answers 401 in HTML`() throws {
        let trial = SessionTrial(services: [LegacyFCMService(try demanding())])
        var request = GatewayRequest(
            method: "POST", path: "/fcm/send", headers: [HeaderField("content-type", "application/json")],
            body: Array(#"{"to":"one"}"#.utf8))
        let answer = try trial.answer(request)
        #expect(answer.status == 401)
        #expect(answer.header("content-type")?.hasPrefix("text/html") == true)
        #expect(answer.text.contains("INVALID_KEY"))
        #expect(trial.lines.first?.contains(#""device":"one","outcome":"rejected","status":401"#) == true)
        request.headers.append(HeaderField("authorization", "key=AIzaSy"))
        #expect(try trial.answer(request).status == 200)
    }

    @Test func `the public key alone will do`() throws {
        let access = try demanding { $0.publicKey.pemRepresentation }
        #expect(try trial(access).answer(Self.token(try Self.assertion(issuer: "anyone"))).status == 200)
    }

    @Test func `an expired token is 401`() throws {
        let access = try demanding()
        access.wallMilliseconds = { 1000 * 1000 }
        let token = access.issue()
        let request = send(push, headers: [("authorization", "Bearer \(token)")])
        access.wallMilliseconds = { (1000 + 3598) * 1000 }
        #expect(access.admits(request))
        access.wallMilliseconds = { (1000 + 3599) * 1000 }
        #expect(!access.admits(request))
    }

    @Test func `assertions that are not right are invalid grants`() throws {
        let trial = trial(try demanding())
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let wrong: [(String, String)] = [
            (try Self.assertion(by: other), "Invalid JWT Signature."),
            (try Self.assertion(issuer: "somebody@else"), "Invalid grant: account not found"),
            (try Self.assertion(from: Self.now - 7200), "Invalid JWT: Token must be"),
            (try Self.assertion(from: Self.now + 7200), "Invalid JWT: Token must be"),
            (try Self.assertion(seconds: 7200), "Invalid JWT: Token must be"),
            (try Self.assertion(algorithm: "none"), "Bad Request"), ("a.b.c", "Bad Request"), ("", "Bad Request"),
        ]
        for (assertion, words) in wrong {
            let answer = try trial.answer(Self.token(assertion))
            #expect(answer.status == 400)
            #expect(answer.object["error"] as? String == "invalid_grant")
            #expect((answer.object["error_description"] as? String)?.hasPrefix(words) == true, "\(answer.text)")
        }
    }

    @Test func `without a key any fresh assertion gets a token, and requests need none`() throws {
        let trial = trial(GoogleAccess())
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        #expect(try trial.answer(Self.token(try Self.assertion(by: other))).status == 200)
        #expect(try trial.answer(Self.token(try Self.assertion(from: 0))).status == 400)
        #expect(try trial.answer(send(push)).status == 200)
        #expect(try trial.answer(send(push, headers: [("authorization", "Bearer anything")])).status == 200)
    }

    @Test func `with no-auth nothing is looked at`() throws {
        let trial = trial(try GoogleAccess(isOff: true, path: nil, .crypto))
        #expect(try trial.answer(Self.token("anything")).status == 200)
        #expect(try trial.answer(send(push)).status == 200)
    }

    @Test(
        arguments: [
            ([], "invalid_request"), ([("grant_type", "password")], "unsupported_grant_type"),
            ([("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")], "invalid_request"),
        ] as [([(String, String)], String)])
    func `another form is refused as RFC 6749 says`(fields: [(String, String)], error: String) throws {
        let answer = try trial(GoogleAccess()).answer(Self.form(fields))
        #expect(answer.status == 400)
        #expect(answer.object["error"] as? String == error)
    }

    @Test func `a file without a key is an error`() throws {
        #expect(throws: PlainError.self) { try demanding { _ in "{}" } }
        #expect(throws: PlainError.self) { try GoogleAccess(isOff: false, path: "/nonexistent", .crypto) }
    }
}
