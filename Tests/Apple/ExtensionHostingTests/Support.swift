#if os(Linux)
    import ExtensionHosting
    import Foundation
    import PushDevices
    import PushDecoding
    import PushModel
    import PushPipeline
    import TestSupport
    import Testing

    /// Programs to run as extensions.
    enum Program {
        /// The built probe: beside the tests, which depend on it.
        static func probe() throws -> String {
            var folders = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
            if let path = CommandLine.arguments.first {
                folders.append(URL(fileURLWithPath: path).deletingLastPathComponent())
            }
            folders += ["debug", "release"].map {
                packageFolder.appendingPathComponent(".build").appendingPathComponent($0)
            }
            return try #require(
                folders.map { $0.appendingPathComponent("ExtensionProbe").path }.first {
                    FileManager.default.isExecutableFile(atPath: $0)
                })
        }

        /// A shell script.
        static func script(_ body: String, in folder: Folder) throws -> String {
            let path = folder.path("extension-\(UUID().uuidString)")
            // Closed in the processes that other tests start meanwhile: a file that is open for writing cannot be executed.
            let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o755)
            try #require(descriptor >= 0)
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: Data("#!/bin/sh\n\(body)\n".utf8))
            try file.close()
            return path
        }
    }

    typealias Folder = TestFolder

    /// A copy of a report.
    struct Line: Equatable {
        var seq: UInt64
        var outcome: Outcome
        var serviceExtension: ServiceExtensionOutcome?
        var replaces: UInt64?
        var rules: [String]
        var quiet: String?
        var steps: [String] = []
    }

    /// The result of an input.
    struct Run {
        var lines: [Line] = []
        var messages: [String] = []
        let store = MemoryStore()

        /// Runs the probe, or another program.
        init(
            _ probe: String, program: String? = nil, jobs: Int = 1, folder: Folder? = nil, input: String,
            _ configure: (inout ExtensionConfiguration) -> Void = { _ in }, whenReported: () -> Void = {}
        ) throws {
            var options = ExtensionConfiguration(executable: try program ?? Program.probe())
            // In a terminal a crash would start a program that reads its stack, for seconds.
            options.environment = ["PUSHPIPE_PROBE": probe, "SWIFT_BACKTRACE": "enable=no"]
            configure(&options)
            let host = try ExtensionHost(options)
            defer { host.finish() }
            var configuration = PipelineConfiguration()
            configuration.clock = .fixed(milliseconds: 1_000_000)
            configuration.jobs = jobs
            configuration.decoding.topic = "org.example.news"
            let pipeline = Pipeline(
                configuration, deliveringTo: store, [RegistryStage(), ServiceExtensionStage(host)])
            try pipeline.process(input) { report in
                lines.append(
                    Line(
                        seq: report.seq, outcome: report.outcome, serviceExtension: report.message.serviceExtension,
                        replaces: report.replaces, rules: report.findings.map(\.rule), quiet: report.quiet,
                        steps: report.note?.steps ?? []))
                messages += report.findings.map(\.message)
                whenReported()
            }
        }

        var outcomes: [Outcome] { lines.map(\.outcome) }
        var extensions: [ServiceExtensionOutcome?] { lines.map(\.serviceExtension) }
        var rules: [[String]] { lines.map(\.rules) }
        func shown() throws -> [DeliveredNotification] { try store.notifications() }
        func events() throws -> [String] { try store.events().map { "\($0.seq) \($0.kind.name) \($0.identifier)" } }
    }

    /// Pushes that start an extension.
    enum Push {
        static func line(_ body: String, device: String = "ab", id: String? = nil, members: String = "") -> String {
            let custom = id.map { ",\"custom-payload-id\":\"\($0)\"" } ?? ""
            return
                #"{"device":"\#(device)","payload":{"aps":{"alert":{"title":"T","body":"\#(body)"},"mutable-content":1}\#(custom)\#(members)}}"#
                + "\n"
        }
    }
#endif
