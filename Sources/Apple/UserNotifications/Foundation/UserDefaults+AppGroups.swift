#if os(Linux)
    public import Foundation

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
