import Foundation
import PushJSON

/// `scan-pushpipe FILE ROUNDS`: measures the scanner's time per document, for comparison with other parsers.
///
/// The file has one JSON text per line. Each is scanned separately, with one scanner and one tape for all of them, in
/// ROUNDS rounds. Prints one line: documents, their bytes without the newlines, and the nanoseconds per document of the
/// best and of the median round.
@main
enum ScanTiming {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let path = arguments.first, let rounds = arguments.last.flatMap({ Int($0) }),
            rounds > 0
        else { stop("usage: scan-pushpipe FILE ROUNDS", status: 2) }
        do {
            // Read, not mapped, so that no round waits for the disk.
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            try file.withUnsafeBytes { try measure($0, rounds: rounds) }
        } catch let fault as LineFault {
            stop("scan-pushpipe: \(path):\(fault.line): \(fault.message)", status: 1)
        } catch {
            stop("scan-pushpipe: \(path): \(error.localizedDescription)", status: 1)
        }
    }

    private static func measure(_ file: UnsafeRawBufferPointer, rounds: Int) throws {
        var documents = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { UnsafeRawBufferPointer(rebasing: $0) }
        // Bytes after the last newline are not a document.
        if documents.last?.isEmpty == true { documents.removeLast() }
        guard !documents.isEmpty else { throw LineFault(line: 1, message: "no document") }

        var scanner = JSONScanner()
        var tape = JSONTape()
        var times: [Double] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            try scan(documents, with: &scanner, into: &tape)
            times.append((ContinuousClock.now - start) / .nanoseconds(documents.count))
        }
        times.sort()
        let median = (times[(rounds - 1) / 2] + times[rounds / 2]) / 2
        let bytes = documents.reduce(0) { $0 + $1.count }
        print("scan-pushpipe \(documents.count) \(bytes) " + String(format: "%.1f %.1f", times[0], median))
    }

    private static func scan(
        _ documents: [UnsafeRawBufferPointer], with scanner: inout JSONScanner, into tape: inout JSONTape
    ) throws {
        for (index, document) in documents.enumerated() {
            guard let fault = scanner.scan(document, into: &tape) else { continue }
            throw LineFault(line: index + 1, message: fault.message(in: document))
        }
    }

    private static func stop(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}

/// A line that cannot be scanned.
private struct LineFault: Error {
    /// From 1.
    var line: Int
    var message: String
}
