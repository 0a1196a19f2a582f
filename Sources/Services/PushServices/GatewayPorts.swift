/// Where a gateway listens.
package struct GatewayPorts: Sendable, Equatable {
    /// For HTTP.
    package var main: ListenAddress
    /// Where connections begin with CONNECT; nil for nowhere, as the others.
    package var proxy: ListenAddress?
    /// For the binary interface of APNs.
    package var binary: ListenAddress?
    /// For its feedback service.
    package var feedback: ListenAddress?

    package init(
        _ main: ListenAddress, proxy: ListenAddress? = nil, binary: ListenAddress? = nil,
        feedback: ListenAddress? = nil
    ) {
        self.main = main
        self.proxy = proxy
        self.binary = binary
        self.feedback = feedback
    }
}
