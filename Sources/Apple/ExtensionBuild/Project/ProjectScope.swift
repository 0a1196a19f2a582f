import FoundationEssentials
import PushFiles
import PushSystem

/// The folder whose files a project may name. Anyone can have written the project, and its paths may lead anywhere.
struct ProjectScope {
    /// Without symbolic links.
    let root: String

    /// The repository around a folder, else the folder above it, because projects share files with their neighbours.
    ///
    /// - Parameter folder: an absolute path.
    init(around folder: String) {
        let folder = (try? FileSystem.resolved(folder)) ?? folder
        var place = folder
        while place != "/", !FileBytes.exists(place + "/.git") { place = FilePaths.parent(of: place) }
        if place == "/" {
            let above = FilePaths.parent(of: folder)
            place = above == "/" || above == ProcessInfo.processInfo.environment["HOME"] ? folder : above
        }
        root = place
    }

    /// - Parameter root: the folder itself.
    init(root: String) { self.root = (try? FileSystem.resolved(root)) ?? root }

    /// True if a path is in the folder, also after its symbolic links are followed.
    func contains(_ path: String) -> Bool {
        let place = (try? FileSystem.resolved(path)) ?? path
        return place == root || root == "/" || place.utf8.starts(with: (root + "/").utf8)
    }

    /// True for a regular file in the folder. A pipe might never end, and a device neither.
    func hasFile(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .regular && contains(path) }

    /// The bytes of a regular file in the folder; nil for anything else.
    func read(_ path: String, limit: Int) -> [UInt8]? {
        hasFile(path) ? try? FileBytes.read(path, limit: limit) : nil
    }
}
