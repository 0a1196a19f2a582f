#if os(Linux)
    import PushDevices
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushPipeline
    import TestSupport
    import Testing

    /// How extensions act on Notification Center.
    @Suite struct CenterTests {
        @Test func `a notification with the same custom id is removed, and the new one appears`() throws {
            let run = try Run(
                "custom-id", input: Push.line("1", id: "a") + Push.line("2", id: "b") + Push.line("3", id: "a"))
            #expect(run.outcomes == [.delivered, .delivered, .reposted])
            #expect(run.lines.map(\.replaces) == [nil, nil, 1])
            #expect(try run.shown().map(\.identifier) == ["push-2", "push-3"])
            #expect(
                try run.events() == [
                    "1 delivered push-1", "2 delivered push-2", "3 removed push-1", "3 delivered push-3",
                ])
        }

        @Test func `each device and each app has its own screen`() throws {
            let run = try Run(
                "custom-id", input: Push.line("1", device: "ab", id: "a") + Push.line("2", device: "cd", id: "a"))
            #expect(run.outcomes == [.delivered, .delivered])
        }

        @Test func `a handler call right after a removal is reported`() throws {
            let run = try Run("racing-custom-id", input: Push.line("1", id: "a") + Push.line("2", id: "a"))
            #expect(run.rules == [[], ["extension.removal-race"]])
        }

        @Test func `a removal that is lost leaves the earlier notification`() throws {
            let run = try Run("racing-custom-id", input: Push.line("1", id: "a") + Push.line("2", id: "a")) {
                $0.removal = .lostAfterHandler(.seconds(60))
            }
            #expect(run.outcomes == [.delivered, .delivered])
            #expect(try run.shown().map(\.identifier) == ["push-1", "push-2"])
        }

        @Test func `a late removal happens at its own time by the run's clock`() throws {
            let pushes = Push.line("1", id: "a") + Push.line("2", id: "a")
            let clock = #"{"event":"clock","advance":"59s"}"# + "\n" + #"{"event":"clock","advance":"1s"}"# + "\n"
            let run = try Run("racing-custom-id", input: pushes + clock + Push.line("5", id: "b")) {
                $0.removal = .delayed(.seconds(60))
            }
            #expect(run.outcomes == [.delivered, .delivered, .applied, .applied, .delivered])
            #expect(try run.shown().map(\.identifier) == ["push-2", "push-5"])
            #expect(try run.events().suffix(3) == ["2 delivered push-2", "2 removed push-1", "5 delivered push-5"])
        }

        @Test func `a removal that is due after the last record is pending`() throws {
            let run = try Run("racing-custom-id", input: Push.line("1", id: "a") + Push.line("2", id: "a")) {
                $0.removal = .delayed(.seconds(60))
            }
            #expect(try run.shown().map(\.identifier) == ["push-1", "push-2"])
            #expect(run.store.staleCount() == StaleCount(shown: 1, pending: 1))
        }

        /// Two runs give the same times: they are those of the settings, and not those of the machine.
        @Test(arguments: [
            // The removal is asked for when the push arrives, at 1001; the extension waits until it is done.
            ("custom-id", RemovalTiming.immediate, 200, ["removed 1001", "delivered 1201"]),
            ("custom-id", .immediate, 0, ["removed 1001", "delivered 1001"]),
            // Whether a removal is late is a matter of real time: the program does not wait a minute.
            ("racing-custom-id", .delayed(.seconds(60)), 200, ["delivered 1201"]),
            ("racing-custom-id", .lostAfterHandler(.seconds(60)), 200, ["delivered 1201", "removal-lost 1201"]),
        ])
        func `the journal has a removal and the new notification at their own times`(
            probe: String, removal: RemovalTiming, wait: Int, expected: [String]
        ) throws {
            let run = try Run(probe, input: Push.line("1", id: "a") + Push.line("2", id: "a")) {
                $0.removal = removal
                $0.removalWait = .milliseconds(wait)
            }
            let events = try run.store.events()
            let start = try #require(events.first).at
            let times = events.dropFirst().map { "\($0.kind.name) \($0.at - start + 1000)" }
            #expect(times == expected)
            #expect(try run.store.notifications().last?.deliveredAt == events.last { $0.kind == .delivered }?.at)
        }

        @Test func `a local notification appears when its time has come`() throws {
            // Ten minutes after the first push by the clock, which advances a millisecond per record.
            let lines = (0..<3).map { Push.line("\($0)") }.joined()
            let run = try Run("local", input: lines)
            #expect(try run.shown().map(\.identifier) == ["push-1", "push-2", "push-3"])
            #expect(try run.shown().map(\.content.subtitle) == ["reminded", "reminded", "reminded"])
        }

        @Test func `an action of a category that the extension has registered is carried out`() throws {
            let tap = #"{"event":"tap","device":"ab","action":"REPLY","text":"Yes"}"# + "\n"
            let unknown = #"{"event":"tap","device":"ab","action":"MUTE"}"# + "\n"
            let run = try Run("categories", input: Push.line("TALK") + unknown + tap)
            #expect(run.outcomes == [.delivered, .ignored, .applied])
            #expect(try run.shown().isEmpty)
            #expect(try run.store.events().contains { $0.identifier == "REPLY \"Yes\"" })
        }

        @Test func `an extension sees the categories of its app on its device, and those of a push before`() throws {
            let event =
                #"{"event":"device","device":"ab","app":"org.example.news","categories":[{"id":"OLD"}]}"# + "\n"
            let pushes = Push.line("A") + Push.line("B") + Push.line("C", device: "cd")
            let run = try Run("categories", input: event + pushes) { $0.instances = 2 }
            #expect(try run.shown().map(\.content.subtitle) == ["OLD", "A OLD", nil])
        }

        @Test func `categories that cannot be read are reported and change nothing`() throws {
            let folder = try Folder()
            let program = try Program.script(
                #"""
                while read -r line; do
                  id=${line#*'"id":'}; id=${id%%,*}
                  echo '{"method":"setNotificationCategories","id":'$id',"categories":[{"actions":[]}]}'
                  echo '{"method":"contentHandler","id":'$id'}'
                done
                """#, in: folder)
            let run = try Run("", program: program, input: Push.line("1"))
            #expect(run.rules == [["extension.content"]])
        }

        @Test func `changed user info keeps its types`() throws {
            let run = try Run("user-info", input: Push.line("1", members: #","secret":1,"kept":2"#))
            let changes = try #require(try run.shown().first?.changes)
            let object = try #require(JSONSerialization.jsonObject(with: Data(changes.utf8)) as? [String: Any])
            let info = try #require(object["userInfo"] as? [String: Any])
            #expect(info["secret"] == nil)
            #expect(info["kept"] as? Int == 2)
            #expect((info["list"] as? [Any])?.count == 4)
            #expect(info["date"] as? [String: Int] == ["$date": 1])
            #expect(info["data"] as? [String: String] == ["$data": "AQI="])
            #expect(object["title"] == nil)
        }

        @Test func `defaults of an app group are shared between processes`() throws {
            let folder = try Folder()
            let lines = (0..<6).map { Push.line("\($0)", device: "0\($0)") }.joined()
            _ = try Run("group", input: lines) { $0.sandbox = folder.path("sandbox") }
            let second = try Run("group", input: Push.line("again")) { $0.sandbox = folder.path("sandbox") }
            #expect(second.store.badge(device: "ab", app: "org.example.news") == 7)
        }
    }
#endif
