import PushDevices
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// An Android device that was restarted and not unlocked since.
///
/// Source: FCM v1, `AndroidConfig.direct_boot_ok`: "messages will be allowed to be delivered to the app while the device is in direct boot mode".
struct DirectBootTests {
    private func phone(_ members: String) -> String { device(#""platform":"android",\#(members)"#, of: "pixel") }

    private func message(_ content: String, _ android: String = "") -> String {
        #"{"message":{"token":"pixel",\#(content),"android":{\#(android)}}}"#
    }

    private let data = #""data":{"a":"1"}"#
    private let notification = #""notification":{"title":"Text"}"#
    private let restarted = #""locked":"before-first-unlock""#

    @Test(arguments: ["true", "false"])
    func `messages wait for the first unlock, unless they may come before`(locked: String) throws {
        let records = [
            phone(restarted), message(data), message(data, #""direct_boot_ok":true"#),
            message(notification, #""direct_boot_ok":false"#), message(notification, #""directBootOk":true"#),
            #"{"to":"pixel","data":{"a":"1"},"priority":"high"}"#, phone(#""locked":\#(locked)"#),
        ]
        #expect(
            try story(records) == [
                "1 device applied", "2 held before-first-unlock", "3 silent", "4 held before-first-unlock",
                "5 delivered", "6 held before-first-unlock", "7 device applied", "7<2 silent", "7<4 delivered",
                "7<6 silent",
            ])
    }

    @Test func `what waits expires, and a later one with the same key takes its place`() throws {
        let records = [
            phone(restarted), message(data, #""ttl":"60s""#), message(data, #""ttl":"0s""#),
            message(data, #""collapse_key":"k""#), message(data, #""collapse_key":"k""#), advance("2m"),
            phone(#""locked":false"#),
        ]
        #expect(
            try story(records).dropFirst() == [
                "2 held before-first-unlock", "3 expired not-stored", "4 held before-first-unlock",
                "5 held before-first-unlock", "5<4 discarded superseded", "6 clock applied", "6<2 expired expired",
                "7 device applied", "7<5 silent",
            ])
    }

    @Test func `Doze and the lock end one after the other`() throws {
        let both = phone(restarted + #","doze":true"#)
        let direct = message(data, #""direct_boot_ok":true"#)
        #expect(
            try story([both, message(notification), direct, phone(#""doze":false"#), phone(#""locked":false"#)])
                .filter { $0.contains("<") } == ["4<3 silent", "5<2 delivered"])
        #expect(
            try story([both, message(notification), direct, phone(#""locked":false"#), phone(#""doze":false"#)])
                .filter { $0.contains("<") } == ["4<2 delivered", "5<3 silent"])
    }

    @Test func `an iPhone and a device of an unknown kind get everything`() throws {
        for platform in [#""platform":"ios","#, ""] {
            let records = [device(platform + restarted, of: "pixel"), message(notification)]
            #expect(try story(records).last == "2 delivered")
        }
    }

    @Test func `a file keeps it between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try story([phone(restarted), message(data)], store: try SQLiteStore(path: path))
        #expect(
            try story([advance("1h"), phone(#""locked":true"#)], store: try SQLiteStore(path: path)).last
                == "4<2 silent")
    }
}
