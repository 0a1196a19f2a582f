/// The hosts of push services.
package enum GatewayHosts {
    /// The names under which clients know the services that the gateway stands in for, so that hosts files and proxies can lead to it.
    package static let all = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com", "fcm.googleapis.com",
        "oauth2.googleapis.com", "iid.googleapis.com", "gcm-http.googleapis.com", "android.googleapis.com",
        "exp.host", "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]
}

/// The name in the header `host`.
enum HostName {
    /// Without the port and brackets, in lower case.
    static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    /// True for a name that nobody else can point at this machine: a name of this machine, an address, and where the gateway listens.
    static func isOwn(_ name: String, at address: ListenAddress) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == address.host.lowercased()
            || ListenAddress.isAddress(name)
    }
}
