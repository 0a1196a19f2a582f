package import PayloadJSON

/// An invalid record in a device file.
public struct DeviceFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Number of the record in the file, from 1.
    public var record: UInt64
    /// Line in the file, from 1.
    public var line: Int
    /// Column in that line, from 1.
    public var column: Int
    /// The problem, in words.
    public var message: String

    package init(record: UInt64, at position: TextPosition, message: String) {
        self.record = record
        line = position.line
        column = position.column
        self.message = message
    }

    /// Position and reason, on one line.
    public var description: String { "record \(record), line \(line), column \(column): \(message)" }
}
