import PayloadJSON
import PushModel
import PushPipeline
import SystemSupport

extension ByteBuffer {
    /// Adds a device's event as a line that `run` takes.
    mutating func appendEvent(_ event: DeviceEvent) {
        append("{\"event\":\"device\",\"device\":")
        appendJSONString(event.device ?? "")
        appendMember("app", event.app)
        appendMember("platform", event.platform?.rawValue)
        appendMember("online", event.isOnline)
        appendMember("state", event.appState?.rawValue)
        appendMember("authorization", event.authorization?.rawValue)
        appendMember("alerts", event.showsAlerts)
        appendMember("logged_in", event.isLoggedIn)
        appendMember("registration", event.registration?.rawValue)
        appendMember("unregistered_at", event.unregisteredAt.map(RFC3339.text))
        appendMember("canonical", event.canonical)
        appendMember("confirmed", event.isConfirmed)
        appendMember("will_present", event.willPresent?.map(\.rawValue))
        appendMember("delegate", event.delegate?.rawValue)
        appendMember("types", event.types)
        append("}\n")
    }

    /// Adds a member behind another one; nothing for nil.
    mutating func appendMember(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        appendName(name)
        appendJSONString(text)
    }

    private mutating func appendMember(_ name: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        appendName(name)
        append(flag ? "true" : "false")
    }

    private mutating func appendMember(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        appendName(name)
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSONString(text)
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func appendName(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }
}
