/// JUnit's XML, which CI servers show as tests: suites of cases. Counts precede what they count, so all of it is kept until the end.
package struct JUnitDocument: Sendable {
    /// A child element of a case. A case with a failure or an error does not pass.
    package struct Element: Sendable {
        fileprivate let name: String
        fileprivate var attributes: KeyValuePairs<String, String> = [:]
        /// A line break within one of them is escaped.
        fileprivate var lines: [String]?

        package static func failure(type: String, message: String, _ lines: [String]) -> Element {
            Element(name: "failure", attributes: ["type": type, "message": message], lines: lines)
        }

        package static func error(_ message: String) -> Element {
            Element(name: "error", attributes: ["message": message])
        }

        package static func skipped(_ message: String) -> Element {
            Element(name: "skipped", attributes: ["message": message])
        }

        package static func output(_ lines: [String]) -> Element { Element(name: "system-out", lines: lines) }

        fileprivate var text: String {
            let end = lines.map { ">\($0.map(XMLText.attribute).joined(separator: "\n"))</\(name)>" } ?? "/>"
            return "<\(name)\(JUnitDocument.text(attributes))\(end)"
        }
    }

    /// Counts besides tests, failures and errors.
    package enum Count: Sendable { case skipped, seconds }

    private struct Counts {
        var tests = 0
        var elements: [String: Int] = [:]
        var seconds = 0.0

        func text(with others: [Count]) -> String {
            var text = " tests=\"\(tests)\" failures=\"\(count("failure"))\" errors=\"\(count("error"))\""
            if others.contains(.skipped) { text += " skipped=\"\(count("skipped"))\"" }
            return others.contains(.seconds) ? text + JUnitDocument.time(seconds) : text
        }

        private func count(_ element: String) -> Int { elements[element, default: 0] }
    }

    private let name: String
    private let suiteCounts: [Count]
    private let totalCounts: [Count]
    private let isCompact: Bool
    /// The suites that have ended, and the cases of the current one.
    private var suites = ""
    private var cases = ""
    private var total = Counts()
    private var current = Counts()

    /// - Parameters:
    ///   - suites: the other counts of each suite.
    ///   - total: the other counts of the document.
    ///   - isCompact: true to write a case on one line.
    package init(_ name: String, suites: [Count] = [], total: [Count] = [], isCompact: Bool = false) {
        self.name = name
        suiteCounts = suites
        totalCounts = total
        self.isCompact = isCompact
    }

    package var isSuiteEmpty: Bool { current.tests == 0 }

    /// Adds a case to the current suite.
    ///
    /// - Parameter seconds: how long it took; nil to leave that out.
    package mutating func addCase(
        _ attributes: KeyValuePairs<String, String>, seconds: Double? = nil, _ elements: [Element] = []
    ) {
        let (newline, indentation, end) = isCompact ? ("", "", "") : ("\n", "      ", "    ")
        cases += "    <testcase\(Self.text(attributes))\(seconds.map(Self.time) ?? "")"
        let text = elements.map { indentation + $0.text + newline }.joined()
        cases += elements.isEmpty && !isCompact ? "/>\n" : ">\(newline)\(text)\(end)</testcase>\n"
        current.tests += 1
        for element in elements { current.elements[element.name, default: 0] += 1 }
        current.seconds += seconds ?? 0
    }

    /// Ends the current suite. The next case begins another one.
    package mutating func endSuite(_ attributes: KeyValuePairs<String, String>) {
        suites += "  <testsuite\(Self.text(attributes))\(current.text(with: suiteCounts))>\n"
        suites += cases
        suites += "  </testsuite>\n"
        total.tests += current.tests
        total.elements.merge(current.elements, uniquingKeysWith: +)
        total.seconds += current.seconds
        cases.removeAll(keepingCapacity: true)
        current = Counts()
    }

    /// Passes the document, with the suites that have ended, to `body` in pieces.
    package func write(_ body: (String) throws -> Void) rethrows {
        try body("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        try body("<testsuites\(Self.text(["name": name]))\(total.text(with: totalCounts))>\n")
        try body(suites)
        try body("</testsuites>\n")
    }

    private static func text(_ attributes: KeyValuePairs<String, String>) -> String {
        attributes.map { " \($0)=\"\(XMLText.attribute($1))\"" }.joined()
    }

    /// A time with six decimals: most cases take less than a millisecond.
    private static func time(_ seconds: Double) -> String {
        let microseconds = UInt64(max(seconds, 0) * 1_000_000)
        return " time=\"\(microseconds / 1_000_000).\(String(microseconds % 1_000_000 + 1_000_000).dropFirst())\""
    }
}

package enum XMLText {
    /// The text for an attribute in double quotes, or between tags. What XML 1.0 cannot hold, escaped or not, becomes U+FFFD, and so do bidirectional
    /// controls (UAX #9), which would show a text as another one.
    package static func attribute(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: escaped += "&amp;"
            case 0x3C: escaped += "&lt;"
            case 0x3E: escaped += "&gt;"
            case 0x22: escaped += "&quot;"
            case 0x09, 0x0A, 0x0D: escaped += "&#\(scalar.value);"
            case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
