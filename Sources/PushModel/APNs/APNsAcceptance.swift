import PayloadJSON

/// What APNs refuses, in the order in which the emulator looks.
///
/// Apple documents the reasons and not their order. This one follows the order of pushy's mock server where it has one.
enum APNsAcceptance {
    /// Bytes, not characters. Source: Apple, "Sending notification requests to APNs".
    static let maximumCollapseIDBytes = 64

    static func check(_ index: Int, in batch: inout MessageBatch) {
        let message = batch.messages[index]
        let headers = message.headers
        if let id = headers.id {
            guard let isLowercase = uuidIsLowercase(id) else {
                return batch.reject(.badMessageId, pointer: "/headers/apns-id", message: index)
            }
            if !isLowercase {
                let finding = Finding(
                    rule: "apns.id-uppercase", severity: .warning, pointer: "/headers/apns-id",
                    message: "Apple defines the UUID in lower case; whether APNs accepts upper case is not documented")
                batch.report(finding, message: index)
            }
        }
        if headers.isRequest {
            if headers.hasDuplicates { return batch.reject(.duplicateHeaders, pointer: "/headers", message: index) }
            if message.topic.isEmpty, headers.channelID == nil {
                return batch.reject(.missingTopic, pointer: "", message: index)
            }
        }
        if let collapseID = headers.collapseID, collapseID.count > maximumCollapseIDBytes {
            return batch.reject(
                .badCollapseId, pointer: "/headers/apns-collapse-id",
                "the collapse id has \(collapseID.count) bytes, \(maximumCollapseIDBytes) are allowed", message: index)
        }
        if let priority = headers.priority, !(priority == "10" || priority == "5" || priority == "1") {
            return batch.reject(
                .badPriority, pointer: "/headers/apns-priority",
                "apns-priority is \"\(priority.string)\"; 10, 5 and 1 are allowed", message: index)
        }
        if let expiration = headers.expiration, JSONNumber.int64(expiration.buffer) == nil {
            return batch.reject(.badExpirationDate, pointer: "/headers/apns-expiration", message: index)
        }
        if let type = headers.pushTypeText, headers.pushType == nil {
            return batch.reject(
                .invalidPushType, pointer: "/headers/apns-push-type",
                "apns-push-type is \"\(type.string)\", which is none of Apple's values", message: index)
        }
        if headers.isTargetNamed {
            if message.device.isEmpty { return batch.reject(.missingDeviceToken, pointer: "/device", message: index) }
            if !isHexadecimalBytes(message.device) {
                return batch.reject(
                    .badDeviceToken, pointer: "/device",
                    "a device token is an even number of hexadecimal digits", message: index)
            }
        }
        if message.payload.isEmpty {
            return batch.reject(.payloadEmpty, pointer: message.payloadPointer.description, message: index)
        }
        if message.byteCount > message.byteLimit {
            batch.reject(
                .payloadTooLarge, pointer: message.payloadPointer.description,
                "the payload has \(message.byteCount) bytes, \(message.byteLimit) are allowed", message: index)
        }
    }

    /// Whether a canonical UUID, 8-4-4-4-12 hexadecimal digits, is in lower case; nil when it is none.
    private static func uuidIsLowercase(_ text: BorrowedText) -> Bool? {
        guard text.count == 36 else { return nil }
        var isLowercase = true
        for (position, byte) in text.buffer.enumerated() {
            switch position {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
            default:
                guard hexadecimalDigit(byte) != nil else { return nil }
                if byte &- UInt8(ascii: "A") < 6 { isLowercase = false }
            }
        }
        return isLowercase
    }

    /// A token is the hexadecimal form of bytes; Apple fixes no length.
    private static func isHexadecimalBytes(_ text: BorrowedText) -> Bool {
        guard text.count.isMultiple(of: 2) else { return false }
        for byte in text.buffer where hexadecimalDigit(byte) == nil { return false }
        return true
    }
}
