import PayloadJSON
import PushModel

/// The JSON Schema of event records, made of the table by which they are read.
enum EventSchema {
    static var text: String {
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
                lines.append(#"        "\#(member.name)": {\#(schema(of: member))}\#(comma)"#)
            }
            lines += ["      },", #"      "additionalProperties": false"#]
            lines.append(position == DeviceEvent.Name.allCases.count - 1 ? "    }" : "    },")
        }
        lines += ["  ]", "}"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func schema(of member: EventMember) -> String {
        let form =
            switch member.form {
            case .text: #""type": ["string", "null"]"#
            case .flag: #""type": ["boolean", "null"]"#
            case .choice(let words):
                #""enum": [\#((words.map(quoted) + ["null"]).joined(separator: ", "))]"#
            case .texts: #""type": ["array", "null"], "items": {"type": "string"}"#
            case .choices(let words):
                #""type": ["array", "null"], "items": {"enum": [\#(words.map(quoted).joined(separator: ", "))]}"#
            case .number: #""type": ["integer", "null"], "minimum": 0"#
            case .time: #""type": ["string", "number", "null"], "format": "date-time""#
            case .duration:
                #""type": ["string", "number", "null"], "minimum": 0, "pattern": "^([0-9.]+(ms|s|m|h|d|w))+$""#
            }
        return #""description": \#(quoted(member.words.description)), \#(form)"#
    }

    private static func quoted(_ text: String) -> String {
        var out = ByteBuffer()
        out.appendJSONString(text)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
