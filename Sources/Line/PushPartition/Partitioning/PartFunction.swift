package import PayloadJSON
import RecordFraming

package struct PartFunction: Sendable {
    /// At least 1.
    package let parts: Int

    package init(parts: Int) { self.parts = max(parts, 1) }

    /// The part of a device, from 0. O(bytes).
    package func part(of device: BorrowedText) -> Int { RecordPlace.part(of: device, among: parts) }

    package func part(of device: String) -> Int { BorrowedText.with(device) { part(of: $0) } }

    /// The part of a record that is about no device.
    package func part(ofRecord seq: UInt64) -> Int { Int(seq % UInt64(parts)) }
}
