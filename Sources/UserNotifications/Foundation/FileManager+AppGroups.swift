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

        /// The container that the apps of a group share; it exists when this returns.
        ///
        /// Nil if it cannot be created, and for an identifier that could name a folder elsewhere: one that is empty, starts with a dot or contains
        /// a slash. There are no entitlements here: every other group is granted.
        public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
            guard !groupIdentifier.isEmpty, !groupIdentifier.hasPrefix("."), !groupIdentifier.contains("/"),
                !groupIdentifier.contains("\0")
            else { return nil }
            let url = Self.appGroupsDirectory.appendingPathComponent(groupIdentifier, isDirectory: true)
            do {
                try createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                return nil
            }
            return url
        }
    }
#endif
