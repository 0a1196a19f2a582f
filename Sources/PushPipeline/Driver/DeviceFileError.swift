/// A record of a file of devices that registers none.
public struct DeviceFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Which of the file's records, counted from 1.
    public var record: UInt64
    /// Line in the record, counted from 1.
    public var line: Int
    /// Column in that line, counted from 1.
    public var column: Int
    /// What is wrong, in plain words.
    public var message: String

    /// Place and reason, on one line.
    public var description: String { "record \(record), line \(line), column \(column): \(message)" }
}
