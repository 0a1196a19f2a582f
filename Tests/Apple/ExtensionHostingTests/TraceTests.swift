#if os(Linux)
    import ExtensionHosting
    import PushJSON
    import PushModel
    import PushPipeline
    import PushReports
    import PushText
    import Testing

    /// What a trace reports about an extension.
    @Suite struct TraceTests {
        /// The extension section of each message, without times, which differ between runs.
        private func sections(
            _ probe: String, program: String? = nil, _ input: String,
            _ configure: (inout ExtensionConfiguration) -> Void = { _ in }
        ) throws -> [[String]] {
            var options = ExtensionConfiguration(executable: try program ?? Program.probe())
            options.environment = ["PUSHPIPE_PROBE": probe, "SWIFT_BACKTRACE": "enable=no"]
            configure(&options)
            let host = try ExtensionHost(options)
            defer { host.finish() }
            var configuration = PipelineConfiguration()
            configuration.traces = true
            let writer = TraceReport(style: TextStyle(hasColors: false))
            var found: [[String]] = []
            try Pipeline(configuration, serviceExtension: host).process(input) {
                report in
                var out = ByteBuffer()
                writer.append(report, to: &out)
                let lines = String(decoding: out.bytes, as: UTF8.self).split(separator: "\n")
                let section = lines.drop { !$0.hasPrefix("extension") }
                let body = section.dropFirst().prefix { $0.hasPrefix(" ") }
                found.append(
                    (section.prefix(1) + body).map { line in
                        String(line.replacing(#/^ *\+\d+\.\d ms  /#, with: "").replacing(#/^  /#, with: ""))
                    })
            }
            return found
        }

        @Test func `the steps of an extension are listed in order, followed by its changes`() throws {
            let found = try sections("custom-id", Push.line("1", id: "a") + Push.line("2", id: "a"))
            #expect(found.count == 2)
            #expect(found[0].first == "extension  modified")
            let second = found[1]
            #expect(
                second.starts(with: ["extension  modified", "→ didReceive", "← getDeliveredNotifications: push-1"]))
            #expect(second.contains("← removeDeliveredNotifications: push-1"))
            #expect(second.contains("← getDeliveredNotifications: none"))
            #expect(second.contains("← contentHandler"))
        }

        @Test func `the changed content is compared with the original`() throws {
            #expect(
                try sections("template", Push.line("Hi")) == [
                    ["extension  modified", "→ didReceive", "← contentHandler", #"~ /title: "T" → "T [modified]""#]
                ])
            let info = try sections("user-info", Push.line("1", members: #","secret":1,"kept":2"#))
            #expect(info[0].contains("- /userInfo/secret: 1"))
            #expect(info[0].contains(#"+ /userInfo/data: {"$data": "AQI="}"#))
            #expect(!info[0].contains { $0.contains("kept") })
        }

        @Test func `a crash and a time limit are steps`() throws {
            let crash = try sections("exit", Push.line("Hi"))
            #expect(
                crash == [["extension  original", "→ didReceive", "the extension exited with status 3"]])
            let trap = try #require(sections("crash", Push.line("Hi")).first?.last)
            #expect(trap.hasSuffix(": Fatal error: asked to crash"), "\(trap)")
            let late = try sections("silent", Push.line("Hi")) { $0.timeLimit = .milliseconds(300) }
            #expect(
                late == [
                    [
                        "extension  original", "→ didReceive", "→ serviceExtensionTimeWillExpire",
                        "the time limit passed before the content handler was called",
                    ]
                ])
        }

        @Test func `what a device forgets is reported`() throws {
            let found = try sections("racing-custom-id", Push.line("1", id: "a") + Push.line("2", id: "a")) {
                $0.removal = .lostAfterHandler(.seconds(60))
            }
            #expect(
                found[1].contains("the removal of push-1 is lost: the content handler was called before it was done"))
            let late = try sections("racing-custom-id", Push.line("1", id: "a") + Push.line("2", id: "a")) {
                $0.removal = .delayed(.seconds(60))
            }
            #expect(late[1].contains("the removal of push-1 comes after the notification"))
        }

        @Test func `local notifications and the badge are steps`() throws {
            #expect(try sections("local", Push.line("1"))[0].contains { $0.hasPrefix("← add: reminder, due ") })
            let badge = try sections("badge", Push.line("1"))
            #expect(badge[0].contains { $0.hasPrefix("~ /badge: ") || $0.hasPrefix("+ /badge: ") })
        }

        @Test(arguments: [
            (#"{"aps":{"alert":"Hi"}}"#, "mutable-content is not 1"),
            (#"{"aps":{"badge":1,"mutable-content":1}}"#, "there is no alert"),
            (#"{"to":"t","notification":{"title":"A"}}"#, "Android has no service extensions"),
            (
                #"{"headers":{"apns-push-type":"voip","apns-topic":"t.voip"},"payload":{"aps":{"alert":"A","mutable-content":1}}}"#,
                "the system shows no pushes of this type"
            ),
            (#"{"device":"xyz","headers":{},"payload":{"aps":{"alert":"A"}}}"#, "the provider refuses the message"),
            (
                #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"A","mutable-content":1}}}},"validate_only":true}"#,
                "the message is not delivered"
            ),
        ])
        func `the reason why no extension is started is reported`(payload: String, reason: String) throws {
            #expect(try sections("crash", payload) == [["extension  not started: \(reason)"]])
        }

        @Test func `a trace of many prefetched pushes reports each separately`() throws {
            let lines = (0..<40).map { Push.line("\($0)", device: "\($0 % 7)0", id: "\($0 % 3)") }.joined()
            let found = try sections("custom-id", lines) { $0.instances = 2 }
            #expect(found.count == 40)
            for section in found {
                #expect(section.count { $0 == "→ didReceive" } == 1)
                #expect(section.count { $0 == "← contentHandler" } == 1)
            }
        }
    }
#endif
