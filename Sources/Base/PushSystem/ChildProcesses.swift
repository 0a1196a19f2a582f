import CPushSystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The processes that this process has started, and what they leave behind.
///
/// A process whose parent has ended is an orphan. On Linux it can become a child of this process, and be found and ended although it has
/// left the group of the program that started it (`setsid`). On macOS it becomes a child of launchd, and nobody knows where it came from.
package enum ChildProcesses {
    private struct State {
        /// Those that have not been waited for. The value marks the environment of what they start: see `ProgramLaunch.mark`.
        var started: [Int32: [UInt8]?] = [:]
        /// Children that this process had before it adopted others.
        var strangers: Set<Int32> = []
        var adopters = 0
        var isClaimed = false
    }

    private static let state = Monitor(State())
    /// How often ended orphans are looked for again, a millisecond apart: each may have left some of its own.
    private static let rounds = 1000

    /// Says that nothing in this process starts others but `ProgramLaunch`, so that any other child is an orphan. Without it there is no
    /// adoption: a library's caller may have children of its own.
    package static func claim() { state.withLock { $0.isClaimed = true } }

    package static var areClaimed: Bool { state.withLock { $0.isClaimed } }

    /// Begins to adopt orphans, until `releaseOrphans` is called as often.
    package static func adoptOrphans() {
        state.withLock { state in
            guard state.isClaimed else { return }
            state.adopters += 1
            guard state.adopters == 1 else { return }
            // A shell may have started them before it became this program.
            state.strangers = Set(all()).subtracting(state.started.keys)
            if !system_adopt_orphans(true) { state.adopters = 0 }
        }
    }

    /// Ends the orphans if nobody else adopts them.
    package static func releaseOrphans() {
        endOrphans()
        state.withLock { state in
            guard state.adopters > 0 else { return }
            state.adopters -= 1
            if state.adopters == 0 { _ = system_adopt_orphans(false) }
        }
    }

    /// Ends the orphans (`SIGKILL`) that this process has adopted. Those with the mark of a program that has not been waited for are left.
    package static func endOrphans() {
        for _ in 0..<rounds {
            guard state.withLock({ killOrphans($0) }) else { return }
            CurrentProcess.pause(microseconds: 1000)
        }
    }

    /// Ends all programs that have a mark, and all orphans. No other program starts, and none is waited for, while this works and `body`
    /// is called.
    package static func endMarked(_ body: () -> Void) {
        state.withLock { state in
            for case (let process, .some) in state.started {
                kill(-process, SIGKILL)
                state.started[process] = nil
            }
            for _ in 0..<rounds {
                guard killOrphans(state) else { break }
                CurrentProcess.pause(microseconds: 1000)
            }
            body()
        }
    }

    // MARK: - Programs

    /// Starts a program so that it is never taken for an orphan.
    ///
    /// - Parameter spawn: returns an error number, or zero and the process.
    static func start(mark: [UInt8]?, _ spawn: () -> (code: Int32, process: Int32)) -> (code: Int32, process: Int32) {
        state.withLock { state in
            let result = spawn()
            if result.code == 0 { state.started[result.process] = .some(mark) }
            return result
        }
    }

    /// A program was waited for.
    static func didEnd(_ process: Int32) { state.withLock { _ = $0.started.removeValue(forKey: process) } }

    // MARK: - Orphans

    /// Kills the orphans, and waits for those that have ended. Returns true if there are any.
    private static func killOrphans(_ state: State) -> Bool {
        guard state.adopters > 0 else { return false }
        let marks = state.started.values.compactMap(\.self)
        let group = getpgrp()
        let orphans = all().filter { process in
            // What is in this process's own group comes from the shell that started both, such as the writer of a pipe.
            state.started[process] == nil && !state.strangers.contains(process) && getpgid(process) != group
                && !hasMark(process, marks)
        }
        for orphan in orphans {
            kill(orphan, SIGKILL)
            waitpid(orphan, nil, WNOHANG)
        }
        return !orphans.isEmpty
    }

    /// True if the environment of a process has one of these entries. That of a process that has ended is empty.
    private static func hasMark(_ process: Int32, _ marks: [[UInt8]]) -> Bool {
        guard !marks.isEmpty, let environment = ProcessFile.bytes("/proc/\(process)/environ") else { return false }
        return environment.split(separator: 0).contains { entry in marks.contains { $0.elementsEqual(entry) } }
    }

    /// All children, whoever has started them. None where the system does not list them.
    private static func all() -> [Int32] {
        #if os(Linux)
            let lists = ((try? FileSystem.names(in: "/proc/self/task")) ?? []).compactMap {
                ProcessFile.bytes("/proc/self/task/\($0)/children")
            }
            // A kernel without the option CONFIG_PROC_CHILDREN has no lists.
            guard lists.isEmpty else {
                return lists.flatMap { $0.split(separator: UInt8(ascii: " ")) }.compactMap {
                    Int32(String(decoding: $0, as: UTF8.self))
                }
            }
            return ((try? FileSystem.names(in: "/proc")) ?? []).compactMap { Int32($0) }.filter {
                parent(of: $0) == CurrentProcess.id
            }
        #else
            return []
        #endif
    }

    private static func parent(of process: Int32) -> Int32? {
        // "7 (name) S 1 …": the name may contain anything.
        guard let bytes = ProcessFile.bytes("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else {
            return nil
        }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }
}
