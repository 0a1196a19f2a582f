package import PushDevices
import PushFiles
import PushPictures
package import PushSystem
import PushText
import ScreenPictures

/// The place of a report that does not go to standard output.
package enum ReportFile: Sendable, Equatable {
    /// A file, which is created or overwritten.
    case path(String)
    /// A number that whoever started the program has opened.
    case descriptor(Int32)

    /// Reads a path, or `fd:3`; nil for another text.
    package init?(parsing text: String) {
        if text.hasPrefix("fd:") {
            guard let number = Int32(text.dropFirst(3)), number > 0 else { return nil }
            self = .descriptor(number)
        } else {
            guard !text.isEmpty, text != "-" else { return nil }
            self = .path(text)
        }
    }

    fileprivate static func error(_ message: String) -> PlainError { PlainError(message, of: "report file") }

    package var isStandardOutput: Bool { self == .descriptor(FileDescriptor.standardOutput.rawValue) }

    package var isStandardError: Bool { self == .descriptor(FileDescriptor.standardError.rawValue) }

    package var isTerminal: Bool {
        guard case .descriptor(let number) = self else { return false }
        return Terminal.isTerminal(FileDescriptor(rawValue: number))
    }

    /// Opens it for writing. Its contents stay until `truncate`.
    func open() throws(PlainError) -> OpenReport {
        switch self {
        case .descriptor(let number):
            let descriptor = FileDescriptor(rawValue: number)
            guard descriptor.isOpen else {
                throw Self.error(
                    "fd:\(number) is not open; open it in the shell, as in pushpipe run … \(number)>report.ndjson")
            }
            guard descriptor.isWritable else { throw Self.error("fd:\(number) is open for reading only") }
            return OpenReport(descriptor: descriptor, name: "fd:\(number)", isOwned: false)
        case .path(let path):
            do throws(SystemError) {
                let descriptor = try FileDescriptor.open(path, .writeOnly, options: [.create])
                return OpenReport(descriptor: descriptor, name: TerminalText.clean(path), isOwned: true)
            } catch {
                throw Self.error("\(TerminalText.clean(path)): \(error)")
            }
        }
    }
}

package struct OpenReport {
    package let descriptor: FileDescriptor
    /// The name for messages.
    package let name: String
    /// True if this program has opened it.
    fileprivate let isOwned: Bool

    /// Removes what is in the file, or goes to its end.
    func begin(continues: Bool) throws(PlainError) {
        guard isOwned else { return }
        do throws(SystemError) {
            // A pipe has no end, and nothing to remove.
            guard try FileStatus(descriptor).kind == .regular else { return }
            if continues { try descriptor.seekToEnd() } else { try descriptor.truncate() }
        } catch {
            throw ReportFile.error("\(name): \(error)")
        }
    }

    func close() {
        if isOwned { descriptor.close() }
    }
}

/// The file that a picture of the screens is written to at the end of a run.
package struct ScreenFile: Sendable, Equatable {
    private let path: String
    private let form: PictureForm

    /// - Parameter path: its ending says what is drawn. Nil for any other ending.
    package init?(_ path: String) {
        guard let form = PictureForm(ending: path) else { return nil }
        self.path = path
        self.form = form
    }

    private func error(_ reason: String) -> PlainError {
        PlainError("\(TerminalText.clean(path)): \(reason)", of: "screen file")
    }

    /// Finds out before a run, which may be long, what would be in the way after it.
    ///
    /// - Throws: `PlainError`.
    package func check() throws {
        try form.checkRenderer()
        // The file is replaced, so what counts is its directory; with a slash, nothing else has access.
        switch (try? FileStatus(path))?.kind {
        case nil, .regular: break
        case .directory:
            throw error("is a directory; name a file in it")
        default:
            throw error("is not a file that can be replaced; draw into a file, and copy that")
        }
        let directory = FilePaths.parent(of: FilePaths.absolute(path)) + "/"
        do throws(SystemError) {
            try FileSystem.checkAccess(directory, .writing)
        } catch let reason {
            throw error("\(reason)")
        }
    }

    /// Draws the screens, and replaces the file in one step.
    ///
    /// - Parameters:
    ///   - device: the device to draw; nil for all devices.
    ///   - note: called with a line for people if not all of them are drawn.
    /// - Throws: `PlainError`, `StoreError`.
    package func write(
        _ store: any BrowsableStore, device: ShownDevice? = nil, note: (String) -> Void
    ) throws {
        let picture = ScreensPicture.draw(try ScreenContents(store, device: device?.name(in: store)))
        let bytes = try form.bytes(of: picture)
        do throws(SystemError) {
            try FileBytes.write(bytes, to: path)
        } catch let reason {
            throw error("\(reason)")
        }
        if let line = picture.note { note("pushpipe: \(line)\n") }
    }
}
