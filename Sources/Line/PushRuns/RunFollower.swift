package import PushStore
package import PushSystem

/// Shows what is on screens while a run goes on. Called on the run's thread, from one place after the other.
package protocol RunFollower: AnyObject {
    /// Called once, before the first record.
    ///
    /// - Parameters:
    ///   - store: the store that the run delivers to. Between two calls it may change.
    ///   - isStopped: returns true if the run is to end.
    func begin(_ store: any BrowsableStore, isStopped: @escaping () -> Bool)

    /// Called before each read of an input. Returns once there is something to read, or the run is to end.
    func pause(before input: FileDescriptor)

    /// Called after the last record. Returns when nobody looks any more.
    func end()

    /// Called before something else is written to the terminal, at any time and any number of times.
    func leave()
}

extension RunJob {
    /// Runs all inputs, and writes what `output` asks for.
    ///
    /// - Parameter follower: shows the screens of a job that is followed. Without one, or if the records are typed into the same terminal,
    ///   they are written at the end. While it shows them, no report goes to the terminal.
    /// - Throws: `InputError`, `OutputError`, `StoreError`, `RunError`, and what `setUp` throws.
    package func run(to streams: some RunStreams, follower: (any RunFollower)? = nil) throws -> Outcome {
        guard follows else { return try deliver(to: streams, follower: nil) }
        var job = self
        let isTyped = inputs.contains(nil) && Terminal.isTerminal(.standardInput)
        guard let follower, !isTyped else {
            job.showsScreen = true
            return try job.deliver(to: streams, follower: nil)
        }
        if reportFile == nil { job.output = .none }
        defer { follower.leave() }
        return try job.deliver(to: streams, follower: follower)
    }
}
