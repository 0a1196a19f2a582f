package import PayloadJSON
import PushSystem

/// Finds a field by the type that has it and one of its two spellings.
///
///     "collapseKey" in an AndroidConfig
///     → hash of the type, the length, and the first, middle and last byte
///     → slot with this type, this length and these bytes → row of FCMField.table
///
/// A slot that is taken is passed over for the next one. There is one index, made at first use and never freed: a
/// lookup neither allocates nor counts references, because every FCM message makes a dozen.
@safe  // SOUND: owns its memory, which only `init` writes, before anyone else sees it, and which is never freed.
package struct FCMFieldIndex: @unchecked Sendable {
    /// A spelling of a field's name. Without a start the slot is free.
    @safe  // SOUND: its bytes are those of a name, which are never freed.
    private struct Spelling {
        var start: UnsafePointer<UInt8>?
        var count: UInt8 = 0
        var object: UInt8 = 0
        var row: UInt8 = 0
    }

    private static let size = 512
    private let slots: UnsafePointer<Spelling>
    private let fields: UnsafePointer<FCMField>

    /// The index over `FCMField.table`.
    package static let shared = FCMFieldIndex()

    private init() {
        // SOUND: every slot and every field is initialized before it is read, and nothing is freed.
        let slots = UnsafeMutablePointer<Spelling>.allocate(capacity: Self.size)
        unsafe slots.initialize(repeating: Spelling(), count: Self.size)
        let fields = UnsafeMutablePointer<FCMField>.allocate(capacity: FCMField.table.count)
        for (row, field) in FCMField.table.enumerated() {
            unsafe (fields + row).initialize(to: field)
            let names = Set([field.name.description, field.camelName])
            for name in names.sorted() {
                let bytes = Array(name.utf8)
                let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
                for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
                var slot = unsafe Self.slot(of: copy, count: bytes.count, in: field.object)
                while unsafe slots[slot].start != nil { slot = (slot + 1) % Self.size }
                unsafe slots[slot] = unsafe Spelling(
                    start: copy, count: UInt8(bytes.count), object: field.object.rawValue, row: UInt8(row))
            }
        }
        unsafe self.slots = unsafe UnsafePointer(slots)
        unsafe self.fields = unsafe UnsafePointer(fields)
    }

    /// - Parameter count: at least 1.
    @inline(__always)
    private static func slot(of start: UnsafePointer<UInt8>, count: Int, in object: FCMObject) -> Int {
        // SOUND: every offset is below `count`.
        let bytes = unsafe UInt32(start[0]) | UInt32(start[count >> 1]) << 8 | UInt32(start[count - 1]) << 16
        let word = (bytes | UInt32(truncatingIfNeeded: count) << 24) ^ UInt32(object.rawValue) &* 0x0101_0101
        return Int((word &* 0x9E37_79B1) >> 23)
    }

    /// The field with this name in either spelling; nil if the type has none.
    @inline(__always)
    package func field(_ key: JSONString, of object: FCMObject) -> FCMField? {
        // SOUND: the bytes are those of the key.
        if key.hasEscapes { return escapedField(key, of: object) }
        let text = key.raw
        return unsafe field(text.start, count: text.count, of: object)
    }

    @inline(never)
    private func escapedField(_ key: JSONString, of object: FCMObject) -> FCMField? {
        // SOUND: the bytes live until the closure returns.
        unsafe key.decodedBytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe field($0, count: bytes.count, of: object) }
        }
    }

    @inline(__always)
    private func field(_ start: UnsafePointer<UInt8>, count: Int, of object: FCMObject) -> FCMField? {
        // SOUND: a slot's count is compared before its bytes are, and its row is one of the table.
        guard count > 0 else { return nil }
        var slot = unsafe Self.slot(of: start, count: count, in: object)
        while true {
            let spelling = unsafe slots[slot]
            guard let name = unsafe spelling.start else { return nil }
            if Int(spelling.count) == count, spelling.object == object.rawValue,
                unsafe Memory.isEqual(name, start, count: count)
            {
                return unsafe fields[Int(spelling.row)]
            }
            slot = (slot + 1) & (Self.size - 1)
        }
    }
}
