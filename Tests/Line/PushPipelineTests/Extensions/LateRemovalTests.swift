import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Removals that come after the notification of their extension, or never.
///
/// Source: Apple, `removeDeliveredNotifications(withIdentifiers:)` returns at once and removes in the background.
struct LateRemovalTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(name: "pushpipe-late") }

    /// The clock begins at 0 and counts a millisecond per record.
    private static func configuration(_ removal: RemovalTiming, wait: Int = 0) -> PipelineConfiguration {
        var rule = ReplacementRule(key: "story")
        (rule.removal, rule.wait) = (removal, .milliseconds(wait))
        return PushPipelineTests.configuration {
            $0.clock = .fixed(milliseconds: 0)
            $0.framing = .ndjson
            $0.decoding.replacement = rule
        }
    }

    /// A push that starts the extension.
    private static func push(_ story: String, device: String = "ab54", collapse: String? = nil) -> String {
        let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
        return
            #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"\#(header)},"payload":{"aps":"#
            + #"{"alert":"x","mutable-content":1},"story":"\#(story)"}}"#
    }

    private func stores() throws -> [any DeliveryStore] { [MemoryStore(), try SQLiteStore(path: folder.path("s.db"))] }

    @discardableResult
    private func run(
        _ records: [String], _ configuration: PipelineConfiguration, _ store: any DeliveryStore
    ) throws -> [Reported] {
        var lines: [Reported] = []
        let pipeline = Pipeline(configuration, deliveringTo: store)
        try pipeline.process(records.joined(separator: "\n")) { lines.append(Reported($0)) }
        return lines
    }

    /// `seq kind identifier at` of each line of the journal.
    private func journal(_ store: any DeliveryStore) throws -> [String] {
        try store.events().map { "\($0.seq) \($0.kind.name) \($0.identifier) \($0.at)" }
    }

    private func shown(_ store: any DeliveryStore) throws -> [String] { try store.notifications().map(\.identifier) }

    @Test func `a late removal is done before the first record whose time is not earlier`() throws {
        for store in try stores() {
            let other = (0..<4).map { Self.push("\($0)", device: "cd") }
            let lines = try run(
                [Self.push("a"), Self.push("a")] + other + [Self.push("b")],
                Self.configuration(.delayed(.milliseconds(3)), wait: 1), store)
            // It is asked for at 1, the new one appears at 2, and the removal is due at 4, the time of record 5.
            #expect(
                try journal(store) == [
                    "1 delivered push-1 0", "2 delivered push-2 2", "3 delivered push-3 2", "4 delivered push-4 3",
                    "2 removed push-1 4", "5 delivered push-5 4", "6 delivered push-6 5", "7 delivered push-7 6",
                ])
            #expect(lines[1].line.contains(#","stale":[{"seq":1,"identifier":"push-1","milliseconds":2}]"#))
            #expect(lines.count { $0.line.contains("stale") } == 1)
            #expect(try store.staleCount() == StaleCount())
        }
    }

    @Test func `a removal that is lost has a line of its own, and its notification stays`() throws {
        for store in try stores() {
            let lines = try run(
                [Self.push("a"), Self.push("a"), Self.push("a")],
                Self.configuration(.lostAfterHandler(.milliseconds(100)), wait: 20), store)
            // Each is lost once, however often it is asked for.
            #expect(
                try journal(store) == [
                    "1 delivered push-1 0", "2 delivered push-2 21", "2 removal-lost push-1 21",
                    "3 delivered push-3 22", "3 removal-lost push-2 22",
                ])
            #expect(try shown(store) == ["push-1", "push-2", "push-3"])
            #expect(lines.map { $0.line.contains(#""milliseconds":null"#) } == [false, true, true])
            #expect(try store.staleCount() == StaleCount(shown: 2))
        }
    }

    @Test func `what is due after the last record stays pending, and a later run does it`() throws {
        let configuration = Self.configuration(.delayed(.seconds(2)))
        for store in try stores() {
            try run([Self.push("a"), Self.push("a")], configuration, store)
            #expect(try store.staleCount() == StaleCount(shown: 1, pending: 1))
            #expect(try shown(store) == ["push-1", "push-2"])
            // Its clock begins anew, and does not come to 2001.
            try run([Self.push("b")], configuration, store)
            #expect(try store.staleCount() == StaleCount(shown: 1, pending: 1))
            // Without an extension, and later.
            var later = PushPipelineTests.configuration()
            later.clock = .fixed(milliseconds: 5000)
            try run([apns("c")], later, store)
            #expect(try store.staleCount() == StaleCount())
            #expect(try journal(store).suffix(2) == ["2 removed push-1 2001", "4 delivered push-4 5000"])
        }
    }

    @Test func `a file keeps what is pending for another process`() throws {
        let path = folder.path("s.db")
        let configuration = Self.configuration(.delayed(.milliseconds(3)))
        let records = (0..<9).map { Self.push("a", device: $0.isMultiple(of: 2) ? "ab" : "cd") }
        let whole = MemoryStore()
        let expected = try run(records, configuration, whole)
        for cut in 1..<records.count {
            let store = try SQLiteStore(path: path + "\(cut)")
            let first = try run(Array(records[..<cut]), configuration, store)
            var rest = configuration
            rest.clock = .fixed(milliseconds: Int64(cut))
            let second = try run(Array(records[cut...]), rest, try SQLiteStore(path: path + "\(cut)"))
            #expect(first + second == expected)
            #expect(try journal(store) == journal(whole))
            #expect(try store.staleCount() == whole.staleCount())
        }
    }

    @Test func `an export has what is pending, and an import does it`() throws {
        let store = try SQLiteStore(path: folder.path("s.db"))
        try run(
            [Self.push("a"), Self.push("a"), Self.push("a", collapse: "c"), Self.push("a")],
            Self.configuration(.delayed(.milliseconds(50))), store)
        func export(_ store: SQLiteStore) throws -> String {
            var out = ByteBuffer()
            try StoreExport(.stateAndJournal).write(store, redaction: nil) { $0(&out) }
            return String(decoding: out.bytes, as: UTF8.self)
        }
        let text = try export(store)
        #expect(
            text.contains(
                #"{"removal":{"seq":2,"due":51,"device":"ab54","app":"org.example.news","identifier":"push-1"}}"#))
        let copy = try SQLiteStore(path: folder.path("copy.db"))
        try folder.write(text, to: "export")
        let file = try FileDescriptor.open(folder.path("export"), .readOnly)
        defer { file.close() }
        var counts = ImportCounts()
        try copy.importing { try $0.add(exportFrom: file, &counts) }
        #expect(try export(copy) == text)
        var later = PushPipelineTests.configuration()
        later.clock = .fixed(milliseconds: 52)
        for store in [store, copy] { try run([apns("x")], later, store) }
        #expect(try export(copy) == export(store))
        // The removals of push-1 and push-2 were due at 51 and 52, that of the collapse id is at 53.
        #expect(try copy.staleCount().pending == 1)
    }

    @Test func `an event that moves the clock does what has become due in the order of its times`() throws {
        for store in try stores() {
            let offline = #"{"event":"device","device":"ef","app":"org.example.news","online":false}"#
            let queued =
                #"{"device":"ef","headers":{"apns-topic":"org.example.news","apns-expiration":"60"},"payload":{"aps":{"alert":"x"}}}"#
            try run(
                [offline, queued, Self.push("a"), Self.push("a"), advance("2m"), Self.push("b")],
                Self.configuration(.delayed(.seconds(90))), store)
            #expect(
                try journal(store).suffix(3) == [
                    "2 expired push-2 60000", "4 removed push-3 90003", "6 delivered push-6 120005",
                ])
        }
    }

    /// Apple: a removal names identifiers.
    @Test func `a late removal also takes what has been posted again with its identifier`() throws {
        for store in try stores() {
            try run(
                [
                    Self.push("a", collapse: "c"), Self.push("a"), Self.push("z", collapse: "c"), advance("1s"),
                    Self.push("a", collapse: "c"),
                ],
                Self.configuration(.delayed(.milliseconds(500))), store)
            #expect(
                try journal(store) == [
                    "1 delivered c 0", "2 delivered push-2 1", "3 replaced c 2", "2 removed c 501",
                    "5 delivered c 1004",
                ])
            // The one of record 2 was asked for by record 5.
            #expect(try store.staleCount() == StaleCount(shown: 1, pending: 1))
        }
    }

    @Test func `a duplicate that leaves the screen in another way is no longer stale`() throws {
        for store in try stores() {
            let device = #"{"event":"device","device":"ab54","app":"org.example.news"}"#
            try run(
                [
                    device, Self.push("a", collapse: "c"), Self.push("a"), Self.push("b", collapse: "c"),
                    Self.push("d"), Self.push("d"),
                    #"{"event":"dismiss","device":"ab54","identifier":"push-5"}"#,
                ],
                Self.configuration(.lostAfterHandler(.seconds(1))), store)
            #expect(try store.staleCount() == StaleCount())
            #expect(try shown(store) == ["push-3", "c", "push-6"])
        }
    }

    @Test(arguments: [RemovalTiming.delayed(.milliseconds(40)), .lostAfterHandler(.milliseconds(40))])
    func `jobs and the way of the input make no difference`(removal: RemovalTiming) throws {
        var generator = SeededGenerator(seed: 5)
        let records = (0..<600).map { _ in
            Self.push("\(generator.below(5))", device: "a\(generator.below(6))")
        }
        let configuration = Self.configuration(removal)
        let one = MemoryStore()
        let expected = try run(records, configuration, one)
        #expect(expected.contains { $0.line.contains("stale") })
        var jobs = configuration
        jobs.jobs = 3
        let three = MemoryStore(keepsJournal: false, keepsContent: false)
        #expect(try run(records, jobs, three) == expected)
        #expect(three.staleCount() == one.staleCount())
        let file = try SQLiteStore(path: folder.path("file.db"))
        #expect(try run(records, configuration, file) == expected)
        #expect(try journal(file) == journal(one))
        #expect(try file.staleCount() == one.staleCount())
        #expect(try shown(file) == shown(one))
    }

    @Test(arguments: [RemovalTiming.lostAfterHandler(.seconds(1)), .delayed(.seconds(3600))])
    func `a flood of pushes with one id costs no more for each than it leaves behind`(removal: RemovalTiming) throws {
        let store = MemoryStore()
        let count = 3000
        let lines = try run((0..<count).map { _ in Self.push("a") }, Self.configuration(removal), store)
        let isLost = removal != .delayed(.seconds(3600))
        #expect(store.staleCount() == StaleCount(shown: count - 1, pending: isLost ? 0 : count - 1))
        #expect(try store.events().count == (isLost ? 2 * count - 1 : count))
        #expect((lines.last?.line.utf8.count ?? 0) < 500)
    }
}
