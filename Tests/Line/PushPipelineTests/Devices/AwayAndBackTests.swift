import PushDevices
import PushModel
import PushPipeline
import TestSupport
import Testing

/// What providers queue for an offline device. Expectations: `apns-expiration` and the one slot, Apple, "Sending notification requests
/// to APNs" and "Viewing the status of push notifications"; keys, numbers and lifetimes, Firebase Cloud Messaging HTTP protocol.
struct AwayAndBackTests {
    // MARK: - APNs

    @Test func `a push to an offline device is queued and arrives when it is online`() throws {
        let store = MemoryStore()
        #expect(
            try story([away(), push("one"), back()], store: store)
                == ["1 device applied", "2 held", "3 device applied", "3<2 delivered"])
        #expect(try store.notifications().map(\.identifier) == ["push-2"])
        #expect(try store.notifications().map(\.content.body) == ["one"])
    }

    @Test func `of several queued pushes to one app only the newest is kept, whatever their collapse ids`() throws {
        #expect(
            try story([
                away(), push("one", headers: #""apns-collapse-id":"a""#),
                push("two", headers: #""apns-collapse-id":"b""#),
                back(),
            ]) == [
                "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied", "4<3 delivered",
            ])
    }

    @Test func `each app on a device has its own slot`() throws {
        #expect(
            try story([away(), push(app: "org.example.a"), push(app: "org.example.b"), back()])
                == ["1 device applied", "2 held", "3 held", "4 device applied", "4<2 delivered", "4<3 delivered"])
    }

    @Test func `a push with apns-expiration 0 is not queued`() throws {
        #expect(
            try story([away(), push(headers: #""apns-expiration":"0""#), back()])
                == ["1 device applied", "2 expired not-stored", "3 device applied"])
    }

    @Test func `a push is queued until its expiration`() throws {
        // The clock shows 1700000000.001 at the push, and one millisecond more at each record.
        let expiration = #""apns-expiration":"1700000060""#
        #expect(
            try story([away(), push(headers: expiration), advance("59s"), back()])
                == ["1 device applied", "2 held", "3 clock applied", "4 device applied", "4<2 delivered"])
        #expect(
            try story([away(), push(headers: expiration), advance("60s"), back()])
                == ["1 device applied", "2 held", "3 clock applied", "3<2 expired expired", "4 device applied"])
    }

    @Test func `a push without an expiration is queued for 30 days`() throws {
        #expect(try story([away(), push(), advance("29d23h"), back()]).last == "4<2 delivered")
        #expect(
            try story([away(), push(), advance("30d"), back()])
                == ["1 device applied", "2 held", "3 clock applied", "3<2 expired expired", "4 device applied"])
    }

    @Test func `an expiration beyond 30 days is limited to 30 days`() throws {
        let far = #""apns-expiration":"1800000000""#
        #expect(try story([away(), push(headers: far), advance("30d")]).last == "3<2 expired expired")
    }

    @Test func `the collapse id applies when the queued push arrives`() throws {
        let collapse = #""apns-collapse-id":"score""#
        let store = MemoryStore()
        #expect(
            try story([push("1:0", headers: collapse), away(), push("2:0", headers: collapse), back()], store: store)
                == ["1 delivered", "2 device applied", "3 held", "4 device applied", "4<3 replaced"])
        #expect(try store.notifications().map(\.content.body) == ["2:0"])
    }

    @Test func `background pushes to a force-quit app are dropped, queued ones too`() throws {
        #expect(
            try story([away(), backgroundPush(), device(#""state":"force-quit""#), back(), backgroundPush(), push()])
                == [
                    "1 device applied", "2 held", "3 device applied", "3<2 discarded force-quit", "4 device applied",
                    "5 suppressed force-quit", "6 delivered",
                ])
    }

    // MARK: - GCM and FCM

    @Test func `messages with the same collapse key replace each other`() throws {
        #expect(
            try story([away("android", platform: .android), data(key: "k"), data(key: "k"), back("android")])
                == [
                    "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied",
                    "4<3 silent",
                ])
    }

    /// Firebase, "Non-collapsible and collapsible messages": notification messages are always collapsible, and the parameter
    /// collapse_key is ignored for them.
    @Test func `notification messages ignore their collapse keys and replace each other`() throws {
        func notification(_ key: String) -> String {
            #"{"to":"android"\#(key),"notification":{"body":"12"},"data":{"a":"1"}}"#
        }
        let lines = try story([
            away("android", platform: .android), notification(#","collapse_key":"a""#), notification(""),
            data(to: "android", key: "a"),
            #"{"message":{"token":"android","android":{"collapse_key":"b","notification":{"body":"13"}}}}"#,
            back("android"),
        ])
        #expect(
            lines == [
                "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 held", "5 held",
                "5<3 discarded superseded", "6 device applied", "6<4 silent", "6<5 delivered",
            ])
    }

    @Test func `four collapse keys are kept, and a fifth evicts the least recently used`() throws {
        let keys = ["a", "b", "c", "d", "a", "e"]
        let lines = try story([away("android", platform: .android)] + keys.map { data(key: $0) } + [back("android")])
        #expect(
            lines == [
                "1 device applied", "2 held", "3 held", "4 held", "5 held", "6 held", "6<2 discarded superseded",
                "7 held",
                "7<3 discarded too-many-collapse-keys", "8 device applied", "8<4 silent", "8<5 silent", "8<6 silent",
                "8<7 silent",
            ])
    }

    @Test func `one hundred messages without a key are queued`() throws {
        let lines = try story(
            [away("android", platform: .android)] + (0..<100).map { _ in data() } + [back("android")])
        #expect(lines.count { $0.hasSuffix(" silent") } == 100)
        #expect(!lines.contains { $0.contains("discarded") })
    }

    @Test func `one more drops all of them, and the app is notified`() throws {
        var total: [Int] = []
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 0)
        let records =
            [away("android", platform: .android), data(key: "k")] + (0..<101).map { _ in data() } + [back("android")]
        var discarded = 0
        try Pipeline(configuration).process(records.joined(separator: "\n")) { report in
            if report.outcome == .discarded { discarded += 1 }
            if report.note?.event == "deleted_messages" { total.append(report.note?.totalDeleted ?? 0) }
            #expect(report.outcome != .silent)
        }
        // The hundred, the one with a key, and the one over the limit.
        #expect(discarded == 102)
        #expect(total == [102])
    }

    @Test func `a message is queued for its time to live`() throws {
        let records = [away("android", platform: .android), data(ttl: 60)]
        #expect(try story(records + [advance("59s"), back("android")]).last == "4<2 silent")
        #expect(try story(records + [advance("60s"), back("android")]).last == "4 device applied")
        #expect(try story(records + [advance("60s")]).last == "3<2 expired expired")
    }

    @Test func `a message without a time to live is queued for four weeks`() throws {
        let records = [away("android", platform: .android), data()]
        #expect(try story(records + [advance("27d23h"), back("android")]).last == "4<2 silent")
        #expect(try story(records + [advance("28d")]).last == "3<2 expired expired")
    }

    @Test func `a message with a time to live of 0 is not queued`() throws {
        #expect(try story([away("android", platform: .android), data(ttl: 0)]).last == "2 expired not-stored")
    }

    @Test func `FCM v1 gives the time to live in its android block`() throws {
        let message =
            #"{"message":{"token":"android","android":{"ttl":"3.5s","collapse_key":"k"},"data":{"a":"1"}}}"#
        let records = [away("android", platform: .android), message, message]
        #expect(try story(records)[2...] == ["3 held", "3<2 discarded superseded"])
        #expect(try story(records + [advance("2s")]).last == "4 clock applied")
        #expect(try story(records + [advance("3s")]).last == "4<3 expired expired")
    }

    @Test func `notification messages without a key use the app's name`() throws {
        let message = #"{"to":"android","notification":{"title":"Hi"}}"#
        #expect(
            try story([away("android", platform: .android), message, message])[2...]
                == ["3 held", "3<2 discarded superseded"])
    }

    // MARK: - Order

    /// The order depends on nothing but the messages, so that it is the same when devices are divided.
    @Test func `messages that expire at the same time are in the order in which they were accepted`() throws {
        let records = [
            away("aa"), away("bb"), push(to: "aa", headers: #""apns-expiration":"1700000020""#),
            push(to: "bb", headers: #""apns-expiration":"1700000010""#), advance("1h"), push(to: "cc"),
        ]
        #expect(
            try story(records)[2...]
                == [
                    "3 held", "4 held", "5 clock applied", "5<3 expired expired", "5<4 expired expired", "6 delivered",
                ])
    }

    @Test func `a message expires before the record that comes then, whatever becomes of that`() throws {
        let held = [away("aa"), push(to: "aa", headers: #""apns-expiration":"1700000010""#), push(to: "dd")]
        let fourth = [
            ("nonsense", "4 malformed json.syntax"), (push(to: "cc"), "4 delivered"), (away("cc"), "4 device applied"),
        ]
        for (record, own) in fourth {
            let lines = try story(held + [record, push(to: "ee")]) {
                // Records are a millisecond apart.
                $0.clock = .fixed(milliseconds: 1_700_000_010_000 - 3)
            }
            #expect(lines[2...] == ["3 delivered", "4<2 expired expired", own, "5 delivered"])
        }
    }

    @Test(arguments: [1, 2, 4]) func `each queued message is reported exactly once more`(jobs: Int) throws {
        var generator = SeededGenerator(seed: 7)
        var records: [String] = []
        for index in 0..<3000 {
            let name = "a\(generator.next() % 20)"
            switch generator.next() % 8 {
            case 0: records.append(away(name, platform: name.hasSuffix("1") ? .android : .ios))
            case 1: records.append(back(name))
            case 2: records.append(advance("\(generator.next() % 3600)s"))
            case 3:
                records.append(
                    data(to: name, key: generator.next() % 2 == 0 ? "k\(generator.next() % 6)" : nil, ttl: 600))
            case 4: records.append(backgroundPush(to: name))
            default: records.append(push("\(index)", to: name, app: "org.example.\(generator.next() % 2)"))
            }
        }
        records += (0..<20).map { back("a\($0)") }
        var open: Set<UInt64> = []
        var told = 0
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        configuration.jobs = jobs
        try Pipeline(configuration).process(records.joined(separator: "\n")) { report in
            if let original = report.note?.original {
                #expect(open.remove(original) != nil, "\(original) was not held, or had been told of")
                told += 1
            } else if report.outcome == .held {
                open.insert(report.seq)
            }
        }
        #expect(open.isEmpty)
        #expect(told > 300)
    }
}
