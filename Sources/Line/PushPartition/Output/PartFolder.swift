import PushFiles
import PushModel
import PushSystem
import PushText

package struct PartFolder {
    package let path: String
    package let parts: Int

    package init(_ path: String, parts: Int) {
        self.path = path
        self.parts = parts
    }

    /// The name of a part's file: `part-00003.ndjson`.
    package static func name(ofPart part: Int) -> String {
        let digits = String(part)
        return prefix + String(repeating: "0", count: max(5 - digits.count, 0)) + digits + suffix
    }

    private static let prefix = "part-"
    private static let suffix = ".ndjson"

    package static func isName(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.count >= 5 && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    func path(ofPart part: Int) -> String { "\(path)/\(Self.name(ofPart: part))" }

    /// Files that this process has open besides the parts: streams, an input, and what libraries open.
    private static let otherFiles = 32

    /// Makes the folder if there is none, and checks that nothing in it would be lost.
    ///
    /// - Parameters:
    ///   - replaces: true to replace what is there; otherwise only pipes with the names of parts may exist.
    ///   - inputs: files that are read, none of which may be a part.
    func prepare(replaces: Bool, inputs: [FileIdentity], advice: Advice.Wording) throws(PlainError) {
        let names: [String]
        do throws(SystemError) {
            try FileSystem.makeDirectory(path)
            names = try FileSystem.names(in: path).sorted()
        } catch {
            throw PlainError("\(TerminalText.clean(path)): \(error)", of: "output")
        }
        for name in names {
            let status = try? FileStatus("\(path)/\(name)")
            if Self.isName(name), status?.isPipe ?? false { continue }
            if Self.isName(name), FileBytes.isLink("\(path)/\(name)"), [nil, .regular].contains(status?.kind) {
                throw PlainError(
                    "\(TerminalText.clean("\(path)/\(name)")) is a link to a file; remove it, or name another folder",
                    of: "output")
            }
            guard replaces else {
                throw PlainError(
                    "\(TerminalText.clean(path)): the folder has files, such as \(TerminalText.clean(name)); "
                        + "name another folder" + advice(.replaceParts), of: "output")
            }
            if let status, inputs.contains(status.identity) {
                throw PlainError("\(TerminalText.clean("\(path)/\(name)")) is an input; write to another folder")
            }
        }
        let limit = OpenFileLimit.raise(to: parts + Self.otherFiles)
        guard limit >= parts + Self.otherFiles else {
            throw PlainError(
                "\(parts) parts need \(parts + Self.otherFiles) open files, and this process may have \(limit); "
                    + "raise the limit (ulimit -n), or choose fewer parts" + advice(.joinParts))
        }
        for name in names where replaces && isLeftOver(name) {
            do throws(SystemError) { try FileSystem.removeFile("\(path)/\(name)") } catch {
                throw PlainError("\(TerminalText.clean("\(path)/\(name)")): \(error)")
            }
        }
    }

    /// True if a file is a part of an earlier partition with more parts.
    private func isLeftOver(_ name: String) -> Bool {
        guard Self.isName(name), (try? FileStatus("\(path)/\(name)"))?.kind == .regular else { return false }
        return !(Int(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)).map { $0 < parts } ?? false)
    }

    /// Opens the file of a part, and empties it. Waits for the reader of a pipe.
    ///
    /// - Parameter isStopped: asked when a signal interrupts the wait.
    /// - Returns: nil if it was stopped.
    func open(_ part: Int, isStopped: () -> Bool) throws(PlainError) -> FileDescriptor? {
        let path = path(ofPart: part)
        while true {
            do throws(SystemError) {
                let descriptor = try FileDescriptor.open(path, .writeOnly, options: [.create])
                if try FileStatus(descriptor).kind == .regular { try descriptor.truncate() }
                return descriptor
            } catch .interrupted {
                if isStopped() { return nil }
            } catch {
                throw PlainError("part \(part): \(TerminalText.clean(path)): \(error)")
            }
        }
    }
}
