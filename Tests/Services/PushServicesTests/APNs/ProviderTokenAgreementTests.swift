import Foundation
import PushLint
import ServiceTestSupport
import Testing

@testable import PushServices

/// `lint` and `serve` say the same about a provider token. Source: Apple, "Establishing a token-based connection to APNs".
struct ProviderTokenAgreementTests {
    private static let now = 1_800_000_000

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private static func bearer(
        _ header: String = #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
        _ claims: String = #"{"iss":"DEF123GHIJ","iat":1800000000}"#, word: String = "bearer ",
        signature: String = String(repeating: "s", count: 64)
    ) -> String { word + base64(header) + "." + base64(claims) + "." + base64(signature) }

    private static func bearer(bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return bearer(signature: "") + text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static let right = [
        bearer(), bearer(word: "Bearer "), bearer(word: "BEARER "),
        bearer(#"{"alg":"ES256","kid":"abc1234567","typ":"JWT"}"#),
        bearer(#"{"alg":"ES256"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000,"kid":"ABC123DEFG"}"#),
        bearer(#"{"alg":"ES256","kid":null}"#, #"{"iss":"DEF123GHIJ","iat":1800000000,"kid":"ABC123DEFG"}"#),
        bearer(#"{ "kid" : "ABC123DEFG", "alg" : "ES256" }"#, #"{"iss":"DEF123GHIJ","iat":1800000000.25}"#),
        bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":"1800000000"}"#),
        bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1.8e9,"aud":"x"}"#),
        // The numbers 1 and 1 in DER. Sources: kylebrowning/APNSwift, issue 36; pushy, which signs with `SHA256withECDSA`.
        bearer(signature: "0\u{6}\u{2}\u{1}\u{1}\u{2}\u{1}\u{1}"),
    ]

    /// A signature in DER, whose numbers are these.
    private static func der(_ numbers: [UInt8]..., tag: UInt8 = 0x30, more: [UInt8] = []) -> [UInt8] {
        let content = numbers.reduce(into: [] as [UInt8]) { $0 += [2, UInt8($1.count)] + $1 }
        return [tag, UInt8(content.count)] + content + more
    }

    private static let one: [UInt8] = [1]
    private static let long = [0x7F] + [UInt8](repeating: 0xFF, count: 31)
    /// The first bit is a sign, so a number that begins with it has a zero in front.
    private static let longest = [0, 0x80] + [UInt8](repeating: 0, count: 31)

    /// X.690, sections 8.3 and 10.1; RFC 3279, section 2.2.3.
    @Test func `a signature in DER has two numbers of at most 256 bits`() throws {
        let rightForms = [
            Self.der(Self.one, Self.one), Self.der(Self.long, Self.long), Self.der(Self.longest, Self.longest),
            Self.der(Self.longest, Self.one), Self.der([0, 0xFF], Self.long),
        ]
        for signature in rightForms {
            let authorization = Self.bearer(bytes: signature)
            #expect(try reason(authorization) == nil, "\(signature)")
            #expect(try !lintFinds(authorization), "\(signature)")
        }
        #expect(rightForms[2].count == 72)
        let whole = Self.der(Self.longest, Self.long)
        let wrongForms: [[UInt8]] =
            [
                // A byte less and one more, another tag, three numbers, one.
                whole.dropLast(), whole + [0], Self.der(Self.one, Self.one, tag: 0x31),
                Self.der(Self.one, Self.one, Self.one), Self.der(Self.one), Self.der(), [0x30],
                // Not above zero, longer than it has to be, more than 256 bits, without a byte.
                Self.der([0x80], Self.one), Self.der([0], Self.one), Self.der([0, 1], Self.one),
                Self.der([1] + Self.long, Self.one), Self.der(Self.longest + [0], Self.one), Self.der([], Self.one),
                // A length that leads out of the signature, or into the second number.
                [0x30, 6, 2, 9, 1, 2, 1, 1], [0x30, 6, 2, 4, 1, 2, 1, 1], [0x30, 6, 2, 0x81, 1, 1, 2, 1],
            ]
        for signature in wrongForms {
            let authorization = Self.bearer(bytes: signature)
            #expect(try reason(authorization) == "InvalidProviderToken", "\(signature)")
            #expect(try lintFinds(authorization), "\(signature)")
        }
    }

    private static let wrong =
        [
            // No bearer, or nothing after it.
            bearer(word: ""), bearer(word: "key="), bearer(word: "bearer"), bearer(word: "bearer\t"), "basic eDp5",
            "bearer",
            "bearer ", "bearer x", "bearer a.b", "bearer a.b.c.d", "bearer ..", "bearer \u{1}.é.%",
            bearer(word: "bearer  "),
            // A part that is not Base64URL, or not an object.
            bearer() + "=", bearer() + "/", bearer() + ".", bearer("[]"), bearer("ES256"),
            bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, "[]"),
            bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000"#),
            // The algorithm.
            bearer(#"{"alg":"HS256","kid":"ABC123DEFG"}"#), bearer(#"{"alg":"none","kid":"ABC123DEFG"}"#),
            bearer(#"{"alg":"es256","kid":"ABC123DEFG"}"#), bearer(#"{"kid":"ABC123DEFG"}"#),
            bearer(#"{"alg":256,"kid":"ABC123DEFG"}"#),
            // The key: none, an empty one, the name of its file, an identifier that is too short, a number.
            bearer(#"{"alg":"ES256"}"#), bearer(#"{"alg":"ES256","kid":""}"#),
            bearer(#"{"alg":"ES256","kid":"AuthKey_ABC123DEFG.p8"}"#), bearer(#"{"alg":"ES256","kid":"AuthKey.p8"}"#),
            bearer(#"{"alg":"ES256","kid":"ABC123DEF"}"#), bearer(#"{"alg":"ES256","kid":1234567890}"#),
            bearer(#"{"alg":"ES256","kid":"ABC123DEF é"}"#),
        ]
        + [
            // The team: none, a bundle identifier, an address, an identifier that is too long.
            #"{"iat":1800000000}"#, #"{"iss":"","iat":1800000000}"#, #"{"iss":"org.example.news","iat":1800000000}"#,
            #"{"iss":"com.ab.app","iat":1800000000}"#, #"{"iss":"push@demo.iam.gserviceaccount.com","iat":1800000000}"#,
            #"{"iss":"DEF123GHIJK","iat":1800000000}"#, #"{"iss":1234567890,"iat":1800000000}"#,
            // The time.
            #"{"iss":"DEF123GHIJ"}"#, #"{"iss":"DEF123GHIJ","iat":1800000000000}"#,
            #"{"iss":"DEF123GHIJ","iat":"1800000000000"}"#, #"{"iss":"DEF123GHIJ","iat":"today"}"#,
            #"{"iss":"DEF123GHIJ","iat":"2027-01-15T08:00:00Z"}"#, #"{"iss":"DEF123GHIJ","iat":true}"#,
            #"{"iss":"DEF123GHIJ","iat":null}"#, #"{"iss":"DEF123GHIJ","iat":"nan"}"#,
            #"{"iss":"DEF123GHIJ","iat":"0x6b49d200"}"#, #"{"iss":"DEF123GHIJ","iat":"0X1.ad2748p30"}"#,
        ].map { bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, $0) }
        // The signature has two numbers of 32 bytes (RFC 7518, section 3.4): none, too few bytes, too many, and DER with a wrong length.
        + [
            "", "sig", "ten bytes.", String(repeating: "s", count: 63), String(repeating: "s", count: 65),
            "0\u{6}\u{2}\u{1}\u{1}\u{2}\u{1}",
        ].map { bearer(signature: $0) }

    private func lintFinds(_ authorization: String) throws -> Bool {
        let headers = ["authorization": authorization, "apns-topic": "a.b", "apns-push-type": "alert"]
        let record: [String: Any] = ["headers": headers, "payload": ["aps": ["alert": "Hi"]]]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
        return Linter().lint(text).contains { $0.rule.id.text == "apns.provider-token" && $0.severity == .error }
    }

    private func reason(_ authorization: String) throws -> String? {
        let apns = APNsService(.wellFormed)
        apns.wallMilliseconds = { Int64(Self.now) * 1000 }
        let headers = [("apns-topic", "a.b"), ("authorization", authorization)]
        return try SessionTrial(services: [apns]).answer(push(headers: headers)).reason
    }

    @Test(arguments: right) func `serve accepts a right token, and lint finds no error`(authorization: String) throws {
        #expect(try reason(authorization) == nil)
        #expect(try !lintFinds(authorization))
    }

    @Test(arguments: wrong) func `serve refuses a wrong token, and lint finds an error`(authorization: String) throws {
        let reason = try reason(authorization)
        #expect(reason == "InvalidProviderToken" || reason == "MissingProviderToken")
        #expect(try lintFinds(authorization))
    }

    /// pushy's mock server, `TokenAuthenticationValidatingPushNotificationHandler`.
    @Test func `an authorization without bearer is a missing token, and an empty one none`() throws {
        #expect(try reason("basic eDp5") == "MissingProviderToken")
        #expect(try reason("") == nil)
        #expect(try !lintFinds(""))
    }

    /// A file of payloads may be old, and its key is not known.
    @Test func `lint does not check the age`() throws {
        let old = Self.bearer(#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1700000000}"#)
        #expect(try reason(old) == "ExpiredProviderToken")
        #expect(try !lintFinds(old))
    }
}
