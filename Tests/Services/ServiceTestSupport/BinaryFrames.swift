import PushFraming
package import PushServices

/// Frames of the binary interface, as senders write them. Source: Apple (archived), "Binary Provider API".
package enum BinaryFrames {
    package static let token = [UInt8](repeating: 0xAB, count: 32)
    package static let device = String(repeating: "ab", count: 32)
    package static let payload = #"{"aps":{"alert":"Hi"}}"#

    package static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    private static func part(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count, bytes: 2) + bytes }

    package static func simple(_ payload: String = payload, to token: [UInt8] = token) -> [UInt8] {
        [0] + part(token) + part(Array(payload.utf8))
    }

    package static func enhanced(
        _ identifier: Int, _ payload: String = payload, expiry: Int = 0x7000_0000, to token: [UInt8] = token
    ) -> [UInt8] {
        [1] + number(identifier, bytes: 4) + number(expiry, bytes: 4) + part(token) + part(Array(payload.utf8))
    }

    package static func items(
        _ identifier: Int, _ payload: String = payload, priority: Int = 10, to token: [UInt8] = token
    ) -> [UInt8] {
        let items =
            [1] + part(token) + [2] + part(Array(payload.utf8)) + [3] + part(number(identifier, bytes: 4))
            + [5] + part([UInt8(priority)])
        return [2] + number(items.count, bytes: 4) + items
    }

    package static func error(_ status: Int, _ identifier: Int) -> [UInt8] {
        [8, UInt8(status)] + number(identifier, bytes: 4)
    }

    /// What `bytes` become, over one connection.
    package static func requests(
        _ bytes: [UInt8], over connection: BinaryConnection = BinaryConnection(), certificate: ClientCertificate? = nil
    ) -> [GatewayRequest] {
        var reader = BinaryFrameReader()
        return reader.read(bytes).map { event in
            let content: BinaryRequest.Content =
                switch event {
                case .notification(let notification): .notification(notification)
                case .unreadable(let identifier): .unreadable(identifier: identifier)
                }
            return GatewayRequest(
                content, over: connection, from: RequestSender(connection: 1, certificate: certificate))
        }
    }
}
