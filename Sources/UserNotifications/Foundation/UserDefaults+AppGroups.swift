#if os(Linux)
    public import Foundation

    extension UserDefaults {
        private static let suites = Locked<[String: UserDefaults]>([:])

        /// The defaults that the apps of a group share.
        ///
        /// Foundation has this initializer with an optional name; the compiler prefers this one for a name that is not optional. On Linux, defaults
        /// are written only when they are synchronized, which apps do not do: a host has to know the suites in use.
        public convenience init?(suiteName: String) {
            self.init(suiteName: Optional(suiteName))
            Self.suites.withLock { suites in
                if suites[suiteName] == nil, let suite = UserDefaults(suiteName: Optional(suiteName)) {
                    suites[suiteName] = suite
                }
            }
        }

        /// Writes the suites in use to their files, and reads what other processes have written.
        package static func synchronizeSuites() {
            for suite in suites.snapshot.values { suite.synchronize() }
        }
    }
#endif
