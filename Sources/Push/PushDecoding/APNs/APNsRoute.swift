package import PushModel

/// The subject of a request to APNs, of which the path says it: for requests to `serve`, and for records that have a `:path`.
package enum APNsRoute: Equatable {
    /// A push to a device, with its token as the path has it.
    case device(token: String)
    /// A push to the subscribers of a channel of this app.
    case broadcast(bundle: String)
    /// A channel of this app: makes, reads or removes it.
    case channels(bundle: String)
    /// Reads the list of this app's channels.
    case allChannels(bundle: String)
    /// Any other request to APNs, and the reason why it is rejected.
    case refused(Rejection)

    /// The beginnings of the paths of APNs: pushes, broadcasts, channels.
    private static let apnsVersions = ["/3/", "/4/", "/1/apps/"]

    static let devicePrefix = "/3/device/"
    static let broadcastPrefix = "/4/broadcasts/apps/"

    /// Nil for a path that is not APNs'.
    package init?(method: String, path: String) {
        // Nearly all requests; the rest may take its time.
        if path.hasPrefix(Self.devicePrefix) {
            let token = path.utf8.dropFirst(Self.devicePrefix.utf8.count)
            if method == "POST", !token.contains(UInt8(ascii: "/")) {
                self = .device(token: String(Substring(token)))
                return
            }
        }
        guard Self.apnsVersions.contains(where: path.hasPrefix) || path == "/3" else {
            return nil
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let last = String(parts.last ?? "")
        let app = parts.count == 4 ? String(parts.dropFirst(2).first ?? "") : ""
        let (route, methods): (APNsRoute, [String])
        if parts.count == 3, parts.starts(with: ["3", "device"]) {
            route = .device(token: last)
            methods = ["POST"]
        } else if parts.count == 4, parts.starts(with: ["4", "broadcasts", "apps"]), !last.contains("?") {
            route = .broadcast(bundle: last)
            methods = ["POST"]
        } else if !app.isEmpty, parts.starts(with: ["1", "apps"]), last == "channels" {
            route = .channels(bundle: app)
            methods = ["POST", "GET", "DELETE"]
        } else if !app.isEmpty, parts.starts(with: ["1", "apps"]), last == "all-channels" {
            route = .allChannels(bundle: app)
            methods = ["GET"]
        } else {
            self = .refused(.badPath)
            return
        }
        // The order of pushy's mock server: the method before the path. Only a path that exists has methods, though.
        self = methods.contains(method) ? route : .refused(.methodNotAllowed)
    }
}
