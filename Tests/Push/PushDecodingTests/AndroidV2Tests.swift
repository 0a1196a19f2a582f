import PushJSON
import PushModel
import Testing

@testable import PushDecoding

/// `android_v2` of FCM v1. Sources: Firebase, "Migrate from FCM HTTP v1 API to AndroidConfigV2"; the API's discovery document.
@Suite struct AndroidV2Tests {
    private static func message(_ block: String, _ more: String = "") throws -> Reading {
        try read(#"{"message":{"token":"T",\#(more)"android_v2":{\#(block)}}}"#)
    }

    private static let remote = #""remote_notification":{"notification":{"title":"A","body":"B","tag":"g"}}"#

    @Test func `a remote notification is shown`() throws {
        let reading = try Self.message(Self.remote)
        #expect(reading.isAccepted)
        #expect(reading.platform == .android)
        #expect(reading.shown == ShownContent(title: "A", body: "B"))
        #expect(reading.identifier == "g")
        // title A, body B, tag g
        #expect(reading.bytes == 6 + 5 + 4)
    }

    @Test func `its texts override those of the message one by one`() throws {
        let reading = try Self.message(Self.remote, #""notification":{"title":"common","image":"i"},"#)
        #expect(reading.shown == ShownContent(title: "A", body: "B"))
        // The title of the message is not sent.
        #expect(reading.bytes == 6 + 5 + 4 + 6)
        let title = try Self.message(
            #""remote_notification":{"notification":{"title":"A"}}"#, #""notification":{"body":"b"},"#)
        #expect(title.shown == ShownContent(title: "A", body: "b"))
        // In proto3 an empty string is absent.
        let empty = try Self.message(
            #""remote_notification":{"notification":{"title":"A","body":""}}"#, #""notification":{"body":"b"},"#)
        #expect(empty.shown == ShownContent(title: "A", body: "b"))
        // title A, body, body b
        #expect(empty.bytes == 6 + 4 + 5)
        #expect(try Self.message(#""remoteNotification":{}"#, #""notification":{"title":"c"},"#).shown.title == "c")
    }

    @Test func `a background sync shows nothing`() throws {
        for block in [#""background_sync":{}"#, #""backgroundSync":{},"data":{"k":"v"}"#] {
            let reading = try Self.message(block, #""notification":{"title":"common"},"#)
            #expect(reading.isAccepted)
            #expect(!reading.isShown)
        }
    }

    /// The Admin SDKs refuse it; what FCM answers is not documented.
    @Test func `a message that is both kinds is shown`() throws {
        #expect(try Self.message(#""background_sync":{},\#(Self.remote)"#).isShown)
    }

    @Test func `it is for Android devices`() throws {
        let apns = #""apns":{"payload":{"aps":{"alert":"x"}}},"#
        #expect(try Self.message(#""background_sync":{}"#, apns).platform == .android)
        let web = try read(#"{"message":{"token":"T","android_v2":{\#(Self.remote)}}}"#) { $0.platform = .web }
        #expect(!web.isShown)
    }

    @Test func `it takes the place of android`() throws {
        let reading = try Self.message(
            Self.remote, #""android":{"notification":{"title":"old"},"restricted_package_name":"a"},"#)
        #expect(reading.shown == ShownContent(title: "A", body: "B"))
        let package = try Self.message(#""background_sync":{},"restrictedPackageName":"org.example""#)
        #expect(package.topic == "org.example")
    }

    // MARK: - Budget

    @Test(arguments: [(4096, true), (4097, false)])
    func `its data counts, and overrides that of the message`(bytes: Int, isAccepted: Bool) throws {
        let text = String(repeating: "x", count: bytes - 1)
        let reading = try Self.message(#""background_sync":{},"data":{"k":"\#(text)"}"#, #""data":{"other":"lost"},"#)
        #expect(reading.bytes == bytes)
        #expect(reading.isAccepted == isAccepted)
        let common = try Self.message(#""background_sync":{}"#, #""data":{"k":"\#(text)"},"#)
        #expect(common.bytes == bytes)
        #expect(common.isAccepted == isAccepted)
    }

    @Test(arguments: [(4096, true), (4097, false)])
    func `so does its notification`(bytes: Int, isAccepted: Bool) throws {
        let text = String(repeating: "x", count: bytes - 4)
        let reading = try Self.message(#""remote_notification":{"notification":{"body":"\#(text)"}}"#)
        #expect(reading.bytes == bytes)
        #expect(reading.isAccepted == isAccepted)
    }

    // MARK: - Values

    @Test(arguments: [
        (#"{"android_v2":{"ttl":"2419201s","background_sync":{}}}"#, "/message/android_v2/ttl"),
        (#"{"android_v2":{"ttl":"-1s","background_sync":{}}}"#, "/message/android_v2/ttl"),
        (#"{"androidV2":{"data":{"k":"v","from":"x"},"background_sync":{}}}"#, "/message/androidV2/data/from"),
        (
            #"{"android_v2":{"remote_notification":{"notification":{"color":"red"}}}}"#,
            "/message/android_v2/remote_notification/notification/color"
        ),
        (
            #"{"androidV2":{"remoteNotification":{"notification":{"color":"red"}}}}"#,
            "/message/androidV2/remoteNotification/notification/color"
        ),
    ])
    func `its values are checked as those of android`(message: String, pointer: String) throws {
        let record = #"{"message":{"token":"T",\#(message.dropFirst())}"#
        #expect(try refusal(of: record) == Refusal("INVALID_ARGUMENT", 400, at: pointer))
    }

    @Test(arguments: [
        #""ttl":"2419200s","background_sync":{}"#, #""ttl":null,"data":{"k":"v"},"backgroundSync":{}"#,
        ##""remote_notification":{"mutable_content":true,"notification":{"color":"#00ff7F","id":3,"title":"x"}}"##,
        ##""remote_notification":{"notification":{"color":null,"title":"x"}}"##,
    ])
    func `and those that are right are taken`(block: String) throws {
        #expect(try Self.message(block).isAccepted)
    }

    // MARK: - Texts

    @Test func `a text that is too long is cut where it is written`() throws {
        let text = String(repeating: "x", count: 10)
        let payload =
            #"{"androidV2":{"remoteNotification":{"notification":{"body":"\#(text)"}}},"notification":{"body":"b"}}"#
        let places = try #require(
            Array(payload.utf8).withJSON { root in
                AlertTextPlace.all(of: .body, in: root, of: .fcm, on: .android).map(\.pointer)
            })
        // That of the message is not sent.
        #expect(places == ["/androidV2/remoteNotification/notification/body"])
    }
}
