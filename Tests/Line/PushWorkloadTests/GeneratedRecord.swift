import Foundation
import PushSystem
import PushWorkload

/// All bytes of a workload.
func bytes(_ configuration: WorkloadConfiguration) -> [UInt8] {
    var generator = WorkloadGenerator(configuration)
    var buffer: [UInt8] = []
    while generator.appendRecord(to: &buffer) {}
    return buffer
}

/// The lines of a workload, without their newlines.
func lines(_ configuration: WorkloadConfiguration) -> [ArraySlice<UInt8>] {
    bytes(configuration).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
}

/// FNV-1a, 64 bits: short, published, and independent of everything that is tested here.
func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
}

/// A generated line parsed by Foundation, taken apart by format.
struct GeneratedRecord {
    enum Provider { case apns, gcm, fcm }

    var provider: Provider
    /// The record, or the value of `message`.
    var content: [String: Any]
    /// For APNs the decoded payload, otherwise empty.
    var payload: [String: Any] = [:]
    /// For APNs the length of the body in bytes; for the others the UTF-8 bytes of keys and values in `notification`
    /// and `data`.
    var payloadBytes: Int

    /// Nil when the line is not JSON, or has none of the three formats.
    init?(_ line: ArraySlice<UInt8>) {
        // JSONSerialization accepts a trailing comma, which RFC 8259 does not. No generated text contains these bytes.
        guard !line.suffix(2).elementsEqual(",}".utf8) else { return nil }
        guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { return nil }
        if let body = object["payload"] {
            provider = .apns
            content = object
            if let text = body as? String {
                guard let inner = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                    return nil
                }
                payload = inner
                payloadBytes = text.utf8.count
            } else if let inner = body as? [String: Any] {
                payload = inner
                // `payload` is the last member: its value extends from the colon to the record's closing brace.
                guard let key = Data(line).firstRange(of: Data(#""payload":"#.utf8)) else { return nil }
                payloadBytes = line.count - 1 - key.upperBound
            } else {
                return nil
            }
        } else if let message = object["message"] as? [String: Any], object.count == 1 {
            provider = .fcm
            content = message
            payloadBytes = Self.textBytes(message)
        } else if ["to", "registration_ids", "condition"].contains(where: { object[$0] != nil }) {
            provider = .gcm
            content = object
            payloadBytes = Self.textBytes(object)
        } else {
            return nil
        }
    }

    private static func textBytes(_ message: [String: Any]) -> Int {
        var sum = 0
        for block in ["notification", "data"] {
            for (key, value) in message[block] as? [String: Any] ?? [:] {
                sum += key.utf8.count + ((value as? String)?.utf8.count ?? 0)
            }
        }
        return sum
    }

    subscript(block: String) -> [String: Any] { content[block] as? [String: Any] ?? [:] }

    /// The token or registration id, if the record has exactly one.
    var device: String? {
        (content["device"] ?? content["token"] ?? content["to"]) as? String
    }

    /// What a later record repeats to replace this one: device, app and identifier.
    var replacementKey: String? {
        guard let device else { return nil }
        switch provider {
        case .apns:
            guard let topic = self["headers"]["apns-topic"] as? String else { return nil }
            if let collapse = self["headers"]["apns-collapse-id"] as? String { return "\(device) \(topic) \(collapse)" }
            guard let custom = payload["custom-payload-id"] as? String else { return nil }
            return "\(device) \(topic) custom \(custom)"
        case .gcm:
            return (self["notification"]["tag"] as? String).map { "\(device) \($0)" }
        case .fcm:
            let look = self["android"]["notification"] as? [String: Any]
            let headers = self["apns"]["headers"] as? [String: Any]
            return ((look?["tag"] ?? headers?["apns-collapse-id"]) as? String).map { "\(device) \($0)" }
        }
    }
}
