import ExtensionPrograms
import FoundationEssentials
import PushFiles
import PushSystem

/// Folders and their files. Errors name the path.
enum FileTree {
    static func isFolder(_ path: String) -> Bool { FileSystem.isDirectory(path) }

    static func read(_ path: String) throws(PlainError) -> [UInt8] { try FileBytes.readRegular(path) }

    static func makeFolder(_ path: String) throws(PlainError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw PlainError("\(FilePaths.shown(path)): the folder cannot be created")
        }
    }

    static func write(_ bytes: [UInt8], to path: String, isExecutable: Bool = false) throws(PlainError) {
        try makeFolder(FilePaths.parent(of: FilePaths.absolute(path)))
        do {
            try Data(bytes).write(to: URL(filePath: path, directoryHint: .notDirectory))
        } catch {
            throw PlainError("\(FilePaths.shown(path)): the file cannot be written")
        }
        if isExecutable { try PlainError.naming(path, try FileSystem.setPermissions(path, 0o755)) }
    }

    /// Removes a symbolic link, which a program in the sandbox may have left where a file is about to be written.
    static func removeLink(_ path: String) {
        if (try? FileStatus(path, followsLinks: false))?.kind == .symbolicLink { remove(path) }
    }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The deepest folder that has all of these files, empty for `/`.
    static func commonFolder(of paths: [String]) -> String {
        var common = FilePaths.parent(of: paths.first ?? "/")
        // By bytes, because `ö` is one character in two forms, and these are two folders.
        while common != "/", !paths.allSatisfy({ $0.utf8.starts(with: (common + "/").utf8) }) {
            common = FilePaths.parent(of: common)
        }
        return common == "/" ? "" : common
    }

    static func path(_ path: String, below folder: String) -> String {
        String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
    }

    /// The paths of all files below a folder, relative to it; no folder is opened when there are this many already.
    static func files(below folder: String, atMost limit: Int = .max) throws(PlainError) -> [String] {
        var files: [String] = []
        var open = [""]
        while files.count < limit, let inner = open.popLast() {
            let path = inner.isEmpty ? folder : folder + "/" + inner
            for name in try PlainError.naming(path, try FileSystem.names(in: path)) {
                let relative = inner.isEmpty ? name : inner + "/" + name
                guard let status = try? FileStatus(folder + "/" + relative, followsLinks: false) else { continue }
                if status.kind == .directory { open.append(relative) } else { files.append(relative) }
            }
        }
        return files.sorted()
    }

    /// Makes a folder contain exactly these files. An unchanged file is not written, so that it is not compiled again.
    static func fill(_ folder: String, with contents: [String: [UInt8]]) throws(PlainError) {
        removeLink(folder)
        try makeFolder(folder)
        for name in try files(below: folder) where contents[name] == nil { remove(folder + "/" + name) }
        for (name, bytes) in contents {
            let path = folder + "/" + name
            if let present = try? FileBytes.read(path, limit: FileBytes.maximumBytes), present == bytes { continue }
            // A folder may be where a file has to be, or the other way round.
            remove(path)
            try write(bytes, to: path)
        }
    }
}

/// A lock between processes and threads, held until the value is destroyed.
struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// - Parameters:
    ///   - path: the lock file, which is created if needed and stays.
    ///   - waits: called once if someone else holds the lock.
    init(_ path: String, waits: () -> Void) throws(PlainError) {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .readWrite, options: .create)
            do throws(SystemError) {
                if !file.tryLock() {
                    waits()
                    try file.lock()
                }
            } catch {
                file.close()
                throw error
            }
            self.file = file
        } catch {
            throw PlainError(path, error)
        }
    }

    deinit { file.close() }
}
