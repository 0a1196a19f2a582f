import NIOCore
import PushServices

/// The ports of APNs' binary interface. With TLS or without, as the first byte says: no frame begins like a handshake.
extension GatewayServer {
    /// A client may connect long before its first notification.
    static func addBinarySniffer(to connection: GatewayConnection, _ identity: (any GatewayTLS)?) throws {
        let seconds = connection.limits.secondsIdle
        let sniffer = ProtocolSniffer(acceptsTLS: identity != nil, seconds: seconds) { result, channel in
            let isSecure = try addTLS(to: channel, result == .tls ? identity : nil)
            try channel.pipeline.syncOperations.addHandler(BinaryHandler(connection, isSecure: isSecure))
        }
        try connection.channel.pipeline.syncOperations.addHandler(sniffer)
    }

    static func addFeedbackSniffer(to connection: GatewayConnection, _ identity: (any GatewayTLS)?) throws {
        let operations = connection.channel.pipeline.syncOperations
        guard let identity else { return try operations.addHandler(FeedbackHandler(connection, isSecure: false)) }
        let silence = TimeAmount.seconds(Int64(connection.limits.secondsOfSilence))
        try operations.addHandler(
            FeedbackSniffer(silence: silence) { result, channel in
                let isSecure = try addTLS(to: channel, result == .tls ? identity : nil)
                try channel.pipeline.syncOperations.addHandler(FeedbackHandler(connection, isSecure: isSecure))
            })
    }

    /// - Parameter identity: nil for a connection without TLS.
    /// - Returns: true if there is TLS.
    private static func addTLS(to channel: any Channel, _ identity: (any GatewayTLS)?) throws -> Bool {
        guard let identity else { return false }
        // TLS has an end of its own.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try channel.pipeline.syncOperations.addHandler(identity.handler(ofBinaryInterface: true))
        return true
    }
}
