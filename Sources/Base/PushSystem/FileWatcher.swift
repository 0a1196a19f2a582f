#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Waits for changes of the files in directories: on Linux by inotify, elsewhere by looking twice a second.
package final class FileWatcher {
    /// The changes since the last call.
    package struct Changes: Sendable {
        /// Paths of files and directories: that of their directory as it was given, a slash, and their name.
        package var paths: Set<String> = []
        /// True if anything else may have changed, because changes came faster than they were read.
        package var isIncomplete = false

        package init(paths: Set<String> = [], isIncomplete: Bool = false) {
            self.paths = paths
            self.isIncomplete = isIncomplete
        }

        package var isEmpty: Bool { paths.isEmpty && !isIncomplete }
    }

    /// Time without changes after which those before it are complete. An editor saves in several steps.
    private static let quietMilliseconds: Int32 = 30
    /// How often to wait for that. A file that is written without a pause is reported all the same.
    private static let maximumRounds = 50

    /// The path of a file as changes name it.
    package static func path(_ directory: String, _ name: String) -> String {
        directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    }

    #if os(Linux)
        private let descriptor: FileDescriptor
        /// The watched directories as they were given: one that a link leads to may have several paths.
        private var directories: [Int32: Set<String>] = [:]

        /// - Throws: if the user has as many watchers as the system allows.
        package init() throws(SystemError) {
            descriptor = FileDescriptor(rawValue: try checked { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        }

        deinit { descriptor.close() }

        /// Watches the files in a directory, not those in directories below it.
        ///
        /// - Returns: false if it is watched by this path, and nothing was done.
        /// - Throws: if there is no such directory, or the user watches as many as the system allows (`ENOSPC`).
        @discardableResult
        package func watch(_ directory: String) throws(SystemError) -> Bool {
            // What is written is looked at when it is closed, so that it is complete; `IN_CREATE` is for directories and links.
            let events =
                IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF
                | IN_ONLYDIR
            let number = try checked { unsafe inotify_add_watch(descriptor.rawValue, directory, UInt32(events)) }
            return directories[number, default: []].insert(directory).inserted
        }

        /// Waits for a change, and for a pause after it. Returns nothing after a signal, or at the timeout.
        ///
        /// - Parameter milliseconds: timeout for the first change.
        package func changes(milliseconds: Int32) -> Changes {
            var changes = Changes()
            var timeout = milliseconds
            for _ in 0..<Self.maximumRounds {
                guard !FileDescriptor.poll([.init(descriptor, .readable)], milliseconds: timeout).isEmpty else { break }
                read(&changes)
                timeout = Self.quietMilliseconds
            }
            return changes
        }

        private func read(_ changes: inout Changes) {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            guard let count = try? descriptor.read(into: &bytes) else { return }
            let head = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + head <= count {
                // SOUND: a whole head is within the bytes, and it is copied.
                let event = unsafe bytes.withUnsafeBytes {
                    unsafe $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                }
                let end = min(offset + head + Int(event.len), count)
                let name = String(decoding: bytes[offset + head..<end].prefix { $0 != 0 }, as: UTF8.self)
                offset = end
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.isIncomplete = true }
                for directory in directories[event.wd] ?? [] {
                    changes.paths.insert(name.isEmpty ? directory : Self.path(directory, name))
                }
                // The directory is gone, or on a file system that is.
                if event.mask & UInt32(IN_IGNORED) != 0 { directories[event.wd] = nil }
            }
        }
    #else
        private struct State: Equatable {
            var identity: FileIdentity
            var size: Int64
            var modified: Int64
        }

        private var directories: [String: [String: State]] = [:]

        package init() throws(SystemError) {}

        /// Watches the files in a directory, not those in directories below it.
        ///
        /// - Returns: false if it is watched, and nothing was done.
        @discardableResult
        package func watch(_ directory: String) throws(SystemError) -> Bool {
            if directories[directory] != nil { return false }
            directories[directory] = try Self.states(in: directory)
            return true
        }

        /// Waits for a change. Returns nothing at the timeout.
        ///
        /// - Parameter milliseconds: timeout.
        package func changes(milliseconds: Int32) -> Changes {
            var changes = Changes()
            // Twice a second.
            CurrentProcess.pause(microseconds: 1000 * Int(milliseconds < 0 ? 500 : min(milliseconds, 500)))
            for (directory, before) in directories {
                let now = (try? Self.states(in: directory)) ?? [:]
                for name in Set(before.keys).union(now.keys) where before[name] != now[name] {
                    changes.paths.insert(Self.path(directory, name))
                }
                directories[directory] = now
            }
            return changes
        }

        private static func states(in directory: String) throws(SystemError) -> [String: State] {
            var states: [String: State] = [:]
            for name in try FileSystem.names(in: directory) {
                guard let status = try? FileStatus(path(directory, name)) else { continue }
                states[name] = State(identity: status.identity, size: status.size, modified: status.modifiedNanoseconds)
            }
            return states
        }
    #endif
}
