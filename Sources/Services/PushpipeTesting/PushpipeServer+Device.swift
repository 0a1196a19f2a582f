import PushModel

extension PushpipeServer {
    /// A device with an app, or a change of one: what is nil keeps its value.
    ///
    ///     try await server.register(
    ///         .init("ab12", app: "org.example.news", isOnline: false),
    ///         .init("cd34", app: "org.example.news", isUnregistered: true))
    ///
    /// `add(records:)` takes the rest of what is known of a device.
    public struct Device: Sendable, Equatable {
        /// The token, or the registration id.
        public var token: String
        /// The bundle identifier or package name; nil for the first app of the device, or for any app on a new one.
        public var app: String?
        /// The kind of device. APNs' tokens are of iOS, and others of Android, unless it is given.
        public var platform: Platform?
        /// True if the device can be reached, with all of its apps. Messages wait for one that cannot.
        public var isOnline: Bool?
        /// True if the token is dead: APNs answers 410 `Unregistered`.
        public var isUnregistered: Bool?
        /// The registration id that replaces the token.
        public var canonical: String?
        /// The user's permission to show notifications.
        public var authorization: DeviceEvent.Authorization?
        /// The state of the app. One in the foreground shows no notification unless its delegate says so.
        public var appState: DeviceEvent.AppState?
        /// The topics of GCM and FCM that the app is subscribed to, and no others.
        public var topics: [String]?

        /// Creates a device.
        public init(
            _ token: String, app: String? = nil, platform: Platform? = nil, isOnline: Bool? = nil,
            isUnregistered: Bool? = nil, canonical: String? = nil, authorization: DeviceEvent.Authorization? = nil,
            appState: DeviceEvent.AppState? = nil, topics: [String]? = nil
        ) {
            self.token = token
            self.app = app
            self.platform = platform
            self.isOnline = isOnline
            self.isUnregistered = isUnregistered
            self.canonical = canonical
            self.authorization = authorization
            self.appState = appState
            self.topics = topics
        }

        var event: DeviceEvent {
            var event = DeviceEvent(.device, device: token, app: app)
            event.platform = platform
            event.isOnline = isOnline
            event.isUnregistered = isUnregistered
            event.settings.canonical = canonical
            event.authorization = authorization
            event.appState = appState
            event.settings.topics = topics.map { Set($0) }
            return event
        }
    }
}
