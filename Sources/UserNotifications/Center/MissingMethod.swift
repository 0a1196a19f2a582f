#if os(Linux)
    import Synchronization

    /// How a host finds out that a delegate leaves a method out.
    ///
    /// Apple's methods are optional, and the system asks the Objective-C runtime. Here a method that is left out is its default, which notes
    /// that it was reached. The host asks with a `MissingMethod` as task-local value; the task that calls an awaited form inherits it.
    package final class MissingMethod: Sendable {
        @TaskLocal static var current: MissingMethod?

        private let isReached = Atomic(false)

        package init() {}

        /// Whether a default was reached. Settled once the completion handler has been called.
        package var isMissing: Bool { isReached.load(ordering: .acquiring) }

        /// Calls a method of a delegate.
        package func whileAsking(_ body: () -> Void) { Self.$current.withValue(self) { body() } }

        func note() { isReached.store(true, ordering: .releasing) }
    }
#endif
