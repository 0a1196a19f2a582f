import PushDevices
import PushModel
import PushPipeline
import Testing

/// One device under several names. Sources: Apple, "Sending notification requests to APNs", `:path`; Firebase Cloud Messaging HTTP
/// protocol, `restricted_package_name`.
struct SameDeviceTests {
    private static let lower = String(repeating: "ab", count: 32)
    private static let upper = lower.uppercased()

    @Test(arguments: [1, 3])
    func `both cases of a token are one screen`(jobs: Int) throws {
        let store = MemoryStore()
        let id = #""apns-collapse-id":"score""#
        let lines = try story(
            [push(to: Self.lower, headers: id), push(to: Self.upper, headers: id)], store: store
        ) { $0.jobs = jobs }
        #expect(lines == ["1 delivered", "2 replaced"])
        for name in [Self.lower, Self.upper] {
            #expect(try store.notifications(device: name).map(\.device) == [Self.lower])
            #expect(try store.events(device: name).count == 2)
        }
    }

    @Test(arguments: [(lower, upper), (upper, lower)])
    func `an event finds the device in either case`(first: String, second: String) throws {
        let lines = try story([
            device(#""online":false"#, of: first), push(to: second), device(#""online":true"#, of: second),
            #"{"event":"tap","device":"\#(first)"}"#,
        ])
        #expect(Array(lines.prefix(4)) == ["1 device applied", "2 held", "3 device applied", "3<2 delivered"])
        #expect(lines.last?.hasPrefix("4 tap applied") == true)
    }

    @Test func `a device of Android with digits for a name is found by its messages`() throws {
        let lines = try story([
            device(#""online":false"#, of: "A1"), data(to: "A1"), device(#""online":true"#, of: "A1"),
        ])
        #expect(lines == ["1 device applied", "2 held", "3 device applied", "3<2 silent"])
    }

    // MARK: - Packages

    private func gcm(package: Bool, to token: String = "t:1", tag: String = "score") -> String {
        let name = package ? #","restricted_package_name":"org.example.news""# : ""
        return #"{"to":"\#(token)","notification":{"body":"12","tag":"\#(tag)"}\#(name)}"#
    }

    private func fcm(package: Bool, to token: String = "t:1") -> String {
        let name = package ? #""restricted_package_name":"org.example.news","# : ""
        return #"{"message":{"token":"\#(token)","android":{\#(name)"notification":{"body":"12","tag":"score"}}}}"#
    }

    @Test(arguments: [true, false])
    func `a message is on the same screen with its package's name and without`(first: Bool) throws {
        #expect(try story([gcm(package: first), gcm(package: !first)]) == ["1 delivered", "2 replaced"])
        #expect(try story([fcm(package: first), fcm(package: !first)]) == ["1 delivered", "2 replaced"])
        #expect(try story([fcm(package: first), gcm(package: !first)]) == ["1 delivered", "2 replaced"])
    }

    @Test(arguments: [true, false], [#","app":"org.example.news""#, ""])
    func `the same on a registered device, online and back`(first: Bool, app: String) throws {
        let event = #"{"event":"device","device":"t:1","platform":"android"\#(app),"online":"#
        let lines = try story([
            event + "true}", gcm(package: first), gcm(package: !first), event + "false}", gcm(package: first),
            event + "true}",
        ])
        #expect(
            lines == [
                "1 device applied", "2 delivered", "3 replaced", "4 device applied", "5 held", "6 device applied",
                "6<5 replaced",
            ])
    }

    @Test func `a package that is not the registered one is still refused`() throws {
        let event = #"{"event":"device","device":"t:1","platform":"android","app":"org.example.other"}"#
        let lines = try story([event, gcm(package: true)]) { $0.devicePolicy.rejectsUnknownDevices = true }
        #expect(lines.last == "2 rejected InvalidPackageName")
    }

    @Test func `packages of one topic stay apart`() throws {
        let topic = "/topics/votes"
        let other = gcm(package: true, to: topic).replacing("org.example.news", with: "org.example.other")
        #expect(try story([gcm(package: true, to: topic), other]) == ["1 delivered", "2 delivered"])
    }
}
