import PushJSON
import PushJSONRepair
import Testing

func repair(_ bytes: [UInt8]) -> JSONRepair { bytes.withUnsafeBytes { JSONRepair($0) } }

func repair(_ text: String) -> JSONRepair { repair(Array(text.utf8)) }

extension JSONRepair {
    /// The repaired text for comparison; nil when there is none.
    var string: String? { text.map { String(decoding: $0, as: UTF8.self) } }

    var kinds: [Kind] { problems.map(\.kind) }
}

extension TextEdit {
    static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { apply(edits, to: $0) }
    }
}

/// Whether the strict scanner accepts the text.
func isStrict(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner()
    var tape = JSONTape()
    return bytes.withUnsafeBytes { scanner.scan($0, into: &tape) == nil }
}

/// A canonical form, equal for equivalent texts; nil when libjansson cannot represent the text.
func canonical(_ bytes: [UInt8]) -> [UInt8]? { (try? JSONValue(parsing: bytes))?.sortedText }

/// A malformed text and its expected problems.
struct RepairCase {
    var text: String
    var found: [(kind: JSONRepair.Kind, place: String)]
    var repaired: String?
    var isSafe: Bool

    init(
        _ text: String, _ found: [(kind: JSONRepair.Kind, place: String)], _ repaired: String?, isSafe: Bool = true
    ) {
        self.text = text
        self.found = found
        self.repaired = repaired
        self.isSafe = isSafe
    }

    /// A text with one problem.
    init(_ text: String, _ kind: JSONRepair.Kind, _ place: String, _ repaired: String?, isSafe: Bool = true) {
        self.init(text, [(kind, place)], repaired, isSafe: isSafe)
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let bytes = Array(text.utf8)
        let result = repair(bytes)
        let messages = result.problems.map(\.message)
        #expect(result.kinds == found.map(\.kind), "\(text): \(messages)", sourceLocation: sourceLocation)
        let places = result.problems.map { String(decoding: bytes[$0.range], as: UTF8.self) }
        #expect(places == found.map(\.place), "\(text): \(messages)", sourceLocation: sourceLocation)
        #expect(result.string == repaired, "\(text): \(messages)", sourceLocation: sourceLocation)
        let allSafe = result.problems.allSatisfy(\.isSafe)
        #expect(allSafe == isSafe, "\(text): \(messages)", sourceLocation: sourceLocation)
    }
}
