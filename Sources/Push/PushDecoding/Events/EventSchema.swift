import PayloadJSON
import PushModel

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
                #"      "description": \#(quoted(name.words)),"#,
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
        let types = list(form.types.map(quoted), quoted("null"))
        var schema =
            form.types.isEmpty
            ? #""enum": [\#(list(form.values, "null"))]"#
            : #""type": "# + (form.types.count == 1 && isRequired ? types : "[\(types)]")
        schema += form.constraints
        if isRequired, member.name.description == "device" { schema += #", "minLength": 1"# }
        return #""description": \#(quoted(member.words.description)), \#(schema)"#
    }

    /// Limits in seconds, and a pattern for a text.
    static func constraints(from earliest: Int64, _ pattern: String) -> String {
        // Milliseconds in the last second of the year 9999.
        #", "minimum": \#(earliest / 1000), "maximum": \#(EventTime.writable.upperBound / 1000).999, "#
            + #""pattern": \#(quoted(pattern))"#
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

    static func quoted(_ text: String) -> String {
        var out = ByteBuffer()
        out.appendJSONString(text)
        // SOUND: the bytes are copied, and the buffer does not change in between.
        return unsafe String(decoding: out.bytes, as: UTF8.self)
    }
}
