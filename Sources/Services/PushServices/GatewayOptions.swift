/// A gateway's addresses and certificate, and its demands on senders.
package struct GatewayOptions: Sendable {
    package var ports = GatewayPorts(.standard)
    package var tls = TLSOptions()
    /// True if provider tokens are not looked at.
    package var ignoresTokens = false
    /// The file with the key that provider tokens are signed with; nil to check no signature.
    package var providerKeyPath: String?
    /// Checks the signatures of provider tokens in place of such a file; nil for none.
    package var providerSignature: SignatureCheck?
    /// The key that provider tokens must name; nil for any.
    package var keyID: String?
    package var teamID: String?
    /// True if a connection of HTTP/2 may have one stream until it has sent a valid provider token.
    package var allowsOneStreamFirst = false
    /// The file with the service account, or its public key, that access tokens of Google's services are issued to; nil to demand none.
    package var serviceAccountPath: String?
    /// The file with the apps, access keys and blocked addresses of an Airnotifier; nil to take every app and key.
    package var airnotifierPath: String?
    /// The access token that requests to Expo's push service must have, or the file that has it as `@FILE`; nil for none.
    package var expoAccessToken: String?
    /// The longest time for which Wikimedia's service keeps messages before it sends them, in milliseconds.
    package var flushDelay: Int64 = 0
    /// The key of the API's clients, or the file that has it as `@FILE`; nil for the variable `PUSHPIPE_ACCESS_KEY`, else none.
    package var accessKey: String?
    /// Origins of web pages that may send, besides the gateway's own.
    package var allowedOrigins = AllowedOrigins()
    /// Where each message that arrived is posted to; nil for nowhere.
    package var webhook: WebhookAddress?
    /// The file with fault rules; nil for no rules.
    package var faultsPath: String?
    /// The file that keeps what is received; nil for none.
    package var recordPath: String?

    package init() {}

    /// The proofs that senders must give.
    var demands: [APIHost.Demand] {
        let namesToken = (providerKeyPath ?? keyID ?? teamID) != nil
        return (namesToken ? [.providerToken] : []) + (serviceAccountPath != nil ? [.accessToken] : [])
    }
}

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

/// Where the certificate of a gateway comes from.
package struct TLSOptions: Sendable {
    /// Files in PEM. Nil for a certificate of the development authority.
    package let files: (certificate: String, key: String)?

    package init(files: (certificate: String, key: String)? = nil) { self.files = files }
}
