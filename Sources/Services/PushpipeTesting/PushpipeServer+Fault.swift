import PayloadJSON

extension PushpipeServer {
    /// A rule by which requests go wrong. All that is given has to match.
    ///
    ///     try await server.setFaults([
    ///         .init(device: "dead*", reason: "Unregistered"),
    ///         .init(every: 3, status: 503, retryAfter: .seconds(5)),
    ///         .init(times: 1, ending: .cut),
    ///     ])
    ///
    /// `Documentation/reference/gateway-faults.md` explains each part, and has more of them for the text form.
    public struct Fault: Sendable, Equatable {
        /// An end of the connection, with an answer or in place of one.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Ending: Sendable, Equatable {
            /// The request is answered, and the connection goes away with this reason.
            case goAway(reason: String = "Shutdown")
            /// The push is delivered, and the stream is reset in place of an answer. The code is one of HTTP/2, such as `REFUSED_STREAM`.
            case reset(code: String = "INTERNAL_ERROR")
            /// The push is delivered, and the connection is closed in place of an answer.
            case cut
            /// The push is delivered, and never answered.
            case silence
            /// The request is answered, and nothing is read from the connection for this time.
            case pause(Duration)
        }

        /// A pattern of the token, with `*` and `?`; nil for any.
        public var device: String?
        /// A pattern of the header `apns-topic`; nil for any.
        public var topic: String?
        /// A pattern of the path; nil for any.
        public var path: String?
        /// With 3, every third of these requests, from 1; nil for all.
        public var every: Int?
        /// How many requests it matches at most, from 1; nil for any number.
        public var times: Int?
        /// The reason of a rejection, in the words of APNs, FCM, GCM or Expo; nothing is delivered then.
        public var reason: String?
        /// The HTTP status from 400 to 599, in place of that of the reason. 410, 429, 500 and 503 need no reason.
        public var status: Int?
        /// The header `retry-after` of a rejection. Rounded up to seconds, at most a day.
        public var retryAfter: Duration?
        /// How long the answer is delayed. Rounded to milliseconds.
        public var delay: Duration?
        /// How the connection ends; nil to keep it.
        public var ending: Ending?

        /// Creates a rule. It has to say what happens: a reason, a status, a delay or an ending.
        public init(
            device: String? = nil, topic: String? = nil, path: String? = nil, every: Int? = nil, times: Int? = nil,
            reason: String? = nil, status: Int? = nil, retryAfter: Duration? = nil, delay: Duration? = nil,
            ending: Ending? = nil
        ) {
            self.device = device
            self.topic = topic
            self.path = path
            self.every = every
            self.times = times
            self.reason = reason
            self.status = status
            self.retryAfter = retryAfter
            self.delay = delay
            self.ending = ending
        }

        /// The rule as an element of a list in YAML, on one line.
        fileprivate var line: String {
            var members: [(name: String, value: String?)] = [
                ("device", device), ("topic", topic), ("path", path), ("every", every.map(String.init)),
                ("times", times.map(String.init)), ("reason", reason), ("status", status.map(String.init)),
                ("retry_after", retryAfter.map { Self.text(($0 / .seconds(1)).rounded(.up)) }),
                ("delay", delay.map(Self.text)),
            ]
            if let ending { members.append(Self.member(ending)) }
            // YAML reads a string of JSON.
            let texts = members.compactMap { name, value in value.map { "\"\(name)\":\($0.jsonQuoted)" } }
            return "- {\(texts.joined(separator: ","))}\n"
        }

        private static func member(_ ending: Ending) -> (name: String, value: String?) {
            switch ending {
            case .goAway(let reason): ("goaway", reason)
            case .reset(let code): ("reset", code)
            case .cut: ("cut", "true")
            case .silence: ("silence", "true")
            case .pause(let time): ("pause", text(time))
            }
        }

        private static func text(_ time: Duration) -> String { text((time / .milliseconds(1)).rounded()) + "ms" }

        private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    }

    /// The rules as text.
    static func text(of faults: [Fault]) -> String { faults.map(\.line).joined() }
}
