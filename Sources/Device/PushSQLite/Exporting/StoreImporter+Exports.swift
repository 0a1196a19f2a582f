package import PushStore
package import PushSystem

/// An export that cannot be imported, and the line with the mistake.
package struct ExportFailure: Error, Equatable {
    /// Starts at 1.
    package let line: Int
    package let error: ExportError
}

extension StoreImporter {
    /// Imports an export into the store.
    ///
    /// - Throws: `ExportFailure` for a line that does not belong to an export, `SystemError` if it cannot be read,
    ///   `StoreError`.
    package func add(exportFrom descriptor: FileDescriptor, _ counts: inout ImportCounts) throws {
        let reader = ExportReader()
        var isFirst = true
        var lines = LineReader(descriptor: descriptor)
        do {
            while let text = try lines.next() {
                let line = try reader.read(text)
                if case .blank = line { continue }
                if isFirst { try adoptRedaction(of: line) }
                isFirst = false
                try add(line, &counts)
            }
            try reader.finish()
        } catch let error as ExportError {
            throw ExportFailure(line: max(lines.number, 1), error: error)
        }
    }

    /// The first line of an export says what is redacted in it. An excerpt counts as unredacted.
    private func adoptRedaction(of line: ExportReader.Line) throws {
        var redaction: StoreRedaction?
        if case .start(_, _, let found) = line { redaction = found }
        guard try adopt(redaction) else {
            throw ExportError(
                redaction == nil
                    ? "the store is redacted, and the export is not; import it into another store"
                    : "the export is redacted, and not as the store is; import it into another store")
        }
    }

    private func add(_ line: ExportReader.Line, _ counts: inout ImportCounts) throws {
        switch line {
        case .start(let lastSequence, let lastTime, _):
            continueNumbers(after: lastSequence)
            if let lastTime { try continueTime(after: lastTime) }
        case .screen(let device, let app, let badge):
            counts.screens += 1
            try addScreen(device: device, app: app, badge: badge)
        case .device(let record):
            if record.kind == .liveActivity { counts.activities += 1 } else { counts.devices += 1 }
            try add(record)
        case .notification(let notification):
            counts.notifications += 1
            try add(notification)
        case .event(let entry):
            counts.events += 1
            try add(entry)
        case .end, .blank: break
        }
    }
}
