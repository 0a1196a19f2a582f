import CBuildRevision
import ExtensionBuild
import PayloadJSON
import PushLint

package enum VersionText {
    /// The commit of this build, in hexadecimal digits; nil if the build was not told.
    package static var commit: String? {
        // SOUND: a constant of the program, which ends with a zero byte.
        let commit = unsafe String(cString: build_revision())
        return commit.isEmpty ? nil : commit
    }

    /// The version alone on the first line, then the commit, and what this build consists of. Without a line end after the last line.
    ///
    /// - Parameters:
    ///   - engine: the version of SQLite.
    ///   - command: the path of the command, if it is known.
    ///   - sources: where else the sources that extensions are built with are; nil to search from the command.
    package static func text(engine: String, command: String?, sources: String?) -> String {
        let found = try? RuntimeSources(.init(named: sources, command: command))
        return """
            \(ToolVersion.current)
            commit: \(commit ?? "unknown")
            features: SQLite \(engine), jansson \(JSONValue.libraryVersion)
            extension sources: \(found?.folder ?? "not found")
            """
    }
}
