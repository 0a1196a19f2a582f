#if os(Linux)
    import Foundation

    /// Whose app groups code sees: those of the device that a host simulates, or those of the process.
    ///
    /// A test process has several devices, one after another, and the code of the test itself. Code runs on a device if it is called by the
    /// host, by a queue or in a task that such code has started; a test's own code runs in a task of the test.
    package enum AppGroupScope {
        /// The device, in tasks that an extension starts.
        @TaskLocal package static var ofTask: String?

        private static let hosted = Locked<String?>(nil)

        /// The device whose turn it is; nil between turns, and in a process that runs one extension.
        package static var ofTurn: String? {
            get { hosted.snapshot }
            set { hosted.withLock { $0 = newValue } }
        }

        static var current: String? {
            if let ofTask { return ofTask }
            return withUnsafeCurrentTask { $0 == nil } ? ofTurn : nil
        }

        /// Deletes what a device has stored.
        package static func remove(_ scope: String) {
            UserDefaults.removeSuites(of: scope)
            Keychain.remove(scope)
            DeviceLock.set(.unlocked, scope: scope)
            try? FileManager.default.removeItem(at: FileManager.appGroupsDirectory(of: scope))
        }
    }
#endif
