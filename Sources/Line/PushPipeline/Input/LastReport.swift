package import PushStore
package import PushSystem

/// The report lines of an earlier run's last commit, which may not have been written before that run ended.
package struct LastReport {
    private let lines: [UInt8]

    package init(lines: [UInt8]) { self.lines = lines }

    /// - Throws: `StoreError`.
    package init(of store: any StoreFile) throws { self.init(lines: try store.lastReport()) }

    /// The lines missing from `output`: all of them, unless it is a file that ends with some of them.
    package func missing(in output: FileDescriptor) -> ArraySlice<UInt8> {
        missing(after: Self.end(of: output, count: lines.count))
    }

    /// The bytes missing after an output with this end. A partial line is completed.
    func missing(after end: [UInt8]) -> ArraySlice<UInt8> {
        var count = min(end.count, lines.count)
        while count > 0, !end.suffix(count).elementsEqual(lines[..<count]) { count -= 1 }
        return lines[count...]
    }

    /// The last bytes of a file that may be open only for writing.
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
