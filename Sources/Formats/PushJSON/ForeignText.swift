/// The format of data that is not JSON text: compressed, in another encoding, or binary.
///
/// Recognized by the first bytes, as `file` does. Sources: RFC 1952 (gzip), RFC 8878 (Zstandard), the XZ file format, APPNOTE of PKWARE
/// (ZIP), the format of bzip2, the SQLite database file format, and the byte order marks of Unicode.
package enum ForeignText: Equatable, Sendable {
    case gzip, zstandard, xz, bzip2, zip, utf16, utf32, sqlite, propertyList, binary

    private static let signatures: [(form: ForeignText, bytes: [UInt8])] = [
        (.gzip, [0x1F, 0x8B, 0x08]), (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]),
        (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (.zip, [0x50, 0x4B, 0x03, 0x04]),
        (.sqlite, Array("SQLite format 3\0".utf8)),
        (.propertyList, Array("bplist00".utf8)),
        // UTF-32 first: its mark in little endian begins with that of UTF-16.
        (.utf32, [0xFF, 0xFE, 0x00, 0x00]), (.utf32, [0x00, 0x00, 0xFE, 0xFF]), (.utf16, [0xFF, 0xFE]),
        (.utf16, [0xFE, 0xFF]),
    ]

    /// Bytes that are looked at to tell binary data from text that is not JSON.
    private static let sampleBytes = 64

    /// - Parameter text: that a scanner found not to be JSON.
    /// - Returns: nil for a text, whatever is wrong with it. O(1).
    package init?(_ text: UnsafeRawBufferPointer) {
        // SOUND: the caller's bytes live during the call, and only their prefix is read.
        let sample = unsafe Array(text.prefix(Self.sampleBytes))
        if let known = Self.signatures.first(where: { sample.starts(with: $0.bytes) }) {
            self = known.form
        } else if Self.isBzip2(sample) {
            self = .bzip2
        } else if Self.isUTF16WithoutMark(sample) {
            self = .utf16
        } else if let first = sample.first, Self.beginsNoText(first) {
            self = .binary
        } else {
            return nil
        }
    }

    /// `BZh`, the size of blocks, and the mark of a first block or of the end: digits of pi or of its square root.
    private static func isBzip2(_ sample: [UInt8]) -> Bool {
        bzip2Signatures(sample).contains { sample.starts(with: $0) }
    }

    /// The ten bytes that a file of this format begins with, for the size of blocks in the sample.
    private static func bzip2Signatures(_ sample: [UInt8]) -> [[UInt8]] {
        let size = sample.count > 3 && (0x31...0x39).contains(sample[3]) ? sample[3] : 0x39
        return [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].map {
            Array("BZh".utf8) + [size] + $0
        }
    }

    /// Enough bytes of a file for `converter`.
    package static let longestSignature = 16

    /// The program that makes text of a file, and its arguments, as in `message`; nil for a file that is read as it is. UTF-16 and UTF-32
    /// have a byte-order mark here.
    ///
    /// - Parameters:
    ///   - beginning: the first bytes of the file.
    ///   - isConverted: true if a program has written them. What is compressed twice is not read: each level can multiply the text.
    package static func converter(ofFileWith beginning: [UInt8], isConverted: Bool) -> [String]? {
        switch signatures.first(where: { beginning.starts(with: $0.bytes) })?.form {
        case .gzip where !isConverted: ["gzip", "-dc"]
        case .zstandard where !isConverted: ["zstd", "-dc"]
        case .utf16: ["iconv", "-f", "UTF-16", "-t", "UTF-8"]
        case .utf32: ["iconv", "-f", "UTF-32", "-t", "UTF-8"]
        default: nil
        }
    }

    /// A verdict on an input, from its first bytes.
    package enum Beginning: Equatable, Sendable {
        /// Records may follow.
        case records
        /// More bytes are needed.
        case undecided
        /// A compressed file, an archive or a database, in which nothing is a record. It is recognized by so many bytes.
        case container(length: Int)
    }

    /// True if a record is what `beginning` recognizes.
    package static func isContainer(_ record: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller's bytes live during the call.
        if case .container = unsafe beginning(of: record, isEnd: true) { true } else { false }
    }

    /// - Parameters:
    ///   - bytes: the first ones of an input.
    ///   - isEnd: no more bytes follow.
    package static func beginning(of bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Beginning {
        // SOUND: the caller's bytes live during the call, and only their prefix is read.
        guard let first = unsafe bytes.first else { return isEnd ? .records : .undecided }
        let containers = signatures.lazy.filter { $0.form != .utf16 && $0.form != .utf32 }.map(\.bytes)
        guard first == UInt8(ascii: "B") || containers.contains(where: { $0.first == first }) else { return .records }
        let sample = unsafe Array(bytes.prefix(sampleBytes))
        let candidates = containers + bzip2Signatures(sample)
        if let found = candidates.first(where: { sample.starts(with: $0) }) { return .container(length: found.count) }
        return !isEnd && candidates.contains { $0.starts(with: sample) } ? .undecided : .records
    }

    /// True if four bytes are an opening bracket and another character, as UTF-16 writes them. Source: RFC 4627, section 3, which tells the
    /// encodings of JSON by their zeros.
    private static func isUTF16WithoutMark(_ sample: [UInt8]) -> Bool {
        guard sample.count >= 4 else { return false }
        let brackets = [UInt8(ascii: "{"), UInt8(ascii: "[")]
        let isBigEndian = brackets.contains(sample[1]) && sample[0] == 0 && sample[2] == 0
        let isLittleEndian = brackets.contains(sample[0]) && sample[1] == 0 && sample[3] == 0
        return isBigEndian || isLittleEndian
    }

    /// True if no text in UTF-8 can begin with this byte: a control character other than white space, a continuation, or a byte that UTF-8
    /// never has.
    private static func beginsNoText(_ first: UInt8) -> Bool {
        switch first {
        case 0x09...0x0D: false
        case ..<0x20, 0x7F, 0x80..<0xC2, 0xF5...: true
        default: false
        }
    }

    /// The kind of bytes, and how to convert them: one line that ends with a command, if one helps.
    package var message: String {
        switch self {
        case .gzip: "compressed by gzip, not JSON text: gunzip -c FILE | pushpipe …"
        case .zstandard: "compressed by Zstandard, not JSON text: zstd -dc FILE | pushpipe …"
        case .xz: "compressed by xz, not JSON text: xz -dc FILE | pushpipe …"
        case .bzip2: "compressed by bzip2, not JSON text: bunzip2 -c FILE | pushpipe …"
        case .zip: "a ZIP archive, not JSON text: unzip -p FILE | pushpipe …"
        case .utf16: "UTF-16 instead of UTF-8: iconv -f UTF-16 -t UTF-8 FILE | pushpipe …"
        case .utf32: "UTF-32 instead of UTF-8: iconv -f UTF-32 -t UTF-8 FILE | pushpipe …"
        case .sqlite: "an SQLite database, not JSON text: pushpipe store show FILE, if a run wrote it"
        case .propertyList: "a binary property list, not JSON text: plutil -convert json -o - FILE | pushpipe …"
        case .binary: "binary data, not JSON text"
        }
    }

    /// The rule that a record of such bytes breaks.
    package static let rule: StaticString = "record.not-text"
}
