import PushRuns

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

    /// - Throws: an address that cannot be read.
    init(_ options: GatewayOptions) throws(OptionValue.Invalid) {
        func address(_ text: String?, _ option: String) throws(OptionValue.Invalid) -> ListenAddress? {
            guard let text else { return nil }
            return try ListenAddress(parsing: text, option: option)
        }
        self.init(
            try ListenAddress(parsing: options.listen), proxy: try address(options.proxy, "--proxy"),
            binary: try address(options.binaryGateway, "--binary-gateway"),
            feedback: try address(options.feedback, "--feedback"))
    }
}
