import PushFiles
package import PushSystem

/// The folders whose files the tools may read.
package struct AllowedFolders: Sendable {
    /// Absolute paths without links.
    package let paths: [String]

    /// - Throws: `SystemError` if one of them does not exist.
    package init(_ paths: [String]) throws(SystemError) {
        var resolved: [String] = []
        for path in paths { resolved.append(try FileSystem.resolved(path)) }
        self.paths = resolved
    }

    /// The absolute path of a file or folder, without links: a link to somewhere else does not help.
    package func resolve(_ path: String) throws(ToolFailure) -> String {
        guard !path.utf8.contains(0) else { throw ToolFailure("a path has no NUL") }
        let resolved: String
        do throws(SystemError) {
            resolved = try FileSystem.resolved(FilePaths.absolute(path))
        } catch {
            // Where nothing may be read, it does not say what exists either.
            guard contains(FilePaths.absolute(path)) else { throw refusal(path) }
            throw ToolFailure("\(path.prefix(500)): \(error)")
        }
        guard contains(resolved) else { throw refusal(path) }
        return resolved
    }

    /// The same for a store, or a folder with stores: no file in it is elsewhere.
    func resolveStore(_ path: String) throws(ToolFailure) -> String {
        let resolved = try resolve(path)
        // A file has no names in it, and a link that leads nowhere is no store.
        for name in (try? FileSystem.names(in: resolved)) ?? [] {
            guard let entry = try? FileSystem.resolved(resolved + "/" + name), !contains(entry),
                (try? FileStatus(entry))?.kind != .directory
            else { continue }
            throw refusal(path + "/" + name)
        }
        return resolved
    }

    private func contains(_ path: String) -> Bool {
        paths.contains { folder in path == folder || folder == "/" || path.hasPrefix(folder + "/") }
    }

    private func refusal(_ path: String) -> ToolFailure {
        ToolFailure(
            "\(path.prefix(500)) is not below \(paths.joined(separator: " or ")); start pushpipe mcp with --allow FOLDER to let it read there"
        )
    }
}
