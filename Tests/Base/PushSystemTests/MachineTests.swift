import Foundation
import PushSystem
import Testing

@Suite struct MachineTests {
    @Test func `the machine is the one that Foundation describes`() {
        let machine = Machine.current
        #expect(machine.cores >= 1)
        #expect(UInt64(machine.memoryBytes) == ProcessInfo.processInfo.physicalMemory)
        #expect(machine.system.hasPrefix("Linux ") || machine.system.hasPrefix("Darwin "))
    }

    @Test func `peak memory includes the memory that is used`() throws {
        let before = try #require(CurrentProcess.peakMemoryBytes)
        let bytes = [UInt8](repeating: 1, count: 32 << 20)
        let after = try #require(CurrentProcess.peakMemoryBytes)
        #expect(after >= max(before, bytes.count))
    }

    @Test func `the time of the process does not go backward`() {
        let before = SystemClock.processNanoseconds()
        #expect(before > 0)
        #expect(SystemClock.processNanoseconds() >= before)
    }

    @Test func `a file is read again from its start`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try "text".write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileDescriptor.open(path, .readOnly)
        defer { file.close() }
        for _ in 0..<2 {
            try file.rewind()
            #expect(try file.readToEnd() == Array("text".utf8))
        }
    }
}
