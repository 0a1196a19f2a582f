#if os(Linux)
    import ExtensionHosting
    import PushDevices
    import PushJSON
    import PushDecoding
    import PushModel
    import PushPipeline
    import Testing

    /// A user's stages run before and after the service extension.
    struct StageOrderTests {
        /// Records the title of each push, and suppresses pushes with a given body.
        final class Recorder: DeliveryStage {
            private(set) var bodies: [String] = []
            private(set) var results: [Outcome] = []
            var suppressed: String?

            func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {
                let body = message.content.body?.string ?? ""
                bodies.append(body)
                if body == suppressed { message.verdict = .suppressed("test") }
            }

            func didDeliver(_ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) {
                if let result { results.append(result.outcome) }
            }
        }

        @Test func `the stage before sees the original push, the stage after the extension's content`() throws {
            var options = ExtensionConfiguration(executable: try Program.probe())
            options.environment = ["PUSHPIPE_PROBE": "custom-id", "SWIFT_BACKTRACE": "enable=no"]
            let host = try ExtensionHost(options)
            defer { host.finish() }
            let (before, after) = (Recorder(), Recorder())
            before.suppressed = "3"
            var configuration = PipelineConfiguration()
            configuration.decoding.topic = "org.example.news"
            let pipeline = Pipeline(
                configuration, deliveringTo: MemoryStore(),
                [before, RegistryStage(), ServiceExtensionStage(host), after])
            var outcomes: [Outcome] = []
            var handled: [ServiceExtensionOutcome?] = []
            let input = ["1", "2", "3"].map { Push.line($0, id: "a") }.joined()
            try pipeline.process(input) {
                outcomes.append($0.outcome)
                handled.append($0.message.serviceExtension)
            }
            #expect(outcomes == [.delivered, .reposted, .suppressed])
            #expect(handled == [.modified, .modified, nil])
            #expect(before.bodies == ["1", "2", "3"])
            #expect(after.bodies.count == 2)
            // The stage between the extension and the store does not know yet that the first one is removed.
            #expect(after.results == [.delivered, .delivered])
            #expect(before.results == [.delivered, .reposted])
        }
    }
#endif
