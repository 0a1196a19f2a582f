import PushModel

/// What a request to APNs asks for.
enum APNsRoute: Equatable {
    /// A push to a device, with its token as the path has it.
    case device(token: String)
    /// A push to the subscribers of a channel. The app is in the path.
    case broadcast
    /// Any other request to APNs, and the reason why it is rejected.
    case refused(Rejection)

    /// The beginnings of the paths of APNs: pushes, broadcasts, channels.
    private static let apnsVersions = ["/3/", "/4/", "/1/apps/"]

    /// Nil for a path that is not APNs'.
    init?(method: String, path: String) {
        guard Self.apnsVersions.contains(where: path.hasPrefix) || path == "/3" else {
            return nil
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isDevice = parts.starts(with: ["3", "device"]) && parts.count == 3
        let isBroadcast = parts.starts(with: ["4", "broadcasts", "apps"]) && parts.count == 4
        guard isDevice || isBroadcast else {
            self = .refused(.badPath)
            return
        }
        // The order of pushy's mock server: the method before the path. Only a path that exists has methods, though.
        guard method == "POST" else {
            self = .refused(.methodNotAllowed)
            return
        }
        self = isDevice ? .device(token: String(parts.last ?? "")) : .broadcast
    }
}
