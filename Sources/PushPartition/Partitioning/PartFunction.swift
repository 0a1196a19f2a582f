package import PayloadJSON
import PushDecoding
import RecordFraming

/// Which part each device is in.
package struct PartFunction: Sendable {
    /// At least 1.
    package let parts: Int

    package init(parts: Int) { self.parts = max(parts, 1) }

    /// The part of a device, from 0: `RecordPlace.part` of its name in canonical form. The case of a hexadecimal token means nothing, whatever
    /// its provider: an event in capitals may be about it. O(bytes).
    package func part(of device: BorrowedText) -> Int {
        guard DeviceToken.isFolded(device) else { return RecordPlace.part(of: device, among: parts) }
        return BorrowedText.with(DeviceToken.canonical(device.string)) { RecordPlace.part(of: $0, among: parts) }
    }

    /// The part of a device with a name in a string.
    package func part(of device: String) -> Int { BorrowedText.with(device) { part(of: $0) } }

    /// The part of a record that is about no device.
    package func part(ofRecord seq: UInt64) -> Int { Int(seq % UInt64(parts)) }
}
