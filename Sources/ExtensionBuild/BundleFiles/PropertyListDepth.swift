/// How deep a property list may go.
///
/// Foundation reads one level within another, for as long as the stack lasts: a file of a megabyte that does nothing but begin arrays ends the
/// process. So levels are counted before it sees the file. Of the forms of property lists only XML is read like that;
/// `PropertyListValue` holds binary ones to the same limit.
package enum PropertyListDepth {
    /// Far more than any that Xcode makes. Foundation's time grows with the third power of it.
    package static let maximum = 64

    /// What has no tags in it, whatever it looks like.
    private static let hidden = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].map { (start: $0, end: $1) }

    /// - Throws: `ExtensionBuildError` when arrays and dictionaries in XML stand in each other more than `maximum` deep.
    package static func check(_ bytes: [UInt8]) throws(ExtensionBuildError) {
        // Whatever Unicode it is in, and without what hides tags.
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

    /// Whether what begins here was passed, up to its end or to that of the text.
    private static func skip(from start: String, to end: String, in text: [UInt8], _ index: inout Int) -> Bool {
        guard text[index...].starts(with: start.utf8) else { return false }
        index += start.utf8.count
        while index < text.endIndex, !text[index...].starts(with: end.utf8) { index += 1 }
        index = min(index + end.utf8.count, text.endIndex)
        return true
    }
}
