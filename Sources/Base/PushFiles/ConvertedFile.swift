package import PushSystem

/// A file as another program converts it, such as `gzip -dc`. Released with its last reference, which ends the program.
package final class ConvertedFile {
    /// The converted text: the end of a pipe, for reading.
    package let descriptor: FileDescriptor
    package let program: String
    private let process: ChildProcessID
    /// The file that this one converts further; nil for one on disk.
    private let source: ConvertedFile?
    /// The size of the file on disk.
    private let fileBytes: UInt64
    private var isFinished = false
    private var isOpen = true

    /// Starts the program, with the file as its standard input; nil if there is no such program on `PATH`.
    ///
    /// - Parameters:
    ///   - file: at its beginning.
    ///   - command: the name of the program, and its arguments.
    /// - Throws: `SystemError` if the program cannot be started.
    package convenience init?(_ file: FileDescriptor, through command: [String]) throws(SystemError) {
        try self.init(file, of: nil, through: command)
    }

    private init?(_ file: FileDescriptor, of source: ConvertedFile?, through command: [String]) throws(SystemError) {
        let path = Environment.nonEmptyVariable("PATH") ?? "/usr/bin:/bin"
        guard let name = command.first, let executable = FileSystem.program(name, on: path) else { return nil }
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        var launch = ProgramLaunch(
            executable: executable, arguments: command, environment: ["PATH=\(path)", "LC_ALL=C"])
        launch.input = .descriptor(file)
        launch.output = .descriptor(writeEnd)
        // What it says of a damaged file has no name in it.
        launch.errors = .nothing
        launch.isSeparate = true
        let started = Result { () throws(SystemError) in try launch.start() }
        writeEnd.close()
        do throws(SystemError) { process = try started.get() } catch {
            readEnd.close()
            throw error
        }
        descriptor = readEnd
        program = name
        self.source = source
        fileBytes = source?.fileBytes ?? UInt64(clamping: (try? FileStatus(file))?.size ?? 0)
        // Or a program that ends early would leave the one before it waiting for a reader.
        source?.closeDescriptor()
    }

    /// The most bytes that are read of the text, and the words about a longer one: a few bytes can be those of a text without end.
    ///
    /// - Parameters:
    ///   - ratio: bytes of text for each byte of the file. The first 64 MiB are read in any case.
    ///   - advice: how to raise the ratio; empty for no words about that.
    package func limit(ratio: Int, advice: String) -> (bytes: UInt64, problem: String) {
        let (product, isOver) = fileBytes.multipliedReportingOverflow(by: UInt64(max(ratio, 1)))
        let bytes = max(64 << 20, isOver ? .max : product)
        return (
            bytes,
            "is compressed from more than \(bytes >> 20) MiB to \(fileBytes) bytes, so the rest is not read\(advice)"
        )
    }

    /// A file as text: compressed, in another encoding, or both; nil for one that is read as it is, and without a program that converts it.
    ///
    /// - Parameters:
    ///   - given: at the beginning of what is read.
    ///   - signatureBytes: enough bytes for `converter`.
    ///   - converter: the command for a file that begins with these bytes, and whether they have been converted already; nil for text.
    /// - Throws: `SystemError` if a program cannot be started.
    package static func text(
        of given: FileDescriptor, signatureBytes: Int, _ converter: ([UInt8], _ isConverted: Bool) -> [String]?
    ) throws(SystemError) -> ConvertedFile? {
        var beginning = [UInt8](repeating: 0, count: signatureBytes)
        guard (try? FileStatus(given))?.kind == .regular, given.position == 0,
            let count = try? given.read(into: &beginning, at: 0),
            let command = converter(Array(beginning.prefix(count)), false),
            let text = try Self.beginning(of: given, through: command, signatureBytes)
        else { return nil }
        try given.rewind()
        guard let file = try ConvertedFile(given, through: command) else { return nil }
        guard let next = converter(text, true) else { return file }
        return try ConvertedFile(file.descriptor, of: file, through: next) ?? file
    }

    /// The first bytes of a converted file, by a program for them alone: a pipe cannot be read twice.
    private static func beginning(
        of file: FileDescriptor, through command: [String], _ count: Int
    ) throws(SystemError) -> [UInt8]? {
        guard let converted = try ConvertedFile(file, through: command) else { return nil }
        var beginning: [UInt8] = []
        while beginning.count < count,
            try converted.descriptor.appendPiece(to: &beginning, atMost: count - beginning.count)
        {}
        return beginning
    }

    /// Call at the end of the text. False if the program could not convert all of the file.
    package func finish() -> Bool {
        guard !isFinished else { return true }
        isFinished = true
        let isWhole = (try? process.wait()) == .exited(0)
        return (source?.finish() ?? true) && isWhole
    }

    private func closeDescriptor() {
        if isOpen { descriptor.close() }
        isOpen = false
    }

    deinit {
        // The program ends when nobody reads what it writes.
        closeDescriptor()
        if !isFinished { _ = try? process.wait() }
    }
}
