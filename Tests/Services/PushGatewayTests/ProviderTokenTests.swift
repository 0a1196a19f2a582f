import Crypto
import Foundation
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushGatewayTLS
@testable import PushServices

/// Provider tokens as Apple describes them in "Establishing a token-based connection to APNs".
struct ProviderTokenTests {
    private static let now: Int64 = 1_800_000_000

    private static func base64(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A token that a key has signed, with the claims of a client.
    static func token(
        _ key: P256.Signing.PrivateKey = .init(), header: String = #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
        claims: String = #"{"iss":"DEF123GHIJ","iat":1800000000}"#
    ) throws -> String {
        let signed = base64(header.utf8) + "." + base64(claims.utf8)
        return signed + "." + base64(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    private func answer(_ authorization: String?, _ authentication: ProviderAuthentication = .wellFormed) throws
        -> String
    {
        var headers = [("apns-topic", "a.b")]
        if let authorization { headers.append(("authorization", authorization)) }
        let apns = APNsService(authentication)
        apns.wallMilliseconds = { Self.now * 1000 }
        let trial = SessionTrial(services: [apns])
        let answer = try trial.answer(push(headers: headers))
        #expect(trial.lines.count == 1)
        #expect(trial.lines.first?.contains("authorization") == false)
        return "\(answer.status) \(answer.reason ?? "")"
    }

    @Test func `a well-formed token is taken, and so is a request without one`() throws {
        #expect(try answer("bearer " + Self.token()) == "200 ")
        #expect(try answer("Bearer " + Self.token()) == "200 ")
        #expect(try answer(nil) == "200 ")
    }

    /// kylebrowning/APNSwift, issue 36: Apple takes both forms. pushy and WalletConnect send DER.
    @Test func `a signature is two numbers, or the same in DER`() throws {
        let key = P256.Signing.PrivateKey()
        let pem = key.publicKey.pemRepresentation
        let authentication = try ProviderAuthentication(
            isOff: false, keyPath: nil, .crypto, check: SignatureKeys.crypto.es256(pem))
        for _ in 0..<20 {
            let token = try Self.token(key)
            #expect(try answer("bearer " + token, authentication) == "200 ")
            let parts = token.split(separator: ".").map(String.init)
            let signed = parts[0] + "." + parts[1]
            let signature = try key.signature(for: Data(signed.utf8)).derRepresentation
            #expect(try answer("bearer \(signed).\(Self.base64(signature))", authentication) == "200 ")
            let other = try P256.Signing.PrivateKey().signature(for: Data(signed.utf8)).derRepresentation
            let refused = try answer("bearer \(signed).\(Self.base64(other))", authentication)
            #expect(refused == "403 InvalidProviderToken")
            // Also without a key, what is not DER is not a signature; with one, a number that is another is not either.
            var damaged = Array(signature)
            damaged[3] ^= 0x40
            #expect(try answer("bearer \(signed).\(Self.base64(signature))") == "200 ")
            #expect(try answer("bearer \(signed).\(Self.base64(damaged))") == "403 InvalidProviderToken")
            damaged = Array(signature)
            damaged[damaged.count - 1] ^= 1
            let changed = try answer("bearer \(signed).\(Self.base64(damaged))", authentication)
            #expect(changed == "403 InvalidProviderToken")
        }
        #expect(try answer("bearer " + Self.token(key).dropLast(4), authentication) == "403 InvalidProviderToken")
    }

    /// Client libraries differ in these.
    @Test(arguments: [
        #"{"iss":"DEF123GHIJ","iat":1800000000.25}"#, #"{"iss":"DEF123GHIJ","iat":"1800000000"}"#,
        #"{"iss":"DEF123GHIJ","iat":1799996400}"#, #"{"iss":"DEF123GHIJ","iat":1800000060,"aud":"x"}"#,
    ])
    func `the time is a number or a string, at most an hour ago`(claims: String) throws {
        #expect(try answer("bearer " + Self.token(claims: claims)) == "200 ")
    }

    @Test func `the id of the key may be among the claims`() throws {
        let claims = #"{"iss":"DEF123GHIJ","iat":1800000000,"kid":"ABC123DEFG"}"#
        #expect(try answer("bearer " + Self.token(header: #"{"alg":"ES256"}"#, claims: claims)) == "200 ")
    }

    @Test func `a token that is older than an hour has expired`() throws {
        let claims = #"{"iss":"DEF123GHIJ","iat":1799996399}"#
        #expect(try answer("bearer " + Self.token(claims: claims)) == "403 ExpiredProviderToken")
    }

    @Test(arguments: [
        (#"{"alg":"HS256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000}"#),
        (#"{"alg":"none","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000}"#),
        (#"{"alg":"ES256"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000}"#),
        (#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iat":1800000000}"#),
        (#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ"}"#),
        (#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":"today"}"#),
        (#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000000}"#),
        ("no JSON", #"{"iss":"DEF123GHIJ","iat":1800000000}"#), ("[]", "[]"),
    ])
    func `a token that lacks something is invalid`(header: String, claims: String) throws {
        #expect(try answer("bearer " + Self.token(header: header, claims: claims)) == "403 InvalidProviderToken")
    }

    @Test(arguments: ["bearer x", "bearer a.b.c", "bearer ..", "bearer a.b", "bearer a.b.c.d", "bearer \u{1}.é.%"])
    func `what is no web token is invalid`(authorization: String) throws {
        #expect(try answer(authorization) == "403 InvalidProviderToken")
    }

    @Test func `with a key, its tokens are demanded`() throws {
        let folder = NSTemporaryDirectory() + "pushgateway-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = P256.Signing.PrivateKey()
        let texts = ["key.p8": key.pemRepresentation, "key.pub": key.publicKey.pemRepresentation]
        for (name, text) in texts {
            try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            let authentication = try ProviderAuthentication(isOff: false, keyPath: "\(folder)/\(name)", .crypto)
            #expect(try answer("bearer " + Self.token(key), authentication) == "200 ")
            #expect(try answer("bearer " + Self.token(), authentication) == "403 InvalidProviderToken")
            #expect(try answer(nil, authentication) == "403 MissingProviderToken")
            #expect(try answer("basic eDp5", authentication) == "403 MissingProviderToken")
            let old = #"{"iss":"DEF123GHIJ","iat":1799996399}"#
            #expect(try answer("bearer " + Self.token(key, claims: old), authentication) == "403 ExpiredProviderToken")
        }
        try "no key".write(toFile: folder + "/none", atomically: false, encoding: .utf8)
        for name in ["none", "missing"] {
            let error = #expect(throws: (any Error).self) {
                try ProviderAuthentication(isOff: false, keyPath: "\(folder)/\(name)", .crypto)
            }
            #expect("\(String(describing: error))".contains("\(folder)/\(name)"))
        }
    }

    @Test func `a token that has passed expires all the same`() throws {
        let apns = APNsService(.wellFormed)
        let trial = SessionTrial(services: [apns])
        let request = push(headers: [("apns-topic", "a.b"), ("authorization", "bearer " + (try Self.token()))])
        for (seconds, status) in [(0, 200), (3600, 200), (3601, 403), (0, 200)] as [(Int64, Int)] {
            apns.wallMilliseconds = { (Self.now + seconds) * 1000 }
            #expect(try trial.answer(request).status == status)
        }
    }

    @Test func `switched off, tokens are not looked at`() throws {
        let off = try ProviderAuthentication(isOff: true, keyPath: nil, .crypto)
        #expect(try answer("bearer x", off) == "200 ")
        #expect(try answer(nil, off) == "200 ")
    }

    @Test func `a path that does not exist is refused before its token`() throws {
        let answer = try SessionTrial(services: [APNsService(.wellFormed)]).answer(
            push(to: "a/b", headers: [("authorization", "bearer x")]))
        #expect(answer.reason == "BadPath")
    }

    // MARK: - Over a connection

    /// What is answered to requests of one connection, one after the other, each some seconds after the first.
    private func answers(
        _ requests: [(token: String, seconds: Int64)], _ authentication: ProviderAuthentication = .wellFormed
    ) throws -> [String] {
        let apns = APNsService(authentication)
        let trial = SessionTrial(services: [apns])
        return try requests.map { token, seconds in
            apns.wallMilliseconds = { (Self.now + seconds) * 1000 }
            var request = push(headers: [("apns-topic", "a.b"), ("authorization", "bearer " + token)])
            request.sender = RequestSender(connection: 1)
            let answer = try trial.answer(request)
            return answer.reason ?? "\(answer.status)"
        }
    }

    @Test func `a token is renewed at most once in 20 minutes`() throws {
        let tokens = try (0..<Int64(4)).map { try Self.token(claims: #"{"iss":"DEF123GHIJ","iat":\#(Self.now + $0)}"#) }
        #expect(
            try answers([
                (tokens[0], 0), (tokens[1], 1), (tokens[2], 2), (tokens[0], 3), (tokens[2], 1200), (tokens[2], 1201),
                (tokens[3], 1202),
            ]) == [
                "200", "200", "TooManyProviderTokenUpdates", "200", "TooManyProviderTokenUpdates", "200",
                "TooManyProviderTokenUpdates",
            ])
    }

    /// Apple, "Establishing a token-based connection to APNs": a topic-specific key has at most one related key, and a team two keys for all
    /// topics of an environment. That a second key is related is UNCONFIRMED.
    @Test func `a connection keeps to two keys and a team`() throws {
        let third = try Self.token(header: #"{"alg":"ES256","kid":"THIRD12345"}"#)
        let other = try Self.token(header: #"{"alg":"ES256","kid":"OTHER12345"}"#)
        let team = try Self.token(claims: #"{"iss":"OTHERTEAM1","iat":1800000000}"#)
        let mine = try Self.token()
        #expect(
            try answers([(mine, 0), (other, 1), (third, 2), (team, 3), (mine, 4), (other, 5)])
                == ["200", "200", "UnrelatedKeyIdInToken", "InvalidProviderToken", "200", "200"])
        // Each key's tokens are renewed by themselves.
        let renewed = try Self.token(claims: #"{"iss":"DEF123GHIJ","iat":1800001800}"#)
        let otherRenewed = try Self.token(
            header: #"{"alg":"ES256","kid":"OTHER12345"}"#, claims: #"{"iss":"DEF123GHIJ","iat":1800001800}"#)
        let steps: [(String, Int64)] = [(mine, 0), (other, 1), (renewed, 1800), (otherRenewed, 1801)]
        #expect(try answers(steps.map { (token: $0, seconds: $1) }) == ["200", "200", "200", "200"])
    }

    @Test func `a key or team that is not the one asked for is invalid`() throws {
        let mine = try Self.token()
        let key = try ProviderAuthentication(
            isOff: false, keyPath: nil, .crypto, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        #expect(try answers([(mine, 0)], key) == ["200"])
        let otherKey = try ProviderAuthentication(isOff: false, keyPath: nil, .crypto, keyID: "OTHER12345")
        #expect(try answers([(mine, 0)], otherKey) == ["InvalidProviderToken"])
        let otherTeam = try ProviderAuthentication(isOff: false, keyPath: nil, .crypto, teamID: "OTHERTEAM1")
        #expect(try answers([(mine, 0)], otherTeam) == ["InvalidProviderToken"])
    }

    @Test func `two tokens in one request are duplicate headers`() throws {
        let mine = try "bearer " + Self.token()
        let request = push(headers: [("apns-topic", "a.b"), ("authorization", mine), ("authorization", mine)])
        #expect(try SessionTrial(services: [APNsService(.wellFormed)]).answer(request).reason == "DuplicateHeaders")
    }
}
