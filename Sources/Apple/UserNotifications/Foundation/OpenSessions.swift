// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

#if os(Linux)
    package import Foundation
    public import FoundationNetworking

    /// The URL sessions of this process, to know what is still in progress when an extension is done.
    ///
    /// Only sessions that an extension's own module uses, because `Sources/Apple/Shims/Overlay` reports them.
    package enum OpenSessions {
        private struct Session: @unchecked Sendable {
            weak var value: URLSession?
        }

        private static let sessions = Locked<[Session]>([])

        package static func note(_ session: URLSession) {
            sessions.withLock { sessions in
                if sessions.contains(where: { $0.value === session }) { return }
                sessions.removeAll { $0.value == nil }
                sessions.append(Session(value: session))
            }
        }

        /// The tasks in progress. Not to be called on the queue of a session's delegate, for whose answer it waits.
        package static func runningTasks() -> [URLSessionTask] {
            var running: [URLSessionTask] = []
            for session in sessions.snapshot.compactMap(\.value) {
                let answer = Locked<[URLSessionTask]>([])
                let done = DispatchSemaphore(value: 0)
                session.getAllTasks { tasks in
                    answer.withLock { $0 = tasks }
                    done.signal()
                }
                // A session without an answer must not keep the process.
                guard done.wait(timeout: .now() + 1) == .success else { continue }
                running += answer.snapshot.filter { $0.state == .running }
            }
            return running
        }

        /// Waits until none of these tasks is in progress.
        ///
        /// - Parameter limit: seconds to wait at most.
        /// - Returns: those that still are.
        package static func wait(for tasks: [URLSessionTask], limit: Double) -> [URLSessionTask] {
            let end = ProcessInfo.processInfo.systemUptime + limit
            while true {
                let running = tasks.filter { $0.state == .running }
                if running.isEmpty || ProcessInfo.processInfo.systemUptime >= end { return running }
                usleep(500)
            }
        }
    }

    /// Tasks that were reported as unfinished, so that each is reported once.
    package struct ReportedTasks {
        private var tasks: [URLSessionTask] = []

        package init() {}

        /// Those of the tasks that were not reported.
        package func others(in running: [URLSessionTask]) -> [URLSessionTask] {
            running.filter { task in !tasks.contains { $0 === task } }
        }

        /// Adds tasks, and forgets those that are complete.
        package mutating func add(_ reported: [URLSessionTask]) {
            tasks = tasks.filter { $0.state != .completed } + reported
        }
    }

    extension URLSession {
        /// A session whose tasks are known.
        @_spi(Overlay) public convenience init(noted configuration: URLSessionConfiguration) {
            self.init(configuration: configuration)
            OpenSessions.note(self)
        }

        /// A session whose tasks are known.
        @_spi(Overlay) public convenience init(
            noted configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
        ) {
            self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
            OpenSessions.note(self)
        }

        /// The shared session, whose tasks are known from now on.
        @_spi(Overlay) public static var notedShared: URLSession {
            let session = URLSession.shared
            OpenSessions.note(session)
            return session
        }
    }

    // Settings of Apple's that Foundation for Linux does not have. Without effect: this machine has one network, which costs nothing.
    // Those that it has and that cannot be set are in the overlay of built extensions.

    extension URLSessionConfiguration {
        /// True if networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if a background session lives on: no.
        public var shouldUseExtendedBackgroundSessionIdleMode: Bool {
            get { false }
            set { _ = newValue }
        }

        /// The oldest version of TLS. Without effect: that of the system's list.
        public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
            get { .TLSv12 }
            set { _ = newValue }
        }

        /// True if a background session starts the app: no.
        public var sessionSendsLaunchEvents: Bool {
            get { false }
            set { _ = newValue }
        }
    }

    /// A version of TLS.
    public enum tls_protocol_version_t: UInt16, Sendable {
        case TLSv10 = 0x0301
        case TLSv11 = 0x0302
        case TLSv12 = 0x0303
        case TLSv13 = 0x0304
    }

    extension URLRequest {
        /// True if networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }
    }

    extension NSURLRequest.NetworkServiceType {
        /// Data that a person waits for: as others.
        public static var responsiveData: Self { .default }
        /// A call that begins: as others.
        public static var callSignaling: Self { .default }
        /// Streams: as others.
        public static var avStreaming: Self { .default }
    }
#endif
