package import PushSystem
import PushText

/// Where a report goes instead of standard output.
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

    fileprivate static func error(_ message: String) -> RunError { RunError(message, of: "report file") }

    package var isStandardOutput: Bool { self == .descriptor(FileDescriptor.standardOutput.rawValue) }

    package var isStandardError: Bool { self == .descriptor(FileDescriptor.standardError.rawValue) }

    package var isTerminal: Bool {
        guard case .descriptor(let number) = self else { return false }
        return Terminal.isTerminal(FileDescriptor(rawValue: number))
    }

    /// Opens it for writing. Its contents stay until `truncate`.
    func open() throws(RunError) -> OpenReport {
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
    /// For messages.
    package let name: String
    /// True if this program has opened it.
    fileprivate let isOwned: Bool

    /// Removes what is in the file, or goes to its end.
    func begin(continues: Bool) throws(RunError) {
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
