/// The options of `pushpipe serve`, as they were typed.
package struct GatewayOptions: Sendable {
    /// An address and a port, or a port.
    package var listen = ListenAddress.standard.description
    /// The same of the proxy; nil for none.
    package var proxy: String?
    /// The same of the binary interface of APNs, and of its feedback service.
    package var binaryGateway: String?
    package var feedback: String?
    /// Files in PEM: a certificate chain and its key. Nil for the development authority's.
    package var certificatePath: String?
    package var certificateKeyPath: String?
    /// True if provider tokens are not looked at.
    package var ignoresTokens = false
    /// The file with the key that provider tokens are signed with; nil to check no signature.
    package var providerKeyPath: String?
    /// What provider tokens have to name; nil for anything.
    package var keyID: String?
    package var teamID: String?
    /// True if a connection of HTTP/2 may have one stream until it has sent a valid provider token.
    package var allowsOneStreamFirst = false
    /// The file with the service account, or its public key, that access tokens of Google's services are issued to; nil to demand none.
    package var serviceAccountPath: String?
    /// The file with the apps, access keys and blocked addresses of an Airnotifier; nil to take every app and key.
    package var airnotifierPath: String?
    /// The longest time for which Wikimedia's service keeps messages before it sends them, such as `5m`.
    package var flushDelay = "0s"
    /// What clients of the API have to name, or the file that has it as `@FILE`; nil for the variable `PUSHPIPE_ACCESS_KEY`, else none.
    package var accessKey: String?

    /// The file with fault rules, or `examples` to print one; nil for no rules.
    package var faultsPath: String?

    /// The file that keeps what is received; nil for none.
    package var recordPath: String?

    package init() {}

    /// What senders have to prove.
    var demands: [APIHost.Demand] {
        let namesToken = (providerKeyPath ?? keyID ?? teamID) != nil
        return (namesToken ? [.providerToken] : []) + (serviceAccountPath != nil ? [.accessToken] : [])
    }

    /// The options whose value may not be empty, and what they need.
    var values: [(option: String, value: String?, what: String)] {
        let file = "a file name"
        let id = "an id"
        return [
            ("--provider-key", providerKeyPath, file), ("--key-id", keyID, id), ("--team-id", teamID, id),
            ("--service-account", serviceAccountPath, file), ("--airnotifier", airnotifierPath, file),
            ("--faults", faultsPath, file), ("--record", recordPath, file),
            ("--access-key", accessKey, "a key, or @ and the name of the file that has it"),
        ]
    }
}
