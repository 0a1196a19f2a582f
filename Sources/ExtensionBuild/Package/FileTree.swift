import FileAccess
import FoundationEssentials
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Folders and their files. Errors name the path.
enum FileTree {
    /// The names in a folder, without `.` and `..`, in no order.
    static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw SystemError() }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func read(_ path: String) throws(ExtensionBuildError) -> [UInt8] {
        do throws(SystemError) {
            return try FileBytes.read(path)
        } catch {
            throw ExtensionBuildError(path, error)
        }
    }

    static func makeFolder(_ path: String) throws(ExtensionBuildError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ExtensionBuildError("\(FilePaths.shown(path)): the folder cannot be created")
        }
    }

    static func write(_ bytes: [UInt8], to path: String, isExecutable: Bool = false) throws(ExtensionBuildError) {
        try makeFolder(FilePaths.parent(of: FilePaths.absolute(path)))
        do {
            try Data(bytes).write(to: URL(filePath: path, directoryHint: .notDirectory))
        } catch {
            throw ExtensionBuildError("\(FilePaths.shown(path)): the file cannot be written")
        }
        if isExecutable, chmod(path, 0o755) != 0 { throw ExtensionBuildError(path, SystemError()) }
    }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The paths of all files below a folder, relative to it.
    static func files(below folder: String) throws(ExtensionBuildError) -> [String] {
        var files: [String] = []
        var open = [""]
        while let inner = open.popLast() {
            let path = inner.isEmpty ? folder : folder + "/" + inner
            let names: [String]
            do throws(SystemError) { names = try self.names(in: path) } catch {
                throw ExtensionBuildError(path, error)
            }
            for name in names {
                let relative = inner.isEmpty ? name : inner + "/" + name
                var status = stat()
                guard lstat(folder + "/" + relative, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { open.append(relative) } else { files.append(relative) }
            }
        }
        return files.sorted()
    }

    /// Makes a folder contain exactly these files. An unchanged file is not written, so that it is not compiled again.
    static func fill(_ folder: String, with contents: [String: [UInt8]]) throws(ExtensionBuildError) {
        try makeFolder(folder)
        for name in try files(below: folder) where contents[name] == nil { remove(folder + "/" + name) }
        for (name, bytes) in contents {
            let path = folder + "/" + name
            if let present = try? FileBytes.read(path), present == bytes { continue }
            // A folder may be where a file has to be, or the other way round.
            remove(path)
            try write(bytes, to: path)
        }
    }
}
