import PushJSON
package import PushPipeline
import PushSystem

/// Report lines as text.
package final class LineCollector: Sendable {
    private let text = Monitor("")

    package init() {}

    package func add(_ line: borrowing RecordReport) {
        var buffer = ByteBuffer()
        NDJSONReport().append(line, to: &buffer)
        let line = String(decoding: buffer.bytes, as: UTF8.self)
        text.change { $0 += line }
    }

    package var lines: [String] { text.change { $0.split(separator: "\n").map(String.init) } }

    /// Returns once there are so many.
    package func waitForLines(_ count: Int) {
        text.wait { $0.count(where: { $0 == "\n" }) >= count ? () : nil }
    }
}
