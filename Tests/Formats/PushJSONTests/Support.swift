import PushJSON
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// MARK: - Scanning

/// Scans `bytes` with a new scanner and tape. The arguments of `body` are valid only for the duration of the call.
func scanning<Result>(
    _ bytes: [UInt8], _ body: (borrowing JSONTape, UnsafeRawBufferPointer, JSONFault?) throws -> Result
) rethrows -> Result {
    var scanner = JSONScanner()
    var tape = JSONTape()
    return try bytes.withUnsafeBytes { text in
        let fault = scanner.scan(text, into: &tape)
        return try body(tape, text, fault)
    }
}

/// Calls `body` with the outermost value of a text that must be JSON.
func withRoot<Result>(_ text: String, _ body: (JSONView) throws -> Result) throws -> Result {
    try scanning(Array(text.utf8)) { tape, bytes, fault in
        try #require(fault == nil, "\(text)")
        let root = tape.root(of: bytes)
        return try body(try #require(root))
    }
}

/// What the scanner reports about a text, in values that outlive the scan.
struct ScanResult: Equatable {
    var fault: JSONFault?
    var notes: [JSONTape.Note] = []
    var value: ScannedValue?

    init(_ bytes: [UInt8]) {
        self = scanning(bytes) { tape, text, fault in ScanResult(tape, text, fault) }
    }

    init(_ tape: borrowing JSONTape, _ text: UnsafeRawBufferPointer, _ fault: JSONFault?) {
        self.fault = fault
        guard fault == nil else { return }
        notes = tape.notes
        value = tape.root(of: text).map { ScannedValue($0) }
    }

    /// Whether a note says that libjansson cannot represent the text.
    var isUnrepresentable: Bool { notes.contains { $0.kind != .duplicateKey } }
}

// MARK: - Values

/// A JSON value with Swift's equality: what a text means, in any spelling. Of duplicate keys the last one counts.
indirect enum ScannedValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// The bits of a double, so that -0.0 and 0.0 differ.
    case real(UInt64)
    /// Neither an `Int64` nor a finite double.
    case outOfRange
    case string([UInt8])
    case array([ScannedValue])
    case object([[UInt8]: ScannedValue])

    init(_ view: JSONView) {
        switch view.kind {
        case .null, .key: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .string: self = .string(view.string?.decodedBytes ?? [])
        case .number:
            if let integer = view.int64 {
                self = .integer(integer)
            } else {
                self = view.double.map { .real($0.bitPattern) } ?? .outOfRange
            }
        case .array:
            var values: [ScannedValue] = []
            var elements = view.elements
            while let element = elements.next() { values.append(ScannedValue(element)) }
            self = .array(values)
        case .object:
            var values: [[UInt8]: ScannedValue] = [:]
            var members = view.members
            while let (key, value) = members.next() { values[key.decodedBytes] = ScannedValue(value) }
            self = .object(values)
        }
    }
}

// MARK: - libjansson

/// What libjansson, with which a `JSONValue` is parsed, says about a text.
enum JanssonAnswer: Equatable {
    /// The value in its sorted form: equal values have equal bytes.
    case value([UInt8])
    /// JSON that libjansson cannot hold.
    case unrepresentable
    /// Not JSON, or too deep, and why.
    case refused(String)

    private static let messages = [
        "too big integer", "too big negative integer", "real number overflow", "invalid Unicode",
        "NUL byte in object key",
    ]

    init(_ bytes: [UInt8]) {
        do throws(JSONError) {
            self = .value(try JSONValue(parsing: bytes).sortedText)
        } catch {
            let isHeld = !Self.messages.contains { error.message.hasPrefix($0) }
            self = isHeld ? .refused(error.message) : .unrepresentable
        }
    }

    var isValue: Bool { if case .value = self { true } else { false } }
}

// MARK: - Random texts

/// Bytes in a form to read and to paste into a test: ASCII as it is, everything else as `\xNN`.
func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

/// Makes the system end this process after that much processor time, for what might run forever in an exit test. The time
/// of other processes does not count.
func limitProcessorTime(toSeconds seconds: rlim_t) {
    var limit = rlimit(rlim_cur: seconds, rlim_max: seconds)
    #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    #else
        setrlimit(RLIMIT_CPU, &limit)
    #endif
}
