import DeviceScreens
import NotificationStore
import PayloadJSON
import PushReports
import TerminalStyle

/// What a store has on the screens of devices, as JSON: notifications as `pushpipe store show` writes them, and apps as `store list` does.
struct ScreenList {
    private let store: any NotificationStore

    init(_ store: any NotificationStore) { self.store = store }

    /// Every app on a device with its number of notifications, in the order in which they were first seen.
    ///
    /// Of a store in memory, only apps that show something.
    ///
    /// - Parameter device: nil for all.
    func apps(device: String?) throws -> [CenterSummary] {
        var centers: [CenterSummary] = []
        if let store = store as? SQLiteStore {
            try store.forEachCenter { if device == nil || $0.device == device { centers.append($0) } }
            return centers
        }
        try store.forEachScreen(device: device, app: nil) { shown in
            guard let newest = shown.last else { return }
            let badge = (store as? MemoryStore)?.badge(device: newest.device, app: newest.app)
            centers.append(
                CenterSummary(
                    device: newest.device, app: newest.app, badge: badge, count: shown.count,
                    latest: newest.deliveredAt))
        }
        return centers
    }

    /// Appends `{"device","app","count","badge","latest"}`.
    func append(_ center: CenterSummary, to out: inout ByteBuffer) {
        appendLine(to: &out) { CenterReport(style: TextStyle(hasColors: false), form: .ndjson).append(center, to: &$0) }
    }

    /// Appends what a device shows: `"notifications"`, newest first, and `"activities"` on the lock screen, most relevant first.
    func appendScreens(device: String, app: String?, to out: inout ByteBuffer) throws {
        let writer = NotificationWriter(isCSV: false)
        out.appendMemberName("notifications")
        out.append("[")
        for (index, notification) in try store.notifications(device: device, app: app).reversed().enumerated() {
            if index > 0 { out.append(",\n") }
            appendLine(to: &out) { writer.append(notification, to: &$0) }
        }
        out.append("]")
        let activities = try store.liveActivities(device: device, app: app).filter { $0.state != .dismissed }
        out.appendMemberName("activities")
        out.append("[")
        for (index, activity) in LiveActivity.inOrderOfRelevance(activities).enumerated() {
            if index > 0 { out.append(",\n") }
            append(activity, to: &out)
        }
        out.append("]")
    }

    private func append(_ activity: LiveActivity, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(activity.seq)
        out.appendMember("device", activity.device)
        out.appendMember("app", activity.app)
        out.appendMember("identifier", activity.identifier)
        out.appendMember("state", activity.state.rawValue)
        out.appendMember("attributes_type", activity.attributesType)
        if let content = activity.contentState {
            out.appendMemberName("content_state")
            // It was part of a payload, so it is JSON.
            out.appendText(content.replacing("\n", with: " "))
        }
        out.appendMember("updated_at", milliseconds: activity.updatedAt)
        out.append("}")
    }

    /// Appends a line without its end.
    private func appendLine(to out: inout ByteBuffer, _ body: (inout ByteBuffer) -> Void) {
        var line = ByteBuffer()
        body(&line)
        // SOUND: the bytes are copied before the buffer changes.
        unsafe out.appendRaw(line.bytes.dropLast())
    }
}
