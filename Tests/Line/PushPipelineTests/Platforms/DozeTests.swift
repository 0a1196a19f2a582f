import PushDevices
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// An Android device in Doze.
///
/// Source: Firebase, "Set and manage message priority": normal priority waits for the end of Doze, high priority is delivered at once. FCM v1,
/// `AndroidMessagePriority`: high is the default of notifications, normal that of data.
struct DozeTests {
    private func doze(_ isOn: Bool = true, _ more: String = "") -> String {
        device(#""platform":"android","doze":\#(isOn)\#(more)"#, of: "pixel")
    }

    private func message(_ content: String, _ android: String = "") -> String {
        #"{"message":{"token":"pixel",\#(content),"android":{\#(android)}}}"#
    }

    private let data = #""data":{"a":"1"}"#
    private let notification = #""notification":{"title":"Text"}"#

    @Test func `messages of normal priority wait, those of high priority pass`() throws {
        let records = [
            doze(), message(data), message(data, #""priority":"high""#), message(notification),
            message(notification, #""priority":"NORMAL""#), doze(false),
        ]
        #expect(
            try story(records) == [
                "1 device applied", "2 held doze", "3 silent", "4 delivered", "5 held doze", "6 device applied",
                "6<2 silent", "6<5 delivered",
            ])
    }

    @Test(arguments: [
        (#""data":{"a":"1"}"#, "held doze"), (#""data":{"a":"1"},"priority":"high""#, "silent"),
        (#""notification":{"title":"Text"}"#, "delivered"),
        (#""notification":{"title":"Text"},"priority":"normal""#, "held doze"),
    ])
    func `the same holds for GCM`(members: String, line: String) throws {
        #expect(try story([doze(), #"{"to":"pixel",\#(members)}"#]).last == "2 \(line)")
    }

    @Test func `the time to live goes on meanwhile`() throws {
        let records = [
            doze(), message(data, #""ttl":"60s""#), message(data, #""ttl":"0s""#), advance("2m"), doze(false),
        ]
        #expect(
            try story(records).dropFirst() == [
                "2 held doze", "3 expired not-stored", "4 clock applied", "4<2 expired expired", "5 device applied",
            ])
    }

    @Test func `a device that comes back in Doze gets what has high priority`() throws {
        let offline = device(#""platform":"android","online":false"#, of: "pixel")
        let records = [
            offline, message(data), message(data, #""priority":"high""#),
            device(#""online":true,"doze":true"#, of: "pixel"),
            doze(false),
        ]
        #expect(try story(records).filter { $0.contains("<") } == ["4<3 silent", "5<2 silent"])
    }

    @Test func `opening an app does not end Doze`() throws {
        let records = [doze(), message(data), doze(true, #","state":"foreground""#), doze(false)]
        #expect(try story(records).last == "4<2 silent [fetch]")
    }

    @Test func `Doze is about all apps of an Android device, and about no other device`() throws {
        let chat = device(#""app":"org.example.chat""#, of: "pixel")
        #expect(try story([doze(), chat, message(data), device(#""doze":false"#, of: "pixel")]).last == "4<3 silent")
        #expect(try story([device(#""platform":"ios","doze":true"#), push()]).last == "2 delivered")
    }

    @Test func `a file keeps it between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try story([doze()], store: try SQLiteStore(path: path))
        #expect(try story([message(data)], store: try SQLiteStore(path: path)) == ["2 held doze"])
        #expect(try story([message(notification)], store: try SQLiteStore(path: path)) == ["3 delivered"])
        #expect(
            try story([doze(false)], store: try SQLiteStore(path: path)) == ["4 device applied", "4<2 silent"])
    }

    /// ProtoJSON Format: an enumeration is a name or a number. `AndroidMessagePriority` is NORMAL, HIGH.
    @Test(arguments: [("1", "silent"), (#""1""#, "silent"), ("0", "held"), (#""high""#, "silent")])
    func `a priority can be a number`(priority: String, outcome: String) throws {
        let doze = device(#""platform":"android","app":"a.b","doze":true"#, of: "pixel")
        let message = #"{"message":{"token":"pixel","data":{"k":"v"},"android":{"priority":\#(priority)}}}"#
        #expect(try reportLines([doze, message], store: MemoryStore()) { "\($0.outcome)" }.last == outcome)
    }
}
