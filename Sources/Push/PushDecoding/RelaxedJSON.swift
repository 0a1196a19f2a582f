import PushSystem

/// Reads JSON as people write it by hand: single quotes, bare member names, trailing commas.
package enum RelaxedJSON {
    /// The changes that make a text strict.
    package struct Changes: Equatable, CustomStringConvertible {
        package var singleQuotes = 0
        package var bareKeys = 0
        package var trailingCommas = 0

        package var description: String {
            func phrase(_ count: Int, _ one: String, _ many: String) -> String? {
                count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
            }
            return [
                phrase(singleQuotes, "string in single quotes", "strings in single quotes"),
                phrase(bareKeys, "bare member name", "bare member names"),
                phrase(trailingCommas, "trailing comma", "trailing commas"),
            ].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The text with its relaxed parts made strict, which may still not be JSON; nil when there are none. O(bytes).
    package static func strict(_ text: UnsafeRawBufferPointer) -> (text: [UInt8], changes: Changes)? {
        // SOUND: the rewriter does not outlive the call, during which the text is alive.
        var rewriter = unsafe Rewriter(text)
        rewriter.run()
        guard rewriter.changes != Changes() else { return nil }
        return (rewriter.out, rewriter.changes)
    }

    /// The offset in `text` of the byte at `offset` in its strict form. O(bytes).
    package static func originalOffset(_ offset: Int, of text: UnsafeRawBufferPointer) -> Int {
        // SOUND: the rewriter does not outlive the call, during which the text is alive.
        var rewriter = unsafe Rewriter(text)
        rewriter.wanted = offset
        rewriter.run()
        return rewriter.found ?? text.count
    }
}

@safe  // SOUND: every read is preceded by a comparison of `index` with `text.count`.
private struct Rewriter {
    let text: UnsafeRawBufferPointer
    var index = 0
    var out: [UInt8] = []
    var changes = RelaxedJSON.Changes()
    /// The last byte written that is not white space, which determines what may follow.
    var previous: UInt8 = 0
    /// An offset in `out` for which to find the original offset in `text`, and the result.
    var wanted = -1
    var found: Int?

    init(_ text: UnsafeRawBufferPointer) {
        // SOUND: the caller keeps the text alive as long as the rewriter.
        unsafe self.text = text
        out.reserveCapacity(text.count + 64)
    }

    mutating func run() {
        // SOUND: `index` is compared with `text.count` before each read.
        while unsafe index < text.count {
            let byte = unsafe text[index]
            switch byte {
            case UInt8(ascii: "\""): copyString()
            case UInt8(ascii: "'"): rewriteSingleQuoted()
            case UInt8(ascii: ","):
                if isTrailingComma {
                    changes.trailingCommas += 1
                    index += 1
                } else {
                    copyByte()
                }
            case _ where isNameStart(byte) && (previous == UInt8(ascii: "{") || previous == UInt8(ascii: ",")):
                rewriteBareName()
            default: copyByte()
            }
        }
    }

    private mutating func emit(_ byte: UInt8) {
        if out.count == wanted { found = index }
        out.append(byte)
    }

    private mutating func copyByte() {
        // SOUND: the caller has compared `index` with `text.count`.
        let byte = unsafe text[index]
        emit(byte)
        if !isWhitespace(byte) { previous = byte }
        index += 1
    }

    private mutating func copyString() {
        // SOUND: `index` is below `text.count` on entry, and is compared with it before each later character.
        repeat {
            if unsafe text[index] == UInt8(ascii: "\\"), unsafe index + 1 < text.count {
                unsafe emit(text[index])
                index += 1
            }
            unsafe emit(text[index])
            index += 1
        } while unsafe index < text.count && text[index] != UInt8(ascii: "\"")
        if unsafe index < text.count { copyByte() }
    }

    private mutating func rewriteSingleQuoted() {
        // SOUND: `index` is compared with `text.count` before each read.
        changes.singleQuotes += 1
        emit(UInt8(ascii: "\""))
        index += 1
        while unsafe index < text.count, unsafe text[index] != UInt8(ascii: "'") {
            var byte = unsafe text[index]
            if byte == UInt8(ascii: "\\"), unsafe index + 1 < text.count {
                index += 1
                byte = unsafe text[index]
                if byte != UInt8(ascii: "'") { emit(UInt8(ascii: "\\")) }
            } else if byte == UInt8(ascii: "\"") {
                emit(UInt8(ascii: "\\"))
            }
            emit(byte)
            index += 1
        }
        // An unterminated string stays broken, and is reported as such.
        if unsafe index < text.count { emit(UInt8(ascii: "\"")) }
        index += 1
        previous = UInt8(ascii: "\"")
    }

    /// A word before a colon is a member name; any other word is left for the scanner to reject.
    private mutating func rewriteBareName() {
        // SOUND: `end` and `next` are compared with `text.count` before each read, and `index` stays below `end`.
        var end = index
        while unsafe end < text.count,
            unsafe isNameStart(text[end]) || text[end] &- UInt8(ascii: "0") < 10 || text[end] == UInt8(ascii: "-")
        {
            end += 1
        }
        var next = end
        while unsafe next < text.count, unsafe isWhitespace(text[next]) { next += 1 }
        guard unsafe next < text.count, unsafe text[next] == UInt8(ascii: ":") else {
            while index < end { copyByte() }
            return
        }
        changes.bareKeys += 1
        emit(UInt8(ascii: "\""))
        while index < end {
            unsafe emit(text[index])
            index += 1
        }
        emit(UInt8(ascii: "\""))
        previous = UInt8(ascii: "\"")
    }

    /// True if the comma at `index` follows a value and is followed by a closing bracket.
    private var isTrailingComma: Bool {
        // SOUND: `next` is compared with `text.count` before each read.
        guard previous != UInt8(ascii: ","), previous != UInt8(ascii: "{"), previous != UInt8(ascii: "["),
            previous != UInt8(ascii: ":")
        else { return false }
        var next = index + 1
        while unsafe next < text.count, unsafe isWhitespace(text[next]) { next += 1 }
        return unsafe next < text.count && (text[next] == UInt8(ascii: "}") || text[next] == UInt8(ascii: "]"))
    }

    private func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte.isLetter || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }
}
