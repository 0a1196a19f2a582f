#if os(Linux)
    package import Foundation
    package import FoundationNetworking

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
#endif
