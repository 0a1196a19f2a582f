import DeviceScreens
package import NotificationStore
package import PayloadJSON
import PushModel

/// Why a store cannot take, or give, redacted notifications.
package struct RedactionMismatch: Error, Equatable, CustomStringConvertible {
    /// One line that says what to do.
    package let description: String
}

extension StoreRedaction {
    package init(_ redaction: Redaction) { self.init(parts: redaction.parts.rawValue, keyMark: redaction.keyMark) }

    /// What is hidden once this redaction has been applied to a store that hides `known`.
    func united(with known: StoreRedaction?) throws(RedactionMismatch) -> StoreRedaction {
        guard let known, known != self else { return self }
        guard known.keyMark == keyMark else {
            throw RedactionMismatch(
                description: "the store was redacted with another key; give that one with --redact-key-file or "
                    + "PUSHPIPE_REDACT_KEY")
        }
        return StoreRedaction(parts: Redaction.Parts.all.rawValue, keyMark: known.keyMark)
    }
}

extension SQLiteStore {
    /// Makes sure that a run hides what the store hides, under the same key. A new store notes what is hidden.
    ///
    /// - Throws: `RedactionMismatch`, `StoreError`.
    package func take(_ redaction: Redaction?) throws {
        let wanted = redaction.map { StoreRedaction($0) }
        if try adopt(wanted) { return }
        let description =
            switch try (self.redaction, wanted) {
            case (let known?, let wanted?) where known.parts == wanted.parts:
                "was redacted with another key, so that every device would be there twice; give the same one with "
                    + "--redact-key-file or PUSHPIPE_REDACT_KEY (one that was made up for a run is gone), or use another "
                    + "store"
            case (let known?, _):
                "was made with --redact \(known.parts); give that and its key, or use another store"
            case (nil, _):
                "holds what was not redacted; use another store, or redact this one: "
                    + "pushpipe store export --complete --redact … | pushpipe store import NEW"
            }
        throw RedactionMismatch(description: description)
    }

    /// Writes an export in which a redaction hides what others must not read, as a run with it would have.
    ///
    /// - Throws: `RedactionMismatch`, `StoreError`, what `append` throws.
    package func export(
        _ extent: StoreExport.Extent, isCSV: Bool, hiding redaction: Redaction?,
        to append: ((inout ByteBuffer) -> Void) throws -> Void
    ) throws {
        // One moment, so that what the store hides is what its notifications hide.
        try atOneMoment {
            let known = try self.redaction
            let hidden = try redaction.map { try StoreRedaction($0).united(with: known) } ?? known
            let export = StoreExport(extent, isCSV: isCSV, redactor: redaction.map { NotificationRedactor($0) })
            try export.write(self, redaction: hidden, to: append)
        }
    }
}

extension NotificationRedactor: ExportRedactor {
    /// Hides in a device record what it hides in a notification with the same texts.
    package func redact(_ record: DeviceRecord) -> DeviceRecord {
        var record = record
        func text(_ name: String) -> String {
            if case .text(let text)? = record.values[name] { text } else { "" }
        }
        let redacted = redact(
            DeliveredNotification(
                seq: 0, device: text("device"), app: text("app"), identifier: text("collapse_id"),
                content: ShownContent(), deliveredAt: 0, payload: text("payload")))
        record.values["device"] = .text(redacted.device)
        if record.values["payload"] != nil { record.values["payload"] = .text(redacted.payload) }
        if record.values["collapse_id"] != nil { record.values["collapse_id"] = .text(redacted.identifier) }
        // What else senders and apps choose is left out.
        for name in ["details", "canonical", "collapse_key"] { record.values[name] = nil }
        return record
    }
}
