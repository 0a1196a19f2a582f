package import NotificationStore
package import SystemSupport

/// The report lines of the last commit of an earlier run, which may have ended before anyone read them.
package struct LastReport {
    private let lines: [UInt8]

    package init(lines: [UInt8]) { self.lines = lines }

    /// - Throws: `StoreError`.
    package init(of store: SQLiteStore) throws { self.init(lines: try store.lastReport()) }

    /// What `output` lacks: everything, unless it is a file that ends with some of the lines.
    package func missing(in output: FileDescriptor) -> ArraySlice<UInt8> {
        missing(after: Self.end(of: output, count: lines.count))
    }

    /// What has to follow an output that ends with these bytes. A line that was cut off is completed.
    func missing(after end: [UInt8]) -> ArraySlice<UInt8> {
        var count = min(end.count, lines.count)
        while count > 0, !end.suffix(count).elementsEqual(lines[..<count]) { count -= 1 }
        return lines[count...]
    }

    /// The last bytes of a file, which may be open for writing only.
    private static func end(of output: FileDescriptor, count: Int) -> [UInt8] {
        guard let status = try? FileStatus(output), status.kind == .regular, status.size > 0,
            let file = try? output.reopenedForReading()
        else { return [] }
        defer { file.close() }
        let wanted = min(count, Int(status.size))
        var bytes = [UInt8](repeating: 0, count: wanted)
        let got = try? file.read(into: &bytes, at: status.size - Int64(wanted))
        return got == wanted ? bytes : []
    }
}
