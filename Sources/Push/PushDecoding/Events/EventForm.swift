import PushJSON
import PushModel
import PushSystem

/// The form of a member's values: how they are read, written and redacted. Times and durations are in milliseconds.
package struct EventForm<Value: Sendable>: Sendable {
    let kind: EventMember.Form
    /// The value; nil when it does not have this form.
    let read: @Sendable (JSONView) throws(DecodeFailure) -> Value?
    /// Appends `,"name":value`.
    let append: @Sendable (_ name: StaticString, Value, inout ByteBuffer) -> Void
    /// The value without its secret texts; nil for a form without texts of others.
    var redact: (@Sendable (Value, EventMember.Secret?, (String, EventMember.Secret) -> String) -> Value)?
}

extension EventMember {
    /// The form of a member's values, for people and in JSON Schema.
    package struct Form: Sendable {
        package enum Kind: Sendable {
            case text, word, number, texts, objects
        }

        package let kind: Kind
        /// The words of the message about a value without this form.
        package let words: String
        /// The words of the reference, which lists those that a member takes; nil for `words`.
        package var summary: String?
        /// The words that it has, without true and false; none if it takes others as well.
        package var choices: [String] = []
        /// The meaning of each, for the documentation.
        package var meanings: [StaticString] = []
        /// The types of JSON Schema; none if it is an enumeration of `values`.
        var types: [String] = []
        var values: [String] = []
        var constraints = ""
    }
}

extension EventForm where Value == String {
    package static var text: Self {
        Self(
            kind: EventMember.Form(kind: .text, words: "a string", types: ["string"]), read: { $0.string?.string },
            append: { $2.appendMember($0, $1) }, redact: { text, secret, hide in secret.map { hide(text, $0) } ?? text }
        )
    }
}

extension EventForm where Value == [String] {
    package static var texts: Self {
        Self(
            kind: listOfTexts, read: { list($0) { $0 } }, append: { $2.appendMember($0, $1) },
            redact: { texts, secret, hide in secret.map { secret in texts.map { hide($0, secret) } } ?? texts })
    }
}

extension EventForm where Value == Set<String> {
    /// Texts of which each counts once. They are written in order.
    static var names: Self {
        Self(
            kind: listOfTexts, read: { list($0) { $0 }.map(Set.init) }, append: { $2.appendMember($0, $1.sorted()) },
            redact: { names, secret, hide in secret.map { secret in Set(names.map { hide($0, secret) }) } ?? names })
    }
}

extension EventForm where Value == [String: String] {
    /// An object of texts. They are written in the order of their names.
    static func textsByName(_ example: String) -> Self {
        Self(
            kind: EventMember.Form(
                kind: .objects, words: "an object of strings such as \(example)", types: ["object"],
                constraints: #", "additionalProperties": {"type": "string"}"#),
            read: { view in
                guard view.isObject else { return nil }
                var texts: [String: String] = [:]
                for (name, value) in view.members {
                    guard let text = value.string?.string else { return nil }
                    texts[name.string] = text
                }
                return texts
            },
            append: { name, texts, out in
                out.appendMember(name) { out in
                    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                        out.appendMemberName(text: name)
                        out.appendJSONString(text)
                    }
                }
            },
            redact: { texts, secret, hide in
                secret.map { secret in texts.mapValues { hide($0, secret) } } ?? texts
            })
    }
}

extension EventForm where Value == Bool {
    package static var flag: Self {
        Self(
            kind: EventMember.Form(kind: .word, words: "true or false", types: ["boolean"]),
            read: { $0.kind == .true ? true : $0.kind == .false ? false : nil }, append: { $2.appendMember($0, $1) })
    }
}

extension EventForm where Value: FixedWidthInteger {
    /// A whole number, 0 or more. 7.0 is one too, as in JSON Schema.
    static var number: Self {
        Self(
            kind: EventMember.Form(
                kind: .number, words: "a whole number from 0", types: ["integer"],
                constraints: #", "minimum": 0, "maximum": \#(Int64.max)"#),
            read: { view in
                let number = view.int64 ?? view.double.flatMap { Int64(exactly: $0) }
                return number.flatMap { $0 >= 0 ? Value(exactly: $0) : nil }
            }, append: { $2.appendMember($0, Int(clamping: $1)) })
    }
}

extension EventForm where Value == Int64 {
    /// Epoch seconds, or an RFC 3339 string.
    static var time: Self {
        Self(
            kind: EventMember.Form(
                kind: .number, words: "epoch seconds, or a time such as \"2026-11-03T20:00:00Z\"",
                types: ["string", "number"],
                constraints: EventSchema.constraints(from: EventTime.writable.lowerBound, EventSchema.timePattern)),
            read: {
                $0.string.flatMap { EventTime.milliseconds($0.string) } ?? $0.double.flatMap(EventTime.milliseconds)
            }, append: { $2.appendMember($0, RFC3339.text($1)) })
    }

    /// `"90s"`, `"1h30m"`, or a number of seconds.
    static var duration: Self {
        Self(
            kind: EventMember.Form(
                kind: .number, words: "a duration such as \"90s\", \"1h30m\" or \"30d\", or a number of seconds from 0",
                types: ["string", "number"], constraints: EventSchema.constraints(from: 0, EventSchema.durationPattern)),
            read: {
                $0.string.flatMap { EventTime.duration($0.string) }
                    ?? $0.double.flatMap { $0 >= 0 ? EventTime.milliseconds($0) : nil }
            }, append: { $2.appendMember($0, "\($1)ms") })
    }
}

extension EventForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of some words.
    ///
    /// - Parameter meanings: what they mean, in the order of the cases.
    static func word(_ meanings: StaticString...) -> Self {
        let words = Value.allCases.map(\.rawValue)
        return Self(
            kind: EventMember.Form(
                kind: .word, words: "one of " + words.joined(separator: ", "), summary: "one of its words",
                choices: words, meanings: meanings,
                values: words.map(\.jsonQuoted)),
            read: { $0.string.flatMap { Value(rawValue: $0.string) } }, append: { $2.appendMember($0, $1.rawValue) })
    }
}

extension EventForm where Value == DeviceEvent.Lock {
    /// True, false, or a word.
    static func lock(_ meaning: StaticString) -> Self {
        let word = Value.beforeFirstUnlock.rawValue
        return Self(
            kind: EventMember.Form(
                kind: .word, words: "true, false or \(word)", summary: "true, false or one of its words",
                choices: [word], meanings: [meaning],
                values: ["true", "false", word.jsonQuoted]),
            read: {
                switch $0.kind {
                case .true: .locked
                case .false: .unlocked
                default: $0.string.flatMap { $0.string == word ? .beforeFirstUnlock : nil }
                }
            },
            append: { $1 == .beforeFirstUnlock ? $2.appendMember($0, word) : $2.appendMember($0, $1 == .locked) })
    }
}

extension EventForm {
    /// Some of such words.
    static func words<Word: RawRepresentable<String> & CaseIterable & Hashable & SendableMetatype>(
        _ meanings: StaticString...
    ) -> Self
    where Value == Set<Word> {
        let words = Word.allCases.map(\.rawValue)
        let values = words.map(\.jsonQuoted).joined(separator: ", ")
        return Self(
            kind: EventMember.Form(
                kind: .texts, words: "a list of " + words.joined(separator: ", "), summary: "a list of its words",
                choices: words, meanings: meanings,
                types: ["array"], constraints: #", "items": {"enum": [\#(values)]}"#),
            read: { list($0) { Word(rawValue: $0) }.map(Set.init) },
            append: { $2.appendMember($0, Word.allCases.filter($1.contains).map(\.rawValue)) })
    }

    private static var listOfTexts: EventMember.Form {
        EventMember.Form(
            kind: .texts, words: "a list of strings", types: ["array"], constraints: #", "items": {"type": "string"}"#)
    }

    /// Nil for what is no list of strings, or has one for which `value` is nil.
    private static func list<Element>(_ view: JSONView, _ value: (String) -> Element?) -> [Element]? {
        guard view.kind == .array else { return nil }
        var found: [Element] = []
        for element in view.elements {
            guard let value = element.string.flatMap({ value($0.string) }) else { return nil }
            found.append(value)
        }
        return found
    }

    static func objects<Element: ListElement>(
        _ example: String,
        redact: @escaping @Sendable (inout Element, (String, EventMember.Secret) -> String) -> Void
    ) -> Self where Value == [Element] {
        Self(
            kind: EventMember.Form(
                kind: .objects, words: "a list of \(Element.listName) such as \(example)", types: ["array"],
                constraints: #", "items": \#(Element.schema)"#),
            read: Element.list,
            append: { name, elements, out in
                out.appendMemberName(name)
                Element.append(elements, to: &out)
            },
            redact: { elements, _, hide in
                var redacted = elements
                for position in redacted.indices { redact(&redacted[position], hide) }
                return redacted
            })
    }
}

extension EventForm where Value == [ActionCategory] {
    static var categories: Self {
        .objects(#"{"id":"TALK","actions":[{"id":"REPLY","title":"Reply","text":true}]}"#) { category, hide in
            category.identifier = hide(category.identifier, .name)
            category.placeholder = category.placeholder.map { hide($0, .content) }
            for (position, action) in category.actions.enumerated() {
                let name = hide(action.identifier, .name)
                // A title that is no other text than the action's name is not written.
                category.actions[position].title =
                    action.title == action.identifier ? name : hide(action.title, .content)
                category.actions[position].identifier = name
            }
        }
    }
}

extension EventForm where Value == [NotificationChannel] {
    static var channels: Self {
        .objects(#"{"id":"news","importance":"high","sound":true,"badge":true}"#) { channel, hide in
            channel.identifier = hide(channel.identifier, .name)
        }
    }
}

/// Times and durations as people write them, in milliseconds.
package enum EventTime {
    /// The years 1 to 9999.
    package static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Epoch seconds, with a precision of milliseconds.
    package static func milliseconds(_ seconds: Double) -> Int64? {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()), writable.contains(milliseconds) else {
            return nil
        }
        return milliseconds
    }

    /// An RFC 3339 time of the years 1 to 9999: `2026-11-03T20:00:00Z`, `2026-11-03T20:00:00.5+01:00`. Digits after the
    /// millisecond are dropped.
    package static func milliseconds(_ text: String) -> Int64? {
        guard !text.hasPrefix("0000"), let milliseconds = RFC3339.milliseconds(text, .any) else { return nil }
        return writable.contains(milliseconds) ? milliseconds : nil
    }

    /// A duration: `90s`, `1h30m`, `1.5h`, `250ms`, `2w`; units in any order. At most ten thousand years.
    package static func duration(_ text: String) -> Int64? {
        let units: [(name: StaticString, milliseconds: Double)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
        ]
        var rest = text[...]
        var total = 0.0
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let name = rest.dropFirst(number.count).prefix { $0.isASCII && $0.isLetter }
            guard let amount = Double(number), let unit = units.first(where: { $0.name.description == name }) else {
                return nil
            }
            total += amount * unit.milliseconds
            rest = rest.dropFirst(number.count + name.count)
        } while !rest.isEmpty
        guard total <= Double(writable.upperBound) else { return nil }
        return Int64(total.rounded())
    }
}

/// The JSON Schema (draft 2020-12) of event records, generated from the table by which they are read.
package enum EventSchema {
    package static var text: String {
        var lines = [
            "{",
            #"  "$schema": "https://json-schema.org/draft/2020-12/schema","#,
            #"  "title": "An event record of pushpipe","#,
            #"  "description": "Something that happens at a device rather than to a message. Stands in a stream of payloads as a record of its own.","#,
            #"  "type": "object","#,
            #"  "required": ["event"],"#,
            #"  "oneOf": ["#,
        ]
        for (position, name) in DeviceEvent.Name.allCases.enumerated() {
            let members = EventMember.table.filter { $0.events.contains(name) }
            let required = members.filter { $0.required.contains(name) }.map { #""\#($0.name)""# }
            lines += [
                "    {",
                #"      "description": \#(name.words.jsonQuoted),"#,
                #"      "required": [\#((["\"event\""] + required).joined(separator: ", "))],"#,
                #"      "properties": {"#,
                #"        "event": {"const": "\#(name.rawValue)"},"#,
            ]
            for (index, member) in members.enumerated() {
                let comma = index == members.count - 1 ? "" : ","
                lines.append(#"        "\#(member.name)": {\#(schema(of: member, in: name))}\#(comma)"#)
            }
            lines += ["      },", #"      "additionalProperties": false"#]
            lines.append(position == DeviceEvent.Name.allCases.count - 1 ? "    }" : "    },")
        }
        lines += ["  ]", "}"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// An optional member may also be null.
    private static func schema(of member: EventMember, in event: DeviceEvent.Name) -> String {
        let isRequired = member.required.contains(event)
        let form = member.form
        func list(_ values: [String], _ null: String) -> String {
            (isRequired ? values : values + [null]).joined(separator: ", ")
        }
        let types = list(form.types.map(\.jsonQuoted), "null".jsonQuoted)
        var schema =
            form.types.isEmpty
            ? #""enum": [\#(list(form.values, "null"))]"#
            : #""type": "# + (form.types.count == 1 && isRequired ? types : "[\(types)]")
        schema += form.constraints
        if isRequired, member.name.description == "device" { schema += #", "minLength": 1"# }
        return #""description": \#(member.words.description.jsonQuoted), \#(schema)"#
    }

    /// Limits in seconds, and a pattern for a text.
    static func constraints(from earliest: Int64, _ pattern: String) -> String {
        // Milliseconds in the last second of the year 9999.
        #", "minimum": \#(earliest / 1000), "maximum": \#(EventTime.writable.upperBound / 1000).999, "#
            + #""pattern": \#(pattern.jsonQuoted)"#
    }

    /// A time in RFC 3339 whose day exists in its month.
    static let timePattern: String = {
        let leapYears = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
        let days =
            "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])"
        let minutes = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
        return "^(?!0000)(?:[0-9]{4}-(?:\(days))|\(leapYears)-02-29)[Tt ]\(minutes):(?:[0-5][0-9]|60)"
            + #"(?:\.[0-9]+)?(?:[Zz]|[+-]"# + minutes + ")$"
    }()

    /// Amounts with units, each with at most as many digits as ten thousand years have in its unit. A pattern cannot limit their sum.
    static let durationPattern: String = {
        let digits = [("ms", 15), ("s", 12), ("m", 10), ("h", 8), ("d", 7), ("w", 6)]
        let amounts = digits.map { #"(?:0*[0-9]{1,\#($1)}(?:\.[0-9]*)?|\.[0-9]+)\#($0)"# }
        return "^(?:\(amounts.joined(separator: "|")))+$"
    }()
}
