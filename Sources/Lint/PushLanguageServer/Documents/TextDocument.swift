import PushFiles
package import PushJSON
import PushSystem

/// An open document: its text, as the client's notifications change it.
package struct TextDocument {
    package let uri: String
    package let languageID: String
    package private(set) var version: Int64?
    /// UTF-8.
    package private(set) var text: [UInt8]
    /// False after a change that could not be read, until the client sends the whole text: `text` is not what the user sees.
    package private(set) var isKnown = true
    private let encoding: PositionEncoding
    private var lines: LineIndex

    package init(uri: String, languageID: String, version: Int64?, text: String, encoding: PositionEncoding) {
        self.uri = uri
        self.languageID = languageID
        self.version = version
        self.text = Array(text.utf8)
        self.encoding = encoding
        lines = LineIndex(self.text)
    }

    /// Takes the changes of one notification, which apply one after another.
    ///
    /// - Parameter changes: nil is a change that cannot be read.
    package mutating func apply(_ changes: [Change?], version: Int64?) {
        self.version = version
        for change in changes {
            guard let change, isKnown || change.range == nil else {
                isKnown = false
                continue
            }
            isKnown = true
            if let range = change.range {
                let start = offset(of: range.lowerBound)
                let end = max(start, offset(of: range.upperBound))
                text.replaceSubrange(start..<end, with: change.text.utf8)
                lines.replace(start..<end, count: change.text.utf8.count, in: text)
            } else {
                text = Array(change.text.utf8)
                lines = LineIndex(text)
            }
        }
    }

    /// A change of a part of the text, or of all of it.
    package struct Change {
        /// Nil for the whole text. Positions after the text's end are its end.
        package let range: (lowerBound: DocumentPosition, upperBound: DocumentPosition)?
        package let text: String

        package init(range: (DocumentPosition, DocumentPosition)?, text: String) {
            self.range = range.map { (lowerBound: $0.0, upperBound: $0.1) }
            self.text = text
        }
    }

    package func offset(of position: DocumentPosition) -> Int { lines.offset(of: position, in: text, encoding) }

    package func position(of offset: Int) -> DocumentPosition { lines.position(of: offset, in: text, encoding) }

    /// Positions of both ends of a range of bytes, as the protocol writes them.
    func range(_ bytes: Range<Int>) -> JSONValue {
        .members(["start": position(of: bytes.lowerBound).value, "end": position(of: bytes.upperBound).value])
    }
}

extension DocumentPosition {
    /// Nil if it is not a position.
    init?(_ value: JSONValue?) {
        guard let line = value?["line"]?.uinteger, let character = value?["character"]?.uinteger else { return nil }
        self.init(line: line, character: character)
    }

    var value: JSONValue { .members(["line": .integer(Int64(line)), "character": .integer(Int64(character))]) }
}

extension JSONValue {
    /// The number, if it is an integer from 0 on. The protocol has them up to 2³¹ - 1: a larger one, which some clients send for the end of a
    /// document, is that.
    package var uinteger: Int? {
        switch self {
        case .integer(let number) where number >= 0: Int(min(number, Int64(Int32.max)))
        case .real(let number) where number >= Double(Int32.max): Int(Int32.max)
        default: nil
        }
    }
}

/// Addresses of documents.
enum DocumentAddress {
    /// The absolute path in a `file:` URI; nil for any other URI.
    static func path(_ uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        let rest = uri.utf8.dropFirst(7)
        // After the host, which is empty or this one.
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let path = rest[slash...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let bytes = PercentEncoding.decoded(path, keepsBroken: true) ?? []
        return bytes.contains(0) ? nil : FilePaths.absolute(String(decoding: bytes, as: UTF8.self))
    }
}
