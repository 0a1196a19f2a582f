package import PayloadJSON
import PushModel
package import PushRedaction
package import PushStore

extension StoreRedaction {
    package init(_ redaction: Redaction) { self.init(parts: redaction.parts.rawValue, keyMark: redaction.keyMark) }

    /// The redaction state of a store that hides `known` after this redaction is applied.
    func united(with known: StoreRedaction?) throws(RedactionMismatch) -> StoreRedaction {
        guard let known, known != self else { return self }
        guard known.keyMark == keyMark else {
            throw RedactionMismatch(
                description: "the store was redacted with a different key", advice: .passRedactionKey)
        }
        return StoreRedaction(parts: Redaction.Parts.all.rawValue, keyMark: known.keyMark)
    }
}

extension StoreLocation {
    /// A file of SQLite.
    package static func sqlite(_ path: String) -> StoreLocation {
        StoreLocation(path: path) { path, redaction in
            let store = try SQLiteStore(path: path)
            try store.take(redaction)
            return store
        }
    }

    /// A copy of such a file in memory: what is written is not kept.
    package static func sqlite(copyOf path: String) -> StoreLocation {
        StoreLocation(path: path) { path, redaction in
            let store = try SQLiteStore(path: path, access: .existing, isCopy: true)
            try store.take(redaction)
            return store
        }
    }
}

extension SQLiteStore {
    /// Checks that a run hides the same parts as the store, under the same key. A new store records them.
    ///
    /// - Throws: `RedactionMismatch`, `StoreError`.
    package func take(_ redaction: Redaction?) throws {
        let wanted = redaction.map { StoreRedaction($0) }
        if try adopt(wanted) { return }
        throw
            switch try (self.redaction, wanted)
        {
        case (let known?, let wanted?) where known.parts == wanted.parts:
            RedactionMismatch(
                description: "was redacted with a different key, so every device would appear twice",
                advice: .repeatRedactionKey)
        case (let known?, _):
            RedactionMismatch(
                description: "was created with redaction of \(known.parts)", advice: .repeatRedaction(known.parts))
        case (nil, _):
            RedactionMismatch(description: "contains data that is not redacted", advice: .redactStore)
        }
    }
}

extension SQLiteStore {
    /// Writes an export redacted as a run with the same redaction would have.
    ///
    /// - Parameter device: the only device to write, by its name in the store; nil for all devices.
    /// - Throws: `RedactionMismatch`, `StoreError`, what `append` throws.
    package func export(
        _ extent: StoreExport.Extent, device: String? = nil, isCSV: Bool, hiding redaction: Redaction?,
        to append: ((inout ByteBuffer) -> Void) throws -> Void
    ) throws {
        // One snapshot, so that the redaction state matches the notifications.
        try atOneMoment {
            let known = try self.redaction
            let hidden = try redaction.map { try StoreRedaction($0).united(with: known) } ?? known
            let export = StoreExport(
                extent, device: device, isCSV: isCSV, redactor: redaction.map { NotificationRedactor($0) })
            try export.write(self, redaction: hidden, to: append)
        }
    }
}
