import PushDecoding
import PushModel
import TestSupport
import Testing

@testable import PushLint

/// `lint` and `run` read FCM v1 requests by one table, and say the same about them.
struct FCMAgreementTests {
    /// The rules about names and types.
    private static let schemaRules: Set = [
        "fcm.unknown-key", "fcm.legacy-key", "fcm.misplaced-key", "fcm.wrong-type", "fcm.unknown-value",
        "fcm.duration-form", "fcm.ttl-form", "fcm.event-time", "fcm.data-not-string", "fcm.header-not-string",
    ]

    private static let values = [
        "null", "true", "false", "0", "-1", "3.5", "1e400", "2147483648", "12345678901234567890", #""""#, #""x""#,
        #""3""#,
        #""3s""#, #""-0.5s""#, #""true""#, #""HIGH""#, #""high""#, #""2024-11-05T18:00:00Z""#, #""\u0033s""#, "[]",
        "{}",
        #"["x"]"#, #"["1s"]"#, "[1]", "[null]", "[[]]", #"{"a":"b"}"#, #"{"a":1,"b":null}"#, #"{"title":"x"}"#,
        #"{"red":1}"#,
    ]
    private static let names = [
        "zzz", "aps", "badge", "sound", "priority", "Title", "tokens", "a\\u0062", "fcmOptions", "",
    ]

    private static func right(_ type: FCMType, _ random: inout SeededGenerator) -> String {
        switch type {
        case .string: #""x""#
        case .bool: Bool.random(using: &random) ? "true" : "false"
        case .int32: ["3", #""3""#, "3.0"].randomElement(using: &random) ?? "3"
        case .float: ["0.5", #""0.5""#].randomElement(using: &random) ?? "1"
        case .duration: #""3.5s""#
        case .timestamp: #""2024-11-05T18:00:00.5Z""#
        case .enumeration(let enumeration): #""\#(enumeration.names.randomElement(using: &random) ?? "")""#
        case .message(let object): self.object(object, &random)
        case .stringMap: #"{"k":"v","l":""}"#
        case .structure: #"{"k":[1,null,{"l":true}]}"#
        }
    }

    private static func object(_ object: FCMObject, _ random: inout SeededGenerator) -> String {
        var members = object == .message ? [#""token":"t""#] : []
        for field in FCMField.all(of: object) {
            let name = field.name.description
            if ["token", "fid", "topic", "condition", "name"].contains(name), object == .message { continue }
            // The form of a color is no matter of types.
            guard name != "color" || object == .lightSettings, Int.random(in: 0..<3, using: &random) == 0 else {
                continue
            }
            let spelling = Bool.random(using: &random) ? name : field.camelName
            var value = right(field.type, &random)
            if field.isRepeated { value = "[\(value)]" }
            if Int.random(in: 0..<14, using: &random) == 0 { value = values.randomElement(using: &random) ?? "" }
            members.append(#""\#(spelling)":\#(value)"#)
        }
        if Int.random(in: 0..<14, using: &random) == 0 {
            members.append(
                #""\#(names.randomElement(using: &random) ?? "")":\#(values.randomElement(using: &random) ?? "")"#)
        }
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }

    /// Places that `run` refuses for a name or a type.
    private static func refusedPlaces(_ record: String) -> Set<String> {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        let bytes = Array(record.utf8)
        return bytes.withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            let places = batch.findings.map(\.finding)
                .filter { $0.message.hasPrefix("Invalid value at '") || $0.message.hasPrefix("Invalid JSON payload") }
                .map(\.pointer)
            withExtendedLifetime(decoder) {}
            return Set(places)
        }
    }

    @Test func `lint finds an error of names or types exactly where run refuses one`() {
        var random = SeededGenerator(seed: 20)
        let linter = Linter()
        var refused = 0
        var accepted = 0
        for _ in 0..<4000 {
            let more = Int.random(in: 0..<20, using: &random) == 0 ? #","validate_only":"true""# : ""
            let record = #"{"message":\#(Self.object(.message, &random))\#(more)}"#
            let places = Self.refusedPlaces(record)
            let found = Set(linter.lint(record).filter { Self.schemaRules.contains($0.rule.id.text) }.map(\.pointer))
            #expect(found == places, "\(record)")
            if places.isEmpty { accepted += 1 } else { refused += 1 }
        }
        #expect(refused > 500 && accepted > 500, "\(refused) refused, \(accepted) accepted")
    }

    /// The examples of the issue: `run` delivered what the linter called an error.
    @Test func `run refuses the bad example of every rule about names and types`() {
        for rule in Rule.all where Self.schemaRules.contains(rule.id.text) {
            #expect(!Self.refusedPlaces(rule.failing).isEmpty, "\(rule.id)")
            #expect(Self.refusedPlaces(rule.passing).isEmpty, "\(rule.id)")
        }
    }

    @Test func `misspelled enumerations are named, and quoted booleans are fixed`() {
        let linter = Linter()
        let found = linter.lint(
            #"{"message":{"token":"t","android":{"priority":"hihg","direct_boot_ok":"true"}}}"#)
        #expect(found.map(\.rule.id.text) == ["fcm.unknown-value", "fcm.wrong-type"])
        #expect(found.first?.message.contains("did you mean HIGH?") ?? false)
        #expect(found.last?.edits.count == 1)
    }
}
