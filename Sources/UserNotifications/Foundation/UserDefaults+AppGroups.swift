#if os(Linux)
    public import Foundation

    extension UserDefaults {
        private static let suites = Locked<[String: UserDefaults]>([:])

        /// The defaults that the apps of a group share.
        ///
        /// Foundation has this with an optional name, and the compiler prefers this one for a name that is none. On Linux, defaults reach their
        /// file only when they are synchronised, which nobody does for an app: a host has to know the suites in use.
        public convenience init?(suiteName: String) {
            self.init(suiteName: Optional(suiteName))
            Self.suites.withLock { suites in
                if suites[suiteName] == nil, let suite = UserDefaults(suiteName: Optional(suiteName)) {
                    suites[suiteName] = suite
                }
            }
        }

        /// Writes the suites in use to their files, and reads what others have written there.
        package static func synchronizeSuites() {
            for suite in suites.snapshot.values { suite.synchronize() }
        }
    }
#endif
