#if os(Linux)
    import ExtensionHosting
    import PushModel
    import PushPipeline
    import Testing

    /// How notifications are presented that an extension has changed.
    struct PresentationTests {
        private let summary = #"{"event":"summary","device":"ab","on":true}"# + "\n"

        private func focus(_ people: String) -> String {
            #"{"event":"focus","device":"ab","on":true,"people":[\#(people)]}"# + "\n"
        }

        /// Source: Apple, "Implementing communication notifications".
        @Test func `a communication notification passes the summary, and a Focus that allows its sender`() throws {
            let run = try Run("sender", input: summary + Push.line("Ada"))
            #expect(run.lines.map(\.quiet) == [nil, nil])
            #expect(try run.shown().map(\.content.title) == ["Ada"])
            let focused = try Run("sender", input: focus(#""Ada""#) + Push.line("Ada") + Push.line("Grace"))
            #expect(focused.lines.map(\.quiet) == [nil, nil, "focus"])
        }

        @Test func `one that is left without a place is suppressed, with its badge and a line of the journal`() throws {
            let settings = #"{"event":"device","device":"ab","notification_center":false}"# + "\n"
            let push = #"{"device":"ab","payload":{"aps":{"alert":"T","badge":3,"mutable-content":1}}}"# + "\n"
            let run = try Run("template", input: settings + summary + push)
            #expect(run.outcomes == [.applied, .applied, .suppressed])
            #expect(try run.store.events().map(\.kind).contains(.suppressed))
            #expect(run.store.badge(device: "ab", app: "org.example.news") == 3)
        }

        @Test func `another notification passes neither`() throws {
            let run = try Run("template", input: summary + Push.line("Ada"))
            #expect(run.lines.map(\.quiet) == [nil, "summary"])
            let focused = try Run("template", input: focus(#""Ada""#) + Push.line("Ada"))
            #expect(focused.lines.map(\.quiet) == [nil, "focus"])
        }

        @Test func `without the entitlement the sender is not shown, and a finding says so`() throws {
            let run = try Run("sender", input: summary + Push.line("Ada")) { $0.mayCommunicate = false }
            #expect(run.rules == [[], ["extension.communication"]])
            #expect(run.lines.map(\.quiet) == [nil, "summary"])
            #expect(try run.shown().map(\.content.title) == ["T"])
            #expect(try run.shown().first?.changes?.contains("sender") != true)
        }

        @Test func `the level that an extension sets counts`() throws {
            let run = try Run("level", input: focus("") + Push.line("1"))
            #expect(run.lines.map(\.quiet) == [nil, nil])
        }

        /// The order of what apps do is that of the input, however far ahead the extensions run.
        @Test(arguments: [1, 3])
        func `apps show notifications in the order of the input`(instances: Int) throws {
            let state = #"{"event":"device","device":"ab","app":"org.example.news","state":"foreground"}"# + "\n"
            let plain = #"{"device":"ab","payload":{"aps":{"alert":"plain"}}}"# + "\n"
            let run = try Run("custom-id", input: state + Push.line("1") + plain + Push.line("3") + plain) {
                $0.instances = instances
            }
            #expect(run.lines.dropFirst().map { $0.steps.contains("list") } == [true, true, true, true])
            let filtered = try Run("empty", input: state + Push.line("1")) { $0.mayFilter = true }
            #expect(filtered.lines[1].steps.isEmpty)
        }
    }
#endif
