#if os(Linux)
    public import Foundation

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

    extension FileManager {
        private static let appGroups = Locked(defaultAppGroupsDirectory)

        /// The folder with the containers of app groups, for the whole process. A host sets its sandbox's.
        ///
        /// By default the folder in the variable `PUSHPIPE_APP_GROUPS`, else one in the temporary directory.
        package static var appGroupsDirectory: URL {
            get { appGroups.snapshot }
            set { appGroups.withLock { $0 = newValue } }
        }

        private static var defaultAppGroupsDirectory: URL {
            if let path = ProcessInfo.processInfo.environment["PUSHPIPE_APP_GROUPS"], !path.isEmpty {
                return URL(fileURLWithPath: path, isDirectory: true)
            }
            return URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
                .appendingPathComponent("pushpipe-app-groups", isDirectory: true)
        }

        /// The folder for the containers of a simulated device.
        package static func appGroupsDirectory(of scope: String) -> URL {
            appGroupsDirectory.appendingPathComponent("devices/\(scope)", isDirectory: true)
        }

        /// The container that the apps of a group share; it exists when this returns.
        ///
        /// Nil if it cannot be created, and for an identifier that could name a folder elsewhere: one that is empty, starts with a dot or contains
        /// a slash. There are no entitlements here: every other group is granted.
        ///
        /// On a simulated device it is its own, and begins as a copy of the process's.
        public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
            containerURL(forSecurityApplicationGroupIdentifier: groupIdentifier, scope: AppGroupScope.current)
        }

        /// - Parameter scope: the simulated device; nil for the process.
        package func containerURL(
            forSecurityApplicationGroupIdentifier groupIdentifier: String, scope: String?
        ) -> URL? {
            guard !groupIdentifier.isEmpty, !groupIdentifier.hasPrefix("."), !groupIdentifier.contains("/"),
                !groupIdentifier.contains("\0")
            else { return nil }
            let shared = Self.appGroupsDirectory.appendingPathComponent(groupIdentifier, isDirectory: true)
            let url =
                scope.map {
                    Self.appGroupsDirectory(of: $0).appendingPathComponent(groupIdentifier, isDirectory: true)
                } ?? shared
            do {
                if scope != nil, !fileExists(atPath: url.path), fileExists(atPath: shared.path) {
                    try createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try copyItem(at: shared, to: url)
                }
                try createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                return nil
            }
            return url
        }
    }

    extension UserDefaults {
        private static let suites = Locked<[String: UserDefaults]>([:])

        /// The defaults that the apps of a group share. On a simulated device these are its own, and begin as a copy of the process's.
        ///
        /// Foundation has this initializer with an optional name; the compiler prefers this one for a name that is not optional. On Linux, defaults
        /// are written only when they are synchronized, which apps do not do: a host has to know the suites in use.
        public convenience init?(suiteName: String) {
            self.init(suiteName: suiteName, scope: AppGroupScope.current)
        }

        /// - Parameter scope: the simulated device; nil for the process.
        package convenience init?(suiteName: String, scope: String?) {
            let name = scope.map { Self.name(of: suiteName, $0) } ?? suiteName
            self.init(suiteName: Optional(name))
            Self.suites.withLock { suites in
                guard suites[name] == nil, let suite = UserDefaults(suiteName: Optional(name)) else { return }
                suites[name] = suite
                guard scope != nil else { return }
                for (key, value) in suite.persistentDomain(forName: suiteName) ?? [:] { suite.set(value, forKey: key) }
            }
        }

        private static func name(of suite: String, _ scope: String) -> String { "\(scope).\(suite)" }

        static func removeSuites(of scope: String) {
            suites.withLock { suites in
                for (name, suite) in suites where name.hasPrefix(scope + ".") {
                    suite.removePersistentDomain(forName: name)
                    suites[name] = nil
                }
            }
        }

        /// Sets the defaults of app groups that have a file `Library/Preferences/GROUP.plist` in their container, which a host puts there. Values
        /// that are set already stay.
        package static func loadSeeds() {
            let folder = FileManager.appGroupsDirectory.path
            for group in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let path = "\(folder)/\(group)/Library/Preferences/\(group).plist"
                guard let data = FileManager.default.contents(atPath: path),
                    let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
                    let suite = UserDefaults(suiteName: group)
                else { continue }
                let present = suite.persistentDomain(forName: group) ?? [:]
                for (key, value) in values where present[key] == nil { suite.set(value, forKey: key) }
            }
            synchronizeSuites()
        }

        /// Writes the suites in use to their files, and reads what other processes have written.
        package static func synchronizeSuites() {
            for suite in suites.snapshot.values { suite.synchronize() }
        }
    }
#endif
