import PushPipeline

/// A configuration whose reports do not depend on the day.
func configuration(_ change: (inout PipelineConfiguration) -> Void = { _ in }) -> PipelineConfiguration {
    var configuration = PipelineConfiguration()
    configuration.clock = .fixed(milliseconds: 1_000_000)
    change(&configuration)
    return configuration
}

/// An APNs request. The collapse id is its identifier on the device.
func apns(_ body: String, device: String = "ab54", collapse: String? = nil) -> String {
    let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
    return #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"\#(header)},"payload":\#(payload(body))}"#
}

/// The payload of `apns`.
func payload(_ body: String) -> String { #"{"aps":{"alert":{"body":"\#(body)"}}}"# }

/// Bytes in readable form: ASCII unchanged, all others as `\xNN`.
func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
