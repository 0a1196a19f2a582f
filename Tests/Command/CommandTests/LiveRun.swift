import Foundation
import TestSupport
import Testing

/// A run of the command that a test feeds record by record, waiting for lines of output in between.
final class LiveRun {
    private let process: Process
    private let folder: Folder
    private let input: ChildPipe
    private let output: ChildPipe
    private var unread = Data()  // Read from the pipe, but not yet returned by `lines`.
    /// Standard error, if a test waits for what is on it.
    private let notes: ChildPipe?
    private var readNotes = Data()

    var isRunning: Bool { process.isRunning }

    /// Starts `pushpipe run -q`, or another command, with these arguments in addition, in a folder.
    ///
    /// - Parameters:
    ///   - hasNotes: whether the test waits for lines of standard error.
    ///   - descriptors: how many files and sockets it may have open; nil for the limit of the tests.
    init(
        _ arguments: [String], command: [String] = ["run", "-q"], hasNotes: Bool = false,
        environment: [String: String] = [:], descriptors: Int? = nil, in folder: Folder
    ) throws {
        self.folder = folder
        notes = hasNotes ? try ChildPipe("live.notes", in: folder) : nil
        var words = [try Place.executable().path] + command + arguments
        if let descriptors { words = ["/bin/sh", "-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\""] + words }
        process = try folder.process(words[0], Array(words.dropFirst()), environment: environment)
        input = try ChildPipe("live.in", in: folder)
        output = try ChildPipe("live.out", in: folder)
        process.standardInput = input.reading
        process.standardOutput = output.writing
        try folder.write("", to: "live.err")
        process.standardError =
            try notes?.writing ?? FileHandle(forWritingTo: folder.url.appendingPathComponent("live.err"))
        try process.run()
        try notes?.writing.close()
        // The read end stays open here until the end: writing to a run that has ended must not raise SIGPIPE in the tests.
        try output.writing.close()
    }

    func send(_ text: String) throws { try input.writing.write(contentsOf: Data(text.utf8)) }

    /// Waits for that many lines of the report. There are fewer only when the run has ended.
    func lines(_ count: Int) throws -> [String] {
        var lines: [String] = []
        while lines.count < count {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(String(decoding: unread[..<end], as: UTF8.self))
                unread = Data(unread[(end + 1)...])
            } else {
                let more = output.reading.availableData
                if more.isEmpty { break }
                unread += more
            }
        }
        return lines
    }

    /// Whether there is output that `lines` has not returned. Does not wait.
    var hasMoreOutput: Bool {
        var descriptor = pollfd(fd: output.reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return !unread.isEmpty || poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLIN) != 0
    }

    /// Waits for the first line of standard error.
    func firstNote() -> String {
        while let notes, !readNotes.contains(UInt8(ascii: "\n")) {
            let more = notes.reading.availableData
            if more.isEmpty { break }
            readNotes += more
        }
        return String(decoding: readNotes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Waits for a line of standard error with a text in it. Returns what was written so far, without the text only if the run has ended.
    func notes(through text: String) -> String {
        while let notes {
            let written = String(decoding: readNotes, as: UTF8.self)
            let lines = written.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if lines.contains(where: { $0.contains(text) }) { break }
            let more = notes.reading.availableData
            if more.isEmpty { break }
            readNotes += more
        }
        return String(decoding: readNotes, as: UTF8.self)
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Closes the input unless the run is to end by itself, waits for the run, and returns output that `lines` has not.
    func finish(endingInput: Bool = true) throws -> Output {
        if endingInput { try input.writing.close() }
        let rest = unread + output.reading.readDataToEndOfFile()
        if let notes { readNotes += notes.reading.readDataToEndOfFile() }
        process.waitUntilExit()
        let errors = notes == nil ? try folder.read("live.err") : String(decoding: readNotes, as: UTF8.self)
        return Output(
            stdout: rest, stderr: errors,
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
    }
}

/// A pipe between a test and one child process. It has a name, because `open` can say at once that no other child inherits an end; an
/// end that another child holds would never be seen to close.
private struct ChildPipe {
    let reading: FileHandle
    let writing: FileHandle

    init(_ name: String, in folder: Folder) throws {
        let path = folder.path(name)
        try #require(mkfifo(path, 0o600) == 0)
        // Without O_NONBLOCK this would wait for the other end, which is opened next.
        let read = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        try #require(read >= 0)
        reading = FileHandle(fileDescriptor: read, closeOnDealloc: true)
        let write = open(path, O_WRONLY | O_CLOEXEC)
        try #require(write >= 0)
        writing = FileHandle(fileDescriptor: write, closeOnDealloc: true)
        try #require(fcntl(read, F_SETFL, 0) == 0)
    }
}
