import PushModel
import Testing

/// Airnotifier, `api/push.py`, `pushservices/apns.py` and `hooks/moodle.py`, and the requests that Moodle posts.
@Suite struct AirnotifierTests {
    static let token = "0123456789abcdef"

    static func push(_ members: String) throws -> Reading { try read(#"{"token":"0123456789abcdef",\#(members)}"#) }

    // MARK: - Devices

    /// APNs gets a request without a device token, as for `"token":""`.
    @Test(arguments: ["", #""token":"","#, #""token":null,"#, #""token":5,"#])
    func `a push for an Apple device without a token names none`(token: String) throws {
        let record = #"{"provider":"airnotifier","payload":{\#(token)"device":"ios","alert":"x"}}"#
        #expect(try refusal(of: record) == Refusal("MissingDeviceToken", 400, at: "/payload/token"))
    }

    @Test(arguments: [
        (#""device":"fcm","alert":"x""#, Provider.fcm, Platform.android),
        (#""device":"FCM","alert":"x""#, .fcm, .android),
        (#""device":"android-fcm","alert":"x""#, .fcm, .android),
        (#""device":"Android-fcm","alert":"x""#, .fcm, .android),
        (#""device":"ios-fcm","alert":"x""#, .fcm, .ios),
        (#""device":"iOS-fcm","alert":"x""#, .fcm, .ios),
        (#""device":"ios","alert":"x""#, .apns, .ios),
        (#""device":"iOS","alert":"x""#, .apns, .ios),
        (#""alert":"x""#, .fcm, .android),
    ])
    func `the device says who sends`(members: String, provider: Provider, platform: Platform) throws {
        let reading = try Self.push(members)
        #expect(reading.isAccepted)
        #expect(reading.provider == provider)
        #expect(reading.platform == platform)
        #expect(reading.gateway == .airnotifier)
        #expect(reading.device == Self.token)
        #expect(reading.isShown)
    }

    /// The gateway writes such records. A body with line breaks stands in a string.
    @Test(arguments: [
        (#"{"token":"ABCD","device":"ios","alert":"x"}"#, Provider.apns, Platform.ios, "abcd"),
        (#""{\n\"token\":\"ABCD\",\"device\":\"iOS\"}""#, .apns, .ios, "abcd"),
        (#"{"token":"ABCD","device":"ios-fcm"}"#, .fcm, .ios, "ABCD"),
        (#"{"token":"ABCD","device":"android-fcm"}"#, .fcm, .android, "ABCD"),
        (#"{"token":"ABCD"}"#, .fcm, .android, "ABCD"), (#""{oops""#, .fcm, .android, "default"),
        ("null", .fcm, .android, "default"),
    ])
    func `a push that the gateway refused is of the service that its device names`(
        payload: String, provider: Provider, platform: Platform, device: String
    ) throws {
        let reading = try read(#"{"provider":"airnotifier","refused":"app key is required","payload":\#(payload)}"#)
        #expect(Refusal(reading) == Refusal("app key is required", 400, at: "/refused"))
        #expect(reading.provider == provider)
        #expect(reading.platform == platform)
        #expect(reading.device == device)
        #expect(reading.gateway == .airnotifier)
    }

    @Test(arguments: [
        (#"{"token":"ABCD","device":"ab","alert":"x"}"#, "abcd"), (#"{"alert":"x"}"#, "default"), ("null", "default"),
    ])
    func `a notification of Moodle that the gateway refused is a push to APNs`(payload: String, device: String) throws {
        let reading = try read(#"{"provider":"moodle","refused":"Invalid token","payload":\#(payload)}"#)
        #expect(Refusal(reading) == Refusal("Invalid token", 400, at: "/refused"))
        #expect(reading.provider == .apns && reading.platform == .ios && reading.gateway == .moodle)
        #expect(reading.device == device && reading.limit == 256)
    }

    @Test(arguments: ["android", "web", "", "fcm-android", "iosx", "gcm", "mpns", "sms"])
    func `a device of no known type is refused by Airnotifier itself`(device: String) throws {
        let record = #"{"token":"t","device":"\#(device)","alert":"x"}"#
        #expect(try refusal(of: record) == Refusal("Invalid device type", 400, at: "/device"))
        #expect(try read(record).gateway == .airnotifier)
    }

    @Test(arguments: ["wns", "WNS"])
    func `a device of a type that is not emulated has nothing to send`(device: String) throws {
        let reading = try Self.push(#""device":"\#(device)","alert":"x""#)
        #expect(reading.decodeFailure?.rule == "record.nothing-to-send")
    }

    // MARK: - To FCM

    @Test func `a text becomes title and body`() throws {
        let reading = try Self.push(#""device":"android-fcm","alert":"Hi""#)
        #expect(reading.shown == ShownContent(title: "Hi", body: "Hi"))
        // title + Hi + body + Hi
        #expect(reading.bytes == 13)
    }

    @Test func `an alert object becomes the notification, its values as strings`() throws {
        #expect(try Self.push(#""alert":{"title":"T","body":5}"#).isAccepted)
        let reading = try Self.push(#""alert":{"title":"T","body":5,"a":true,"b":false,"c":null}"#)
        // FCM's notification has no such fields.
        #expect(reading.reason == "INVALID_ARGUMENT")
        #expect(reading.shown == ShownContent(title: "T", body: "5"))
        // titleT + body5 + a1 + b0
        #expect(reading.bytes == 6 + 5 + 2 + 2)
    }

    @Test(arguments: [#""alert":"""#, #""fcm":{"data":{}}"#, #""alert":null"#])
    func `without an alert nothing is shown`(member: String) throws {
        let reading = try Self.push(member)
        #expect(reading.isAccepted)
        #expect(!reading.isShown)
    }

    @Test func `values of data become strings`() throws {
        let reading = try Self.push(
            #""alert":"","fcm":{"data":{"t":true,"f":false,"n":null,"i":42,"r":1.5,"s":"x","o":{"a":1}}}"#)
        #expect(reading.isAccepted)
        // t1 f0 i42 r1.5 sx, and o with {"a":1}
        #expect(reading.bytes == 2 + 2 + 3 + 4 + 2 + 8)
    }

    @Test func `the blocks for platforms are handed on as they are`() throws {
        let android = try Self.push(#""alert":"x","fcm":{"android":{"notification":{"tag":"chat","body":"B"}}}"#)
        #expect(android.identifier == "chat")
        #expect(android.shown == ShownContent(title: "x", body: "B"))
        let ios = try Self.push(
            #""device":"ios-fcm","alert":"x","fcm":{"apns":{"headers":{"apns-collapse-id":"c"},"#
                + #""payload":{"aps":{"badge":3,"mutable-content":1}}}}"#)
        #expect(ios.identifier == "c")
        #expect(ios.shown == ShownContent(title: "x", body: "x", badge: 3))
        #expect(ios.startsServiceExtension)
        let refused = try Self.push(#""alert":"x","fcm":{"android":{"ttl":5}}"#)
        #expect(refused.reason == "INVALID_ARGUMENT")
    }

    @Test func `data of an iOS device stands beside aps`() throws {
        let reading = try Self.push(#""device":"ios-fcm","alert":"x","fcm":{"data":{"n":1}}"#)
        #expect(reading.payload == #"{"aps":{"alert":{"title":"x","body":"x"}},"n":"1"}"#)
    }

    // MARK: - To APNs

    @Test func `a text for iOS becomes body and title without its line feeds`() throws {
        let reading = try Self.push(#""device":"ios","alert":"one\ntwo\n""#)
        #expect(reading.shown == ShownContent(title: "onetwo", body: "onetwo"))
        #expect(reading.pushType == .alert)
        #expect(reading.payload.contains(#""badge":null"#))
        #expect(reading.payload.contains(#""sound":"default""#))
    }

    @Test func `of the apns block only six names pass`() throws {
        let reading = try Self.push(
            #""device":"ios","alert":"x","apns":{"thread-id":"t","category":"c","content-available":1,"sound":"s.caf","#
                + #""badge":4,"mutable-content":1,"custom":"lost","interruption-level":"passive"}"#)
        #expect(reading.shown == ShownContent(title: "x", body: "x", thread: "t", badge: 4))
        #expect(!reading.startsServiceExtension)
        for member in [#""category":"c""#, #""content-available":1"#, #""sound":"s.caf""#] {
            #expect(reading.payload.contains(member), "\(member)")
        }
        for name in ["mutable-content", "custom", "interruption-level"] {
            #expect(!reading.payload.contains(name), "\(name)")
        }
    }

    @Test func `an alert in the apns block goes before the other`() throws {
        let reading = try Self.push(#""device":"ios","alert":"x","apns":{"alert":{"title":"T","body":"B"}}"#)
        #expect(reading.shown == ShownContent(title: "T", body: "B"))
    }

    @Test func `the push type comes from the apns block`() throws {
        let reading = try Self.push(#""device":"ios","alert":"x","apns":{"push_type":"background"}"#)
        #expect(reading.pushType == .background)
        #expect(!reading.payload.contains("push_type"))
    }

    @Test func `a token for iOS must be one of APNs`() throws {
        #expect(try read(#"{"token":"nonsense","device":"ios","alert":"x"}"#).reason == "BadDeviceToken")
    }

    // MARK: - Moodle

    static let extra =
        #""processor":"moodle","sitefullname":"Campus","smallmessage":"Small","fullmessage":"Full","userfromid":7"#

    @Test func `Moodle's fields become the notification and its data`() throws {
        let reading = try Self.push(#""device":"Android-fcm","extra":{\#(Self.extra)}"#)
        #expect(reading.isAccepted)
        #expect(reading.shown == ShownContent(title: "Campus", body: "Small"))
        let notification = "titleCampus" + "bodySmall"
        let data = "processormoodle" + "sitefullnameCampus" + "smallmessageSmall" + "fullmessageFull" + "userfromid7"
        #expect(reading.bytes == notification.utf8.count + data.utf8.count)
    }

    @Test func `Moodle's title and body have substitutes`() throws {
        let reading = try Self.push(#""device":"fcm","extra":{"processor":"moodle","fullmessage":"Full"}"#)
        #expect(reading.shown == ShownContent(title: "Notification", body: "Full"))
    }

    @Test(arguments: ["null", #""""#])
    func `an alert that is there but empty makes Moodle's message data only`(alert: String) throws {
        let reading = try Self.push(#""device":"fcm","alert":\#(alert),"extra":{\#(Self.extra)}"#)
        #expect(reading.isAccepted)
        #expect(!reading.isShown)
    }

    @Test func `an alert that is given stands before Moodle's fields`() throws {
        let reading = try Self.push(#""device":"fcm","alert":"given","extra":{\#(Self.extra)}"#)
        #expect(reading.shown == ShownContent(title: "given", body: "given"))
    }

    @Test func `Moodle's hook takes the place of the fcm block`() throws {
        let reading = try Self.push(
            #""device":"fcm","extra":{\#(Self.extra)},"fcm":{"data":{"from":"x"},"#
                + #""android":{"notification":{"tag":"t"}}}"#
        )
        #expect(reading.isAccepted)
        #expect(reading.identifier == nil)
    }

    @Test func `extra of another processor is not sent`() throws {
        let reading = try Self.push(#""device":"fcm","alert":"","extra":{"processor":"other","smallmessage":"S"}"#)
        #expect(reading.bytes == 0)
        #expect(!reading.isShown)
    }
}
