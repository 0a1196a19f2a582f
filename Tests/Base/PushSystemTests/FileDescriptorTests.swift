import PushSystem
import TestSupport
import Testing

/// Files, pipes and programs. Every test creates what it needs in its own directory.
struct FileDescriptorTests {
    @Test func `a file is written, read to its end, and read at an offset`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("0123456789".utf8), to: "digits")
        let file = try FileDescriptor.open(path, .readOnly)
        defer { file.close() }
        var three: [UInt8] = [0, 0, 0]
        #expect(try file.read(into: &three, at: 8) == 2)
        #expect(three == [0x38, 0x39, 0])
        #expect(file.position == 0)
        #expect(try file.read(into: &three, atMost: 2) == 2)
        #expect(file.position == 2)
        #expect(try file.readToEnd() == Array("23456789".utf8))
        #expect(try file.read(into: &three) == 0)
    }

    @Test func `a limit accepts exactly that many bytes, and not one more`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("0123456789".utf8), to: "digits")
        for (limit, fits) in [(10, true), (9, false)] {
            let file = try FileDescriptor.open(path, .readOnly)
            defer { file.close() }
            if fits {
                #expect(try file.readToEnd(limit: limit).count == 10)
            } else {
                #expect(throws: SystemError.fileTooLarge) { try file.readToEnd(limit: limit) }
            }
        }
    }

    @Test func `an error has the system's message`() {
        #expect(throws: SystemError.notFound) { try FileDescriptor.open("/nonexistent/file", .readOnly) }
        #expect(throws: SystemError.notFound) { try FileStatus("/nonexistent/file") }
        #expect(SystemError.notFound.description == "No such file or directory")
        #expect(throws: SystemError.badDescriptor) { try FileDescriptor(rawValue: -1).writeAll([1]) }
    }

    @Test func `a pipe is readable only after a write, and ends when its writer closes it`() throws {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { readEnd.close() }
        readEnd.setNonBlocking()
        var piece: [UInt8] = [0, 0]
        #expect(!readEnd.isReadable)
        #expect(throws: SystemError.wouldBlock) { try readEnd.read(into: &piece) }
        try writeEnd.writeAll([7])
        #expect(readEnd.isReadable)
        let requests = [FileDescriptor.PollRequest(writeEnd, .readable), .init(readEnd, .readable)]
        #expect(FileDescriptor.poll(requests, milliseconds: -1) == [1])
        #expect(try readEnd.read(into: &piece) == 1)
        writeEnd.close()
        // A process that another test starts has the writing end, too, until it runs its program.
        #expect(FileDescriptor.poll([.init(readEnd, .readable)], milliseconds: -1) == [0])
        #expect(try readEnd.read(into: &piece) == 0)
    }

    @Test func `a status distinguishes kinds, sizes and identities`() throws {
        let folder = try TestFolder()
        let path = try folder.write([1, 2, 3], to: "file")
        try FileSystem.setPermissions(path, 0o600)
        let status = try FileStatus(path)
        #expect(status.kind == .regular && status.size == 3 && status.permissions == 0o600)
        #expect(try FileStatus(folder.path).kind == .directory)
        #expect(try FileStatus("/dev/null").kind == .other)
        #expect(try FileStatus("/proc/self/exe", followsLinks: false).kind == .symbolicLink)
        try FileSystem.rename(path, to: path + "2")
        #expect(try FileStatus(path + "2").identity == status.identity)
        #expect(try FileStatus(folder.write([1, 2, 3], to: "file")).identity != status.identity)
        #expect(try FileSystem.names(in: folder.path).sorted() == ["file", "file2"])
        let resolved = try FileSystem.resolved("\(folder.path)/../\(folder.path.split(separator: "/").last ?? "")/file")
        #expect(resolved.hasSuffix(folder.path + "/file"))
    }

    @Test func `only one descriptor holds a lock at a time`() throws {
        let folder = try TestFolder()
        let path = try folder.write([], to: "lock")
        let (one, other) = (try FileDescriptor.open(path, .readWrite), try FileDescriptor.open(path, .readWrite))
        defer { other.close() }
        try one.lock()
        #expect(!other.tryLock())
        one.close()
        #expect(other.tryLock())
    }

    @Test func `a program gets its streams, and its exit is observed`() throws {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { readEnd.close() }
        var launch = ProgramLaunch(
            executable: "/bin/sh", arguments: ["sh", "-c", "echo $WORD; exit 3"], environment: ["WORD=hello"])
        launch.input = .nothing
        launch.output = .descriptor(writeEnd)
        let process = try launch.start()
        writeEnd.close()
        #expect(try readEnd.readToEnd() == Array("hello\n".utf8))
        #expect(try process.wait() == .exited(3))
    }

    @Test func `a program in its own process group can be ended`() throws {
        var launch = ProgramLaunch(executable: "/bin/sh", arguments: ["sh", "-c", "read line"], environment: [])
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        defer { writeEnd.close() }
        launch.input = .descriptor(readEnd)
        launch.isSeparate = true
        let process = try launch.start()
        readEnd.close()
        #expect(process.wait(milliseconds: 1) == nil)
        process.killGroup()
        #expect(try process.wait() == .signalled(9))
    }

    @Test func `a missing program is not started`() {
        let launch = ProgramLaunch(executable: "/nonexistent/program", arguments: ["x"], environment: [])
        #expect(throws: SystemError.notFound) { try launch.start() }
    }
}
