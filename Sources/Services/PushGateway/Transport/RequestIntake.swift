import PushServices

/// Collects the body of a request as it arrives, within its limits.
struct RequestIntake {
    private(set) var request: GatewayRequest
    private let limits: GatewayLimits
    private let bodyBytes: Int
    private var received = 0

    init(_ request: GatewayRequest, _ limits: GatewayLimits) {
        (self.request, self.limits, bodyBytes) = (request, limits, limits.bodyBytes(ofPath: request.path))
    }

    /// Adds a part of the body.
    ///
    /// - Returns: true to go on reading. If not, the request is complete as far as the gateway is concerned.
    mutating func append(_ bytes: some Collection<UInt8>) -> Bool {
        received += bytes.count
        if received <= bodyBytes {
            request.body.append(contentsOf: bytes)
        } else {
            request.isTooLarge = true
            request.body = []
        }
        return received <= limits.discardedBytes
    }
}
