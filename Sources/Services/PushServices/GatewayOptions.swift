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
    /// The address that each message that arrived is posted to; nil for nowhere.
    package var webhook: WebhookAddress?
    /// The words of a command that runs for each notification that an Apple device gets; empty for none.
    package var forward: [String] = []
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

/// The addresses on which a gateway listens.
package struct GatewayPorts: Sendable, Equatable {
    /// The address for HTTP.
    package var main: ListenAddress
    /// The address at which connections begin with CONNECT; nil for nowhere, as the others.
    package var proxy: ListenAddress?
    /// The address for the binary interface of APNs.
    package var binary: ListenAddress?
    /// The address for the feedback service of APNs.
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

/// The origin of a gateway's certificate.
package struct TLSOptions: Sendable {
    /// Files in PEM. Nil for a certificate of the development authority.
    package let files: (certificate: String, key: String)?

    package init(files: (certificate: String, key: String)? = nil) { self.files = files }
}

/// Limits on the cost of one client to the others.
package struct GatewayLimits: Sendable, Equatable {
    /// Longest body that is read as a request, in bytes. Longer ones are answered 413.
    package var bodyBytes = 64 * 1024  // 64 KiB
    /// Longest body of a request that may name many tokens, in bytes: 1000 of FCM's take 170 KB.
    package var listBodyBytes = 512 * 1024  // 512 KiB
    /// Longest body of records, as `pushpipe run` reads them, in bytes: a request is in memory three times.
    package var recordsBodyBytes = 8 << 20  // 8 MiB
    /// The most bytes of a body that are received before the answer: what is over the limit of the path is dropped, so that a client
    /// that sends its whole body before it reads gets its 413. Beyond this the request is answered at once and cut off.
    package var discardedBytes = 1 << 20  // 1 MiB
    /// Longest header, in bytes as HTTP/2 counts them.
    package var headerBytes = 16 * 1024  // 16 KiB
    /// Requests at a time on a connection of HTTP/2. APNs' own number in practice; it is not documented.
    package var streams = 1000
    /// Requests at a time until the client has sent a valid provider token; nil for no difference.
    package var streamsBeforeToken: Int?
    /// Streams that a client may reset on a connection within a tenth of a second. Some reset every stream that was answered, so there are many.
    package var resetStreams = 2000
    /// Connections at a time. More are closed as soon as they are accepted.
    package var connections = 4096
    /// Bytes of all requests that wait for their turn. Requests beyond it are answered 503.
    package var waitingBytes = 64 << 20  // 64 MiB
    /// Bytes of the bodies of all requests that are still arriving. Requests beyond it are answered 503.
    package var receivingBytes = 64 << 20  // 64 MiB
    /// Bytes of a connection's answers that its client has not taken. Beyond it, no request of the connection is begun: HTTP/1.1 is not read
    /// from, and streams of HTTP/2 wait.
    package var unreadBytes = 1 << 20  // 1 MiB
    /// Bytes of the answers that no client has taken, of all connections. Beyond it, requests to the API and for the console's files are answered
    /// 503, and event streams wait; pushes and questions after the gateway's health are answered.
    package var allUnreadBytes = 64 << 20  // 64 MiB
    /// How long the client of a connection with a long answer, or with too much unread, may take nothing, in seconds. Then the connection is
    /// closed.
    package var secondsToTake = 60
    /// Notifications of a connection of the binary interface that wait for their turn. No more are read until then.
    package var binaryNotifications = 1000
    /// How long a client of the feedback service may be silent before it is taken for one without TLS, in seconds. As long as a client of
    /// TLS may take to its first byte.
    package var secondsOfSilence = 10
    /// How long TLS and the first bytes of a request may take, in seconds.
    package var secondsToBegin = 10
    /// How long a request may take from its first byte to its last, in seconds.
    package var secondsToReceive = 30
    /// How long a connection stays open on which nothing is asked, in seconds.
    package var secondsIdle = 60 * 60
    /// How long requests in flight may take when the gateway is told to stop, in seconds.
    package var secondsToFinish = 5

    package init() {}

    /// The beginnings of the paths whose requests may name many tokens.
    private static let listPaths = ["/fcm/", "/gcm/", "/iid/", "/v1/message", "/--/"]

    /// Longest body of a request for a path, in bytes.
    package func bodyBytes(ofPath path: String) -> Int {
        if path.hasPrefix("/api/v1/records") { return max(bodyBytes, recordsBodyBytes) }
        return Self.listPaths.contains(where: path.hasPrefix) ? max(bodyBytes, listBodyBytes) : bodyBytes
    }
}
