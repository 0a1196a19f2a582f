#if os(Linux)
    public import Foundation

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
#endif
