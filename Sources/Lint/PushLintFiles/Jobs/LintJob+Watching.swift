import PayloadJSON
package import PushLint
import PushSystem

extension LintJob {
    /// Lints all files now, and again whenever one of them changes, appears or disappears, or when a configuration or ignore file changes, until the
    /// streams ask to stop.
    ///
    /// Each report comes after a line with the time of day. A terminal is cleared first. What is wrong with a configuration is noted, and the next
    /// change is waited for. If the system watches no more directories, that is noted once.
    ///
    /// - Parameter reader: reads a configuration file.
    /// - Throws: errors of the streams, and `SystemError` if the user has as many watchers as the system allows.
    package func watch(to streams: some LintStreams, reader: @escaping ConfigurationFinder.Reader) throws {
        let watcher = try FileWatcher()
        func watch(_ directory: String) throws(SystemError) -> Bool { try watcher.watch(directory) }
        var known = WatchedFiles(self, reader, watch: watch)
        var isLimitNoted = false
        while !streams.isStopped {
            if known.isLimited, !isLimitNoted {
                isLimitNoted = true
                streams.note(
                    "pushpipe: warning: the system watches no more directories (fs.inotify.max_user_watches)\n")
            }
            let time = SystemClock.timeOfDay()
            try streams.append { $0.appendText(results.isTerminal ? "\u{1B}[H\u{1B}[2J" : "") }
            try streams.flush()
            if !isQuiet { streams.note("pushpipe: \(time)\n") }
            do { _ = try lint(to: streams, reader: reader) } catch let error as ConfigurationError {
                streams.note("pushpipe: \(error)\n")
            }
            if streams.isStopped { break }
            if !isQuiet { streams.note("pushpipe: waiting for changes; Ctrl-C ends this\n") }
            var isChanged = false
            while !isChanged, !streams.isStopped {
                let changes = watcher.changes(milliseconds: 500)
                guard known.mayDiffer(after: changes) else { continue }
                let now = WatchedFiles(self, reader, watch: watch)
                isChanged = known.differs(from: now, after: changes, output: streams.outputIdentity)
                known = now
            }
        }
    }
}
