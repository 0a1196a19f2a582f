import CPushBuildRevision
import PushJSON
import PushLint

package enum VersionText {
    /// The commit of this build, in hexadecimal digits; nil if the build was not told.
    package static var commit: String? {
        // SOUND: a constant of the program, which ends with a zero byte.
        let commit = unsafe String(cString: build_revision())
        return commit.isEmpty ? nil : commit
    }

    /// False for a build for tests or for a first look, which takes many times as long for a record.
    package static var isOptimized: Bool {
        var isOptimized = true
        assert(
            {
                isOptimized = false
                return true
            }())
        return isOptimized
    }

    /// The version alone on the first line, then the commit, and what this build consists of. Without a line end after the last line.
    ///
    /// - Parameters:
    ///   - engine: the version of SQLite.
    ///   - isWhole: false for a build without the tools.
    ///   - extensionSources: the folder with the sources that extensions are built with, if it is known.
    package static func text(engine: String, isWhole: Bool, extensionSources: String?) -> String {
        """
        \(ToolVersion.current)\(isWhole ? "" : " (core)")
        commit: \(commit ?? "unknown")
        features: SQLite \(engine), jansson \(JSONValue.libraryVersion)
        """ + (isOptimized ? "" : "\noptimization: none")
            + (isWhole ? "\nextension sources: \(extensionSources ?? "not found")" : "")
    }
}
