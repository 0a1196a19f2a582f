import PushJSON
import PushStreams
import PushSystem
import Testing

@Suite("Standard output")
struct StandardOutputTests {
    private func read(_ descriptor: FileDescriptor) throws -> String {
        String(decoding: try descriptor.readToEnd(limit: 1 << 22), as: UTF8.self)
    }

    @Test("What is appended is written in order, once per flush", arguments: [false, true])
    func order(inBackground: Bool) throws {
        let pipe = try FileDescriptor.pipe()
        defer { pipe.readEnd.close() }
        let output = StandardOutput(pipe.writeEnd, writesInBackground: inBackground)
        var expected = ""
        for number in 0..<5000 {
            let line = "\(number)\n"
            try output.append { $0.appendText(line) }
            if number.isMultiple(of: 700) { try output.flush() }
            expected += line
        }
        try output.finish()
        pipe.writeEnd.close()
        #expect(try read(pipe.readEnd) == expected)
    }

    @Test("Bytes written at once come after what was appended before them")
    func bytesAfterText() throws {
        let pipe = try FileDescriptor.pipe()
        defer { pipe.readEnd.close() }
        let output = StandardOutput(pipe.writeEnd, writesInBackground: true)
        try output.append { $0.appendText("first ") }
        try Array("second".utf8).withUnsafeBytes { try output.write($0) }
        pipe.writeEnd.close()
        #expect(try read(pipe.readEnd) == "first second")
    }

    @Test("A reader that is gone is told apart from other errors", arguments: [false, true])
    func readerGone(inBackground: Bool) throws {
        Signal.brokenPipe.ignore()
        let pipe = try FileDescriptor.pipe()
        defer { pipe.writeEnd.close() }
        pipe.readEnd.close()
        let output = StandardOutput(pipe.writeEnd, writesInBackground: inBackground)
        try output.append { $0.appendText("nobody reads this") }
        let error = #expect(throws: PlainError.self) { try output.finish() }
        #expect(error?.isReaderGone == true)
    }

    @Test("A closed stream is an error that says what to do")
    func closed() throws {
        // No file is open under this number.
        let output = StandardOutput(FileDescriptor(rawValue: 1 << 20))
        try output.append { $0.appendText("text") }
        let error = #expect(throws: PlainError.self) { try output.flush() }
        #expect(error?.isReaderGone == false)
        #expect(error?.description == "standard output is closed; redirect it, for example to /dev/null")
    }
}
