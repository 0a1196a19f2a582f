import PushJSON
import TestSupport
import Testing

@testable import PushLint

/// The cost of hostile records grows no faster than the records.
///
/// `RecordLinter.steps` counts the entries and bytes that the checks walk over. Twice as many members may cost 2.3 times as much: the limits on
/// findings are constants, and weigh less in a larger record.
struct DoublingTests {
    private static let limit = 2.3
    /// More than the findings that are kept.
    private static let count = 150

    private func steps(_ record: String) -> Int {
        let linter = RecordLinter(DecodingOptions())
        _ = Array(record.utf8).withUnsafeBytes { linter.lint($0) }
        return linter.steps
    }

    private func expectLinear(_ record: (Int) -> String, _ label: String) {
        let (single, double) = (steps(record(Self.count)), steps(record(2 * Self.count)))
        let ratio = Double(double) / Double(max(single, 1))
        #expect(ratio <= Self.limit, "\(label): \(single) steps, and \(double) for twice as much")
    }

    // MARK: - Every member of every example

    /// The JSON texts of the catalogue's examples: every object that the linter knows is in one of them.
    private static let examples: [String] = Rule.all.flatMap { [$0.failing, $0.passing] }
        .filter {
            !$0.isEmpty && $0.utf8.count < 2000 && Linter().lint($0).allSatisfy { !$0.rule.id.text.hasPrefix("json.") }
        }

    /// A member of a text.
    private struct Member {
        /// The names that lead to it.
        var path: String
        /// From the first byte of its name to the last one of its value.
        var range: Range<Int>
    }

    private func members(of text: String) -> [Member] {
        var found: [Member] = []
        var scanner = JSONScanner()
        var tape = JSONTape()
        Array(text.utf8).withUnsafeBytes { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return }
            func walk(_ view: JSONView, _ path: String) {
                var members = view.members
                while let (key, value) = members.next() {
                    let path = "\(path)/\(key.string)"
                    found.append(Member(path: path, range: value.keyOffset..<value.offset + value.text.count))
                    walk(value, path)
                }
                var elements = view.elements
                while let element = elements.next() { walk(element, path + "/0") }
            }
            walk(root, "")
        }
        return found
    }

    /// How a member is repeated: with its own name, or with one that resembles it.
    enum Repetition: String, CaseIterable {
        case same, inCapitals, withSeparators, oneLetterMore, withSamePrefix, escaped

        func name(_ name: String, _ number: Int) -> String {
            switch self {
            case .same: name
            case .inCapitals: name.uppercased()
            case .withSeparators: name.replacing("-", with: "_") + "_"
            case .oneLetterMore: name + "x"
            case .withSamePrefix: "\(name)\(number)"
            case .escaped: "\\u00" + String(name.utf8.first ?? 0x61, radix: 16) + name.dropFirst()
            }
        }
    }

    @Test(arguments: Effort.some(Repetition.allCases, fast: 1))
    func `a member that is repeated costs its own size`(repetition: Repetition) {
        var seen: Set<String> = []
        for example in Effort.some(Self.examples, fast: Self.examples.count / 15) {
            let bytes = Array(example.utf8)
            for found in members(of: example) {
                let place = found.range
                let member = String(decoding: bytes[place], as: UTF8.self)
                guard let quote = member.dropFirst().firstIndex(of: "\""),
                    seen.insert("\(found.path) \(member[member.index(after: quote)...].prefix(2))").inserted
                else { continue }
                let name = String(member[member.index(after: member.startIndex)..<quote])
                let value = member[member.index(after: quote)...]
                let before = String(decoding: bytes[..<place.upperBound], as: UTF8.self)
                let after = String(decoding: bytes[place.upperBound...], as: UTF8.self)
                expectLinear(
                    { count in
                        before + (0..<count).map { ",\"\(repetition.name(name, $0))\"\(value)" }.joined() + after
                    }, "\(repetition.rawValue) \(member)")
            }
        }
        #expect(seen.count > Effort.rounds(100, fast: 16))
    }

    // MARK: - Shapes

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    @Test func `targets with findings of their own cost their own size`() {
        expectLinear(
            { "{\"registration_ids\":[\(list($0) { _ in "\"/topics/a\"" })],\"data\":{\"from\":1}}" },
            "topics as tokens")
        expectLinear({ "{\"registration_ids\":[\(list($0) { _ in "7" })]}" }, "targets of the wrong kind")
        expectLinear(
            { "{\"aps\":{\"alert\":{\"loc-key\":\"k\",\"loc-args\":[\(list($0) { "\($0)" })]}}}" }, "arguments")
    }

    @Test func `texts inside texts cost their own size`() {
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        func payload(_ count: Int) -> String { "{\"aps\":{\"alert\":\"x\",\(list(count) { "\"alret\($0 % 7)\":1" })}}" }
        expectLinear({ "{\"payload\":\(quoted(payload($0)))}" }, "a payload in a string")
        expectLinear({ "{\"default\":\"x\",\"APNS\":\(quoted(payload($0)))}" }, "a message for SNS")
        expectLinear(
            { "{\"Message\":\(quoted("{\"default\":\"x\",\"APNS\":\(quoted(payload($0)))}"))}" }, "a request to SNS")
        expectLinear(
            { count in
                "{\"default\":\"x\",\(list(count / 10) { _ in "\"APNS\":\(quoted(payload(10)))" })}"
            }, "many texts")
        expectLinear({ "{\"payload\":\"{'aps':{\(list($0) { "'a\($0)':1" })}}\"}" }, "a broken text in a string")
    }

    @Test func `nesting costs its own size`() {
        func nested(_ open: String, _ close: String, _ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"aps\":", "}"), ("{\"b\":1,\"alert\":", "}")] {
            // At most 512 levels are JSON.
            let (single, double) = (
                steps("{\"aps\":\(nested(open, close, 200))}"), steps("{\"aps\":\(nested(open, close, 400))}")
            )
            #expect(Double(double) <= Self.limit * Double(max(single, 1)), "\(open)")
        }
    }

    // MARK: - Findings

    /// Each of these once took time that grew with the square: an edit, a message or a look around for each of them, most of which are never
    /// shown.
    @Test(arguments: ["content_available", "alret", "mutableContent", "titel", "apns_priority", "badge_"])
    func `thousands of names that resemble a key of aps cost their own size`(name: String) {
        expectLinear({ "{\"aps\":{\"alert\":\"x\",\(self.list($0) { _ in "\"\(name)\":1" })}}" }, name)
        expectLinear({ "{\"aps\":{\"alert\":{\"body\":\"x\",\(self.list($0) { _ in "\"\(name)\":1" })}}}" }, name)
        expectLinear(
            { "{\"headers\":{\(self.list($0) { _ in "\"\(name)\":\"1\"" })},\"payload\":{\"aps\":{}}}" }, name)
        expectLinear({ "{\"message\":{\"token\":\"t\",\(self.list($0) { _ in "\"\(name)\":1" })}}" }, name)
        expectLinear({ "{\"to\":\"t\",\(self.list($0) { _ in "\"\(name)\":1" })}" }, name)
    }
}
