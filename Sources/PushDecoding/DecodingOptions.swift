import PayloadJSON
public import PushModel

/// How records are read: what the command line forces or supplies.
public struct DecodingOptions: Sendable {
    /// Reads every record as this format, unless the record has a `"provider"` of its own. Nil recognises each by its keys.
    public var format: RecordFormat?
    /// The kind of device behind GCM and FCM tokens. Nil: Android, but for messages with an `apns` block alone.
    public var platform: Platform?
    /// The device of records that name none.
    public var device = "default"
    /// The app of records that name none.
    public var topic = ""
    /// Forces one budget for every message.
    public var budget: Budget?
    /// Reads single quotes, bare keys and trailing commas, and says in a finding what it changed.
    public var acceptsRelaxedJSON = false
    /// Takes every object for a device's event, which need not say so: the input is a file of devices.
    package var readsDevices = false
    /// The member of the payload that an extension replaces by: a name, or a JSON Pointer when it begins with `/`.
    public var replacementKey: String?

    /// Recognises every format, forces nothing.
    public init() {}
}

/// Text with an address of its own, so that messages can borrow it.
final class OwnedText: Sendable {
    // SOUND: written once, before it is shared, and freed with the last owner.
    nonisolated(unsafe) private let buffer: UnsafeBufferPointer<UInt8>

    init(_ string: String) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(string.utf8.count, 1))
        _ = copy.initialize(fromContentsOf: string.utf8)
        buffer = UnsafeBufferPointer(rebasing: copy[..<string.utf8.count])
    }

    deinit { buffer.baseAddress?.deallocate() }

    /// Valid as long as this object is.
    var text: BorrowedText {
        buffer.baseAddress.map { BorrowedText(start: $0, count: buffer.count) } ?? .empty
    }
}
