import PushSystem

/// Removes what hosts would leave in a process that is pushpipe's own (`ChildProcesses.claim`): processes that extensions have started, and
/// temporary folders. Also when a signal ends the process at once.
enum HostCleanup {
    /// By their folders.
    private static let sandboxes = Monitor<[String: ExtensionSandbox]>([:])

    static func begin(_ sandbox: ExtensionSandbox) {
        guard ChildProcesses.areClaimed else { return }
        sandboxes.withLock { $0[sandbox.root] = sandbox }
        ChildProcesses.adoptOrphans()
        // Without descriptors no extension starts either.
        try? StopSignal.beforeEnd { end in
            ChildProcesses.endMarked {
                for sandbox in sandboxes.withLock({ Array($0.values) }) { sandbox.remove() }
                end()
            }
        }
    }

    static func end(_ sandbox: ExtensionSandbox) {
        guard sandboxes.withLock({ $0.removeValue(forKey: sandbox.root) }) != nil else { return }
        ChildProcesses.releaseOrphans()
    }
}
