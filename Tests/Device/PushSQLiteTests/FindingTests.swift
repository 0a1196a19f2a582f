import PushDevices
import PushJSON
import PushModel
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// What events find on screens, compared with looking at each notification.
struct FindingTests {
    private static let devices = ["ab", "cd"]
    private static let apps = ["org.example.a", "org.example.b", "org.example.c"]

    /// An event's question, with texts that live as long as this.
    private struct Question {
        var app: String?
        var seq: UInt64?
        var identifier: String?

        init(app: String) { self.app = app }

        init(last: UInt64, _ random: inout SplitMix64) {
            app = Bool.random(using: &random) ? nil : FindingTests.apps.randomElement(using: &random)
            seq = Bool.random(using: &random) ? nil : UInt64.random(in: 0...last + 1, using: &random)
            if Bool.random(using: &random) {
                identifier = Bool.random(using: &random) ? "c\(Int.random(in: 0..<4, using: &random))" : "push-\(last)"
            }
        }

        func ask(_ session: any DeliverySession, _ device: BorrowedText) throws -> FoundNotification? {
            try withText(app) { app in
                try withText(identifier) { identifier in
                    try session.newest(on: device, NotificationQuery(app: app, seq: seq, identifier: identifier))
                }
            }
        }

        private func withText<Result>(_ text: String?, _ body: (BorrowedText?) throws -> Result) rethrows -> Result {
            guard let text else { return try body(nil) }
            return try BorrowedText.with(text) { try body($0) }
        }
    }

    /// The same by looking at all.
    private func search(
        _ session: any DeliverySession, _ device: String, _ question: Question
    ) throws -> (order: UInt64, text: String)? {
        var found: (order: UInt64, text: String)?
        for app in Self.apps where question.app ?? app == app {
            try withMessage(of: apns(device: device, app: app)) { message in
                try session.forEachShown(for: message) { shown in
                    let identifier = shown.identifier.string
                    guard question.seq ?? shown.seq == shown.seq, question.identifier ?? identifier == identifier,
                        shown.order >= found?.order ?? 0
                    else { return }
                    found = (shown.order, "\(app) \(identifier) \(shown.seq)")
                }
            }
        }
        return found
    }

    private func check(_ session: any DeliverySession, last: UInt64, _ random: inout SplitMix64) throws {
        for device in Self.devices {
            let question = Question(last: last, &random)
            // Before anything looks at all of them, which writes what waits.
            var identifiers: [[String]] = []
            for app in Self.apps {
                try withMessage(of: apns(device: device, app: app)) {
                    identifiers.append(try session.identifiers(for: $0))
                }
            }
            for (app, found) in zip(Self.apps, identifiers) {
                var shown: [String] = []
                try withMessage(of: apns(device: device, app: app)) { message in
                    try session.forEachShown(for: message) { shown.append($0.identifier.string) }
                }
                #expect(found == shown)
            }
            let expected = try search(session, device, question)
            let showing = try Self.apps.filter { try search(session, device, Question(app: $0)) != nil }
            let found = try BorrowedText.with(device) { name in
                #expect(try session.appsShowing(on: name) == session.apps(of: name).filter(showing.contains))
                #expect(try Set(session.appsShowing(on: name)) == Set(showing))
                return try question.ask(session, name)
            }
            #expect(found.map { "\($0.app) \($0.identifier) \($0.seq)" } == expected?.text)
            guard let found else { continue }
            try withMessage(of: apns(device: device, app: found.app)) { message in
                let content = try session.content(of: found.identifier, for: message)
                #expect(content?.seq == found.seq)
                #expect(content?.payload.contains("aps") == true)
                if Bool.random(using: &random) {
                    _ = try session.remove([found.identifier], askedBy: message, seq: last, at: 0)
                }
            }
        }
    }

    @Test(arguments: ["memory", "file", "reopened"], Effort.some([1, 2] as [UInt64], fast: 1))
    func `events find what looking at all finds`(kind: String, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: seed)
        var store: any DeliveryStore = kind == "memory" ? MemoryStore() : try SQLiteStore(path: folder())
        for _ in 0..<60 {
            if kind == "reopened", Int.random(in: 0..<3, using: &random) == 0 {
                store = try SQLiteStore(path: folder())
            }
            try store.transaction(replacing: nil) { transaction in
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let number = Int.random(in: 0..<8, using: &random)
                    try transaction.deliverAll([
                        apns(
                            device: Self.devices.randomElement(using: &random) ?? "",
                            app: Self.apps.randomElement(using: &random) ?? "",
                            collapseID: number < 4 ? "c\(number)" : nil)
                    ])
                    try check(transaction.screens, last: transaction.progress.lastSequence, &random)
                }
            }
        }
    }
}
