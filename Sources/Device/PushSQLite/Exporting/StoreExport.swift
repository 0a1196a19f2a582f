import PushDevices
package import PushJSON
package import PushModel
package import PushRedaction

/// Writes a store's contents as lines that `StoreImporter` and other programs can read.
package struct StoreExport {
    /// Which contents are written.
    package enum Extent: Sendable {
        case notifications
        /// Everything needed to restore an equal store: also devices, badges and numbers.
        case state
        case stateAndJournal
    }

    private let extent: Extent
    private let device: String?
    private let redactor: NotificationRedactor?
    private let notifications: NotificationWriter

    /// - Parameters:
    ///   - device: the only device to write; nil for all devices, and what concerns no device.
    ///   - isCSV: writes CSV, which has notifications only, instead of NDJSON.
    ///   - redactor: nil to write everything as it is.
    package init(
        _ extent: Extent, device: String? = nil, isCSV: Bool = false, redactor: NotificationRedactor? = nil
    ) {
        self.extent = extent
        self.device = device
        self.redactor = redactor
        notifications = NotificationWriter(isCSV: isCSV)
    }

    /// Passes the lines to `append`, one per call. They are from one snapshot of the store, even while another process
    /// writes to it.
    ///
    /// - Parameter redaction: the redaction of the lines, by the store or by the redactor.
    package func write(
        _ store: SQLiteStore, redaction: StoreRedaction?, to append: ((inout ByteBuffer) -> Void) throws -> Void
    ) throws {
        try store.atOneMoment {
            try append { notifications.appendHeading(to: &$0) }
            if extent != .notifications { try writeState(of: store, redaction, append) }
            try store.forEachNotification(device: device, app: nil, newestFirst: false) { notification in
                let notification = redactor?.redact(notification) ?? notification
                try append { notifications.append(notification, to: &$0) }
            }
            if extent == .stateAndJournal {
                try store.forEachEvent(device: device) { entry in
                    let entry = redactor?.redact(entry) ?? entry
                    try append { JournalLine.append(entry, to: &$0) }
                }
            }
            if extent != .notifications { try append { $0.append("{\"end\":true}\n") } }
        }
    }

    /// State that is not in the notifications: the last record's number and time, the order in which apps on devices were
    /// first seen, badges, devices, Live Activities.
    private func writeState(
        of store: SQLiteStore, _ redaction: StoreRedaction?, _ append: ((inout ByteBuffer) -> Void) throws -> Void
    ) throws {
        let last = try store.lastSequence
        let time = try store.lastRecordTime
        try append { out in
            out.append("{\"export\":")
            out.append(UInt64(ExportReader.version))
            out.append(",\"last_sequence\":")
            out.append(last)
            if let time { out.appendMember("last_record_at", milliseconds: time) }
            out.appendMember("redacted", redaction?.parts)
            out.appendMember("redaction_key", redaction?.keyMark)
            out.append("}\n")
        }
        try store.forEachBadge { device, app, badge in
            guard self.device == nil || self.device == device else { return }
            let device = redactor?.device(device) ?? device
            try append { notifications.append(device: device, app: redactor?.app(app) ?? app, badge: badge, to: &$0) }
        }
        try store.forEachDeviceRecord { record in
            if let device, record.values["device"] != .text(device) { return }
            let record = redactor?.redact(record) ?? record
            try append { record.appendLine(to: &$0) }
        }
    }
}

extension DeviceRecord {
    /// Appends the record as a line: `{"installation":{…}}`, `{"held":{…}}`, `{"live_activity":{…}}`, `{"removal":{…}}`.
    fileprivate func appendLine(to out: inout ByteBuffer) {
        out.append("{\"")
        out.appendText(kind.name)
        out.append("\":{")
        for column in kind.columns {
            guard let value = values[column.name] else { continue }
            out.appendMemberName(text: column.name)
            switch value {
            case .text(let text): out.appendJSONString(text)
            case .integer(let number): out.appendText(String(number))
            }
        }
        out.append("}}\n")
    }
}

extension SQLiteStore {
    /// Writes an export redacted as a run with the same redaction would have.
    ///
    /// - Parameters:
    ///   - device: the only device to write, by its name in the store; nil for all devices.
    ///   - advice: the words for what to do if the store was redacted with another key.
    /// - Throws: `PlainError`, `StoreError`, what `append` throws.
    package func export(
        _ extent: StoreExport.Extent, device: String? = nil, isCSV: Bool, hiding redaction: Redaction?,
        advice: Advice.Wording = Advice.unsaid, to append: ((inout ByteBuffer) -> Void) throws -> Void
    ) throws {
        // One snapshot, so that the redaction state matches the notifications.
        try atOneMoment {
            let known = try self.redaction
            let hidden = try redaction.map { try StoreRedaction($0).united(with: known, advice) } ?? known
            let export = StoreExport(
                extent, device: device, isCSV: isCSV, redactor: redaction.map { NotificationRedactor($0) })
            try export.write(self, redaction: hidden, to: append)
        }
    }
}
