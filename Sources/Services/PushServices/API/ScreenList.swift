import PayloadJSON
import PushDecoding
import PushModel
import PushReports
import PushStore
import PushText

/// Which notifications of a screen to show.
struct ScreenPage: Equatable {
    /// Only those that were delivered before the one in this place.
    var before = UInt64.max
    /// How many at most.
    var limit = 1000
}

/// The screens of a store's devices, as JSON: notifications as `pushpipe store show` writes them, and apps as `store list` does.
struct ScreenList {
    let store: any BrowsableStore

    /// The place of the journal's last line, also if a reset has removed it; 0 if there was none.
    var lastPlace: UInt64 { ((try? store.journalPlaces()) ?? 1..<1).upperBound - 1 }

    /// Appends `{"device","app","count","badge","latest"}`.
    func append(_ center: CenterSummary, to out: inout ByteBuffer) {
        appendLine(to: &out) { CenterReport(style: TextStyle(hasColors: false), form: .ndjson).append(center, to: &$0) }
    }

    /// Appends what a device shows: `"notifications"`, newest first, and `"activities"` on the lock screen, most relevant first.
    ///
    /// - Parameter path: of the request, without its query, for the page after this one.
    func appendScreens(
        device: String, app: String?, _ page: ScreenPage, path: String, to out: inout ByteBuffer
    ) throws {
        let writer = NotificationWriter(isCSV: false)
        let shown = try store.newest(on: device, app: app, before: page.before, limit: page.limit)
        out.appendArray(named: "notifications", shown, separator: ",\n") { placed, out in
            appendLine(to: &out) { writer.append(placed.notification, to: &$0) }
        }
        if shown.count == page.limit, let last = shown.last {
            let app = app.map { "&app=\(APITarget.encoded($0))" } ?? ""
            out.appendMember("next", "\(path)?before=\(last.place)&limit=\(page.limit)\(app)")
        }
        let activities = try store.liveActivities(device: device, app: app).filter { $0.state != .dismissed }
        out.appendArray(named: "activities", LiveActivity.inOrderOfRelevance(activities), separator: ",\n") {
            activity, out in
            appendLine(to: &out) { writer.append(activity, to: &$0) }
        }
    }

    /// Appends a line of the journal: its place, and what `store events` says of it.
    func append(_ line: PlacedEntry, to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.append(line.place)
        out.append(",")
        var text = ByteBuffer()
        JournalLine.append(line.entry, to: &text)
        // SOUND: the bytes are copied before the buffer changes.
        unsafe out.appendRaw(text.bytes.dropFirst().dropLast())
    }

    /// Appends events as an array, each as `store devices` writes it.
    func append(_ apps: [RegisteredApp], to out: inout ByteBuffer) {
        out.appendArray(apps.flatMap { [$0.event] + $0.furtherEvents }, separator: ",\n") { event, out in
            appendLine(to: &out) { $0.appendEvent(event) }
        }
    }

    func append(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
        appendLine(to: &out) { NotificationWriter(isCSV: false).append(notification, to: &$0) }
    }

    /// Appends a notification that is gone.
    ///
    /// - Parameter content: its content; nil if it is not known.
    func append(_ entry: JournalEntry, _ content: ShownContent?, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(entry.seq)
        out.appendMember("device", entry.device)
        out.appendMember("app", entry.app)
        out.appendMember("identifier", entry.identifier)
        out.appendMember("title", content?.title)
        out.appendMember("subtitle", content?.subtitle)
        out.appendMember("body", content?.body)
        out.appendMember("thread", content?.thread)
        if let badge = content?.badge { out.appendMember("badge", badge) }
        out.appendMember("delivered_at", milliseconds: entry.at)
        out.appendMember("gone", true)
        out.appendMember("known", content != nil)
        out.append("}")
    }

    private func appendLine(to out: inout ByteBuffer, _ body: (inout ByteBuffer) -> Void) {
        var line = ByteBuffer()
        body(&line)
        // SOUND: the bytes are copied before the buffer changes.
        unsafe out.appendRaw(line.bytes.dropLast())
    }
}
