import PushDecoding
import PushModel
import Testing

@testable import PushLint

/// Every name of every object, misspelled: what the linter takes it for is a name of that object, and the record with it has no fault.
struct MisspellingTests {
    /// An object of a request, and values that its members take.
    struct Place: Sendable, CustomTestStringConvertible {
        var name: String
        var members: [(name: String, value: String)]
        /// The record with a member, as JSON.
        var record: @Sendable (_ member: String) -> String

        var testDescription: String { name }
    }

    private static let aps: [(name: String, value: String)] = [
        ("badge", "3"), ("sound", #""a.caf""#), ("thread-id", #""g""#), ("category", #""c""#),
        ("content-available", "1"), ("mutable-content", "1"), ("target-content-id", #""w""#),
        ("interruption-level", #""active""#), ("relevance-score", "0.5"), ("filter-criteria", #""f""#),
    ]
    private static let activity: [(name: String, value: String)] = [
        ("stale-date", "1730761200"), ("content-state", #"{"a":1}"#), ("dismissal-date", "1730761200"),
    ]
    private static let alert: [(name: String, value: String)] = [
        ("subtitle", #""x""#), ("body", #""x""#), ("launch-image", #""x""#), ("subtitle-loc-key", #""K""#),
        ("loc-key", #""K""#),
    ]
    private static let titles: [(name: String, value: String)] = [("title", #""x""#), ("title-loc-key", #""K""#)]
    private static let headers: [(name: String, value: String)] = [
        ("apns-priority", #""10""#), ("apns-collapse-id", #""c""#), ("apns-expiration", #""0""#),
        ("apns-id", #""eabeae54-14a8-11e5-b60b-1697f925ec7b""#),
    ]
    private static let legacy: [(name: String, value: String)] = [
        ("collapse_key", #""c""#), ("priority", #""high""#), ("content_available", "true"), ("mutable_content", "true"),
        ("time_to_live", "60"), ("restricted_package_name", #""a.b""#), ("dry_run", "true"), ("data", #"{"a":"b"}"#),
    ]
    private static let legacyNotification: [(name: String, value: String)] = [
        ("body", #""x""#), ("subtitle", #""x""#), ("android_channel_id", #""c""#), ("icon", #""i""#),
        ("sound", #""s""#),
        ("badge", #""3""#), ("tag", #""g""#), ("color", ##""#112233""##), ("click_action", #""A""#),
        ("body_loc_key", #""K""#),
        ("title_loc_key", #""K""#), ("image", #""https://a.example/b.png""#),
    ]

    private static let apple: [Place] = [
        Place(name: "aps", members: aps) { #"{"aps":{"alert":"x",\#($0)}}"# },
        Place(name: "aps without alert", members: [("alert", #""x""#)]) { #"{"aps":{"badge":3,\#($0)}}"# },
        Place(name: "activity", members: activity) {
            #"{"aps":{"timestamp":1730761200,"event":"end",\#($0)}}"#
        },
        Place(name: "alert", members: alert) { #"{"aps":{"alert":{"title":"t",\#($0)}}}"# },
        Place(name: "alert without title", members: titles) { #"{"aps":{"alert":{"body":"b",\#($0)}}}"# },
        Place(name: "headers", members: headers) {
            Example.request(#""apns-push-type":"alert",\#($0)"#, Example.alert)
        },
    ]
    private static let google: [Place] = [
        Place(name: "request", members: legacy) { #"{"to":"t","notification":{"title":"x"},\#($0)}"# },
        Place(name: "notification", members: legacyNotification) { #"{"to":"t","notification":{"title":"x",\#($0)}}"# },
    ]

    /// The objects of HTTP v1, from the decoder's table.
    private static let objects: [(FCMObject, @Sendable (String) -> String)] = [
        (.notification, { #""android":{"notification":{"title":"t"}},"notification":{\#($0)}"# }),
        (.android, { #""data":{"a":"b"},"android":{\#($0)}"# }),
        (.androidNotification, { #""notification":{"title":"t"},"android":{"notification":{"ticker":"t",\#($0)}}"# }),
        (.webpush, { #""data":{"a":"b"},"webpush":{\#($0)}"# }),
        (.apns, { #""notification":{"title":"t"},"apns":{\#($0)}"# }),
    ]

    private static let messages: [Place] = objects.map { object, members in
        let fields = FCMField.all(of: object).compactMap { field -> (name: String, value: String)? in
            value(field).map { (field.name.description, $0) }
        }
        return Place(
            name: "\(object)",
            members: fields,
            record: { #"{"message":{"token":"t",\#(members($0))}}"# })
    }

    private static func value(_ field: FCMField) -> String? {
        let name = field.name.description
        // Arguments need a key, and an image an address.
        if name.hasSuffix("_args") || ["live_activity_token", "ticker"].contains(name) { return nil }
        let value: String? =
            switch field.type {
            case .string:
                name == "image"
                    ? #""https://a.example/b.png""#
                    : name == "color" ? ##""#112233""## : name == "restricted_package_name" ? #""a.b""# : #""x""#
            case .bool: "true"
            case .int32: "3"
            case .float: "0.5"
            case .duration: #""3s""#
            case .timestamp: #""2024-11-05T18:00:00Z""#
            case .enumeration(let enumeration): #""\#(enumeration.names[1])""#
            case .stringMap: name == "headers" ? "{}" : #"{"a":"b"}"#
            case .structure: "{}"
            case .message: nil
            }
        return value.map { field.isRepeated ? "[\($0)]" : $0 }
    }

    static let places = apple + google + messages

    /// Other spellings of a name, and slips of the pen.
    private static func misspellings(_ name: String) -> Set<String> {
        let words = name.split { $0 == "-" || $0 == "_" }.map(String.init)
        var all: Set = [
            words.joined(separator: "_"), words.joined(separator: "-"), words.joined(), name.uppercased(),
            words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(),
            words.joined(separator: " "),
        ]
        let letters = Array(name)
        for index in letters.indices where letters[index].isLetter {
            var fewer = letters
            fewer.remove(at: index)
            all.insert(String(fewer))
            all.insert(String(letters[...index]) + String(letters[index...]))
            if index > 0, letters[index - 1].isLetter {
                var swapped = letters
                swapped.swapAt(index, index - 1)
                all.insert(String(swapped))
            }
        }
        all.remove(name)
        return all
    }

    /// The name that a message suggests.
    private static func suggestion(in message: String) -> String? {
        message.firstMatch(of: /did you mean (?!the )([^ ;,?]+)/)
            .map { String($0.1) }
    }

    @Test(arguments: places) func `a suggested name fits the place`(_ place: Place) {
        let linter = Linter()
        var suggested = 0
        var count = 0
        for (name, value) in place.members {
            let right = place.record(#""\#(name)":\#(value)"#)
            #expect(linter.faults(right).isEmpty, "\(right): \(linter.faults(right))")
            for misspelling in Self.misspellings(name).sorted() {
                let wrong = place.record(#""\#(misspelling)":\#(value)"#)
                let found = linter.lint(wrong).filter { $0.pointer.hasSuffix("/\(misspelling)") }
                guard !found.isEmpty else { continue }  // HTTP v1 takes lowerCamelCase, and headers any case.
                count += 1
                let names = found.compactMap { Self.suggestion(in: $0.message) }
                for suggestion in names {
                    suggested += 1
                    let followed = place.record(#""\#(suggestion)":\#(value)"#)
                    #expect(linter.faults(followed).isEmpty, "\(wrong): \(followed): \(linter.faults(followed))")
                    #expect(Effects(followed).isAccepted, "\(wrong): \(followed)")
                }
                let fixed = TextLinter().fix(wrong)
                guard fixed.fixed > 0 else { continue }
                #expect(linter.faults(fixed.text).isEmpty, "\(wrong): \(fixed.text)")
                #expect(Effects(fixed.text).words == Effects(right).words, "\(wrong): \(fixed.text)")
            }
        }
        #expect(suggested * 10 >= count * 8, "\(suggested) of \(count)")
    }
}
