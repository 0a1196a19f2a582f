import PushDevices
import PushPipeline
import PushReports
import PushSQLite
import PushText
import TestSupport
import Testing

/// Screens as text, where an app hides the texts of its notifications.
struct HiddenPreviewTests {
    private let records = [
        #"{"event":"device","device":"ab54","app":"chat","previews":"when-unlocked","categories":"#
            + #"[{"id":"TALK","placeholder":"%u messages","shows_title":true}]}"#,
        #"{"event":"device","device":"ab54","app":"mail"}"#,
        Self.push("chat", #""alert":{"title":"Ada","subtitle":"Gate","body":"At six"},"category":"TALK""#),
        Self.push("chat", #""alert":"Secret""#), Self.push("mail", #""alert":"Mail""#),
        Self.push("chat", #""alert":"x""#, to: "cd"),
    ]

    private static func push(_ app: String, _ aps: String, to device: String = "ab54") -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)"},"payload":{"aps":{\#(aps)}}}"#
    }

    private func locked(_ value: String) -> String { #"{"event":"device","device":"ab54","locked":\#(value)}"# }

    private func deliver(_ records: [String], to store: any DeliveryStore) throws {
        try Pipeline(configuration(), deliveringTo: store).process(records.joined(separator: "\n")) { _ in }
    }

    /// The lines of the cards, without the frames and the last lines.
    private func cards(_ store: any BrowsableStore, device: String? = nil) throws -> [String] {
        var text = ""
        try ScreenReport(style: TextStyle(hasColors: false, columns: nil)).write(store, device: device) { text += $0 }
        return text.split(separator: "\n").filter { $0.hasPrefix("  ╭") || $0.hasPrefix("  │") }
            .map { String($0.dropFirst(4)) }
    }

    private func check(_ store: some DeliveryStore & BrowsableStore) throws {
        try deliver(records, to: store)
        let all = ["Mail", "Secret", "Ada · Gate", "At six", "x"]
        #expect(try cards(store) == all)
        try deliver([locked("true")], to: store)
        #expect(try cards(store) == ["Mail", "Notification", "Ada", "2 messages", "x"])
        #expect(try cards(store, device: "cd") == ["x"])
        #expect(try store.notifications(device: "ab54").map(\.content.body) == ["At six", "Secret", "Mail"])
        try deliver([locked("false")], to: store)
        #expect(try cards(store) == all)
        try deliver([locked(#""before-first-unlock""#)], to: store)
        #expect(try cards(store, device: "ab54") == ["Mail", "Notification", "Ada", "2 messages"])
    }

    @Test func `a locked device shows placeholders`() throws { try check(MemoryStore()) }

    @Test func `a locked device in a file shows placeholders`() throws {
        let folder = try TestFolder()
        try check(try SQLiteStore(path: folder.path("phone.db")))
    }

    /// Source: Apple, `UNNotificationContent.relevanceScore`.
    @Test func `the scheduled summary shows the most relevant notification first`() throws {
        let folder = try TestFolder()
        let stores: [any DeliveryStore & BrowsableStore] = [
            MemoryStore(), try SQLiteStore(path: folder.path("phone.db")),
        ]
        for store in stores {
            try deliver(
                [
                    #"{"event":"summary","device":"ab54","app":"news","on":true}"#,
                    Self.push("news", #""alert":"Urgent","interruption-level":"time-sensitive""#),
                    Self.push("news", #""alert":"High","relevance-score":0.9"#), Self.push("news", #""alert":"Old""#),
                    Self.push("news", #""alert":"Low","relevance-score":0.1"#), Self.push("news", #""alert":"New""#),
                ], to: store)
            #expect(try cards(store) == ["Urgent", "High", "Low", "New", "Old"])
            #expect(try store.notifications(device: "ab54").map(\.content.body).last == "New")
            try deliver([#"{"event":"summary","device":"ab54","app":"news","on":false}"#], to: store)
            #expect(try cards(store) == ["New", "Low", "Old", "High", "Urgent"])
        }
    }

    @Test func `no device is asked if none hides anything`() throws {
        let folder = try TestFolder()
        let stores: [any DeliveryStore & BrowsableStore] = [
            MemoryStore(), try SQLiteStore(path: folder.path("phone.db")),
        ]
        for store in stores {
            try deliver([#"{"event":"device","device":"cd","types":["\"previews\":\"x"]}"#], to: store)
            #expect(try store.devicesSeenDifferently().isEmpty)
            try deliver(records, to: store)
            #expect(try store.devicesSeenDifferently() == ["ab54"])
        }
    }
}
