#if os(Linux)
    import Synchronization

    /// Lets a host find out that a delegate does not implement a method.
    ///
    /// Apple's methods are optional, and the system asks the Objective-C runtime. Here a missing method is its default, which records that it was
    /// reached in a `MissingMethod`: a task-local value that the host sets, and that the task of an async form inherits.
    package final class MissingMethod: Sendable {
        @TaskLocal static var current: MissingMethod?

        private let isReached = Atomic(false)

        package init() {}

        /// True if a default was reached. Final once the completion handler has been called.
        package var isMissing: Bool { isReached.load(ordering: .acquiring) }

        package func whileAsking(_ body: () -> Void) { Self.$current.withValue(self) { body() } }

        func note() { isReached.store(true, ordering: .releasing) }
    }
#endif
