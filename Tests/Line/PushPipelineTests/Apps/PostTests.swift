import AppSimulation
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Notifications that apps post by themselves, and those that they remove because of a push.
///
/// Sources: Firebase, "Receive messages in Android apps": data is handed to the app, which shows it if it wants; Apple, "Scheduling a
/// notification locally from your app", "Pushing background updates to your App", and
/// `removeDeliveredNotifications(withIdentifiers:)`. A notification and its double: notifee, issue 767; react-native-firebase, issue 4768;
/// flutter_local_notifications, issue 1023.
struct PostTests {
    private static func rules() -> MessageRules {
        var post = MessageRules.Post()
        post.condition = .init(at: .pointer("/data/type"), like: "chat")
        post.title = MessageText("{/data/sender} wrote")
        post.tag = MessageText("/data/chat")
        post.channel = MessageText("chats")
        var apple = MessageRules.Post()
        apple.condition.place = .pointer("/sender")
        apple.title = MessageText("{/sender} wrote")
        apple.tag = MessageText("/chat")
        var double = MessageRules.Post()
        double.condition = .init(at: .pointer("/data/type"), like: "double", includesNotifications: true)
        double.body = MessageText("The same again")
        var removal = MessageRules.Removal()
        removal.identifiers = MessageText("/read")
        var rules = MessageRules()
        rules.posts = [post, apple, double]
        rules.removals = [removal]
        return rules
    }

    private func lines(
        _ records: [String], store: any DeliveryStore = MemoryStore(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        try reportLines(
            records, store: store,
            {
                $0.devicePolicy.messageRules = Self.rules()
                configure(&$0)
            },
            line: { report in
                var out = ByteBuffer()
                NDJSONReport().append(report, to: &out)
                return String(String(decoding: out.bytes, as: UTF8.self).dropLast())
            })
    }

    private func post(_ members: String, to device: String = "pixel") -> String {
        #"{"event":"post","device":"\#(device)",\#(members)}"#
    }

    private func chat(_ members: String = "", to device: String = "pixel", chat: String = "chat-7") -> String {
        #"{"message":{"token":"\#(device)","data":{"type":"chat","sender":"Anna","chat":"\#(chat)"}\#(members)}}"#
    }

    private func wake(_ members: String, to device: String = "ab54") -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news","apns-push-type":"background","apns-priority":"5"},"#
            + #""payload":{"aps":{"content-available":1},\#(members)}}"#
    }

    private func screen(_ store: MemoryStore) throws -> [String] {
        try store.notifications().map { notification in
            "\(notification.identifier): \(notification.content.title ?? "-") \(notification.content.body ?? "-")"
        }
    }

    // MARK: - The event

    @Test func `an app posts a notification, and replaces it by its tag`() throws {
        let store = MemoryStore()
        let records = [
            post(#""app":"org.example.chat","title":"Anna wrote","body":"Hi","tag":"chat-7""#),
            post(#""app":"org.example.chat","body":"Hi again","tag":"chat-7""#),
            post(#""app":"org.example.chat","body":"Another""#),
        ]
        #expect(
            try lines(records, store: store) == [
                #"{"seq":1,"event":"post","device":"pixel","app":"org.example.chat","outcome":"applied","identifier":"chat-7"}"#,
                #"{"seq":2,"event":"post","device":"pixel","app":"org.example.chat","outcome":"applied","identifier":"chat-7","replaces":1}"#,
                #"{"seq":3,"event":"post","device":"pixel","app":"org.example.chat","outcome":"applied","identifier":"post-3"}"#,
            ])
        #expect(try screen(store) == ["chat-7: - Hi again", "post-3: - Another"])
        #expect(
            try store.events().map { "\($0.seq) \($0.kind) \($0.identifier)" } == [
                "1 posted chat-7", "1 delivered chat-7", "2 posted chat-7", "2 replaced chat-7", "3 posted post-3",
                "3 delivered post-3",
            ])
        let payload = #"{"android_v2":{"remote_notification":{"notification":{"body":"Another"}}},"posted":true}"#
        #expect(try store.notifications().last?.payload == payload)
    }

    @Test func `without a text there is nothing to show`() throws {
        let store = MemoryStore()
        let line = #"{"seq":1,"event":"post","device":"pixel","outcome":"ignored","reason":"no-alert"}"#
        #expect(try lines([post(#""title":"","tag":"a""#)], store: store) == [line])
        #expect(try store.events().isEmpty)
    }

    @Test func `it replaces a push with the same identifier on every kind of device`() throws {
        let pushes = [
            #"{"message":{"token":"pixel","notification":{"title":"A"},"android":{"notification":{"tag":"same"}}}}"#,
            push("A", headers: #""apns-collapse-id":"same""#),
        ]
        for (push, device) in zip(pushes, ["pixel", "ab54"]) {
            let store = MemoryStore()
            let app = device == "ab54" ? #""app":"org.example.news","# : ""
            _ = try lines([push, post(#"\#(app)"title":"B","tag":"same""#, to: device)], store: store)
            #expect(try screen(store) == ["same: B -"])
        }
    }

    @Test(arguments: [
        (#""authorization":"denied""#, "denied"), (#""alerts":false"#, "alerts-off"),
        (#""state":"force-stopped""#, "force-stopped"),
        (#""channels":[{"id":"chats","importance":"none"}]"#, "channel-off"),
    ])
    func `what keeps a notification from the screen keeps this one`(members: String, reason: String) throws {
        let store = MemoryStore()
        let registered = device(#""platform":"android","app":"org.example.chat",\#(members)"#, of: "pixel")
        let last = try lines([registered, post(#""title":"A","tag":"a","channel":"chats""#)], store: store).last
        #expect(last?.contains(#""outcome":"ignored","reason":"\#(reason)""#) == true)
        #expect(try screen(store).isEmpty)
        #expect(try store.events().map(\.kind) == [.posted, .suppressed])
    }

    @Test(arguments: [
        #""online":false"#, #""logged_in":false"#, #""registration":"failed""#, #""unregistered":true"#,
        #""state":"foreground""#, #""state":"force-quit""#, #""types":[]"#, #""doze":true"#,
    ])
    func `what keeps a push away does not`(members: String) throws {
        for platform in ["android", "ios"] {
            let store = MemoryStore()
            let registered = device(#""platform":"\#(platform)","app":"org.example.chat",\#(members)"#)
            let showsInFront = device(#""will_present":["list"]"#)
            _ = try lines([registered, showsInFront, post(#""title":"A""#, to: "ab54")], store: store) {
                $0.devicePolicy.rejectsUnknownDevices = true
                $0.devicePolicy.typeMapping = PreferenceMapping([PreferenceMapping.Rule(at: .topic)])
            }
            #expect(try screen(store) == ["post-3: A -"], "\(platform)")
        }
    }

    @Test func `it goes to the first app of its device, and counts towards Android's cap`() throws {
        let store = MemoryStore()
        let records = [
            device(#""platform":"android","app":"org.example.chat""#, of: "pixel"), post(#""title":"A""#),
            post(#""title":"B""#),
        ]
        let last = try lines(records, store: store) { $0.devicePolicy.notificationsPerAndroidApp = 1 }.last
        #expect(last?.contains(#""outcome":"ignored","reason":"too-many-notifications""#) == true)
        #expect(last?.contains("android.too-many") == true)
        #expect(try store.notifications().map(\.app) == ["org.example.chat"])
    }

    @Test func `in the foreground of an Apple device the delegate decides`() throws {
        let store = MemoryStore()
        let front = device(#""app":"org.example.news","state":"foreground","will_present":["banner"]"#)
        let last = try lines([front, post(#""title":"A""#, to: "ab54")], store: store).last
        #expect(last?.contains(#""outcome":"applied","identifier":"post-2","steps":["banner""#) == true)
        #expect(try screen(store).isEmpty)
    }

    @Test func `a browser shows it, and counts no silent push`() throws {
        let store = MemoryStore()
        let registered = device(
            #""platform":"web","browser":"safari","app":"https://example.org","state":"foreground""#, of: "tab")
        _ = try lines([registered, post(#""title":"A","tag":"a""#, to: "tab")], store: store)
        #expect(try screen(store) == ["a: A -"])
    }

    // MARK: - Because of messages

    @Test func `an app posts a data message`() throws {
        let store = MemoryStore()
        let lines = try lines([chat(), chat()], store: store)
        #expect(lines.count == 4)
        #expect(lines[0].contains(#""outcome":"silent""#))
        #expect(
            lines[1] == #"{"seq":1,"event":"posted","device":"pixel","outcome":"applied","identifier":"chat-7"}"#)
        #expect(lines[3].hasSuffix(#""identifier":"chat-7","replaces":1}"#))
        #expect(try screen(store) == ["chat-7: Anna wrote -"])
        // A tap can lead somewhere by the data.
        let data = #""data":{"type":"chat","sender":"Anna","chat":"chat-7"}"#
        #expect(try store.notifications().first?.payload.contains(data) == true)
    }

    @Test func `a notification and data make a double only where the app gets both`() throws {
        let notification = #","notification":{"title":"Anna wrote"}"#
        let away = device(#""platform":"android","app":"org.example.chat","state":"background""#, of: "pixel")
        let front = device(#""state":"foreground""#, of: "pixel")
        let store = MemoryStore()
        _ = try lines([away, chat(notification)], store: store)
        #expect(try screen(store) == ["push-2: Anna wrote -"])
        _ = try lines([front, chat(notification)], store: store)
        #expect(try screen(store) == ["push-2: Anna wrote -", "chat-7: Anna wrote -"])

        let double = #"{"message":{"token":"pixel","data":{"type":"double"},"notification":{"body":"Once"}}}"#
        let other = MemoryStore()
        let lines = try lines([away, double], store: other)
        #expect(lines[1].contains(#""outcome":"delivered""#))
        #expect(lines[2].contains(#""event":"posted""#))
        #expect(try screen(other) == ["push-2: - Once", "post-2: - The same again"])
    }

    @Test func `a rule for other messages posts nothing`() throws {
        let other = #"{"message":{"token":"pixel","data":{"type":"sync"}}}"#
        #expect(try lines([other]).count == 1)
        let topic = #"{"message":{"topic":"news","data":{"type":"chat","sender":"A"}}}"#
        #expect(try lines([topic]).count == 2)
        #expect(try lines([chat()], { $0.devicePolicy.messageRules = nil }).count == 1)
    }

    @Test func `a message without the texts of its rule has nothing to show`() throws {
        let empty = #"{"message":{"token":"pixel","data":{"type":"chat"}}}"#
        #expect(
            try lines([empty]).last
                == #"{"seq":1,"event":"posted","device":"pixel","outcome":"ignored","reason":"no-alert"}"#)
    }

    @Test func `a held message is posted when it arrives`() throws {
        let store = MemoryStore()
        let records = [away("pixel", platform: .android), chat(), back("pixel")]
        #expect(
            try story(records, store: store) { $0.devicePolicy.messageRules = Self.rules() } == [
                "1 device applied", "2 held", "3 device applied", "3<2 silent", "3<2 posted applied",
            ])
        #expect(try screen(store) == ["chat-7: Anna wrote -"])
        #expect(try store.notifications().map(\.seq) == [2])
    }

    @Test func `each subscriber of a topic has its own`() throws {
        let store = MemoryStore()
        let subscribers = ["anna", "bela"].map {
            #"{"event":"subscribe","device":"\#($0)","app":"org.example.chat","topic":"news"}"#
        }
        let message = #"{"message":{"topic":"news","data":{"type":"double"}}}"#
        let lines = try story(subscribers + [message], store: store) {
            $0.devicePolicy.messageRules = Self.rules()
        }
        #expect(
            lines.dropFirst(2) == [
                "3 fanned-out", "3.0 silent", "3.0 posted applied", "3.1 silent", "3.1 posted applied",
            ])
        #expect(try store.notifications().map(\.identifier) == ["post-3.0", "post-3.1"])
    }

    @Test func `a background push of APNs is posted, unless the app was force-quit`() throws {
        let store = MemoryStore()
        let background = wake(#""sender":"Anna","chat":"chat-7","url":"/chat""#)
        #expect(try lines([background], store: store).last?.contains(#""event":"posted""#) == true)
        #expect(try screen(store) == ["chat-7: Anna wrote -"])
        #expect(
            try store.notifications().first?.payload
                == #"{"aps":{"alert":{"title":"Anna wrote"}},"sender":"Anna","chat":"chat-7","url":"/chat","posted":true}"#
        )
        let quit = device(#""app":"org.example.news","state":"force-quit""#)
        #expect(try lines([quit, background]).last?.contains("force-quit") == true)
    }

    @Test(arguments: [(true, 3), (false, 1)])
    func `an alert that wakes the app makes a double on an Apple device`(wakes: Bool, count: Int) throws {
        let flag = wakes ? #","content-available":1"# : ""
        let alert =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Anna wrote"\#(flag)},"sender":"Anna","read":"none"}}"#
        #expect(try lines([alert]).count == count)
    }

    // MARK: - Removals

    @Test func `a background push removes delivered notifications`() throws {
        let store = MemoryStore()
        let shown = ["chat-1", "chat-2", "chat-3"].map { push("Text", headers: #""apns-collapse-id":"\#($0)""#) }
        let lines = try lines(shown + [wake(#""read":["chat-1","chat-9","chat-3"]"#)], store: store)
        #expect(
            lines.suffix(3) == [
                #"{"seq":4,"event":"withdrawn","device":"ab54","app":"org.example.news","outcome":"applied","identifier":"chat-1"}"#,
                #"{"seq":4,"event":"withdrawn","device":"ab54","app":"org.example.news","outcome":"ignored","reason":"no-such-notification","identifier":"chat-9"}"#,
                #"{"seq":4,"event":"withdrawn","device":"ab54","app":"org.example.news","outcome":"applied","identifier":"chat-3"}"#,
            ])
        #expect(try store.notifications().map(\.identifier) == ["chat-2"])
        let journal = try store.events().suffix(2).map { "\($0.kind) \($0.identifier)" }
        #expect(journal == ["withdrawn chat-1", "withdrawn chat-3"])
    }

    // MARK: - Stores

    @Test func `a file has the same, and goes on with it`() throws {
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("phone.db"))
        let records = [chat(), post(#""title":"B""#), wake(#""sender":"Anna""#)]
        let memory = MemoryStore()
        #expect(try lines(records, store: store) == lines(records, store: memory))
        #expect(try store.notifications().map(\.identifier) == memory.notifications().map(\.identifier))
        #expect(try store.notifications().map(\.content) == memory.notifications().map(\.content))
        #expect(try store.events().map(\.kind) == memory.events().map(\.kind))
        let again = try lines([chat()], store: SQLiteStore(path: folder.path("phone.db"))).last
        #expect(again?.hasSuffix(#""identifier":"chat-7","replaces":1}"#) == true)
    }

    @Test func `the output does not depend on the number of jobs`() throws {
        let records = (0..<200).flatMap { number in
            let device = "p\(number % 7)"
            return [chat(to: device, chat: "chat-\(number % 3)"), post(#""title":"B""#, to: device)]
        }
        #expect(try lines(records, { $0.jobs = 1 }) == lines(records, { $0.jobs = 4 }))
    }

    // MARK: - Channels, and data of a platform

    /// Android, "Create and manage notification channels": without a channel, the notification does not appear.
    @Test(arguments: [(#","channel":"other""#, "/channel"), ("", "")])
    func `what an app posts in a channel that it does not have does not appear`(channel: String, place: String) throws {
        let store = MemoryStore()
        let start = device(#""platform":"android","app":"a.b","channels":[{"id":"chats"}]"#, of: "pixel")
        let found = try reportLines([start, post(#""title":"A"\#(channel)"#)], store: store) { report in
            report.findings.map { "\(report.reason ?? "") \($0.rule) \($0.pointer)" }.joined()
        }
        #expect(found == ["", "no-channel android.unknown-channel \(place)"])
        #expect(try screen(store).isEmpty)
        #expect(try store.events().map(\.kind) == [.posted, .suppressed])
        #expect(try lines([start, post(#""title":"A","channel":"chats""#)]).last?.contains("applied") == true)
    }

    /// FCM v1, `AndroidConfig.data` overrides `Message.data`; `android_v2.data` does as well.
    @Test func `a rule is for the data that the device gets`() throws {
        let own = #"{"type":"chat","sender":"Own","chat":"c"}"#
        for block in [#""android":{"data":\#(own)}"#, #""android_v2":{"background_sync":{},"data":\#(own)}"#] {
            for common in ["", #""data":{"type":"chat","sender":"Common","chat":"c"},"#] {
                let store = MemoryStore()
                _ = try lines([#"{"message":{"token":"pixel",\#(common)\#(block)}}"#], store: store)
                #expect(try screen(store) == ["c: Own wrote -"])
                #expect(try store.notifications().first?.payload.contains(#""sender":"Own""#) == true)
            }
        }
        #expect(try lines([chat(#","android":{"data":{"type":"sync"}}"#)]).count == 1)
    }

    @Test func `a post of an unknown device is for the platform of the run`() throws {
        let store = MemoryStore()
        _ = try lines([post(#""title":"A""#)], store: store) { $0.decoding.platform = .web }
        #expect(try store.notifications().first?.payload.hasPrefix(#"{"webpush":"#) == true)
    }

    /// A service worker that shows what a data message says has done its duty to Safari.
    @Test func `rules for web sites show their data, and Safari counts no silent push then`() throws {
        var rule = MessageRules.Post()
        rule.title = MessageText("/data/text")
        rule.condition.includesWeb = true
        var rules = MessageRules()
        rules.posts = [rule]
        let store = MemoryStore()
        let start = device(#""platform":"web","browser":"safari","app":"https://example.org""#, of: "tab")
        let messages = (1...4).map { #"{"message":{"token":"tab","data":{"text":"\#($0)"}}}"# }
        let found = try lines([start] + messages, store: store) { $0.devicePolicy.messageRules = rules }
        #expect(!found.contains { $0.contains("fcm.web-silent-push") })
        #expect(try store.notifications().compactMap(\.content.title) == ["1", "2", "3", "4"])
        rules.posts[0].condition.includesWeb = false
        let silent = try lines([start] + messages) { $0.devicePolicy.messageRules = rules }
        #expect(silent.last?.contains("denied") == true)
    }
}
