import PayloadJSON
import PushDecoding
import PushModel

/// Builds an event record from the texts of a step. The type of a member decides what its text becomes in JSON.
struct StepEvent {
    private let name: DeviceEvent.Name
    private var members: String

    init(_ name: DeviceEvent.Name, device: String? = nil) {
        self.name = name
        members = "\"event\":\(Self.quoted(name.rawValue))"
        if let device { add("device", device) }
    }

    init(_ name: DeviceEvent.Name, device: String, _ member: String, _ value: String) {
        self.init(name, device: device)
        add(member, value)
    }

    /// Adds a member. A value that its type cannot take stays a string, and the decoder reports what it expected; the
    /// same goes for a member that the event does not have.
    mutating func add(_ member: String, _ value: String) {
        let form = EventMember.table.first { $0.name.description == member && $0.events.contains(name) }?.form
        members += ",\(Self.quoted(member)):\(Self.json(value, form))"
    }

    /// Adds a member as a string, even if the text looks like a number.
    mutating func add(_ member: String, text: String) {
        members += ",\(Self.quoted(member)):\(Self.quoted(text))"
    }

    /// Adds a member that is a list of strings.
    mutating func add(_ member: String, texts: [String]) {
        members += ",\(Self.quoted(member)):[\(texts.map(Self.quoted).joined(separator: ","))]"
    }

    var text: String { "{\(members)}" }

    private static func json(_ value: String, _ form: EventMember.Form?) -> String {
        switch form {
        case nil, .text: return quoted(value)
        case .flag, .choice, .flagOrChoice: return ["true", "false", "null"].contains(value) ? value : quoted(value)
        case .number, .time, .duration:
            return value == "null" || (Double(value) != nil && isJSON(value)) ? value : quoted(value)
        case .categories, .channels: return isJSON(value) ? value : quoted(value)
        case .texts, .choices:
            if value == "null" || (value.hasPrefix("[") && isJSON(value)) { return value }
            return value.hasPrefix("[") ? quoted(value) : "[\(words(value).map(quoted).joined(separator: ","))]"
        }
    }

    private static func words(_ value: String) -> [String] {
        value.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    }

    private static func isJSON(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { (try? JSONTree(parsing: UnsafeRawBufferPointer($0))) != nil }
    }

    static func quoted(_ text: String) -> String {
        var out = ByteBuffer()
        out.appendJSONString(text)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
