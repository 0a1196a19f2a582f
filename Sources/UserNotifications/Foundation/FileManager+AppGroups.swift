#if os(Linux)
    public import Foundation

    extension FileManager {
        private static let appGroups = Locked(defaultAppGroupsDirectory)

        /// Folder that holds the folders of app groups, for the whole process. A host sets that of its sandbox.
        ///
        /// By default the one that the variable `PUSHPIPE_APP_GROUPS` names, else one below the temporary directory.
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

        /// The folder that the apps of a group share; it exists when this returns.
        ///
        /// Nil when it cannot be made, and for an identifier that could name a folder elsewhere: an empty one, one that begins with
        /// a dot, one with a slash. There are no entitlements here: every other group is granted.
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
