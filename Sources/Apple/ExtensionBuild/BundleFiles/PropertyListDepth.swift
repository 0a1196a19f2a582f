/// Limits the nesting of property lists.
///
/// Foundation parses XML lists recursively until the stack overflows: a megabyte of opening array tags crashes the process. So levels are
/// counted before Foundation sees the file. `PropertyListValue` applies the same limit to binary lists.
package enum PropertyListDepth {
    /// Far more than Xcode ever writes. Foundation's time grows with the cube of the depth.
    package static let maximum = 64

    /// Parts of XML in which there are no tags.
    private static let hidden = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].map { (start: $0, end: $1) }

    /// - Throws: `ExtensionBuildError` if arrays and dictionaries in XML are nested more than `maximum` deep.
    package static func check(_ bytes: [UInt8]) throws(ExtensionBuildError) {
        // In any encoding of Unicode, and past the parts that hide tags.
        let text = StringsText.normalized(bytes)
        guard !text.starts(with: "bplist".utf8) else { return }
        var depth = 0
        var index = text.startIndex
        while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            if hidden.contains(where: { skip(from: $0.start, to: $0.end, in: text, &index) }) { continue }
            let isEnd = index < text.endIndex && text[index] == UInt8(ascii: "/")
            if isEnd { index += 1 }
            guard ["array", "dict"].contains(where: { text[index...].starts(with: $0.utf8) }) else { continue }
            guard let close = text[index...].firstIndex(of: UInt8(ascii: ">")) else { break }
            index = close + 1
            if isEnd {
                depth = max(depth - 1, 0)
            } else if text[close - 1] != UInt8(ascii: "/") {
                depth += 1
            }
            if depth > maximum {
                throw ExtensionBuildError("arrays and dictionaries more than \(maximum) deep")
            }
        }
    }

    /// Skips a part that begins here, up to its end or the end of the text. Returns true if there was one.
    private static func skip(from start: String, to end: String, in text: [UInt8], _ index: inout Int) -> Bool {
        guard text[index...].starts(with: start.utf8) else { return false }
        index += start.utf8.count
        while index < text.endIndex, !text[index...].starts(with: end.utf8) { index += 1 }
        index = min(index + end.utf8.count, text.endIndex)
        return true
    }
}
